import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// What a reader reads through lives as long as the reader and no longer, whether the reader counts a reference to it or the database does.
@Suite(.mustEnd) struct ReaderLifetimeTests {
  let directory = TestDirectory()

  /// Mapped anew by a few commits, and not told to disks.
  private var options: DatabaseOptions {
    var options = DatabaseOptions()
    options.reservedByteCount = 1 << 20
    options.durability = .unsafe
    return options
  }

  private struct WeakGeneration { weak var object: Generation? }

  private struct Reader {
    let transaction: ReadTransaction
    let counter: Int64

    func check() throws {
      let lists = try Numbers.read(transaction.space, transaction.topRef)
      #expect((lists.first?.first ?? 0) == counter)
      #expect(lists.last?.last ?? 0 == counter)
    }
  }

  /// Everything that happens to readers of one database, in an order that changes.
  private final class Model {
    let path: String
    var database: Database?
    let session: Session
    var readers: [Reader] = []
    var seen: [WeakGeneration] = []
    var counter: Int64 = 0
    var random: SeededGenerator

    init(path: String, options: DatabaseOptions, seed: UInt64) throws {
      let database = try Database.open(path: path, options: options)
      self.path = path
      self.database = database
      session = try #require(database.session)
      random = SeededGenerator(test: seed)
      note(database)
    }

    func note(_ database: Database) {
      let generation = database.generation
      if !seen.contains(where: { $0.object === generation }) { seen.append(WeakGeneration(object: generation)) }
    }

    func step() throws {
      let chance = random.below(100)
      if chance < 30, let database {
        let kind: PinKind = random.below(2) == 0 ? .live : .frozen
        readers.append(Reader(transaction: try database.beginRead(kind), counter: counter))
      } else if chance < 38, let reader = readers.randomElement(using: &random) {
        readers.append(Reader(transaction: try reader.transaction.again(.frozen), counter: reader.counter))
      } else if chance < 62, !readers.isEmpty {
        let reader = readers.remove(at: random.below(readers.count))
        try reader.check()
        reader.transaction.end()
      } else if chance < 90, let database {
        let transaction = try database.beginWrite(staysOnThread: true)
        counter = (counter | 1 << 40) + 1
        try Numbers.write(transaction, [[counter], Array(repeating: counter, count: random.below(40) * 2500 + 1)])
        try transaction.commit(log: [2])
      } else if chance < 99, let database {
        // Refused while somebody reads.
        let isDone = try database.compact()
        #expect(isDone == readers.isEmpty)
      }
    }

    /// Each generation is there while it is the database's or somebody reads through it.
    func check() {
      if let database {
        note(database)
        #expect(session.holdsPins == !readers.isEmpty)
      }
      let expected = Set((readers.map(\.transaction.generation) + [database?.generation].compactMap(\.self)).map { ObjectIdentifier($0) })
      let alive = Set(seen.compactMap { $0.object.map { ObjectIdentifier($0) } })
      #expect(alive == expected)
    }
  }

  @Test(arguments: sample([0, 1, 2])) func aGenerationLivesAsLongAsWhoeverReadsThroughIt(seed: UInt64) throws {
    let model = try Model(path: directory.file(), options: options, seed: seed)
    for number in 0..<400 {
      if number == 380 { model.database = nil }
      try model.step()
      model.check()
    }
    #expect(model.seen.count > 1, "nothing was mapped anew")
    while let reader = model.readers.popLast() {
      try reader.check()
      reader.transaction.end()
      model.check()
    }
    #expect(model.session.participantCount == 0)
  }

  @Test func aFileWithoutASessionIsLetGo() throws {
    let path = directory.file()
    try Numbers.raise(try Database.open(path: path, options: options))
    var options = options
    options.isImmutable = true
    var database: Database? = try Database.open(path: path, options: options)
    #expect(try database?.oldestLiveVersion() == 2)
    let generation = WeakGeneration(object: database?.generation)
    var readers = [try #require(database).snapshot()]
    readers.append(try readers[0].again(.frozen))
    database = nil
    #expect(generation.object != nil)
    readers.removeFirst()
    #expect(try Numbers.read(readers[0].space, readers[0].topRef)[0] == [1])
    readers.removeAll()
    #expect(generation.object == nil)
  }

  @Test(arguments: [1, 2, 3]) func theLastReaderLeavesTheSession(readerCount: Int) throws {
    let path = directory.file()
    var database: Database? = try Database.open(path: path, options: options)
    try Numbers.raise(try #require(database))
    let readers = try (0..<readerCount).map { _ in try #require(database).beginRead() }
    let generation = WeakGeneration(object: database?.generation)
    database = nil
    for reader in readers {
      #expect(try Numbers.read(reader.space, reader.topRef)[0] == [1])
      reader.end()
    }
    #expect(generation.object == nil)
    // Whoever finds nobody starts a session.
    #expect(try #require(try Database.open(path: path, options: options).session).isInitiator)
  }

  @Test(arguments: [1, 2, 3]) func readersMayEndAfterTheirDatabaseWasClosed(readerCount: Int) throws {
    var database: Database? = try Database.open(path: directory.file(), options: options)
    try Numbers.raise(try #require(database))
    let readers = try (0..<readerCount).map { _ in try #require(database).snapshot() }
    let generation = WeakGeneration(object: database?.generation)
    database?.close()
    database = nil
    #expect(generation.object != nil)
    withExtendedLifetime(readers) {}
    _ = consume readers
    #expect(generation.object == nil)
  }

  @Test func threadsThatReadBeyondTheEndOfTheirDatabaseReadItsVersion() async throws {
    let path = directory.file()
    for round in 0..<40 {
      var database: Database? = try Database.open(path: path, options: options)
      try Numbers.raise(try #require(database))
      let generation = WeakGeneration(object: database?.generation)
      try await withThrowingTaskGroup { group in
        for _ in 0..<3 {
          let handed = Locked<Snapshot?>(try #require(database).snapshot())
          group.addTask {
            try await awaitOtherThread {
              let snapshot = try #require(handed.withLock { $0.take() })
              try #require(try Numbers.read(snapshot.space, snapshot.topRef)[0] == [Int64(round) + 1])
            }
          }
        }
        database = nil
        try await group.waitForAll()
      }
      #expect(generation.object == nil)
    }
  }
}
