/// Reads the instructions of one transaction log, which may come in pieces that end anywhere (blobs of a long history entry).
///
/// Integers have seven bits per byte, least significant first; the last byte has six and the sign. H3.
package struct LogDecoder: ~Copyable {
  /// How every problem begins that a log has.
  package static let problemPrefix = "Bad transaction log"
  private let chunks: [[UInt8]]
  private var chunk: [UInt8] = []
  private var nextChunk = 0
  private var position = 0
  /// Bytes of the chunks before `chunk`.
  private var chunkOffset = 0

  /// Where the instruction that `next` returned last begins, and which opcode it had in the log.
  package private(set) var instructionOffset = 0
  package private(set) var opcode = LogOpcode.selectTable

  package init(_ log: [UInt8]) { self.init(chunks: [log]) }
  package init(chunks: [[UInt8]]) { self.chunks = chunks }

  /// All instructions of a log.
  package static func instructions(of log: [UInt8]) throws(StorageError) -> [LogInstruction] {
    var decoder = LogDecoder(log)
    var instructions: [LogInstruction] = []
    while let instruction = try decoder.next() { instructions.append(instruction) }
    return instructions
  }

  /// The next instruction, or nil at the end of the log.
  /// - Throws: `.invalidArgument` for anything that H3 and H4 do not allow; do not go on after that.
  package mutating func next() throws(StorageError) -> LogInstruction? {
    guard findByte() else { return nil }
    instructionOffset = chunkOffset + position
    let byte = chunk[position]
    position += 1
    guard let opcode = LogOpcode(rawValue: byte) else { throw bad("unknown opcode \(byte)") }
    self.opcode = opcode
    return try operands(of: opcode)
  }

  private mutating func operands(of opcode: LogOpcode) throws(StorageError) -> LogInstruction {
    switch opcode {
    case .insertTable: return .insertTable(try tableKey())
    case .eraseTable: return .eraseTable(try tableKey())
    case .renameTable: return .renameTable(try tableKey())
    case .selectTable:
      guard try integer32() == 0 else { throw bad("selection of a nested table") }
      return .selectTable(try tableKey())
    case .createObject: return .createObject(try objectKey())
    case .removeObject: return .removeObject(try objectKey())
    case .set: return .set(try columnKey(), try objectKey())
    case .insertColumn: return .insertColumn(try columnKey())
    case .eraseColumn: return .eraseColumn(try columnKey())
    case .renameColumn: return .renameColumn(try columnKey())
    case .selectCollection: return .selectCollection(try columnKey(), try objectKey())
    case .selectNestedCollection: return .selectNestedCollection(try columnKey(), try objectKey(), path: try path())
    case .collectionMove: return .collectionMove(from: try index(), to: try index())
    case .typedLinkChange: return .typedLinkChange(try columnKey(), target: try tableKey())
    case .collectionInsert, .setInsert: return .collectionInsert(index: try index())
    case .collectionSet: return .collectionSet(index: try index())
    case .collectionErase, .setErase: return .collectionErase(index: try index())
    case .collectionClear, .setClear, .dictionaryClear: return .collectionClear(oldCount: try index())
    case .dictionaryInsert:
      try skipString()
      return .collectionInsert(index: try index())
    case .dictionarySet:
      try skipString()
      return .collectionSet(index: try index())
    case .dictionaryErase:
      try skipString()
      return .collectionErase(index: try index())
    }
  }

  // MARK: Operands

  private mutating func tableKey() throws(StorageError) -> TableKey {
    guard let rawValue = UInt32(exactly: try integer32()) else { throw bad("table key out of range") }
    return TableKey(rawValue: rawValue)
  }

  private mutating func objectKey() throws(StorageError) -> ObjectKey { ObjectKey(try integer64()) }

  private mutating func columnKey() throws(StorageError) -> ColumnKey { ColumnKey(rawValue: try integer64()) }

  private mutating func index() throws(StorageError) -> Int {
    guard let index = Int(exactly: try integer64()), index >= 0 else { throw bad("index out of range") }
    return index
  }

  private mutating func path() throws(StorageError) -> [Int64] {
    let depth = try integer32()
    guard depth >= 0 else { throw bad("path of negative length") }
    // The length is not trusted: the path grows with the bytes that are there.
    var path: [Int64] = []
    for _ in 0..<depth { path.append(try integer64()) }
    return path
  }

  /// The key of an obsolete dictionary instruction.
  private mutating func skipString() throws(StorageError) {
    guard try integer32() == Int64(ColumnType.string.rawValue) else { throw bad("dictionary key that is no string") }
    let byteCount = try index()
    var remaining = byteCount
    while remaining > 0 {
      guard findByte() else { throw bad("log ends inside a string") }
      let step = min(remaining, chunk.count - position)
      position += step
      remaining -= step
    }
  }

  // MARK: Bytes

  private mutating func integer64() throws(StorageError) -> Int64 { try integer(maximumByteCount: 10) }

  /// A 32-bit operand, signed or not; the caller checks which.
  private mutating func integer32() throws(StorageError) -> Int64 {
    let value = try integer(maximumByteCount: 5)
    guard (Int64(Int32.min)...Int64(UInt32.max)).contains(value) else { throw bad("integer out of range") }
    return value
  }

  private mutating func integer(maximumByteCount: Int) throws(StorageError) -> Int64 {
    var magnitude: UInt64 = 0
    for i in 0..<maximumByteCount {
      guard findByte() else { throw bad("log ends inside an integer") }
      let byte = chunk[position]
      position += 1
      let isLast = byte & 0x80 == 0
      let bits = UInt64(byte & (isLast ? 0x3F : 0x7F))
      // The tenth byte can contribute nothing to 63 bits of magnitude.
      guard i < 9 || bits == 0 else { throw bad("integer out of range") }
      if i < 9 { magnitude |= bits << UInt64(7 * i) }
      if isLast { return byte & 0x40 == 0 ? Int64(magnitude) : ~Int64(magnitude) }
    }
    throw bad("integer is too long")
  }

  /// Makes `chunk[position]` the next byte; false at the end of the log.
  @inline(__always) private mutating func findByte() -> Bool {
    position < chunk.count ? true : advanceChunk()
  }

  private mutating func advanceChunk() -> Bool {
    while nextChunk < chunks.count {
      chunkOffset += chunk.count
      chunk = chunks[nextChunk]
      nextChunk += 1
      position = 0
      if !chunk.isEmpty { return true }
    }
    return false
  }

  private func bad(_ rule: String) -> StorageError {
    .invalidArgument(reason: "\(LogDecoder.problemPrefix): \(rule), in the instruction at byte \(instructionOffset)")
  }
}
