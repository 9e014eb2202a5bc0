import Foundation
package import RealmQuery
package import RealmStorage

/// Typed values and arguments as `Tests/Fixtures/queries/README.md` encodes them in JSON.
package struct QueryValues {
  package struct Malformed: Error {
    package let text: String
  }

  private let group: Group

  package init(_ group: Group) { self.group = group }

  package func argument(_ encoded: Any) throws -> QueryArgument {
    if let object = encoded as? [String: Any], object.count == 1, let list = object["list"] as? [Any] {
      return .list(try list.map(value))
    }
    return .value(try value(encoded))
  }

  package func value(_ encoded: Any) throws -> Value {
    if encoded is NSNull { return .null }
    if let text = encoded as? String { return Value(text) }
    guard let object = encoded as? [String: Any] else {
      guard let number = encoded as? NSNumber else { throw Malformed(text: "\(encoded)") }
      if number.isBoolean { return .bool(number.boolValue) }
      if let integer = number.exactInteger { return .int(integer) }
      guard number.isFloating else { throw Malformed(text: "\(encoded)") }
      return .double(number.nearestDouble)
    }
    guard object.count == 1, let (kind, content) = object.first, let result = try value(kind, content) else {
      throw Malformed(text: "\(encoded)")
    }
    return result
  }

  private func value(_ kind: String, _ content: Any) throws -> Value? {
    // JSON's `true` is no number, and 1 is none of its truths.
    let truth = (content as? NSNumber).flatMap { $0.isBoolean ? $0.boolValue : nil }
    let number = truth == nil ? content as? NSNumber : nil
    let text = content as? String
    switch kind {
    case "int": return number?.exactInteger.map { .int($0) }
    case "bool": return truth.map { .bool($0) }
    case "string": return text.map { Value($0) }
    case "float":
      // What is too large for the type is another number in it.
      if let number { return number.nearestFloat.isFinite ? .float(number.nearestFloat) : nil }
      return text.flatMap { Float(QueryValues.floating($0)) }.map { .float($0) }
    case "double": return number.map { .double($0.nearestDouble) } ?? text.flatMap { Double(QueryValues.floating($0)) }.map { .double($0) }
    case "decimal": return (text ?? number?.stringValue).flatMap { Decimal128(text: $0) }.map { .decimal($0) }
    case "date":
      // Those outside of the years 0 to 9999 have no other form than that of exports.
      if let text { return (DateForm(text.utf8)?.date ?? DateForm.counted(Array(text.utf8))).map { .timestamp($0) } }
      guard let parts = content as? [NSNumber], parts.count == 2, let seconds = parts[0].exactInteger, let nanoseconds = parts[1].exactInteger
      else { return nil }
      return DateForm.counted(Array("\(seconds):\(nanoseconds)".utf8)).map { .timestamp($0) }
    case "binary", "data": return text.flatMap { Data(base64Encoded: $0) }.map { .binary([UInt8]($0)) }
    case "objectId": return text.flatMap { ObjectID(hexadecimal: Array($0.utf8)[...]) }.map { .objectID($0) }
    case "uuid": return text.flatMap { UUIDBytes(hexadecimal: Array($0.utf8)[...]) }.map { .uuid($0) }
    case "objkey": return number?.exactInteger.map { .link(ObjectKey($0)) }
    case "link":
      guard let parts = content as? [Any], parts.count == 2, let name = parts[0] as? String else { return nil }
      guard let table = try group.table(named: "class_" + name), let key = try table.find(primaryKey: value(parts[1])) else { return nil }
      return .typedLink(ObjectLink(table: table.key, key: key))
    case "null": return truth == true || content is NSNull ? .null : nil
    default: return nil
    }
  }

  private static func floating(_ text: String) -> String {
    switch text {
    case "NaN": "nan"
    case "Infinity": "inf"
    case "-Infinity": "-inf"
    default: text
    }
  }
}

extension NSNumber {
  /// JSON's `true` or `false`.
  fileprivate var isBoolean: Bool { kind == "c" }
  private var kind: String { unsafe String(cString: objCType) }
  /// Of no integer: those beyond 64 bits are decimals here, which no double holds exactly.
  fileprivate var isFloating: Bool { (kind == "d" || kind == "f") && stringValue.contains { !$0.isNumber && $0 != "-" } }
  /// By way of the text: what Foundation makes of its decimals may be a neighbour.
  fileprivate var nearestDouble: Double { Double(stringValue) ?? doubleValue }
  fileprivate var nearestFloat: Float { Float(stringValue) ?? floatValue }
  /// Nil for what is no integer of 64 bits: nothing is cut off, nor rounded on the way.
  fileprivate var exactInteger: Int64? { Int64(stringValue) ?? (self is NSDecimalNumber ? nil : Int64(exactly: doubleValue)) }
}
