/// Why bytes are no changeset, and where.
package struct ChangesetError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The rule that is broken.
  package enum Reason: String, Error, Sendable {
    case tooLarge = "is larger than 4 GB"
    case truncated = "ends too early"
    case integerTooLong = "has an integer of more than 64 bits"
    case negative = "has a negative number where none can be"
    case coefficientTooLong = "has a coefficient of more than 128 bits"
    case unknownInstruction = "has an unknown code"
    case stringOrder = "interns a string out of order"
    case stringRepeated = "interns a string a second time"
    case unknownString = "names a string that was not interned before"
    case keyType = "has a key of a type that keys cannot have"
    case valueType = "has a value of an unknown type"
    case columnType = "has a column of an unknown type"
    case collectionKind = "has an unknown kind of collection"
    case classKind = "has an unknown kind of class"
    case pathElement = "has an unknown path element"
    case noIndex = "has a path that does not end with an index"
    case indexTooLarge = "has an index of more than 32 bits"
    case priorSizeTooLarge = "has a prior size of more than 32 bits"
    case notUTF8 = "has a string that is not UTF-8"
    case timestamp = "has a timestamp with mixed signs or too many nanoseconds"
    case decimal = "has a decimal of more than 34 digits or an exponent out of range"
    case columnDefinition = "defines a column that cannot be"
  }

  /// The rule that is broken.
  package let reason: Reason
  /// Counted from 0, interned strings not included.
  package let instruction: Int
  /// Of the first byte that was not read.
  package let offset: Int

  /// For people.
  package var description: String { "instruction \(instruction) \(reason.rawValue), at byte \(offset)" }
}
