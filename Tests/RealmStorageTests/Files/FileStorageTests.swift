import Foundation
import TestSupport
import Testing
@testable import RealmStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite(.mustEnd) struct FileStorageTests {
  let directory = TestDirectory()
  var path: String { directory.file("x.realm") }

  @Test func openingReportsWhatIsMissingOrInTheWay() throws {
    #expect(throws: StorageError.fileNotFound(path: path)) { try FileStorage(path: path, mode: .readOnly) }
    #expect(throws: StorageError.fileNotFound(path: path)) { try FileStorage(path: path, mode: .readWrite) }
    let deep = directory.file("no/x.realm")
    #expect(throws: StorageError.directoryNotFound(path: deep)) { try FileStorage(path: deep, mode: .createIfMissing) }
    #expect(throws: StorageError.io(operation: "open", path: directory.path, code: EISDIR)) {
      try FileStorage(path: directory.path, mode: .readWrite)
    }
    #expect(throws: StorageError.io(operation: "open", path: directory.path, code: EISDIR)) {
      try FileStorage(path: directory.path, mode: .readOnly)
    }
    _ = try FileStorage(path: path, mode: .createNew)
    #expect(throws: StorageError.fileExists(path: path)) { try FileStorage(path: path, mode: .createNew) }
    let below = path + "/y.realm"
    #expect(throws: StorageError.directoryNotFound(path: below)) { try FileStorage(path: below, mode: .createIfMissing) }
  }

  @Test func aPipeWithTheNameOfAFileIsRefusedAtOnce() throws {
    try #require(mkfifo(path, 0o600) == 0)
    for mode in [FileStorage.Mode.readOnly, .readWrite, .createIfMissing] {
      #expect(throws: StorageError.io(operation: "open", path: path, code: EINVAL)) { try FileStorage(path: path, mode: mode) }
    }
  }

  @Test func aPipeWithTheNameOfALockFileKeepsNobodyWaiting() throws {
    try Database.open(path: path).close()
    let lock = RealmPaths(path).lock
    try #require(unlink(lock) == 0 && mkfifo(lock, 0o600) == 0)
    #expect(VersionProbe(lockFile: lock)?.newestVersion == nil)
    #expect(throws: StorageError.self) { try Database.open(path: path) }
  }

  @Test func aLockFileThatIsASymbolicLinkLeavesWhatItNamesAsItIs() throws {
    let letter = try directory.write(Array("Dear Ada".utf8), as: "letter")
    try Database.open(path: path).close()
    let lock = RealmPaths(path).lock
    try #require(unlink(lock) == 0 && symlink(letter, lock) == 0)
    #expect(throws: StorageError.io(operation: "open", path: lock, code: ELOOP)) { try Database.open(path: path) }
    #expect(throws: StorageError.io(operation: "open", path: lock, code: ELOOP)) { _ = try ExclusiveLock(RealmPaths(path)) }
    #expect(try String(contentsOfFile: letter, encoding: .utf8) == "Dear Ada")
  }

  #if os(Linux)
    /// A running program cannot be opened for writing, not even by root.
    @Test func openingReportsMissingPermission() throws {
      let program = "/proc/self/exe"
      #expect(throws: StorageError.permissionDenied(path: program, writing: true)) {
        try FileStorage(path: program, mode: .readWrite)
      }
      #expect(try FileStorage(path: program, mode: .readOnly).byteCount() > 0)
    }
  #endif

  @Test func aReadOnlyFileRefusesToBeChanged() throws {
    _ = try FileStorage(path: path, mode: .createNew)
    let storage = try FileStorage(path: path, mode: .readOnly)
    #expect(throws: StorageError.readOnly(path: path)) { try storage.write([1], at: 0) }
    #expect(throws: StorageError.readOnly(path: path)) { try storage.extend(from: 0, to: 8) }
    #expect(throws: StorageError.readOnly(path: path)) { try storage.truncate(to: 8) }
  }

  @Test func extendingAllocatesAndKeepsContent() throws {
    let storage = try FileStorage(path: path, mode: .createIfMissing)
    try storage.write([1, 2, 3], at: 0)
    try storage.extend(from: 0, to: 1 << 20)
    #expect(try storage.byteCount() == 1 << 20)
    #expect(try storage.read(5, at: 0) == [1, 2, 3, 0, 0])
    var info = stat()
    fstat(storage.descriptor, &info)
    #expect(info.st_blocks * 512 >= 1 << 20, "the file is sparse")
    try storage.extend(from: 0, to: 4096)
    #expect(try storage.byteCount() == 1 << 20, "extending never cuts")
    #expect(storage.barrierCount == 0)
  }

  @Test func extendingFillsAHoleThatSomebodyElseMade() throws {
    let storage = try FileStorage(path: path, mode: .createIfMissing)
    try storage.truncate(to: 1 << 20)
    try storage.extend(from: 4096, to: 1 << 20)
    var info = stat()
    fstat(storage.descriptor, &info)
    #expect(info.st_blocks * 512 >= 1 << 20 - 4096)
  }

  @Test func zerosReplaceAllocationWhereItIsNotSupported() throws {
    let storage = try FileStorage(path: path, mode: .createIfMissing)
    try storage.write([9], at: 99)
    try storage.appendZeros(to: 200_000)
    #expect(try storage.byteCount() == 200_000)
    #expect(try storage.read(3, at: 98) == [0, 9, 0])
  }

  @Test func gatheredBuffersBecomeOneRunInOneCall() throws {
    let storage = try FileStorage(path: path, mode: .createIfMissing)
    let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    try bytes.withUnsafeBytes { all in
      let base = all.baseAddress!
      try storage.write(
        [
          WriteBuffer(base, byteCount: 8), WriteBuffer(base + 8, byteCount: 0), WriteBuffer(base + 8, byteCount: 4000),
          WriteBuffer(base + 4008, byteCount: 992),
        ], at: 24)
    }
    #expect(try storage.read(6000, at: 24) == bytes)
    #expect(storage.writeCount == 1)
  }

  @Test func moreBuffersThanOneCallTakesAreAllWritten() throws {
    let storage = try FileStorage(path: path, mode: .createIfMissing)
    let bytes = (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    try bytes.withUnsafeBytes { all in
      try storage.write((0..<3000).map { WriteBuffer(all.baseAddress! + $0, byteCount: 1) }, at: 0)
    }
    #expect(try storage.read(4000, at: 0) == bytes)
    #expect(storage.writeCount == 3)
  }

  @Test func theDoubleReportsAFullDiskAfterHalfOfTheWork() throws {
    let storage = try SimulatedStorage(path: path)
    storage.faults = [0: .diskFull, 2: .diskFull]
    #expect(throws: StorageError.outOfDiskSpace(operation: "posix_fallocate", path: path)) { try storage.extend(from: 0, to: 4096) }
    try storage.extend(from: 0, to: 4096)
    #expect(throws: StorageError.outOfDiskSpace(operation: "write()", path: path)) { try storage.write([1, 2, 3, 4], at: 0) }
    #expect(try storage.read(4, at: 0) == [1, 2, 0, 0])
  }

  @Test func barriersAreCountedAndDirectoriesCanBeSynced() throws {
    let storage = try FileStorage(path: path, mode: .createIfMissing)
    try storage.sync()
    try storage.sync()
    #expect(storage.barrierCount == 2)
    try FileStorage.sync(directoryOf: path)
    try FileStorage.sync(directoryOf: "x.realm")
    try FileStorage.sync(directoryOf: "/x.realm")
    let missing = directory.file("no/x.realm")
    #expect(throws: StorageError.self) { try FileStorage.sync(directoryOf: missing) }
  }

  @Test func cuttingShortensTheFile() throws {
    let storage = try FileStorage(path: path, mode: .createIfMissing)
    try storage.extend(from: 0, to: 8192)
    try storage.truncate(to: 4096)
    #expect(try storage.byteCount() == 4096)
    #expect(try storage.read(10, at: 4090).count == 6)
    #expect(try storage.read(10, at: 9000).isEmpty)
  }
}

@Suite(.mustEnd) struct SimulatedStorageTests {
  let directory = TestDirectory()
  var path: String { directory.file("x.realm") }

  @Test func whatABarrierCoversIsInEveryImage() throws {
    let storage = try SimulatedStorage(path: path)
    try storage.extend(from: 0, to: 8192)
    try storage.write([1, 2, 3], at: 510)
    try storage.sync()
    try storage.write([7, 7, 7, 7], at: 4094)
    let images = storage.crashImages(count: 60, seed: testSeed &+ 1)
    for image in images { #expect(Array(image[510..<513]) == [1, 2, 3]) }
    #expect(Array(images[0][4094..<4098]) == [0, 0, 0, 0])
    #expect(Array(images[1][4094..<4098]) == [7, 7, 7, 7])
    let seen = Set(images.map { Array($0[4094..<4098]) })
    #expect(seen.contains([7, 7, 0, 0]) && seen.contains([0, 0, 7, 7]), "parts of a write can be lost: \(seen)")
    // Before the barrier nothing is sure, not even the size.
    let early = storage.crashImages(count: 60, seed: testSeed &+ 1, afterEntries: 2)
    #expect(Set(early.map(\.count)) == [0, 8192])
  }

  @Test func unsyncedSectorsCanTearAndAreEverythingInBetween() throws {
    let storage = try SimulatedStorage(path: path)
    try storage.extend(from: 0, to: 512)
    try storage.sync()
    for value in 1...3 as ClosedRange<UInt8> { try storage.write([UInt8](repeating: value, count: 512), at: 0) }
    let images = storage.crashImages(count: 200, seed: testSeed &+ 2)
    #expect(Set(images.filter { Set($0).count == 1 }.map { $0[0] }) == [0, 1, 2, 3])
    #expect(images.contains { Set($0).count == 2 }, "no torn sector")
  }

  @Test func afterAFailedBarrierALaterOneDoesNotHelp() throws {
    let storage = try SimulatedStorage(path: path)
    try storage.extend(from: 0, to: 1024)
    try storage.sync()
    storage.faults = [3: .io(EIO)]
    try storage.write([1], at: 0)
    #expect(throws: StorageError.io(operation: "fdatasync", path: path, code: EIO)) { try storage.sync() }
    try storage.write([2], at: 600)
    try storage.sync()
    let images = storage.crashImages(count: 60, seed: testSeed &+ 3)
    #expect(Set(images.map { $0[0] }) == [0, 1])
    #expect(Set(images.map { $0[600] }) == [2])
  }

  @Test func aStoppedProcessDoesNothingMore() throws {
    let storage = try SimulatedStorage(path: path)
    storage.faults = [1: .stop]
    var seen: [Int] = []
    storage.beforeOperation = { seen.append($0) }
    try storage.extend(from: 0, to: 4096)
    #expect(throws: SimulatedStorage.stopError(path: path)) { try storage.write([1], at: 0) }
    #expect(throws: SimulatedStorage.stopError(path: path)) { try storage.sync() }
    #expect(seen == [0, 1] && storage.isStopped)
    #expect(try storage.read(1, at: 0) == [0])
  }

  @Test func aCutTailComesBackAsZerosOrNotAtAll() throws {
    let storage = try SimulatedStorage(path: path)
    try storage.write([UInt8](repeating: 5, count: 1024), at: 0)
    try storage.sync()
    try storage.truncate(to: 512)
    #expect(Set(storage.crashImages(count: 40, seed: testSeed &+ 4).map(\.count)) == [512, 1024])
    try storage.sync()
    try storage.extend(from: 512, to: 1024)
    try storage.sync()
    for image in storage.crashImages(count: 5, seed: testSeed &+ 5) { #expect(image[1023] == 0 && image[511] == 5) }
  }
}
