extension FieldReader {
  /// A number of the error tables; any that fits is one.
  mutating func errorCode() throws(ProtocolError) -> Int32 { Int32(try number("code", in: 0...UInt64(Int32.max))) }

  /// Peers keep it in 63 bits.
  mutating func queryVersion(_ separator: Separator = .space) throws(ProtocolError) -> UInt64 {
    try number("query version", separator, in: 0...UInt64(Int64.max))
  }

  /// A server version and a client version, or the other way round.
  mutating func cursor(clientFirst: Bool) throws(ProtocolError) -> VersionCursor {
    if clientFirst {
      let client = try number("client version")
      return VersionCursor(serverVersion: try number("server version"), clientVersion: client)
    }
    let server = try number("download server version")
    return VersionCursor(serverVersion: server, clientVersion: try number("download client version"))
  }

  /// The three fields about a body of changesets.
  /// - Parameter last: what follows them: other fields in an UPLOAD, the body in a DOWNLOAD.
  mutating func bodySize(_ last: Separator, _ limits: MessageLimits) throws(ProtocolError) -> ChangesetBody.Size {
    let isCompressed = try flag("compressed")
    let uncompressed = try byteCount("uncompressed size", limit: limits.uncompressedByteCount)
    let compressed = try byteCount("compressed size", last, limit: limits.bodyByteCount)
    return ChangesetBody.Size(isCompressed: isCompressed, uncompressedByteCount: uncompressed, compressedByteCount: compressed)
  }
}
