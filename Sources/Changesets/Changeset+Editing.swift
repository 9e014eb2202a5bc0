/// For whoever makes a changeset, or rewrites a parsed one.
extension Changeset {
  /// Without instructions.
  package init() { self.init(pool: []) }

  /// Adds an instruction, whose strings, values and path are those of this changeset.
  package mutating func append(_ instruction: Instruction) { instructions.append(instruction) }

  /// The place of a string in the table, which gets it if it does not have it.
  package mutating func intern(_ bytes: ArraySlice<UInt8>) -> StringIndex {
    if let position = strings.position(of: bytes, in: pool) { return StringIndex(position) }
    let entry = StringTable.Entry(bytes: add(bytes), instruction: UInt32(instructions.count))
    _ = strings.append(entry, of: pool)
    return StringIndex(UInt32(stringCount - 1))
  }

  /// The place of a text in the table, which gets it if it does not have it.
  package mutating func intern(_ text: String) -> StringIndex { intern(ArraySlice(text.utf8)) }

  /// Bytes for a value.
  package mutating func add(_ bytes: ArraySlice<UInt8>) -> ByteRange {
    defer { pool += bytes }
    return ByteRange(start: UInt32(pool.count), count: UInt32(bytes.count))
  }

  /// A path for one instruction.
  package mutating func add(path: [PathElement]) -> PathRange {
    defer { pathElements += path }
    return PathRange(start: UInt32(pathElements.count), count: UInt32(path.count))
  }

  /// Sets an index in the path of an instruction. Paths are not shared, so that no other instruction changes.
  /// - Parameter depth: counted from 0, from the property on.
  package mutating func setIndex(_ index: UInt32, in path: PathRange, at depth: Int) { pathElements[Int(path.start) + depth] = .index(index) }
}
