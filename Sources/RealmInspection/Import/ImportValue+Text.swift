import RealmQuery
import RealmStorage

extension ImportValue {
  /// A whole text as JSON.
  package init?(json bytes: [UInt8]) {
    do throws(ImportProblem) { try self.init(checking: bytes) } catch { return nil }
  }

  /// - Throws: `ImportProblem` that says what is wrong with the text.
  package init(checking json: [UInt8]) throws(ImportProblem) {
    var reader = JSONReader(json, json.indices)
    self = try reader.value()
    guard reader.isAtEnd() else { throw ImportProblem(reason: "something follows the value") }
  }

  /// As messages show it; long ones are cut off.
  var shownText: String {
    switch self {
    case .null: return "null"
    case .bool(let flag): return "\(flag)"
    case .integer(let number): return "\(number)"
    case .number(let bytes): return ImportValue.cut(bytes)
    case .text(let bytes): return Value.string(Array(ImportValue.cut(bytes).utf8)).queryText
    case .array: return "the array"
    case .object: return "the object"
    }
  }

  private static func cut(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.count > 40 ? text.prefix(39) + "…" : text
  }
}
