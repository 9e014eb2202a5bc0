import Randomness
import RealmStorage

/// Encrypts images, and spoils what comes out as a disk, or somebody without the key, would. E3, E4.
struct EncryptedDamager {
  private(set) var bytes: [UInt8]
  private(set) var notes: [String] = []
  /// The format notices it: whatever can be read must be what was there before. Not so for changed counters, zeroed or exchanged pages and
  /// pages of an earlier version (E10).
  private(set) var isDetectable = true

  private let pageByteCount = CipherLayout.pageByteCount
  private static let entryByteCount = 64
  private static let pagesPerGroup = 64

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Fixed: inputs are determined by seed and number alone.
  static func key() throws(StorageError) -> EncryptionKey { try EncryptionKey((0..<64).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ 11) }) }
  /// One bit is wrong.
  static func wrongKey(_ random: inout SeededGenerator) throws(StorageError) -> EncryptionKey {
    var bytes = (0..<64).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ 11) }
    bytes[random.below(64)] ^= 1 << UInt8(random.below(8))
    return try EncryptionKey(bytes)
  }

  /// The file of a plaintext, by way of a file of that name.
  /// - Parameter isRewritten: every second page has been written twice, so that its metadata name both writes.
  static func encrypt(_ plaintext: [UInt8], isRewritten: Bool, path: String) throws(StorageError) -> [UInt8] {
    _ = FileCalls.remove(path)
    let file = try FileStorage(path: path, mode: .createNew)
    let storage = EncryptedStorage(file, key: try key(), usesBarriers: false)
    let image = aligned(plaintext)
    if !image.isEmpty {
      try storage.extend(from: 0, to: UInt64(image.count))
      if isRewritten {
        let page = CipherLayout.pageByteCount
        for start in stride(from: 0, to: image.count, by: 2 * page) {
          try storage.write([UInt8](repeating: 0x5A, count: min(page, image.count - start)), at: UInt64(start))
        }
        try storage.flush()
      }
      try storage.write(image, at: 0)
      try storage.flush()
    }
    let result = try file.read(Int(try file.byteCount()), at: 0)
    _ = FileCalls.remove(path)
    return result
  }

  /// Whole pages: zeros behind the last node, before the footer of a file in streaming form.
  private static func aligned(_ bytes: [UInt8]) -> [UInt8] {
    let missing = (CipherLayout.pageByteCount - bytes.count % CipherLayout.pageByteCount) % CipherLayout.pageByteCount
    if missing == 0 { return bytes }
    let isStreaming = bytes.count >= 40 && bytes[0..<8].allSatisfy { $0 == 0xFF }
    let place = isStreaming ? bytes.count - FileHeader.footerByteCount : bytes.count
    return bytes[..<place] + [UInt8](repeating: 0, count: missing) + bytes[place...]
  }

  // MARK: Damage

  mutating func apply(_ random: inout SeededGenerator) {
    let rounds = random.once(in: 6) ? 2 + random.below(4) : 1
    for _ in 0..<rounds { applyOne(&random) }
  }

  private mutating func applyOne(_ random: inout SeededGenerator) {
    guard bytes.count > pageByteCount else { return }
    switch random.below(16) {
    case 0, 1, 2, 3, 4: changeByte(at: random.below(bytes.count), &random)
    case 5, 6: changeByte(at: entryOffset(page(&random)) + random.below(Self.entryByteCount), &random)
    case 7: overwriteRun(&random)
    case 8: truncate(&random)
    case 9: extend(&random)
    case 10: zeroPage(&random)
    case 11: zeroEntry(&random)
    case 12: exchange(&random, withEntries: true)
    case 13: exchange(&random, withEntries: false)
    case 14: changeCounter(&random)
    default: takeBack(&random)
    }
  }

  private mutating func note(_ text: String) { notes.append(text) }
  private func hex(_ value: Int) -> String { "0x" + String(value, radix: 16) }

  private var groupByteCount: Int { (Self.pagesPerGroup + 1) * pageByteCount }
  private var pageCount: Int { max(1, bytes.count / pageByteCount - (bytes.count / pageByteCount + 64) / 65) }
  private func page(_ random: inout SeededGenerator) -> Int { random.once(in: 4) ? 0 : random.below(pageCount) }
  private func entryOffset(_ page: Int) -> Int {
    page / Self.pagesPerGroup * groupByteCount + page % Self.pagesPerGroup * Self.entryByteCount
  }
  private func dataOffset(_ page: Int) -> Int {
    page / Self.pagesPerGroup * groupByteCount + (page % Self.pagesPerGroup + 1) * pageByteCount
  }
  /// The counters of both writes that an entry names, which are in no mac.
  private func isCounter(_ place: Int) -> Bool {
    place % groupByteCount < pageByteCount && place % groupByteCount % (Self.entryByteCount / 2) < 4
  }

  private mutating func changeByte(at place: Int, _ random: inout SeededGenerator) {
    guard place < bytes.count else { return }
    let old = bytes[place]
    bytes[place] = random.once(in: 2) ? old ^ 1 << UInt8(random.below(8)) : UInt8(truncatingIfNeeded: random.next())
    if isCounter(place) { isDetectable = false }
    note("byte \(hex(place)) becomes \(bytes[place])")
  }

  private mutating func overwriteRun(_ random: inout SeededGenerator) {
    let start = random.below(bytes.count)
    let count = min(1 + random.below(random.once(in: 4) ? 9000 : 64), bytes.count - start)
    let fill: UInt8? = random.once(in: 2) ? nil : random.pick([0, 0xFF, 0x41])
    for place in start..<start + count {
      bytes[place] = fill ?? UInt8(truncatingIfNeeded: random.next())
      if isCounter(place) { isDetectable = false }
    }
    // A page of zeros counts as empty.
    if fill == 0 && count >= pageByteCount { isDetectable = false }
    note("overwrite \(count) bytes at \(hex(start))")
  }

  private mutating func truncate(_ random: inout SeededGenerator) {
    var count = random.below(bytes.count + 1)
    if !random.once(in: 4) { count = count / pageByteCount * pageByteCount }
    bytes.removeSubrange(count...)
    note("truncate to \(count) bytes")
  }

  private mutating func extend(_ random: inout SeededGenerator) {
    let count = random.pick([1, 64, 4096, 8192, 65 * 4096, 4096 * random.below(80)])
    let isZero = random.once(in: 2)
    for _ in 0..<count { bytes.append(isZero ? 0 : UInt8(truncatingIfNeeded: random.next())) }
    note("extend by \(count) bytes")
  }

  private mutating func zeroPage(_ random: inout SeededGenerator) {
    let page = page(&random)
    fill(dataOffset(page), pageByteCount)
    isDetectable = false
    note("zero page \(page)")
  }

  private mutating func zeroEntry(_ random: inout SeededGenerator) {
    let page = page(&random)
    let half = random.below(3)
    fill(entryOffset(page) + (half == 2 ? 32 : 0), half == 0 ? 64 : 32)
    note("zero the metadata of page \(page), part \(half)")
  }

  private mutating func fill(_ start: Int, _ count: Int) {
    for place in start..<min(start + count, bytes.count) { bytes[place] = 0 }
  }

  private mutating func exchange(_ random: inout SeededGenerator, withEntries: Bool) {
    let (first, second) = (page(&random), page(&random))
    swap(dataOffset(first), dataOffset(second), pageByteCount)
    if withEntries {
      swap(entryOffset(first), entryOffset(second), Self.entryByteCount)
      isDetectable = false
    }
    note("exchange pages \(first) and \(second)\(withEntries ? " with their metadata" : "")")
  }

  private mutating func swap(_ first: Int, _ second: Int, _ count: Int) {
    guard first != second, first + count <= bytes.count, second + count <= bytes.count else { return }
    for place in 0..<count { bytes.swapAt(first + place, second + place) }
  }

  private mutating func changeCounter(_ random: inout SeededGenerator) {
    let place = entryOffset(page(&random)) + (random.once(in: 2) ? 0 : 32)
    guard place + 4 <= bytes.count else { return }
    let value = random.pick([0, 1, 2, 0xFFFF_FFFF, 0xFFFF_FFFE, UInt32(truncatingIfNeeded: random.next())])
    for index in 0..<4 { bytes[place + index] = UInt8(truncatingIfNeeded: value >> UInt32(8 * index)) }
    isDetectable = false
    note("counter at \(hex(place)) becomes \(value)")
  }

  /// As after a write that was begun and never finished, without its data.
  private mutating func takeBack(_ random: inout SeededGenerator) {
    let place = entryOffset(page(&random))
    guard place + Self.entryByteCount <= bytes.count else { return }
    for index in 0..<32 { bytes[place + 32 + index] = bytes[place + index] }
    for index in 4..<32 { bytes[place + index] = UInt8(truncatingIfNeeded: random.next()) }
    note("the metadata at \(hex(place)) name a write that never came")
  }
}
