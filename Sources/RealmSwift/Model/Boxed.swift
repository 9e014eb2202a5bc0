import Foundation

/// Values as access by name and key-value coding hand them out: numbers boxed, so that they cast to every type of number that can hold them;
/// the contents of an `AnyRealmValue`; what enumerations and custom types are stored as.
enum Boxed {
  /// Null as an element of an array or a set: an `NSNull` that also casts to nil of any optional type, which a plain one does not on Linux.
  static var null: AnyObject { Any?.none as Any as AnyObject }

  /// - Returns: nil for null.
  static func value(_ value: Any?) -> Any? {
    guard let value, !DynamicInput.isNull(value) else { return nil }
    let plain = DynamicInput.persisted(DynamicInput.unwrapped(value))
    // An `NSNumber` would match the types of numbers below.
    let type = type(of: plain)
    if type is AnyClass || type == String.self || type == Date.self { return plain }
    if type == Int.self, let number = plain as? Int { return NSNumber(value: Int64(number)) }
    return switch plain {
    case let flag as Bool: NSNumber(value: flag)
    // Boxed with 64 bits whatever the width: a box of 8 would count as a Boolean.
    case let number as any FixedWidthInteger: NSNumber(value: Int64(truncatingIfNeeded: number))
    case let number as Double: NSNumber(value: number)
    case let number as Float: NSNumber(value: number)
    default: plain
    }
  }

  /// For collections, which have a place for null.
  static func element(_ value: Any?) -> Any { self.value(value) ?? null }
}
