import Foundation
package import RealmStorage

/// The text form of values in fixtures and exports: every bit shows, nothing depends on locale, time zone or chance.
///
/// Defined in `Tests/Fixtures/README.md`, "Canonical JSON". No insignificant spaces; UTF-8.
package enum CanonicalJSON {
  /// - Parameters:
  ///   - linkTarget: the table that `.link` values point into; nil renders the bare key as `{"$key":…}`.
  ///   - tableName: nil for a table that does not exist, which then shows as `#` and its key.
  ///   - nested: renders a `.list` or `.dictionary` that has elements, with `appendList` and `appendDictionary`.
  package static func append(
    _ value: Value, linkTarget: TableKey? = nil, to output: inout [UInt8], tableName: (TableKey) -> [UInt8]?,
    nested: (Value, inout [UInt8]) throws(StorageError) -> Void
  ) throws(StorageError) {
    switch value {
    case .link(let key):
      if key.isNull {
        append("null", to: &output)
      } else if let linkTarget {
        appendLink(ObjectLink(table: linkTarget, key: key), to: &output, tableName: tableName)
      } else {
        append("{\"$key\":\(key.rawValue)}", to: &output)
      }
    case .typedLink(let link): appendLink(link, to: &output, tableName: tableName)
    case .list(let ref):
      if ref.isNull { append("[]", to: &output) } else { try nested(value, &output) }
    case .dictionary(let ref):
      if ref.isNull { append("{\"$dictionary\":[]}", to: &output) } else { try nested(value, &output) }
    default: appendPlain(value, to: &output)
    }
  }

  /// Everything but links and collections.
  private static func appendPlain(_ value: Value, to output: inout [UInt8]) {
    switch value {
    case .int(let value): append(value, to: &output)
    case .bool(let value): append(value ? "true" : "false", to: &output)
    case .string(let utf8): appendString(utf8, to: &output)
    case .binary(let bytes):
      append("{\"$binary\":\"", to: &output)
      appendBase64(bytes, to: &output)
      append("\"}", to: &output)
    case .timestamp(let value): append("{\"$timestamp\":\"\(value.seconds):\(value.nanoseconds)\"}", to: &output)
    case .float(let value): append("{\"$float\":\"\(NumberText.text(of: value))\"}", to: &output)
    case .double(let value): append("{\"$double\":\"\(NumberText.text(of: value))\"}", to: &output)
    case .decimal(let value): append("{\"$decimal\":\"\(NumberText.text(of: value))\"}", to: &output)
    case .objectID(let id):
      append("{\"$oid\":\"", to: &output)
      appendHex(id.bytes, to: &output)
      append("\"}", to: &output)
    case .uuid(let uuid):
      append("{\"$uuid\":\"", to: &output)
      let bytes = uuid.bytes
      for (i, part) in [bytes[0..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10..<16]].enumerated() {
        if i > 0 { append("-", to: &output) }
        appendHex(part, to: &output)
      }
      append("\"}", to: &output)
    default: append("null", to: &output)
    }
  }

  package static func appendLink(_ link: ObjectLink, to output: inout [UInt8], tableName: (TableKey) -> [UInt8]?) {
    append("{\"$link\":{\"table\":", to: &output)
    appendString(tableName(link.table) ?? Array("#\(link.table.rawValue)".utf8), to: &output)
    append(",\"key\":", to: &output)
    append(link.key.rawValue, to: &output)
    append("}}", to: &output)
  }

  // MARK: Text

  /// Raw text of the JSON itself: punctuation, names of fields.
  /// The beginning of a member: `"name":`.
  package static func label(_ name: String) -> [UInt8] {
    var label: [UInt8] = []
    appendString(Array(name.utf8), to: &label)
    return label + [UInt8(ascii: ":")]
  }

  package static func append(_ json: String, to output: inout [UInt8]) { output.append(contentsOf: json.utf8) }

  package static func append(_ number: Int64, to output: inout [UInt8]) { append(String(number), to: &output) }

  /// A string literal, or `{"$invalidUtf8":…}`.
  package static func appendString(_ utf8: [UInt8], to output: inout [UInt8]) {
    guard isValidUTF8(utf8) else {
      append("{\"$invalidUtf8\":\"", to: &output)
      appendBase64(utf8, to: &output)
      return append("\"}", to: &output)
    }
    output.append(UInt8(ascii: "\""))
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "\""): append("\\\"", to: &output)
      case UInt8(ascii: "\\"): append("\\\\", to: &output)
      case 0x08: append("\\b", to: &output)
      case 0x09: append("\\t", to: &output)
      case 0x0A: append("\\n", to: &output)
      case 0x0C: append("\\f", to: &output)
      case 0x0D: append("\\r", to: &output)
      case 0..<0x20:
        append("\\u00", to: &output)
        appendHex(CollectionOfOne(byte), to: &output)
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }

  private static func isValidUTF8(_ bytes: [UInt8]) -> Bool {
    do {
      _ = try UTF8Span(validating: bytes.span)
      return true
    } catch {
      return false
    }
  }

  /// Lower case.
  package static func appendHex(_ bytes: some Sequence<UInt8>, to output: inout [UInt8]) {
    for byte in bytes {
      output.append(hexDigits[Int(byte >> 4)])
      output.append(hexDigits[Int(byte & 15)])
    }
  }

  /// With padding.
  package static func appendBase64(_ bytes: [UInt8], to output: inout [UInt8]) { output += Data(bytes).base64EncodedData() }

  private static let hexDigits = Array("0123456789abcdef".utf8)
}
