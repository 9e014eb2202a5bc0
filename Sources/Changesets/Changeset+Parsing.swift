extension Changeset {
  /// Parses bytes of a message or of the history.
  /// - Throws: the first rule that they break, with the instruction and the offset.
  package init(parsing bytes: [UInt8], _ strictness: Strictness = .strict) throws(ChangesetError) {
    var parser = ChangesetParser(bytes, strictness)
    self = try parser.parse()
  }
}
