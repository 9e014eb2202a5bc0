import Compression

/// The body of an UPLOAD or DOWNLOAD: as it is, or as a zlib stream (P3.1).
enum ChangesetBody {
  /// Bodies up to here travel as they are.
  static let compressionThreshold = 1024

  /// No zlib stream is longer than this times shorter than what it decompresses to.
  static let largestRatio = 1032

  /// The last three fields of a head, their end, and the body. The sender decides: a stream if the body is large and that makes it smaller.
  static func packed(_ body: [UInt8]) -> (isCompressed: Bool, compressedByteCount: Int, bytes: [UInt8]) {
    guard body.count > compressionThreshold else { return (false, 0, body) }
    let stream = Compression.deflated(body)
    return stream.count < body.count ? (true, stream.count, stream) : (false, 0, body)
  }

  /// What the last three fields of a head say.
  struct Size {
    let isCompressed: Bool
    let uncompressedByteCount: Int
    let compressedByteCount: Int
  }

  /// The whole rest of a message. Either form is taken at any size; the limits count before memory is taken.
  static func unpacked(_ reader: inout FieldReader, _ size: Size, _ limits: MessageLimits) throws(ProtocolError) -> [UInt8] {
    guard size.isCompressed else {
      guard size.uncompressedByteCount <= limits.bodyByteCount else { throw reader.error("body", .bodyTooLarge) }
      return try reader.raw("body", byteCount: size.uncompressedByteCount)
    }
    guard size.compressedByteCount <= reader.remainingByteCount else { throw reader.error("body", .truncated) }
    guard size.uncompressedByteCount / largestRatio <= size.compressedByteCount else { throw reader.error("body", .badCompression) }
    let stream = try reader.raw("body", byteCount: size.compressedByteCount)
    guard let body = Compression.inflated(stream, byteCount: size.uncompressedByteCount) else { throw reader.error("body", .badCompression) }
    return body
  }
}
