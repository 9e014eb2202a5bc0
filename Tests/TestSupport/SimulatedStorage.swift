import Foundation
import Randomness
import RealmStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A real file whose every write, extension, cut and barrier is recorded, can be made to fail, and can be replayed into the images
/// a power cut may leave.
///
/// The wrapped file sees all writes at once (mappings of it work); what is *durable* is computed from the journal.
// SAFETY: has no lock: only the holder of the write mutex changes it, and a test looks at the journal between its commits.
package final class SimulatedStorage: Storage, @unchecked Sendable {
  package enum Operation {
    case write(offset: UInt64, bytes: [UInt8])
    case resize(to: UInt64)
    case sync
    /// A barrier that reported an error: what was written before it may be lost even if a later barrier succeeds.
    case failedSync
  }

  package enum Fault: Equatable {
    /// The process ends before this operation: it and all later ones throw ``stopError(path:)``.
    case stop
    /// In a write or extension: half of it happens, then `.outOfDiskSpace`.
    case diskFull
    /// In a barrier `.io` with this code; in other operations too, without effect on the file.
    case io(Int32)
  }

  package let file: FileStorage
  /// What was on disk when recording began; taken as durable.
  package let initial: [UInt8]
  package private(set) var journal: [Operation] = []
  /// Faults by number of the operation (writes, extensions, cuts and barriers count, from 0).
  package var faults: [Int: Fault] = [:]
  /// Asking for the size fails once so many barriers were made. Reading a version that lies beyond the known end asks.
  private var barriersBeforeSizeFault: Int?
  /// Called before each operation with its number, before faults.
  package var beforeOperation: ((Int) -> Void)?
  package private(set) var operationCount = 0
  package private(set) var isStopped = false
  package private(set) var barrierCount = 0

  package init(path: String, mode: FileStorage.Mode = .createIfMissing) throws(StorageError) {
    file = try FileStorage(path: path, mode: mode)
    initial = try file.read(Int(file.byteCount()), at: 0)
  }

  package static func stopError(path: String) -> StorageError { .io(operation: "simulated stop", path: path, code: 0) }

  package var path: String { file.path }
  package var descriptor: Int32 { file.descriptor }
  package var isWritable: Bool { file.isWritable }
  package func byteCount() throws(StorageError) -> UInt64 {
    if let barriersBeforeSizeFault, barrierCount > barriersBeforeSizeFault { throw .io(operation: "fstat()", path: path, code: EIO) }
    return try file.byteCount()
  }
  package func read(_ byteCount: Int, at offset: UInt64) throws(StorageError) -> [UInt8] { try file.read(byteCount, at: offset) }

  /// What follows a commit cannot find out how long the file is, the commit itself can: it asks before its first barrier.
  package func failsToTellSizeAfterNextBarrier() { barriersBeforeSizeFault = barrierCount }
  package func tellsSizeAgain() { barriersBeforeSizeFault = nil }

  private func nextFault() throws(StorageError) -> Fault? {
    if isStopped { throw Self.stopError(path: path) }
    let number = operationCount
    operationCount += 1
    beforeOperation?(number)
    guard let fault = faults[number] else { return nil }
    if fault == .stop {
      isStopped = true
      throw Self.stopError(path: path)
    }
    return fault
  }

  package func extend(from start: UInt64, to end: UInt64) throws(StorageError) {
    let fault = try nextFault()
    if case .io(let code) = fault { throw .io(operation: "posix_fallocate", path: path, code: code) }
    let before = try file.byteCount()
    let reached = fault == .diskFull ? max(before, (before + end) / 2) : max(before, end)
    if reached > before {
      try file.extend(from: min(start, before), to: reached)
      journal.append(.resize(to: reached))
    }
    if fault == .diskFull { throw .outOfDiskSpace(operation: "posix_fallocate", path: path) }
  }

  package func write(_ buffers: [WriteBuffer], at offset: UInt64) throws(StorageError) {
    let fault = try nextFault()
    if case .io(let code) = fault { throw .io(operation: "write()", path: path, code: code) }
    var bytes: [UInt8] = []
    for buffer in buffers { bytes += buffer.bytes }
    if fault == .diskFull { bytes.removeLast((bytes.count + 1) / 2) }
    let before = try file.byteCount()
    try file.write(bytes, at: offset)
    if offset + UInt64(bytes.count) > before { journal.append(.resize(to: offset + UInt64(bytes.count))) }
    journal.append(.write(offset: offset, bytes: bytes))
    if fault == .diskFull { throw .outOfDiskSpace(operation: "write()", path: path) }
  }

  package func sync() throws(StorageError) {
    let fault = try nextFault()
    barrierCount += 1
    switch fault {
    case nil: journal.append(.sync)
    case .io(let code):
      journal.append(.failedSync)
      throw .io(operation: "fdatasync", path: path, code: code)
    default:
      journal.append(.failedSync)
      throw .io(operation: "fdatasync", path: path, code: ENOSPC)
    }
  }

  package func truncate(to byteCount: UInt64) throws(StorageError) {
    if let fault = try nextFault(), case .io(let code) = fault {
      throw .io(operation: "ftruncate", path: path, code: code)
    }
    try file.truncate(to: byteCount)
    journal.append(.resize(to: byteCount))
  }
}

// MARK: - Power cuts

extension SimulatedStorage {
  /// Images of the file that a power cut may leave after the first `length` entries of ``journal`` (all by default).
  ///
  /// The first is what is surely durable, the second what the page cache holds; the others apply a random subset of what no barrier
  /// covers, by 4096 or 512 bytes, some torn inside 512 bytes, with any size the file had since the last barrier.
  /// - Parameter wholePages: only by 4096 bytes: encrypted files rely on that (E6).
  package func crashImages(count: Int, seed: UInt64, afterEntries length: Int? = nil, wholePages: Bool = false) -> [[UInt8]] {
    let disk = CrashModel(initial: initial, journal: journal.prefix(length ?? journal.count))
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { number in
      switch number {
      case 0: disk.image { _, _ in 0 }
      case 1: disk.image { _, last in last }
      default: disk.randomImage(&generator, wholePages: wholePages)
      }
    }
  }
}

/// What may be on disk: for each sector the contents that no barrier has decided between.
private struct CrashModel {
  private static let sectorByteCount = 512
  private struct Sector {
    /// Oldest first, each with the journal entry that made it; the first one is what was durable.
    var versions: [(entry: Int, bytes: [UInt8])]
    var isDoubtful = false
  }
  private var durable: [UInt8]
  private var sectors: [Int: Sector] = [:]
  /// Sizes the file may have, oldest first.
  private var sizes: [Int]

  init(initial: [UInt8], journal: ArraySlice<SimulatedStorage.Operation>) {
    durable = initial
    sizes = [initial.count]
    for (number, operation) in journal.enumerated() {
      switch operation {
      case .resize(let size): resize(to: Int(size), entry: number + 1)
      case .write(let offset, let bytes): write(bytes, at: Int(offset), entry: number + 1)
      case .sync: sync()
      case .failedSync: for key in Array(sectors.keys) { sectors[key]!.isDoubtful = true }
      }
    }
  }

  private func durableSector(_ index: Int) -> [UInt8] {
    let start = index * Self.sectorByteCount
    let known = start < durable.count ? Array(durable[start..<min(durable.count, start + Self.sectorByteCount)]) : []
    return known + [UInt8](repeating: 0, count: Self.sectorByteCount - known.count)
  }

  private mutating func write(_ bytes: [UInt8], at offset: Int, entry: Int) {
    var done = 0
    while done < bytes.count {
      let index = (offset + done) / Self.sectorByteCount
      let start = (offset + done) % Self.sectorByteCount
      let count = min(Self.sectorByteCount - start, bytes.count - done)
      var sector = sectors[index] ?? Sector(versions: [(0, durableSector(index))])
      var content = sector.versions.last!.bytes
      content.replaceSubrange(start..<start + count, with: bytes[done..<done + count])
      sector.versions.append((entry, content))
      sector.isDoubtful = false
      sectors[index] = sector
      done += count
    }
  }

  private mutating func resize(to size: Int, entry: Int) {
    let old = sizes.last!
    sizes.append(size)
    // What was cut off comes back as zeros.
    if size < old {
      write([UInt8](repeating: 0, count: old - size), at: size, entry: entry)
    }
  }

  private mutating func sync() {
    sizes = [sizes.last!]
    if durable.count > sizes[0] { durable.removeLast(durable.count - sizes[0]) }
    durable += [UInt8](repeating: 0, count: sizes[0] - durable.count)
    for (index, sector) in sectors where !sector.isDoubtful {
      Self.copy(sector.versions.last!.bytes, to: index, of: &durable)
      sectors[index] = nil
    }
  }

  private static func copy(_ bytes: [UInt8], to sector: Int, of image: inout [UInt8]) {
    let start = sector * sectorByteCount
    guard start < image.count else { return }
    let count = min(sectorByteCount, image.count - start)
    image.replaceSubrange(start..<start + count, with: bytes[..<count])
  }

  private func base(size: Int) -> [UInt8] {
    var image = Array(durable.prefix(size))
    image += [UInt8](repeating: 0, count: size - image.count)
    return image
  }

  /// - Parameter choose: gets a sector's index and the number of its last version, returns the number of the version to take.
  func image(_ choose: (Int, Int) -> Int) -> [UInt8] {
    var image = base(size: sizes[choose(0, sizes.count - 1)])
    for (index, sector) in sectors {
      Self.copy(sector.versions[choose(index, sector.versions.count - 1)].bytes, to: index, of: &image)
    }
    return image
  }

  func randomImage(_ generator: inout SeededGenerator, wholePages: Bool) -> [UInt8] {
    var image = base(size: sizes.randomElement(using: &generator)!)
    let sectorsPerUnit = wholePages || Bool.random(using: &generator) ? 8 : 1
    let tears = !wholePages && Int.random(in: 0..<4, using: &generator) == 0
    // In thirds: mostly lost, half, mostly written.
    let written = [1, 4, 7].randomElement(using: &generator)!
    let units = Dictionary(grouping: sectors.keys, by: { $0 / sectorsPerUnit }).sorted { $0.key < $1.key }
    for (_, indices) in units {
      let entries = Set(indices.flatMap { sectors[$0]!.versions.dropFirst().map(\.entry) }).sorted()
      let isWritten = Int.random(in: 0..<8, using: &generator) < written
      let cut = isWritten ? (Bool.random(using: &generator) ? entries.last! : entries.randomElement(using: &generator)!) : 0
      for index in indices.sorted() {
        let versions = sectors[index]!.versions
        let chosen = versions.lastIndex { $0.entry <= cut }!
        var bytes = versions[chosen].bytes
        if tears, chosen > 0, Bool.random(using: &generator) {
          let tear = Int.random(in: 0...bytes.count, using: &generator)
          bytes = Array(bytes[..<tear] + versions[chosen - 1].bytes[tear...])
        }
        Self.copy(bytes, to: index, of: &image)
      }
    }
    return image
  }
}
