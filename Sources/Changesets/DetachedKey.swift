/// A primary key with everything that belongs to it, outside of a changeset: encoded as in one, but strings stand in their place.
package enum DetachedKey: Hashable, Sendable {
  case null
  case int(Int64)
  /// The bytes of a string, which need not be UTF-8.
  case string([UInt8])
  /// The 12 bytes as a number, the first one being the most significant.
  case objectID(UInt128)
  /// The 16 bytes as a number, the first one being the most significant.
  case uuid(UInt128)

  /// Nil if the bytes are no key of an object that can be named, or more than one.
  package init?(parsing bytes: [UInt8]) {
    var reader = ByteReader(bytes)
    guard let key = try? Self.read(&reader), reader.isAtEnd else { return nil }
    self = key
  }

  private static func read(_ reader: inout ByteReader) throws(ChangesetError.Reason) -> Self {
    let code = try reader.integer()
    switch Int8(exactly: code).flatMap(ValueType.init) {
    case .null: return .null
    case .int: return .int(try reader.integer())
    case .string: return .string(Array(reader.bytes[try reader.range().range]))
    case .objectID: return .objectID(try reader.bigEndian(byteCount: 12))
    case .uuid: return .uuid(try reader.bigEndian(byteCount: 16))
    default: throw .keyType
    }
  }

  /// The type, then the value.
  package var encoded: [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .null: writer.type(.null)
    case .int(let value):
      writer.type(.int)
      writer.integer(value)
    case .string(let bytes):
      writer.type(.string)
      writer.raw(bytes[...])
    case .objectID(let value):
      writer.type(.objectID)
      writer.bigEndian(value, byteCount: 12)
    case .uuid(let value):
      writer.type(.uuid)
      writer.bigEndian(value, byteCount: 16)
    }
    return writer.bytes
  }
}
