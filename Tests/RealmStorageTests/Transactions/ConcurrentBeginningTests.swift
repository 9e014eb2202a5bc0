import Synchronization
import TestSupport
import Testing

@testable import RealmStorage

/// Readers begin while what they need changes: they take one mutex where one suffices, and whoever changes something takes the same.
@Suite(.mustEnd) struct ConcurrentBeginningTests {
  @Test func readersThatBeginWhileTheFileIsMappedAnewReadWholeVersions() async throws {
    let directory = TestDirectory()
    var options = DatabaseOptions()
    options.reservedByteCount = 1 << 20
    options.durability = .unsafe
    let database = try Database.open(path: directory.file(), options: options)
    try Numbers.raise(database)
    let mappingCount = try await Self.whileReading(database) {
      var mappings: Set<UnsafeMutableRawPointer> = []
      for round in 1...10 {
        let transaction = try database.beginWrite(staysOnThread: true)
        let number = Int64(1) << 40 + Int64(round)
        try Numbers.write(transaction, [[number], Array(repeating: number, count: round * 100_000)])
        try transaction.commit(log: [2])
        mappings.insert(database.generation.mapping.mutableBase)
      }
      return mappings.count
    }
    #expect(mappingCount > 1, "the file did not outgrow its mapping")
    #expect(try Numbers.counter(database) == 1 << 40 + 10)
  }

  @Test func readersThatBeginDuringCompactionsReadWholeVersions() async throws {
    let directory = TestDirectory()
    var options = DatabaseOptions()
    options.durability = .unsafe
    let database = try Database.open(path: directory.file(), options: options)
    try Numbers.raise(database)
    let compactionCount = try await Self.whileReading(database) {
      var (attempts, done) = (0, 0)
      while done < 20, attempts < 20_000 {
        attempts += 1
        if attempts % 5 == 1 { try Numbers.raise(database) }
        if try database.compact() { done += 1 }
      }
      return done
    }
    #expect(compactionCount == 20)
  }

  @Test(arguments: [false, true]) func aReaderAloneGivesItsVersionBack(isEncrypted: Bool) throws {
    let directory = TestDirectory()
    var options = DatabaseOptions()
    if isEncrypted { options.encryptionKey = try EncryptionKey([UInt8](repeating: 7, count: 64)) }
    let database = try Database.open(path: directory.file(), options: options)
    try Numbers.raise(database)
    let generation = database.generation
    let session = try #require(database.session)
    #expect(!session.holdsPins)
    for kind in [PinKind.live, .frozen] {
      let first = try database.beginRead(kind)
      let second = try database.beginRead(kind)
      #expect(first.pin == second.pin)
      #expect(first.generation === generation)
      first.end()
      #expect(session.holdsPins)
      second.end()
      #expect(!session.holdsPins)
    }
    database.close()
    #expect(throws: StorageError.transactionEnded) { try database.beginRead() }
  }

  /// Runs `body` while two threads read the counter, which never goes back.
  private static func whileReading<Result: Sendable>(_ database: Database, _ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    let progress = Progress()
    async let first: Void = awaitOtherThread { try progress.read(database) }
    async let second: Void = awaitOtherThread { try progress.read(database) }
    let result = try await awaitOtherThread {
      defer { progress.isDone.store(true, ordering: .relaxed) }
      return try body()
    }
    _ = try await (first, second)
    return result
  }

  private final class Progress: Sendable {
    let isDone = Atomic<Bool>(false)

    /// At least once, until the other thread is done.
    func read(_ database: Database) throws {
      var last: Int64 = 0
      repeat {
        let counter = try Numbers.counter(database)
        try #require(counter >= last)
        last = counter
      } while !isDone.load(ordering: .relaxed)
    }
  }
}
