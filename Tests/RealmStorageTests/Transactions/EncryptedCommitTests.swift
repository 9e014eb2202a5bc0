import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// The order in which pages reach the disk, and freshness of what is decrypted. E6, E8.
@Suite(.mustEnd) struct EncryptedCommitTests {
  let directory = TestDirectory()

  private func isEntry(_ offset: UInt64) -> Bool { offset % CipherLayout.groupByteCount < 4096 }

  /// A commit as a line of letters: `e` metadata of pages but the first, `d` their data, `E` and `D` the same of the first page, `|` a barrier.
  private func letters(_ operations: ArraySlice<SimulatedStorage.Operation>) -> String {
    var text = ""
    for operation in operations {
      switch operation {
      case .write(let offset, let bytes):
        if isEntry(offset) { text += offset == 0 ? (bytes.count == 64 ? "E" : "X") : "e" } else { text += offset == 4096 ? "D" : "d" }
      case .resize: text += "+"
      case .sync: text += "|"
      case .failedSync: text += "!"
      }
    }
    return text
  }

  @Test func aCommitHasThreeBarriersAndChangesTheFirstPageLast() throws {
    let journal = StorageJournal()
    let database = try Database.open(path: directory.file(), options: journal.options(TestKey.options()))
    #expect(letters(journal.last.journal[...]) == "+E|D|")
    var random = SeededGenerator(test: 1)
    try database.write { (group) throws(StorageError) in try TableWorkload.create(group, count: 300, &random) }
    for _ in 0..<12 {
      let start = journal.last.journal.count
      try database.write { (group) throws(StorageError) in try TableWorkload.smallCommit.run(group, &random) }
      let text = letters(journal.last.journal[start...])
      #expect(text.filter { $0 == "|" }.count <= 3, "\(text)")
      // Existing pages: metadata, barrier, data and metadata of the first page, barrier, its data, barrier, and metadata once more.
      #expect(text.wholeMatch(of: /\+?(e+\|)?e*d+E\|D\|[EeX]*/) != nil, "\(text)")
    }
    let start = journal.last.journal.count
    for _ in 0..<30 { try database.write { (group) throws(StorageError) in try TableWorkload.smallCommit.run(group, &random) } }
    let barriers = letters(journal.last.journal[start...]).filter { $0 == "|" }.count
    #expect(barriers <= 90)
    database.close()
  }

  /// For readers in other processes that came between metadata and data.
  @Test func afterACommitBothSlotsOfRewrittenPagesAreTheSameIfOthersMayHaveLookedOn() throws {
    let path = directory.file()
    let database = try Database.open(path: path, options: TestKey.options())
    var random = SeededGenerator(test: 2)
    try database.write { (group) throws(StorageError) in try TableWorkload.create(group, count: 100, &random) }
    let storage = EncryptedStorage(try FileStorage(path: path, mode: .readOnly), key: TestKey.make())
    for isAlone in [true, false, true] {
      let other = isAlone ? nil : try Database.open(path: path, options: TestKey.options())
      try database.write { (group) throws(StorageError) in try TableWorkload.smallCommit.run(group, &random) }
      let entry = try storage.readEntry(0)
      #expect((entry.latest == entry.previous) == !isAlone && entry.latest.counter > 2)
      other?.close()
    }
    database.close()
  }

  @Test func writesAreMarkedInTheLockFile() throws {
    let path = directory.file()
    let database = try Database.open(path: path, options: TestKey.options())
    let session = try #require(database.session)
    let marks = session.pageMarks
    #expect(marks.look() == PageMarks.Look(isWriting: false, counter: 0))
    var random = SeededGenerator(test: 3)
    try database.write { (group) throws(StorageError) in try TableWorkload.create(group, count: 100, &random) }
    let look = marks.look()
    #expect(!look.isWriting && look.counter > 0 && look.counter.isMultiple(of: 2))
    try marks.around(page: 3) { () throws(StorageError) in
      #expect(marks.look() == PageMarks.Look(isWriting: true, counter: look.counter + 1))
    }
    #expect(marks.look() == PageMarks.Look(isWriting: false, counter: look.counter + 2))
    #expect(try LockFileSupportBytes.initiator(path) == UInt64(getpid()))
    database.close()
  }

  private enum LockFileSupportBytes {
    static func initiator(_ path: String) throws -> UInt64 {
      let bytes = try FileStorage(path: path + ".lock", mode: .readOnly).read(8, at: 24)
      return bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
  }

  /// Two databases of one process on one file are as strange to each other as two processes.
  @Test func commitsOfOthersAreSeenAndBuiltUponWithoutLosingTheirPages() throws {
    let seed = testSeed
    var random = SeededGenerator(seed: seed)
    let path = directory.file()
    let databases = try (0..<3).map { _ in try Database.open(path: path, options: TestKey.options()) }
    try databases[0].write { (group) throws(StorageError) in try TableWorkload.create(group, count: 120, &random) }
    var held: [(Snapshot, String)] = []
    for round in 0..<trials(full: 600, tenth: 60) {
      let writer = databases[Int.random(in: 0..<3, using: &random)]
      let workload: TableWorkload =
        round % 40 == 39 ? .rewriteEverything : [7, 50].contains(round) ? .linksAndLists : round % 31 == 0 ? .bulkInsert : .smallCommit
      try writer.write { (group) throws(StorageError) in try workload.run(group, &random) }
      let texts = try databases.map { try $0.read { (group) throws(StorageError) in try TableText.of(group) } }
      #expect(Set(texts).count == 1, "round \(round), seed \(seed)")
      if round % 5 == 0 { held.append((try databases[round % 3].snapshot(), texts[0])) }
      for (snapshot, text) in held where Bool.random(using: &random) {
        #expect(try TableText.of(snapshot.openGroup()) == text, "round \(round), seed \(seed)")
      }
      if held.count > 4 { held.removeFirst() }
    }
    held = []
    for database in databases {
      let snapshot = try database.snapshot()
      #expect(Verification.run(snapshot.space, top: snapshot.topRef, format: 24).violations == [], "seed \(seed)")
      withExtendedLifetime(snapshot) {}
    }
    for database in databases { database.close() }
    #expect(try FileContents.violations(path, key: TestKey.make()) == [], "seed \(seed)")
    #expect(try IndependentTools.encryptedViolation(path) == nil)
  }

  /// Threads that read held and new versions while this process and another database write.
  @Test func manyThreadsReadWhileOthersWrite() throws {
    let path = directory.file()
    let (reader, writer) = (try Database.open(path: path, options: TestKey.options()), try Database.open(path: path, options: TestKey.options()))
    var random = SeededGenerator(test: 4)
    try writer.write { (group) throws(StorageError) in try TableWorkload.create(group, count: 150, &random) }
    let failures = FailureList()
    let isOver = FailureList()
    let group = DispatchGroup()
    for _ in 0..<4 {
      DispatchQueue.global().async(group: group) {
        do {
          while isOver.all.isEmpty {
            let snapshot = try reader.snapshot()
            let first = try TableText.of(snapshot.openGroup())
            for _ in 0..<3 where try TableText.of(snapshot.openGroup()) != first { failures.add("version \(snapshot.version) changed") }
            let found = Verification.run(snapshot.space, top: snapshot.topRef, format: 24)
            if !found.isClean { failures.add("version \(snapshot.version): \(found.violations.prefix(2))") }
            withExtendedLifetime(snapshot) {}
          }
        } catch {
          failures.add("\(error)")
        }
      }
    }
    for round in 0..<60 {
      let database = round % 3 == 0 ? reader : writer
      try database.write { (group) throws(StorageError) in
        try (round % 20 == 19 ? TableWorkload.rewriteEverything : .smallCommit).run(group, &random)
      }
    }
    isOver.add("over")
    group.wait()
    #expect(failures.all == [])
    reader.close()
    writer.close()
  }

  // SAFETY: the lock is held around every access.
  private final class FailureList: @unchecked Sendable {
    private let lock = NSLock()
    private var list: [String] = []
    var all: [String] { lock.withLock { list } }
    func add(_ text: String) { lock.withLock { list.append(text) } }
  }

  /// More pages than are collected: an extra barrier, and nothing else.
  @Test func aCommitOfManyPagesIsWrittenInParts() throws {
    let path = directory.file()
    let database = try Database.open(path: path, options: TestKey.options())
    for round in 0..<3 {
      try database.write { (group) throws(StorageError) in
        let table: Table
        if let known = try group.table(named: "class_Blob") {
          table = known
        } else {
          table = try group.addTable("class_Blob")
          try table.addColumn(ColumnDefinition("data", .binary))
        }
        let column = try table.column(named: "data").key
        if round == 2 { for key in try table.keys() { try table.remove(key) } }
        for index in 0..<700 {
          try table.set(table.createObject(), column, .binary([UInt8](repeating: UInt8(truncatingIfNeeded: index * 7 + round), count: 65_000)))
        }
      }
    }
    let snapshot = try database.snapshot()
    #expect(Verification.run(snapshot.space, top: snapshot.topRef, format: 24).violations == [])
    withExtendedLifetime(snapshot) {}
    let contents = try FileContents.json(path, key: TestKey.make())
    database.close()
    #expect(try FileContents.violations(path, key: TestKey.make()) == [])
    #expect(try FileContents.json(path, key: TestKey.make()) == contents)
  }

  /// A writer in another process died between metadata and data: the next one builds on what is there.
  @Test func pagesWhoseWriteWasCutShortAreWrittenAgainSafely() throws {
    let path = directory.file()
    var random = SeededGenerator(test: 6)
    let database = try Database.open(path: path, options: TestKey.options())
    try database.write { (group) throws(StorageError) in try TableWorkload.create(group, count: 100, &random) }
    let text = try database.read { (group) throws(StorageError) in try TableText.of(group) }
    let file = try FileStorage(path: path, mode: .readWrite)
    let storage = EncryptedStorage(file, key: TestKey.make())
    let pages = Int(try storage.byteCount()) / 4096
    for page in 0..<pages {
      var entry = try storage.readEntry(page)
      if entry.latest.counter == 0 { continue }
      entry = PageEntry(latest: PageSlot(words: SIMD4(entry.latest.words[0] + 1, 7, 8, 9)), previous: entry.latest)
      try withUnsafeBytes(of: entry) { try file.write(Array($0), at: CipherLayout.entryOffset(page)) }
      #expect(try storage.report(page: page).state == "previous")
    }
    let other = try Database.open(path: path, options: TestKey.options())
    #expect(try other.read { (group) throws(StorageError) in try TableText.of(group) } == text)
    for writer in [other, database, other] {
      let journalled = try Data(contentsOf: URL(fileURLWithPath: path))
      try writer.write { (group) throws(StorageError) in try TableWorkload.smallCommit.run(group, &random) }
      #expect(try Data(contentsOf: URL(fileURLWithPath: path)) != journalled)
    }
    let texts = try [database, other].map { try $0.read { (group) throws(StorageError) in try TableText.of(group) } }
    #expect(texts[0] == texts[1] && texts[0] != text)
    other.close()
    database.close()
    #expect(try FileContents.violations(path, key: TestKey.make()) == [])
  }
}
