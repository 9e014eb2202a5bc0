import Foundation
import RealmStorage

/// Values of type `Any` that come from dictionaries, JSON and dynamic setters, turned into stored ones by the rules of `create(value:)`.
enum DynamicInput {
  // MARK: Shape

  /// Whether values of a type are no optionals, no `AnyRealmValue`s and neither of an enumeration nor of a custom type: the commonest types are
  /// known, while to look for a protocol takes some hundred nanoseconds.
  @inline(__always) static func isPlain(_ type: Any.Type) -> Bool {
    type == Int.self || type == String.self || type == Double.self || type == Bool.self || type == Date.self || type == ObjectId.self
      || type == Float.self || type == Data.self || type == UUID.self
  }

  /// `nil`, `NSNull`, and an `AnyRealmValue` without contents.
  static func isNull(_ input: Any) -> Bool {
    // Asked of the type first: to see whether a dictionary or a text is an object, Foundation would make one of it.
    if isPlain(type(of: input)) { return false }
    if type(of: input) is AnyClass { return input is NSNull }
    if type(of: input) == AnyRealmValue.self { return (input as? AnyRealmValue)?.contents == nil }
    guard let optional = input as? any OptionalProtocol else { return false }
    return isEmpty(optional)
  }
  private static func isEmpty<T: OptionalProtocol>(_ optional: T) -> Bool {
    guard let value = optional._optional else { return true }
    return isNull(value)
  }

  /// The value without the optionals and the `AnyRealmValue` around it; `input` is not null.
  static func unwrapped(_ input: Any) -> Any {
    if isPlain(type(of: input)) { return input }
    func unwrap<T: OptionalProtocol>(_ optional: T) -> Any? { optional._optional }
    var value = input
    while let optional = value as? any OptionalProtocol, let inner = unwrap(optional) { value = inner }
    if type(of: value) == AnyRealmValue.self, let contents = (value as? AnyRealmValue)?.contents { return contents }
    return value
  }

  /// The object that a value is, also one of a type parameter.
  ///
  /// Never inlined: where the optimizer of Swift 6.3 knows that the value is an optional object it casts without looking whether there is one, and a nil
  /// makes the program stop (`generic as? SomeClass`).
  @inline(never) static func object(_ value: Any) -> ObjectBase? {
    // Asked of the type first: to see whether a dictionary or a text is an object, Foundation would make one of it.
    guard type(of: value) is AnyClass || value is any OptionalProtocol else { return nil }
    return value as? ObjectBase
  }

  /// The elements of anything that is a sequence, but text and bytes.
  static func elements(of input: Any) -> [Any]? {
    let input = unwrapped(input)
    if input is String || input is Data || input is [String: Any] || input is NSDictionary || input is any _MapInput { return nil }
    if let array = input as? [Any] { return array }
    func all<S: Sequence>(_ sequence: S) -> [Any] { sequence.map { $0 as Any } }
    if let sequence = input as? any Sequence { return all(sequence) }
    return nil
  }

  /// The entries of anything that is a dictionary with texts as keys.
  static func entries(of input: Any) -> [(name: String, element: Any)]? {
    let input = unwrapped(input)
    if let dictionary = input as? [String: Any] { return dictionary.map { (name: $0.key, element: $0.value) } }
    if let map = input as? any _MapInput { return map._entries }
    if let dictionary = input as? [AnyHashable: Any] {
      var result: [(name: String, element: Any)] = []
      for (key, value) in dictionary {
        guard let key = key.base as? String else { return nil }
        result.append((name: key, element: value))
      }
      return result
    }
    return nil
  }

  /// What a value of an enumeration or custom type is stored as.
  static func persisted(_ value: Any) -> Any {
    if isPlain(type(of: value)) { return value }
    func raw<T: PersistableEnum>(_ value: T) -> Any { value.rawValue }
    func persistable<T: _CustomPersistable>(_ value: T) -> Any { value.persistableValue }
    if let value = value as? any PersistableEnum { return raw(value) }
    if let value = value as? any _CustomPersistable { return persistable(value) }
    return value
  }

  // MARK: Scalars

  /// - Throws: the text of a value of the wrong type.
  static func scalar(_ input: Any, _ shape: _Shape) throws -> Value {
    guard let value = convert(input, shape.type, isOptional: shape.isOptional), shape.holds(value) else {
      throw RealmFailure.misuse("Invalid value '\(shown(input))' of type '\(type(of: input))' for expected type '\(shape.elementText)'.")
    }
    return value
  }

  static func scalar(_ input: Any, _ property: Property, className: String = "") throws -> Value {
    if isNull(input), !property.isOptional, property.type != .any, !property.isCollection {
      throw RealmFailure.misuse("Missing value for property '\(className).\(property.name)'")
    }
    guard let value = convert(input, property.type, isOptional: property.isOptional) else {
      throw RealmFailure.misuse(invalidValue(input, className, property))
    }
    return value
  }

  /// Why a value of the stored type is none of an enumeration or a custom type.
  static func noCounterpart(_ input: Any, _ type: Any.Type) -> RealmFailure {
    .misuse("Could not convert value '\((input as? Value).map { text($0) } ?? shown(unwrapped(input)))' to type '\(type)'.")
  }

  /// Why a property cannot be read whose type has no counterpart for what is stored.
  static func failedConversion(_ stored: Value, _ type: Any.Type) -> RealmFailure {
    .misuse("Failed to convert persisted value '\(text(stored))' to type '\(type)' in a non-optional context.")
  }

  /// What texts of errors show of input. Foundation ends the process when it is to describe a date that is not a number, and says nothing.
  static func shown(_ input: Any) -> String {
    if !hasUndefinedDate(input) { return "\(input)" }
    return input is Date ? "nan" : "\(type(of: input)) with a date that is not a number"
  }

  private static func hasUndefinedDate(_ input: Any) -> Bool {
    if let date = input as? Date { return date.timeIntervalSinceReferenceDate.isNaN }
    if isPlain(type(of: input)) || type(of: input) is AnyClass { return false }
    return Mirror(reflecting: input).children.contains { hasUndefinedDate($0.value) }
  }

  static func invalidValue(_ input: Any, _ className: String, _ property: Property) -> String {
    let value = (input as? Value).map { text($0) } ?? (isNull(input) ? "<null>" : shown(unwrapped(input)))
    let typeName = (input as? Value).map { Self.typeName(of: $0) } ?? (isNull(input) ? "NSNull" : "\(Swift.type(of: unwrapped(input)))")
    return
      "Invalid value '\(value)' of type '\(typeName)' for '\(property.elementText)'\(property.collectionText) property '\(className).\(property.name)'."
  }

  private static func convert(_ input: Any, _ type: PropertyType, isOptional: Bool) -> Value? {
    if isNull(input) { return isOptional || type == .any ? .null : nil }
    let plain = unwrapped(input)
    if type == .decimal128, let decimal = plain as? NSDecimalNumber { return exact(decimal) }
    return engineValue(plain).flatMap { convert($0, to: type) }
  }

  /// What a value of a Swift type is to the engine; nil for objects, collections and anything unknown.
  static func engineValue(_ input: Any) -> Value? {
    let type = type(of: input)
    if type == Int.self, let value = input as? Int { return .int(Int64(value)) }
    if type == String.self, let value = input as? String { return Value(value) }
    if type == Double.self, let value = input as? Double { return .double(value) }
    if type is NSNumber.Type, let number = input as? NSNumber { return engineValue(number) }
    switch input {
    case let value as Bool: return .bool(value)
    case let value as Int: return .int(Int64(value))
    case let value as String: return Value(value)
    case let value as Double: return .double(value)
    case let value as Float: return .float(value)
    case let value as Date: return .timestamp(Timestamp(value))
    case let value as Data: return .binary([UInt8](value))
    case let value as ObjectId: return .objectID(value.engineValue)
    case let value as Decimal128: return .decimal(value.engineValue)
    case let value as UUID: return .uuid(UUIDBytes(value))
    case let value as any FixedWidthInteger: return Int64(exactly: value).map { .int($0) }
    case let value as AnyRealmValue: return value.scalar
    case let value as any _PersistableInsideOptional: return isLink(value) ? nil : value._store(_Scope(core: nil, target: nil)).value
    case let value as Decimal: return .double(NSDecimalNumber(decimal: value).doubleValue)
    case let value as NSString: return Value("\(value)")
    default: return nil
    }
  }

  /// A list or a dictionary as what a property of type `AnyRealmValue` is compared with: the kind alone counts (Q5.4).
  static func nested(_ input: Any) -> Value? {
    switch input as? AnyRealmValue {
    case .list?: return .list(.null)
    case .dictionary?: return .dictionary(.null)
    case _?: return nil
    case nil: break
    }
    if entries(of: input) != nil { return .dictionary(.null) }
    return elements(of: input) == nil ? nil : .list(.null)
  }

  /// A custom type over an embedded class.
  private static func isLink<T: _PersistableInsideOptional>(_ value: T) -> Bool { T._shape.type == .object }

  private static func engineValue(_ number: NSNumber) -> Value? {
    switch unsafe number.objCType.pointee {
    case CChar(UInt8(ascii: "c")), CChar(UInt8(ascii: "B")):
      return number.int64Value == 0 || number.int64Value == 1 ? .bool(number.boolValue) : .int(number.int64Value)
    case CChar(UInt8(ascii: "d")): return .double(number.doubleValue)
    case CChar(UInt8(ascii: "f")): return .float(number.floatValue)
    case CChar(UInt8(ascii: "Q")): return Int64(exactly: number.uint64Value).map { .int($0) }
    default: return .int(number.int64Value)
    }
  }

  private static func exact(_ decimal: NSDecimalNumber) -> Value? {
    (try? Decimal128(string: decimal.stringValue)).map { .decimal($0.engineValue) }
  }

  private static func convert(_ value: Value, to type: PropertyType) -> Value? {
    switch (type, value) {
    case (.any, _): return value
    case (.int, .int), (.bool, .bool), (.float, .float), (.double, .double), (.string, .string), (.data, .binary), (.date, .timestamp),
      (.objectId, .objectID), (.decimal128, .decimal), (.UUID, .uuid):
      return value
    case (.int, .bool(let flag)): return .int(flag ? 1 : 0)
    case (.bool, .int(let number)): return number == 0 || number == 1 ? .bool(number == 1) : nil
    case (.float, .int(let number)): return .float(Float(number))
    case (.float, .double(let number)):
      return number.isNaN || abs(number) <= Double(Float.greatestFiniteMagnitude) ? .float(Float(number)) : nil
    case (.double, .int(let number)): return .double(Double(number))
    case (.double, .float(let number)): return .double(Double(number))
    case (.decimal128, .bool(let flag)): return convert(.int(flag ? 1 : 0), to: .decimal128)
    case (.decimal128, .int(let number)): return (try? Decimal128(string: "\(number)")).map { .decimal($0.engineValue) }
    case (.decimal128, .double(let number)): return (try? Decimal128(string: "\(number)")).map { .decimal($0.engineValue) }
    case (.decimal128, .float(let number)): return (try? Decimal128(string: "\(number)")).map { .decimal($0.engineValue) }
    case (.decimal128, .string(let bytes)):
      guard let decimal = try? Decimal128(string: String(decoding: bytes, as: UTF8.self)), !decimal.isNaN else { return nil }
      return .decimal(decimal.engineValue)
    case (.UUID, .string(let bytes)): return UUID(uuidString: String(decoding: bytes, as: UTF8.self)).map { .uuid(UUIDBytes($0)) }
    default: return nil
    }
  }

  // MARK: Texts

  /// A stored value as descriptions and error texts show it.
  static func text(_ value: Value) -> String {
    switch value {
    case .null: "(null)"
    case .int(let number): "\(number)"
    case .bool(let flag): flag ? "1" : "0"
    case .string(let bytes): String(decoding: bytes, as: UTF8.self)
    case .binary(let bytes): ObjectText.text(Data(bytes))
    case .timestamp(let timestamp): "\(Date(timestamp))"
    case .float(let number): withoutFraction("\(number)")
    case .double(let number): withoutFraction("\(number)")
    case .decimal(let number): Decimal128(number).stringValue
    case .objectID(let value): ObjectId(value).stringValue
    case .uuid(let value): "\(UUID(value))"
    case .link(let key): "\(key.rawValue)"
    case .typedLink(let link): "\(link.key.rawValue)"
    case .list: "list"
    case .dictionary: "dictionary"
    }
  }

  /// Whole numbers are printed as the original's boxed ones print themselves: `2`.
  private static func withoutFraction(_ text: String) -> String { text.hasSuffix(".0") ? String(text.dropLast(2)) : text }

  private static func typeName(of value: Value) -> String {
    switch value {
    case .null: "null"
    case .int: "int"
    case .bool: "bool"
    case .string: "string"
    case .binary: "data"
    case .timestamp: "date"
    case .float: "float"
    case .double: "double"
    case .decimal: "decimal128"
    case .objectID: "object id"
    case .uuid: "uuid"
    case .link, .typedLink: "object"
    case .list: "list"
    case .dictionary: "dictionary"
    }
  }
}
