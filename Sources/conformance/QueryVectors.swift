import Foundation
import RealmQuery
import RealmStorage

/// A file of measured queries, as `fixtures/queries/README.md` describes it.
struct QueryVectors {
  struct Malformed: Error { let place: String }

  struct Vector {
    let id: String
    let className: String
    let query: String
    let arguments: [Any]
    let mapping: [[String]]
    let count: Int
    let hash: String
    let first: [String]
    /// Code, and message or beginning of one.
    let error: (code: String, message: String?, prefix: String?)?

    init(_ object: [String: Any]) throws {
      guard let id = object["id"] as? String, let className = object["class"] as? String, let query = object["query"] as? String else {
        throw Malformed(place: "\(object["id"] ?? "a vector")")
      }
      (self.id, self.className, self.query) = (id, className, query)
      arguments = object["args"] as? [Any] ?? []
      mapping = object["mapping"] as? [[String]] ?? []
      count = (object["count"] as? NSNumber)?.intValue ?? 0
      hash = object["sha256"] as? String ?? ""
      first = object["first"] as? [String] ?? []
      if let error = object["error"] as? [String: Any] {
        self.error = (error["code"] as? String ?? "", error["message"] as? String, error["prefix"] as? String)
      } else {
        error = nil
      }
    }
  }

  struct Aggregate {
    let className: String
    let query: String
    let property: String
    let count: Int
    /// How many values took part in the average.
    let values: Int?
    /// By `min`, `max`, `sum`, `avg`.
    let results: [String: Any]

    init(_ object: [String: Any]) throws {
      guard let className = object["class"] as? String, let query = object["query"] as? String, let property = object["property"] as? String,
        let count = object["count"] as? NSNumber
      else { throw Malformed(place: "an aggregate") }
      (self.className, self.query, self.property, self.count) = (className, query, property, count.intValue)
      values = (object["values"] as? NSNumber)?.intValue
      results = object.filter { ["min", "max", "sum", "avg"].contains($0.key) }
    }
  }

  let vectors: [Vector]
  let quirks: [Vector]
  let aggregates: [Aggregate]

  init(_ data: Data) throws {
    guard let document = try JSONSerialization.jsonObject(with: data) as? [String: Any],
      let vectors = document["vectors"] as? [[String: Any]], let quirks = document["quirks"] as? [[String: Any]],
      let aggregates = document["aggregates"] as? [[String: Any]]
    else { throw Malformed(place: "the document") }
    self.vectors = try vectors.map(Vector.init)
    self.quirks = try quirks.map(Vector.init)
    self.aggregates = try aggregates.map(Aggregate.init)
  }
}

/// The typed values of the vectors.
struct QueryValues {
  let group: Group

  func argument(_ encoded: Any) throws -> QueryArgument {
    if let object = encoded as? [String: Any], let list = object["list"] as? [Any] {
      return .list(try list.map(value))
    }
    return .value(try value(encoded))
  }

  func value(_ encoded: Any) throws -> Value {
    if encoded is NSNull { return .null }
    if let text = encoded as? String { return Value(text) }
    guard let object = encoded as? [String: Any] else {
      guard let number = encoded as? NSNumber else { throw QueryVectors.Malformed(place: "\(encoded)") }
      return number.isBoolean ? .bool(number.boolValue) : .int(number.int64Value)
    }
    guard object.count == 1, let (kind, content) = object.first, let result = try value(kind, content) else {
      throw QueryVectors.Malformed(place: "\(encoded)")
    }
    return result
  }

  private func value(_ kind: String, _ content: Any) throws -> Value? {
    let number = content as? NSNumber, text = content as? String
    switch kind {
    case "int": return number.map { .int($0.int64Value) }
    case "bool": return number.map { .bool($0.boolValue) }
    case "string": return text.map { Value($0) }
    case "float": return number.map { .float($0.floatValue) } ?? text.flatMap { Float(QueryValues.floating($0)) }.map { .float($0) }
    case "double": return number.map { .double($0.doubleValue) } ?? text.flatMap { Double(QueryValues.floating($0)) }.map { .double($0) }
    case "decimal": return text.flatMap { Decimal128(text: $0) }.map { .decimal($0) }
    case "date":
      guard let parts = content as? [NSNumber], parts.count == 2 else { return nil }
      return .timestamp(Timestamp(seconds: parts[0].int64Value, nanoseconds: parts[1].int32Value))
    case "binary": return text.flatMap { Data(base64Encoded: $0) }.map { .binary([UInt8]($0)) }
    case "objectId": return text.flatMap { ObjectID(hexadecimal: Array($0.utf8)[...]) }.map { .objectID($0) }
    case "uuid": return text.flatMap { UUIDBytes(hexadecimal: Array($0.utf8)[...]) }.map { .uuid($0) }
    case "objkey": return number.map { .link(ObjectKey($0.int64Value)) }
    case "link":
      guard let parts = content as? [Any], parts.count == 2, let name = parts[0] as? String else { return nil }
      guard let table = try group.table(named: "class_" + name), let key = try table.find(primaryKey: value(parts[1])) else { return nil }
      return .typedLink(ObjectLink(table: table.key, key: key))
    case "null": return .null
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
  fileprivate var isBoolean: Bool { unsafe String(cString: objCType) == "c" }
}
