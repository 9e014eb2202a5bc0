/// What one write transaction changed, or a merged replacement of it.
///
/// Instructions are plain values; what varies in length lies in pools that all share, so that a changeset costs a handful of allocations.
/// What merges call for each instruction is inlined: a call would get a copy, of many references.
package struct Changeset: Sendable {
  /// In the order of execution.
  package var instructions: [Instruction] = []
  /// In order of appearance.
  package internal(set) var strings = StringTable()
  /// The bytes that it was parsed from, and strings that were added.
  package internal(set) var pool: [UInt8]
  /// Of all instructions.
  package internal(set) var pathElements: [PathElement] = []

  /// One without bytes yet; the parser fills it.
  init(pool: [UInt8]) { self.pool = pool }

  /// How many strings the table has, unused ones included.
  @inlinable package var stringCount: Int { strings.entries.count }

  /// How many elements all paths have together.
  @inlinable package var elementCount: Int { pathElements.count }

  /// The bytes of a string of the table.
  @inlinable package func bytes(_ string: StringIndex) -> ArraySlice<UInt8> { pool[strings.entries[Int(string.position)].bytes.range] }

  /// How many strings at the beginning of the table are those at the beginning of another one.
  @inlinable package func commonStringCount(with other: Changeset) -> Int {
    var count = 0
    while count < strings.entries.count, count < other.strings.entries.count {
      let (mine, theirs) = (strings.entries[count].bytes, other.strings.entries[count].bytes)
      if mine.count != theirs.count { break }
      for index in 0..<Int(mine.count) where pool[Int(mine.start) + index] != other.pool[Int(theirs.start) + index] { return count }
      count += 1
    }
    return count
  }

  /// The bytes of a value.
  @inlinable package func bytes(_ range: ByteRange) -> ArraySlice<UInt8> { pool[range.range] }

  /// A string of the table; what is not UTF-8 is replaced.
  package func text(_ string: StringIndex) -> String { String(decoding: bytes(string), as: UTF8.self) }

  /// The elements of a path below the property.
  @inlinable package func elements(_ path: PathRange) -> ArraySlice<PathElement> { pathElements[path.range] }

  /// An element of a path, counted from 0 below the property.
  @inlinable package func element(_ path: PathRange, at depth: Int) -> PathElement { pathElements[Int(path.start) + depth] }
}
