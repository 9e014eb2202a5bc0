import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// Encrypted files from creation to compaction, and the errors of wrong keys and damage. E5, E9, E11.
@Suite(.mustEnd) struct EncryptedFileTests {
  let directory = TestDirectory()

  private func makeFile(_ name: String = "test.realm", key number: UInt8? = 1, count: Int = 200) throws -> String {
    let path = directory.file(name)
    var random = SeededGenerator(test: 5)
    let database = try Database.open(path: path, options: TestKey.options(number))
    try database.write { (group) throws(StorageError) in try TableWorkload.create(group, count: count, &random) }
    for workload in [TableWorkload.linksAndLists, .rewriteEverything, .bulkInsert, .smallCommit] {
      try database.write { (group) throws(StorageError) in try workload.run(group, &random) }
    }
    database.close()
    return path
  }
  private func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

  /// The text after the path of an `InvalidDatabase` error.
  private func refusal(_ path: String, key: UInt8?) -> String? { refusal(path, TestKey.options(key)) }
  private func refusal(_ path: String, _ options: DatabaseOptions) -> String? {
    do throws(StorageError) {
      try Database.open(path: path, options: options).close()
      return nil
    } catch {
      switch error {
      case .invalidDatabase(_, let reason): return reason
      default: return "\(error)"
      }
    }
  }

  @Test(.needsDecryption)
  func whatWeWritePassesTheIndependentCheckers() throws {
    let path = try makeFile()
    #expect(try IndependentTools.encryptedViolation(path) == nil)
    #expect(try FileContents.json(path, key: TestKey.make()) == FileContents.json(makeFile("plain.realm", key: nil)))
    // More than two groups of pages, made in one commit and in a copy.
    let database = try Database.open(path: path, options: TestKey.options())
    try database.write { (group) throws(StorageError) in
      let table = try group.addTable("class_Blob")
      let column = try table.addColumn(ColumnDefinition("data", .binary))
      for index in 0..<150 { try table.set(table.createObject(), column, .binary([UInt8](repeating: UInt8(index), count: 6000))) }
    }
    #expect(try IndependentTools.encryptedViolation(path) == nil)
    let copy = directory.file("copy.realm")
    try database.snapshot().write(toFile: copy, encryptionKey: TestKey.make(2))
    #expect(try IndependentTools.encryptedViolation(copy, key: 2) == nil)
    #expect(try database.compact())
    #expect(try IndependentTools.encryptedViolation(path) == nil)
    database.close()
    #expect(try FileContents.json(copy, key: TestKey.make(2)) == FileContents.json(path, key: TestKey.make()))
  }

  @Test func aNewFileIsTwoPagesWithAFirstPageWrittenOnce() throws {
    let path = directory.file()
    try Database.open(path: path, options: TestKey.options()).close()
    let storage = EncryptedStorage(try FileStorage(path: path, mode: .readOnly), key: TestKey.make())
    #expect(try bytes(path).count == 8192)
    let report = try storage.report(page: 0)
    #expect(report.state == "current" && report.counter == 1)
    #expect(report.plaintext == FileHeader().encoded + [UInt8](repeating: 0, count: 4072))
  }

  @Test func noPlaintextReachesTheDisk() throws {
    let path = directory.file()
    let database = try Database.open(path: path, options: TestKey.options())
    let secret = Array("the quick brown fox jumps over".utf8)
    try database.write { (group) throws(StorageError) in
      let table = try group.addTable("class_SecretTableName")
      let column = try table.addColumn(ColumnDefinition("secretColumn", .string))
      for _ in 0..<100 { try table.set(table.createObject(), column, .string(secret)) }
    }
    try database.snapshot().write(toFile: directory.file("copy.realm"), encryptionKey: TestKey.make(2))
    #expect(try database.compact())
    database.close()
    for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
      guard let data = FileManager.default.contents(atPath: directory.file(name)) else { continue }
      for word in ["the quick brown", "SecretTable", "secretColumn", "T-DB"] { #expect(data.range(of: Data(word.utf8)) == nil, "\(name)") }
    }
  }

  @Test func wrongKeysHaveTheirDocumentedErrors() throws {
    let path = try makeFile()
    let size = try bytes(path).count
    let prefix = "Realm file decryption failed (Decryption failed: page 0 in file of size \(size) "
    #expect(refusal(path, key: 2) == prefix + "failed the HMAC check. Either the encryption key is incorrect or data is corrupted)")
    #expect(refusal(path, key: nil)?.hasPrefix("header has invalid mnemonic. The file is either not a Realm file, is an encrypted") == true)
    var half = TestKey.bytes()
    half[3] ^= 1
    var options = DatabaseOptions()
    options.encryptionKey = try EncryptionKey(half)
    #expect(refusal(path, options)?.hasPrefix("header has invalid mnemonic. The file does not appear to be Realm file. top_ref[0]: ") == true)
    // Whoever has it open keeps it; the wrong key does not get in.
    let database = try Database.open(path: path, options: TestKey.options())
    #expect(refusal(path, key: 2)?.hasPrefix(prefix) == true)
    #expect(refusal(path, key: nil) != nil)
    #expect(try database.beginWrite().commit() > 1)
    database.close()
  }

  @Test func plainFilesAreNotOpenedWithAKeyNorTouched() throws {
    let small = directory.file("small.realm")
    try Database.open(path: small).close()
    let before = try bytes(small)
    #expect(before.count == 4096)
    #expect(refusal(small, key: 1) == "Attempt to open unencrypted file with encryption key")
    #expect(try bytes(small) == before)
    let large = try makeFile("large.realm", key: nil)
    let contents = try bytes(large)
    #expect(refusal(large, key: 1)?.contains("page 0 in file of size \(contents.count) ") == true)
    #expect(try bytes(large) == contents)
  }

  @Test func damageToTheFirstPageHasItsDocumentedErrors() throws {
    let path = try makeFile()
    let sound = try bytes(path)
    let name = "damaged.realm"
    func reason(_ change: (inout [UInt8]) -> Void) throws -> String? {
      var image = sound
      change(&image)
      return try refusal(directory.write(image, as: name), key: 1)
    }
    let prefix = "Realm file decryption failed (Decryption failed: page 0 in file of size \(sound.count) "
    #expect(try reason { $0[5000] ^= 1 }?.hasPrefix(prefix + "failed the HMAC check") == true)
    #expect(try reason { for index in 0..<64 { $0[index] = 0 } } == prefix + "has never been written to)")
    #expect(
      try reason {
        for index in 32..<64 { $0[index] = 0 }
        $0[10] ^= 1
      }?.contains("but a write was begun)") == true)
    #expect(
      try reason { for index in 4096..<8192 { $0[index] = 0 } }?.hasPrefix(
        "header has invalid mnemonic. The file does not appear to be Realm file.") == true)
    let top = try FileContents.top(path, key: TestKey.make()).byteOffset
    let cut = try reason { $0.removeLast($0.count - 8192) }
    #expect(cut?.hasPrefix(top >= 4096 ? "top ref is outside of the file (size: 4096" : "Invalid logical file size: ") == true)
    #expect(
      try reason { $0.removeLast($0.count - 8000) }
        == "Realm file decryption failed (Decryption failed: page 0 in file of size 8000 is out of bounds)")
    let odd = CipherLayout.plaintextByteCount(physical: UInt64(sound.count - 8))
    #expect(try reason { $0.removeLast(8) } == "file has an invalid size (\(odd)).")
    // Not looked at while the latest mac matches.
    #expect(try reason { for index in 32..<64 { $0[index] ^= 0xFF } } == nil)
    // An invalid file is emptied on request.
    var options = TestKey.options()
    options.emptiesInvalidFile = true
    for change in [5000, 10] {
      var image = sound
      for index in 32..<64 { image[index] = 0 }
      image[change] ^= 1
      let cleared = try Database.open(path: directory.write(image, as: name), options: options)
      #expect(try cleared.snapshot().topRef.isNull)
      cleared.close()
      #expect(try bytes(directory.file(name)).count == 8192)
    }
  }

  /// Every byte matters, but those that the format leaves open: counters, slots not in use, pages never written.
  @Test func anyChangedByteIsFoundOrChangesNothing() throws {
    let seed = testSeed
    var random = SeededGenerator(seed: seed)
    let path = try makeFile(count: 60)
    let sound = try bytes(path)
    let contents = try FileContents.json(path, key: TestKey.make())
    let rounds = trials(full: 2000, tenth: 100)
    var found = 0
    let target = directory.file("tampered.realm")
    for round in 0..<rounds {
      let place = Int.random(in: 0..<sound.count, using: &random)
      var image = sound
      image[place] ^= UInt8.random(in: 1...255, using: &random)
      _ = try directory.write(image, as: "tampered.realm")
      do {
        let violations = try FileContents.violations(target, key: TestKey.make())
        let result = try FileContents.json(target, key: TestKey.make())
        if violations.isEmpty && result != contents {
          // A counter: it moves the first 16 bytes of its page, which no mac covers (E10).
          #expect(place % 266240 < 4096 && place % 32 < 4, "byte \(place), round \(round), seed \(seed)")
        }
        if !violations.isEmpty { found += 1 }
      } catch {
        found += 1
      }
    }
    #expect(found > rounds * 3 / 10, "seed \(seed)")
  }

  @Test func damageToAnUntouchedPageIsNoticedWhenItIsUsed() throws {
    let path = directory.file()
    let database = try Database.open(path: path, options: TestKey.options())
    try database.write { (group) throws(StorageError) in
      let table = try group.addTable("class_Blob")
      let column = try table.addColumn(ColumnDefinition("data", .binary))
      for index in 0..<20 { try table.set(table.createObject(), column, .binary([UInt8](repeating: UInt8(index), count: 20000))) }
    }
    database.close()
    var image = try bytes(path)
    image[CipherLayout.pageByteCount * 30 + 7] ^= 4
    let damaged = try Database.open(path: directory.write(image), options: TestKey.options())
    defer { damaged.close() }
    do throws(StorageError) {
      _ = try damaged.read { (group) throws(StorageError) in try TableText.of(group) }
      Issue.record("the damage was not noticed")
    } catch {
      switch error {
      case .decryptionFailed(_, let reason):
        // Written once or more than once.
        let endings = ["data is corrupted", "but a write was begun"]
        #expect(reason.hasPrefix("Decryption failed: page ") && endings.contains { reason.hasSuffix($0) })
      default: Issue.record("\(error)")
      }
    }
    // The rest of the file still works.
    #expect(try damaged.read { (group) throws(StorageError) in try group.table(named: "class_Blob")!.count() } == 20)
  }

  // MARK: Copies

  @Test func copiesGoFromPlainToEncryptedToAnotherKeyAndBack() throws {
    let path = try makeFile(key: nil)
    let contents = try FileContents.json(path)
    var present: UInt8?
    var source = path
    for (step, next) in [1, 2, nil, 3, nil].enumerated() as EnumeratedSequence<[UInt8?]> {
      let target = directory.file("step\(step).realm")
      let database = try Database.open(path: source, options: TestKey.options(present))
      try database.snapshot().write(toFile: target, encryptionKey: next.map { TestKey.make($0) })
      database.close()
      #expect(try FileContents.json(target, key: next.map { TestKey.make($0) }) == contents)
      #expect(refusal(target, key: next == nil ? 1 : nil) != nil)
      // An opener converts the copy from its streaming form and writes to it.
      let opened = try Database.open(path: target, options: TestKey.options(next))
      try opened.beginWrite().commit()
      opened.close()
      #expect(try FileContents.violations(target, key: next.map { TestKey.make($0) }) == [])
      (source, present) = (target, next)
    }
    #expect(throws: StorageError.fileExists(path: source)) {
      try Database.open(path: path).snapshot().write(toFile: source, encryptionKey: TestKey.make())
    }
  }

  @Test func aCopyInsideAWriteTransactionHasItsChanges() throws {
    let path = try makeFile()
    let database = try Database.open(path: path, options: TestKey.options())
    let transaction = try database.beginWrite()
    let group = try transaction.openGroup()
    try group.addTable("class_Uncommitted").addColumn(ColumnDefinition("a", .int))
    let copy = directory.file("copy.realm")
    try transaction.write(group, toFile: copy, encryptionKey: TestKey.make(2))
    transaction.cancel()
    database.close()
    #expect(try String(decoding: FileContents.json(copy, key: TestKey.make(2)), as: UTF8.self).contains("class_Uncommitted"))
    #expect(try !String(decoding: FileContents.json(path, key: TestKey.make()), as: UTF8.self).contains("class_Uncommitted"))
  }

  @Test func compactionKeepsTheKeyChangesItOrDropsIt() throws {
    let path = try makeFile()
    let contents = try FileContents.json(path, key: TestKey.make())
    var random = SeededGenerator(test: 9)
    let database = try Database.open(path: path, options: TestKey.options())
    let size = try bytes(path).count
    for (key, number) in [(CopyEncryption.unchanged, 1), (.key(TestKey.make(2)), 2), (.none, nil), (.key(TestKey.make(3)), 3)]
      as [(CopyEncryption, UInt8?)]
    {
      #expect(try database.compact(encryption: key))
      #expect(try bytes(path).count < size)
      #expect(try FileContents.json(path, key: number.map { TestKey.make($0) }) == contents)
      #expect(refusal(path, key: number == 1 ? 2 : 1) != nil)
      #expect(try database.read { (group) throws(StorageError) in try group.table(named: "class_Person")!.count() } > 200)
    }
    // And it goes on with the last one.
    try database.write { (group) throws(StorageError) in try TableWorkload.smallCommit.run(group, &random) }
    database.close()
    #expect(try FileContents.violations(path, key: TestKey.make(3)) == [])
    #expect(try FileContents.json(path, key: TestKey.make(3)) != contents)
  }

  @Test func keysAreWipedWhenTheDatabaseIsClosedOrReleased() throws {
    let path = try makeFile()
    let options = TestKey.options()
    let mine = try #require(options.encryptionKey)
    var database: Database? = try Database.open(path: path, options: options)
    let copy = try #require(database?.options.encryptionKey)
    let storage = try #require(database?.generation.storage as? EncryptedStorage)
    #expect(copy !== mine && storage.key === copy && !copy.isWiped)
    let snapshot = try database?.snapshot()
    database?.close()
    #expect(copy.isWiped && !mine.isWiped)
    // Pages that were not decrypted before cannot be any more; that is an error, not a crash.
    let left = try #require(snapshot)
    #expect(Verification.run(left.space, top: left.topRef, format: 24).violations != [])
    database = nil

    weak var released: EncryptionKey?
    do {
      let other = try Database.open(path: path, options: options)
      released = other.options.encryptionKey
      #expect(released != nil)
      _ = try other.snapshot()
    }
    #expect(released == nil, "our copy outlives the database")
    #expect(!mine.isWiped)
  }

  @Test func aDatabaseInMemoryHasNoKey() throws {
    var options = TestKey.options()
    options.durability = .memoryOnly
    #expect(throws: StorageError.invalidArgument(reason: "Encryption is not supported for in-memory realms")) {
      try Database.open(path: directory.file(), options: options)
    }
  }

  @Test(.needsOlderFormats)
  func anOlderFormatIsUpgradedAndItsBackupIsEncrypted() throws {
    let plain = try directory.copy("older/v22_asymmetric.realm", as: "plain.realm")
    let file = try FileStorage(path: plain, mode: .readOnly)
    let path = directory.file("old.realm")
    let target = EncryptedStorage(try FileStorage(path: path, mode: .createNew), key: TestKey.make())
    let image = try file.read(Int(file.byteCount()), at: 0)
    try target.write(image, at: 0)
    try target.sync()
    #expect(try FileContents.json(path, key: TestKey.make()) == FileContents.json(plain))
    try Database.open(path: path, options: TestKey.options()).close()
    #expect(try FileContents.format(path, key: TestKey.make()) == 24)
    let backup = EncryptedStorage(
      try FileStorage(path: RealmPaths(path).backup(version: 22), mode: .readOnly), key: TestKey.make())
    #expect(try backup.read(image.count, at: 0) == image)
  }

  @Test(
    arguments: [
      "enc_empty", "enc_small", "enc_rewritten", "enc_64pages", "enc_stream", "enc_stream_2groups", "enc_interrupted", "enc_zero_extended",
    ])
  func filesOfTheOriginalEngineAreCommittedTo(_ name: String) throws {
    let path = try directory.copy("encrypted/\(name).realm")
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: Fixture.path("encrypted/\(name).json"))))
    let digits = try #require((json as? [String: Any])?["key_hex"] as? String)
    var options = DatabaseOptions()
    options.encryptionKey = try EncryptionKey(hexadecimal: digits)
    let before = try FileContents.json(path, key: options.encryptionKey)
    for round in 0..<4 {
      let database = try Database.open(path: path, options: options)
      try database.write { (group) throws(StorageError) in
        let table: Table
        if let known = try group.table(named: "class_Ours") {
          table = known
        } else {
          table = try group.addTable("class_Ours")
          try table.addColumn(ColumnDefinition("data", .binary))
        }
        let column = try table.column(named: "data").key
        for index in 0..<10 { try table.set(table.createObject(), column, .binary([UInt8](repeating: UInt8(index), count: 3000 * round))) }
      }
      database.close()
      #expect(try FileContents.violations(path, key: options.encryptionKey) == [])
    }
    let database = try Database.open(path: path, options: options)
    try database.write { (group) throws(StorageError) in try group.removeTable(group.table(named: "class_Ours")!.key) }
    database.close()
    // A file without any commit says another format.
    if name != "enc_empty" { #expect(try FileContents.json(path, key: options.encryptionKey) == before) }
    if IndependentTools.canDecrypt {
      let checked = try IndependentTools.run("realm_crypt", "check", path, "--key", digits)
      #expect(checked.status == 0, "\(checked.output)")
    }
  }
}
