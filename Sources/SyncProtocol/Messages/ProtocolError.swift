/// Why bytes are no message, and where.
package struct ProtocolError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The rule that is broken.
  package enum Reason: String, Sendable, CaseIterable {
    case unknownMessage = "is not known"
    case headTooLong = "belongs to a head that is too long"
    case truncated = "ends too early"
    case notANumber = "is not a number"
    case numberTooLarge = "is too large a number"
    case outOfRange = "has a value that it cannot have"
    case badSeparator = "is not followed by what has to follow"
    case bodyTooLarge = "is larger than this peer takes"
    case trailingBytes = "is followed by bytes that belong to nothing"
    case notText = "is not UTF-8"
    case badCompression = "does not decompress to what the head says"
    case badEntryHead = "is not a number between spaces"
    case badEntrySize = "is larger than what is left of the body"
    case tooManyEntries = "are more than this peer takes"
    case malformedJSON = "is not the JSON that it has to be"
  }

  /// The first word of the message; `message` if there is none that is known.
  package let message: String
  /// The part of the message that the reason is about.
  package let field: String
  /// Of the first byte that was not read; within the decompressed body for the entries of one.
  package let offset: Int
  package let reason: Reason

  package init(message: String, field: String, offset: Int, reason: Reason) {
    (self.message, self.field, self.offset, self.reason) = (message, field, offset, reason)
  }

  /// What the peer is told. Limits have no code of their own: the one that says so ends the client's process (P8.1).
  package var code: ErrorCode {
    switch reason {
    case .unknownMessage: .unknownMessage
    case .headTooLong, .bodyTooLarge, .tooManyEntries: .otherError
    case .badCompression: .badDecompression
    case .badEntryHead: .badChangesetHeaderSyntax
    case .badEntrySize: .badChangesetSize
    case .outOfRange where field == "session": .badSessionIdent
    default: .badSyntax
    }
  }

  /// For people.
  package var description: String { "\(field) of \(message) \(reason.rawValue), at byte \(offset)" }
}
