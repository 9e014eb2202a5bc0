// What debuggers and failing tests show of keys and values: one line, of bounded length.

extension Ref: CustomDebugStringConvertible {
  package var debugDescription: String { isNull ? "null ref" : description }
}

extension TableKey: CustomDebugStringConvertible {
  /// Slot and generation.
  package var debugDescription: String { self == .null ? "no table" : "table \(slot)" + (tag == 0 ? "" : " of generation \(tag)") }
}

extension ObjectKey: CustomDebugStringConvertible {
  package var debugDescription: String {
    isNull ? "no object" : isUnresolved ? "tombstone \(rawValue) of object \(unresolved.rawValue)" : "object \(rawValue)"
  }
}

extension ColumnKey: CustomDebugStringConvertible {
  package var debugDescription: String {
    if self == .null { return "no column" }
    let type = type.map { "\($0)" } ?? "type \(typeNumber)"
    return (["column \(leafIndex): \(type)"] + attributes.names).joined(separator: " ") + ", tag \(tag)"
  }
}

extension ColumnAttributes: CustomDebugStringConvertible {
  package var debugDescription: String { "[\(names.joined(separator: ", "))]" }

  fileprivate var names: [String] {
    let all: [(ColumnAttributes, String)] = [
      (.indexed, "indexed"), (.unique, "unique"), (.strongLinks, "strong"), (.nullable, "nullable"), (.list, "list"),
      (.dictionary, "dictionary"), (.set, "set"), (.fullTextIndexed, "full-text"),
    ]
    return all.filter { contains($0.0) }.map(\.1)
  }
}

extension Value: CustomDebugStringConvertible {
  /// As in source code, with the beginning of long texts and binaries.
  package var debugDescription: String {
    switch self {
    case .null: "null"
    case .int(let number): "int(\(number))"
    case .bool(let truth): "bool(\(truth))"
    case .string(let bytes): "string(\(Excerpt.text(bytes)))"
    case .binary(let bytes): "binary(\(Excerpt.bytes(bytes)))"
    case .timestamp(let date): "timestamp(\(date.seconds) s, \(date.nanoseconds) ns)"
    case .float(let number): "float(\(number))"
    case .double(let number): "double(\(number))"
    case .decimal(let number): "decimal(\(number.text))"
    case .objectID(let id): "objectID(\(Excerpt.hex(id.high, 16))\(Excerpt.hex(UInt64(id.low), 8)))"
    case .uuid(let id): "uuid(\(Excerpt.hex(id.high, 16))\(Excerpt.hex(id.low, 16)))"
    case .link(let key): "link(\(key))"
    case .typedLink(let link): "link(\(link.table), \(link.key))"
    case .list(let ref): "list at \(ref)"
    case .dictionary(let ref): "dictionary at \(ref)"
    }
  }
}

/// The beginning of something long, for debug descriptions.
enum Excerpt {
  static let elementLimit = 12
  private static let byteLimit = 48

  static func text(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes.prefix(byteLimit), as: UTF8.self).debugDescription
    return bytes.count > byteLimit ? "\(text)… of \(bytes.count) bytes" : text
  }

  static func bytes(_ bytes: [UInt8]) -> String {
    let text = bytes.prefix(byteLimit / 2).map { hex(UInt64($0), 2) }.joined()
    return bytes.count > byteLimit / 2 ? "\(text)… of \(bytes.count) bytes" : text
  }

  static func hex(_ number: UInt64, _ digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// - Parameter element: what cannot be read shows the reason.
  static func list(_ count: Int, _ element: (Int) throws -> String) -> String {
    var parts: [String] = []
    for index in 0..<min(count, elementLimit) {
      do { parts.append(try element(index)) } catch {
        parts.append("<\(error)>")
        break
      }
    }
    return "[" + parts.joined(separator: ", ") + (count > parts.count ? ", … of \(count)]" : "]")
  }
}
