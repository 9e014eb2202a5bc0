/// How much of a message is believed before memory is taken for it.
package struct MessageLimits: Sendable {
  /// The head with its end of line.
  package var headByteCount = 512
  /// The body of an UPLOAD or DOWNLOAD as it travels.
  package var bodyByteCount: Int
  /// The body of an UPLOAD or DOWNLOAD after decompression.
  package var uncompressedByteCount: Int
  /// Every other body: partition values, queries, errors, tokens.
  package var textByteCount = 512 << 10
  /// Changesets in one message.
  package var entryCount = 1 << 20

  /// What a server takes from a client, which stops a message after 128 KiB unless one changeset is larger (P5.4).
  package static let ofServer = Self(bodyByteCount: 16 << 20, uncompressedByteCount: 64 << 20)

  /// What a client takes from its server.
  package static let ofClient = Self(bodyByteCount: 256 << 20, uncompressedByteCount: 512 << 20)

  package init(bodyByteCount: Int, uncompressedByteCount: Int) {
    (self.bodyByteCount, self.uncompressedByteCount) = (bodyByteCount, uncompressedByteCount)
  }
}
