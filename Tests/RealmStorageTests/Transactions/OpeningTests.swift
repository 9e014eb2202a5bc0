import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmStorage

@Suite(.mustEnd) struct OpeningTests {
  let directory = TestDirectory()

  private func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

  private func made(_ name: String = "test.realm", _ lists: [[Int64]] = [[1, 2, 3]]) throws -> String {
    let database = try Database.open(path: directory.file(name))
    let transaction = try database.beginWrite()
    try Numbers.write(transaction, lists)
    try transaction.commit()
    return directory.file(name)
  }

  /// Whatever a power cut leaves of the one page of a new file is made a database; anything else is not touched.
  @Test func aFileWhoseCreationWasCutShortIsCreatedAnew() throws {
    let page = FileHeader().encoded + [UInt8](repeating: 0, count: 4096 - 24)
    for (number, lost) in [16..<20, 17..<20, 18..<20, 16..<17, 19..<20, 0..<0].enumerated() {
      var bytes = page
      for place in lost { bytes[place] = 0 }
      let database = try Database.open(path: directory.write(number == 3 ? Array(bytes.prefix(512)) : bytes, as: "cut\(number).realm"))
      #expect(try database.read { (group) throws(StorageError) in try group.tableKeys().count } == 0, "\(lost)")
      database.close()
    }
    for (place, byte) in [(0, 0x54), (16, 0x55), (24, 0x54), (4095, 1)] as [(Int, UInt8)] {
      var bytes = [UInt8](repeating: 0, count: 4096)
      bytes[place] = byte
      let path = try directory.write(bytes, as: "other\(place).realm")
      #expect(throws: StorageError.self) { try Database.open(path: path) }
      #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) == bytes)
    }
  }

  @Test func aMissingFileIsCreatedOnlyIfThatIsAllowed() throws {
    var options = DatabaseOptions()
    options.mayCreate = false
    #expect(throws: StorageError.fileNotFound(path: directory.file())) { try Database.open(path: directory.file(), options: options) }
    options.isImmutable = true
    #expect(throws: StorageError.fileNotFound(path: directory.file())) { try Database.open(path: directory.file(), options: options) }
    #expect(throws: StorageError.fileNotFound(path: directory.file())) { try Database.openForInspection(path: directory.file()) }
    #expect(throws: StorageError.directoryNotFound(path: directory.file("no/x.realm") + ".lock")) {
      try Database.open(path: directory.file("no/x.realm"))
    }
  }

  @Test func theInitiatorCutsATailAndCompletesAPage() throws {
    let path = try made()
    let original = try bytes(path)
    _ = try directory.write(original + [UInt8](repeating: 0xAB, count: 12_288), as: "test.realm")
    do { #expect(try Numbers.read(Database.open(path: path)) == [[1, 2, 3]]) }
    #expect(try bytes(path).count == original.count)
    // A streaming file of odd length.
    do { try Database.open(path: path).snapshot().write(toFile: directory.file("odd.realm")) }
    #expect(try bytes(directory.file("odd.realm")).count % 4096 != 0)
    do {
      let database = try Database.open(path: directory.file("odd.realm"))
      #expect(try Numbers.read(database) == [[1, 2, 3]])
      #expect(database.newestVersion == 2)
    }
    #expect(try bytes(directory.file("odd.realm")).count == 4096)
    #expect(try bytes(directory.file("odd.realm"))[23] == 1)
  }

  @Test func aJoinerCutsNothing() throws {
    let path = try made()
    let first = try Database.open(path: path)
    let storage = try FileStorage(path: path, mode: .readWrite)
    try storage.extend(from: try storage.byteCount(), to: 65_536)
    _ = try Database.open(path: path)
    #expect(try storage.byteCount() == 65_536)
    withExtendedLifetime(first) {}
  }

  @Test func anImmutableFileIsReadWithoutTouchingItsDirectory() throws {
    let path = try made()
    for name in [".lock", ".note", ".management"] { try FileManager.default.removeItem(atPath: path + name) }
    let before = try bytes(path)
    var options = DatabaseOptions()
    options.isImmutable = true
    let database = try Database.open(path: path, options: options)
    #expect(try Numbers.read(database) == [[1, 2, 3]])
    #expect(throws: StorageError.readOnly(path: path)) { try database.beginWrite() }
    #expect(throws: StorageError.readOnly(path: path)) { try database.compact() }
    #expect(try bytes(path) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["test.realm"])
  }

  @Test func inspectionNeverChangesTheFile() throws {
    let path = try made()
    do { try Database.open(path: path).snapshot().write(toFile: directory.file("stream.realm")) }
    for name in ["test.realm", "stream.realm"] {
      let before = try bytes(directory.file(name))
      let database = try Database.openForInspection(path: directory.file(name))
      #expect(try Numbers.read(database) == [[1, 2, 3]])
      #expect(throws: StorageError.readOnly(path: directory.file(name))) { try database.beginWrite() }
      // A file in order may be joined meanwhile; one that needs repairs may not.
      if name == "test.realm" {
        let writer = try Database.open(path: path)
        let transaction = try writer.beginWrite()
        try Numbers.write(transaction, [[8]])
        transaction.cancel()
      }
      #expect(try bytes(directory.file(name)) == before)
    }
  }

  @Test func inspectionJoinsWhoeverHasTheFileOpen() throws {
    let path = try made()
    var options = DatabaseOptions()
    options.durability = .unsafe
    let writer = try Database.open(path: path, options: options)
    let reader = try Database.openForInspection(path: path)
    let transaction = try writer.beginWrite()
    try Numbers.write(transaction, [[8]])
    try transaction.commit()
    #expect(try Numbers.read(reader) == [[8]])
    #expect(reader.newestVersion == 3)
  }

  @Test func inspectionWorksInADirectoryThatCannotBeWritten() throws {
    let path = try made()
    for name in [".lock", ".note", ".management"] { try FileManager.default.removeItem(atPath: path + name) }
    chmod(path, 0o444)
    chmod(directory.path, 0o555)
    defer { chmod(directory.path, 0o755) }
    #expect(try Numbers.read(Database.openForInspection(path: path)) == [[1, 2, 3]])
  }

  @Test func aSeedIsUsedOnce() throws {
    let seed = try made("seed.realm")
    var options = DatabaseOptions()
    options.seedPath = seed
    do {
      let database = try Database.open(path: directory.file(), options: options)
      #expect(try Numbers.read(database) == [[1, 2, 3]])
      let transaction = try database.beginWrite()
      try Numbers.write(transaction, [[4]])
      try transaction.commit()
    }
    #expect(try Numbers.read(Database.open(path: directory.file(), options: options)) == [[4]])
  }

  @Test func filesOfAnOpenDatabaseAreNotDeleted() throws {
    let path = try made()
    do {
      let database = try Database.open(path: path)
      #expect(throws: StorageError.fileInUse(path: path)) { try Database.deleteFiles(path: path) }
      withExtendedLifetime(database) {}
    }
    #expect(try Database.deleteFiles(path: path))
    #expect(try !Database.deleteFiles(path: path))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["test.realm.lock"])
    #expect(try !Database.deleteFiles(path: directory.file("no/x.realm")))
  }

  @Test func compactionIsRefusedWhileAnybodyElseHasTheFileOpen() throws {
    let path = try made("test.realm", [Array(repeating: 1 << 40, count: 10_000)])
    let database = try Database.open(path: path)
    let small = try database.beginWrite()
    try Numbers.write(small, [[1]])
    #expect(try !database.compact())
    try small.commit()
    do {
      let other = try Database.open(path: path)
      #expect(try !database.compact())
      other.close()
    }
    #expect(try database.compact())
    #expect(try bytes(path).count < 4096)
    #expect(try Numbers.read(database) == [[1]])
    let next = try database.beginWrite()
    try Numbers.write(next, [[2]])
    try next.commit()
    #expect(try Numbers.read(Database.open(path: path)) == [[2]])
  }

  @Test func aCopyOfAWriteTransactionHasItsChanges() throws {
    let database = try Database.open(path: try made())
    let transaction = try database.beginWrite()
    try Numbers.write(transaction, [[7, 8], [9]])
    try transaction.write(toFile: directory.file("copy.realm"))
    transaction.cancel()
    #expect(try Numbers.read(Database.open(path: directory.file("copy.realm"))) == [[7, 8], [9]])
    #expect(try Numbers.read(database) == [[1, 2, 3]])
  }

  @Test func aCopyHasItsNameOnceItIsCompleteAndReplacesNothing() throws {
    let snapshot = try Database.open(path: try made()).snapshot()
    let path = directory.file("copy.realm")
    #expect(throws: StorageError.fileExists(path: path)) {
      try snapshot.write(toFile: path) { (unfinished) throws(StorageError) in
        #expect(!FileCalls.exists(path))
        // What somebody else puts there meanwhile stays.
        _ = try FileStorage(path: path, mode: .createNew)
        return try FileStorage(path: unfinished, mode: .createNew)
      }
    }
    #expect(try bytes(path).isEmpty)
    #expect(FileCalls.remove(path))
    #expect(throws: StorageError.outOfDiskSpace(operation: "write", path: path)) {
      try snapshot.write(toFile: path) { (unfinished) throws(StorageError) in
        _ = try FileStorage(path: unfinished, mode: .createNew)
        throw .outOfDiskSpace(operation: "write", path: unfinished)
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).allSatisfy { !$0.hasPrefix("copy") })
    try snapshot.write(toFile: path)
    #expect(try Numbers.read(Database.open(path: path)) == [[1, 2, 3]])
  }

  @Test func anInvalidFileIsEmptiedOnlyIfThatIsAsked() throws {
    let path = try directory.write([UInt8](repeating: 0x55, count: 4096), as: "test.realm")
    #expect(throws: StorageError.self) { try Database.open(path: path) }
    #expect(try bytes(path).count == 4096)
    var options = DatabaseOptions()
    options.emptiesInvalidFile = true
    #expect(try Database.open(path: path, options: options).newestVersion == 1)
  }

  @Test func damagedTopArraysAreErrors() throws {
    let path = try made()
    let original = try bytes(path)
    var random = SeededGenerator(test: 3)
    let storage = try FileStorage(path: path, mode: .readOnly)
    let top = Int(try FileHeader.read(from: storage).selectedTopRef.byteOffset)
    for _ in 0..<400 {
      var image = original
      let place = Bool.random(using: &random) ? Int.random(in: 0..<24, using: &random) : top + Int.random(in: 4..<96, using: &random)
      image[place] = UInt8.random(in: 0...255, using: &random)
      let damaged = try directory.write(image, as: "damaged.realm")
      if let database = try? Database.open(path: damaged) {
        _ = try? Numbers.read(database)
        if let transaction = try? database.beginWrite() { _ = try? transaction.commit() }
      }
      _ = try Database.deleteFiles(path: damaged)
    }
  }
}

@Suite(.needsOlderFormats, .mustEnd) struct UpgradeTests {
  let directory = TestDirectory()

  @Test(arguments: ["too_old_v2.realm", "too_old_v2_small.realm"]) func formatsThatNobodyReadsAreRefused(_ name: String) throws {
    let path = try directory.copy("older/" + name)
    let original = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(throws: StorageError.unsupportedVersion(path: path, version: 2)) { try Database.open(path: path) }
    #expect(throws: StorageError.unsupportedVersion(path: path, version: 2)) { try Database.openForInspection(path: path) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == original)
  }

  @Test(arguments: Fixture.files("older")) func anOlderFormatIsUpgradedWithABackup(_ fixture: Fixture) throws {
    let path = try directory.copy(fixture.name)
    let original = try Data(contentsOf: URL(fileURLWithPath: path))
    let format = Int(original[20 + Int(original[23] & 1)])
    var options = DatabaseOptions()
    options.mayUpgrade = false
    #expect(throws: StorageError.formatUpgradeRequired(path: path, version: format)) { try Database.open(path: path, options: options) }
    do { _ = try Database.openForInspection(path: path).snapshot().topRef }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == original)

    options.mayUpgrade = true
    options.upgrade = { (transaction, format) throws(StorageError) in
      // The contents are the table layer's business; here a format is only a number.
      guard format < 24, transaction.isOpen else { throw .transactionEnded }
    }
    do {
      let database = try Database.open(path: path, options: options)
      let header = try FileHeader.read(from: FileStorage(path: path, mode: .readOnly))
      #expect(header.selectedFormat == 24)
      withExtendedLifetime(database) {}
    }
    let backup = RealmPaths(path).backup(version: format)
    #expect(try Data(contentsOf: URL(fileURLWithPath: backup)) == original)
    let log = try String(contentsOfFile: path + ".backup-log", encoding: .utf8)
    #expect(log.contains(" : Creating backup: \(backup)\n") && log.contains(" : Completed backup: \(backup)\n"))

    // A future format brings the backup back.
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    (bytes[20], bytes[21]) = (99, 99)
    _ = try directory.write(bytes, as: "test.realm")
    _ = try Database.open(path: path, options: options)
    #expect(try String(contentsOfFile: path + ".backup-log", encoding: .utf8).contains(" : Restoring from backup: \(backup)\n"))
  }

  @Test func backupsGoAfterNinetyThreeDays() throws {
    let path = directory.file()
    for (version, days) in [(23, 94), (20, 92)] {
      let backup = RealmPaths(path).backup(version: version)
      _ = FileManager.default.createFile(atPath: backup, contents: Data([1]))
      let date = Date(timeIntervalSinceNow: Double(-days * 86_400))
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: backup)
    }
    _ = try Database.open(path: path)
    #expect(!FileManager.default.fileExists(atPath: RealmPaths(path).backup(version: 23)))
    #expect(FileManager.default.fileExists(atPath: RealmPaths(path).backup(version: 20)))
  }
}
