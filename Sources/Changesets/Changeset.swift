/// What one write transaction changed, or a merged replacement of it.
///
/// Instructions are plain values; what varies in length lies in pools that all share, so that a changeset costs a handful of allocations.
package struct Changeset: Sendable {
  /// In the order of execution.
  package internal(set) var instructions: [Instruction] = []
  var strings = StringTable()
  /// The bytes that it was parsed from, and strings that were added.
  var pool: [UInt8]
  var pathElements: [PathElement] = []

  /// One without bytes yet; the parser fills it.
  init(pool: [UInt8]) { self.pool = pool }

  /// How many strings the table has, unused ones included.
  package var stringCount: Int { strings.entries.count }

  /// The bytes of a string of the table.
  package func bytes(_ string: StringIndex) -> ArraySlice<UInt8> { pool[strings.entries[Int(string.position)].bytes.range] }

  /// How many strings at the beginning of the table are those at the beginning of another one.
  package func commonStringCount(with other: Changeset) -> Int {
    var count = 0
    while count < strings.entries.count, count < other.strings.entries.count {
      let (mine, theirs) = (strings.entries[count].bytes.range, other.strings.entries[count].bytes.range)
      if mine.count != theirs.count || pool[mine] != other.pool[theirs] { break }
      count += 1
    }
    return count
  }

  /// The bytes of a value.
  package func bytes(_ range: ByteRange) -> ArraySlice<UInt8> { pool[range.range] }

  /// A string of the table; what is not UTF-8 is replaced.
  package func text(_ string: StringIndex) -> String { String(decoding: bytes(string), as: UTF8.self) }

  /// The elements of a path below the property.
  package func elements(_ path: PathRange) -> ArraySlice<PathElement> { pathElements[path.range] }
}
