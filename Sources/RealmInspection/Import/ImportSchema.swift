import RealmQuery
package import RealmStorage

/// The type of a property of imported objects, as the whole input shows it.
package indirect enum ImportType: Equatable, Sendable {
  /// Nothing but nulls.
  case unknown
  case value(ColumnType)
  case object([ImportField])
  case array(ImportType, hasNulls: Bool)

  package var text: String {
    switch self {
    case .unknown: "string"
    case .value(let type): SchemaNames.type(type)
    case .object(let fields): "{" + fields.map(\.text).joined(separator: ", ") + "}"
    case .array(let element, let hasNulls): "[\(element.text)\(hasNulls ? "?" : "")]"
    }
  }
}

package struct ImportField: Equatable, Sendable {
  package let name: String
  package var type: ImportType
  package var isOptional: Bool
  package var text: String { "\(name): \(type.text)\(isOptional ? "?" : "")" }
}

/// Finds the types of the properties of all rows.
package struct ImportInference {
  private let isText: Bool

  /// - Parameter isText: all values are texts (CSV), so that disagreement makes a string rather than a mixed value.
  package init(isText: Bool) { self.isText = isText }

  /// - Throws: when a property is an object or array in one row and something else in another.
  package func fields(_ rows: [ImportValue]) throws(ImportProblem) -> [ImportField] {
    var order: [String] = []
    var found: [String: (type: ImportType, count: Int, hasNull: Bool)] = [:]
    for row in rows {
      guard case .object(let members) = row else { continue }
      var seen: Set<String> = []
      for (name, value) in members where seen.insert(name).inserted {
        let (type, isNull) = try type(value)
        guard let known = found[name] else {
          order.append(name)
          found[name] = (type, 1, isNull)
          continue
        }
        found[name] = (try merge(known.type, type, name), known.count + 1, known.hasNull || isNull)
      }
    }
    return order.compactMap { name in
      found[name].map { ImportField(name: name, type: $0.type, isOptional: $0.hasNull || $0.count < rows.count) }
    }
  }

  private func type(_ value: ImportValue) throws(ImportProblem) -> (ImportType, isNull: Bool) {
    switch value {
    case .null: return (.unknown, true)
    case .bool: return (.value(.bool), false)
    case .integer: return (.value(.int), false)
    case .number: return (.value(.double), false)
    case .text(let bytes): return (.value(isText ? ImportText.type(bytes) : ImportText.date(bytes) == nil ? .string : .timestamp), false)
    case .object: return (.object(try fields([value])), false)
    case .array(let elements):
      var element = ImportType.unknown
      var hasNulls = false
      for part in elements {
        let (type, isNull) = try type(part)
        hasNulls = hasNulls || isNull
        if case .array = type { throw ImportProblem(reason: "an array in an array cannot be imported") }
        element = try merge(element, type, "an array")
      }
      return (.array(element, hasNulls: hasNulls), false)
    }
  }

  private func merge(_ a: ImportType, _ b: ImportType, _ name: String) throws(ImportProblem) -> ImportType {
    if a == b { return a }
    switch (a, b) {
    case (.unknown, _): return b
    case (_, .unknown): return a
    case (.value(.int), .value(.double)), (.value(.double), .value(.int)): return .value(.double)
    case (.value(.string), .value(.timestamp)), (.value(.timestamp), .value(.string)): return .value(.string)
    case (.value, .value): return .value(isText ? .string : .mixed)
    case (.array(let x, let xNulls), .array(let y, let yNulls)): return .array(try merge(x, y, name), hasNulls: xNulls || yNulls)
    case (.object(let x), .object(let y)): return .object(try merge(x, y))
    default: throw ImportProblem(reason: "'\(name)' is an object or array in one place and something else in another")
    }
  }

  private func merge(_ a: [ImportField], _ b: [ImportField]) throws(ImportProblem) -> [ImportField] {
    var result = a
    for index in result.indices where !b.contains(where: { $0.name == result[index].name }) { result[index].isOptional = true }
    for field in b {
      if let index = result.firstIndex(where: { $0.name == field.name }) {
        result[index].type = try merge(result[index].type, field.type, field.name)
        result[index].isOptional = result[index].isOptional || field.isOptional
      } else {
        result.append(ImportField(name: field.name, type: field.type, isOptional: true))
      }
    }
    return result
  }
}

/// Values in texts.
enum ImportText {
  /// What a field of CSV is.
  static func type(_ bytes: [UInt8]) -> ColumnType {
    let text = String(decoding: bytes, as: UTF8.self)
    if text == "true" || text == "false" { return .bool }
    if Int64(text) != nil { return .int }
    if let first = bytes.first, first == UInt8(ascii: "-") || first >= 0x30 && first <= 0x39, Double(text) != nil { return .double }
    return date(bytes) == nil ? .string : .timestamp
  }

  /// ISO 8601 with date and time: `2020-01-31T12:00:00.5Z`, `2020-01-31 12:00:00+01:00`.
  static func date(_ bytes: [UInt8]) -> Timestamp? {
    func number(_ range: Range<Int>) -> Int64? {
      guard range.upperBound <= bytes.count, bytes[range].allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
      return bytes[range].reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
    func isAt(_ index: Int, _ characters: String) -> Bool { index < bytes.count && characters.utf8.contains(bytes[index]) }
    guard let year = number(0..<4), isAt(4, "-"), let month = number(5..<7), isAt(7, "-"), let day = number(8..<10), isAt(10, "T "),
      let hour = number(11..<13), isAt(13, ":"), let minute = number(14..<16), isAt(16, ":"), let second = number(17..<19),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
    else { return nil }
    var index = 19
    var nanoseconds: Int64 = 0
    if isAt(index, ".") {
      let begin = index + 1
      index = begin
      var unit: Int64 = 100_000_000
      while index < bytes.count, let digit = number(index..<index + 1) {
        nanoseconds += digit * unit
        unit /= 10
        index += 1
      }
      if index == begin { return nil }
    }
    var shift: Int64 = 0
    if isAt(index, "Z") {
      index += 1
    } else if isAt(index, "+-"), let hours = number(index + 1..<index + 3), isAt(index + 3, ":"), let minutes = number(index + 4..<index + 6) {
      shift = (hours * 3600 + minutes * 60) * (bytes[index] == UInt8(ascii: "-") ? -1 : 1)
      index += 6
    }
    guard index == bytes.count else { return nil }
    var seconds = days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - shift
    if seconds < 0 && nanoseconds > 0 { (seconds, nanoseconds) = (seconds + 1, nanoseconds - 1_000_000_000) }
    return Timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds))
  }

  /// Since 1970-01-01, in the proleptic Gregorian calendar; years begin in March here, so that the leap day is the last one.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

/// What an imported value becomes in a column.
enum ImportConversion {
  static func value(_ value: ImportValue, _ type: ColumnType) throws(ImportProblem) -> Value {
    let result: Value? =
      switch (value, type) {
      case (.null, _): .null
      case (.bool(let flag), .bool), (.bool(let flag), .mixed): .bool(flag)
      case (.integer(let number), .int), (.integer(let number), .mixed): .int(number)
      case (.integer(let number), .double): .double(Double(number))
      case (.integer(let number), .float): .float(Float(number))
      case (.integer(let number), .decimal): .decimal(Decimal128(number))
      case (.number(let number), .double), (.number(let number), .mixed): .double(number)
      case (.number(let number), .float): .float(Float(number))
      case (.number(let number), .decimal): .decimal(Decimal128(number))
      case (.number(let number), .int): Int64(exactly: number).map { .int($0) }
      case (.text(let bytes), .string), (.text(let bytes), .mixed): .string(bytes)
      case (.text(let bytes), _): text(bytes, type)
      case (.bool(let flag), .string): Value(flag ? "true" : "false")
      case (.integer(let number), .string): Value("\(number)")
      case (.number(let number), .string): Value("\(number)")
      default: nil
      }
    guard let result else { throw ImportProblem(reason: "is no value of type \(SchemaNames.type(type))") }
    return result
  }

  private static func text(_ bytes: [UInt8], _ type: ColumnType) -> Value? {
    let text = String(decoding: bytes, as: UTF8.self)
    switch type {
    case .bool: return text == "true" || text == "1" ? .bool(true) : text == "false" || text == "0" ? .bool(false) : nil
    case .int: return Int64(text).map { .int($0) }
    case .double: return Double(text).map { .double($0) }
    case .float: return Float(text).map { .float($0) }
    case .decimal: return Decimal128(text: text).map { .decimal($0) }
    case .timestamp: return ImportText.date(bytes).map { .timestamp($0) }
    case .binary: return base64(bytes).map { .binary($0) }
    case .objectID: return ObjectID(hexadecimal: bytes[...]).map { .objectID($0) }
    case .uuid: return UUIDBytes(hexadecimal: bytes[...]).map { .uuid($0) }
    default: return nil
    }
  }

  private static func base64(_ bytes: [UInt8]) -> [UInt8]? {
    let isValid = bytes.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || [0x2B, 0x2F, 0x3D].contains(byte)
    }
    return isValid ? Base64.decode(bytes[...]) : nil
  }
}
