/// Two changes that no order of execution brings together. Whoever sent the later one did not follow the protocol, or changed the schema in another way.
package struct MergeError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong.
  package enum Reason: String, Sendable {
    case classesDiffer = "define one class in two ways"
    case propertiesDiffer = "define one property in two ways"
    case sizesDiffer = "expect lists of different sizes"
  }

  /// What is wrong.
  package let reason: Reason
  /// The instruction of one side, in its changeset.
  package let ours: InstructionPosition
  /// That of the other side.
  package let theirs: InstructionPosition

  /// For people.
  package var description: String { "\(ours) of ours and \(theirs) of theirs \(reason.rawValue)" }
}

/// Where an instruction stands among the changesets of one side.
package struct InstructionPosition: Hashable, Sendable, CustomStringConvertible {
  /// Counted from 0.
  package let changeset: Int
  /// Counted from 0, as it was before the merge.
  package let instruction: Int

  /// For people.
  package var description: String { "instruction \(instruction) of changeset \(changeset)" }
}
