/// Whole messages, of either side.
extension FieldReader {
  /// Reads what follows the first word of a message; nil if a connection of this kind has no such message.
  typealias MessageReader<Message> = @Sendable (inout FieldReader, SyncMode, MessageLimits) throws(ProtocolError) -> Message?

  /// The one message that the bytes are.
  /// - Parameter readers: by the first words of messages.
  /// - Throws: also if anything follows the message.
  static func message<Message>(
    in bytes: [UInt8], _ mode: SyncMode, _ limits: MessageLimits, _ readers: [String: MessageReader<Message>]
  ) throws(ProtocolError) -> Message {
    var reader = FieldReader(bytes, limits: limits)
    let word = try reader.word()
    guard let read = readers[word] else { throw reader.error("type", .unknownMessage) }
    reader.message = word
    guard let message = try read(&reader, mode, limits) else { throw reader.error("type", .unknownMessage) }
    try reader.finish()
    return message
  }
}
