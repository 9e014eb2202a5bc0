import Randomness
import RealmStorage

/// Commits on the ledger, with a death at a chosen place.
///
///     regnum-test-agent ledger-prepare PATH COUNT
///     regnum-test-agent write-and-die PATH WRITER SEED OPERATIONS [large]
///     regnum-test-agent commit-steadily PATH COUNT
///
/// `ledger-prepare` makes COUNT commits and answers `prepared VERSION`. `write-and-die` answers `opened`, begins one commit and dies after so
/// many operations on the file; if the commit has fewer, it answers `committed VERSION OPERATIONS`. `commit-steadily` answers `steady`, makes
/// COUNT commits of one object, answers `BARRIERS WRITES ALLOCATIONS`.
enum StopPoints {
  static func prepare(_ arguments: ArraySlice<String>) {
    let arguments = Array(arguments)
    guard arguments.count == 2, let count = Int(arguments[1]) else { Agent.fail("ledger-prepare PATH COUNT") }
    run { () throws(StorageError) in
      let database = try Database.open(path: arguments[0], options: Agent.options())
      try Ledger.prepare(database)
      var random = SeededGenerator(seed: 1)
      for step in 0..<count {
        try database.write { (group) throws(StorageError) in _ = try Ledger.advance(group, writer: Int64(step % 3), &random) }
      }
      Agent.answer("prepared \(database.newestVersion)")
      database.close()
    }
  }

  static func writeAndDie(_ arguments: ArraySlice<String>) {
    let arguments = Array(arguments)
    guard arguments.count >= 4, let writer = Int64(arguments[1]), let seed = UInt64(arguments[2]), let operations = Int(arguments[3]) else {
      Agent.fail("write-and-die PATH WRITER SEED OPERATIONS [large]")
    }
    let isLarge = arguments.count > 4
    run { () throws(StorageError) in
      let (database, storage) = try open(arguments[0])
      Agent.answer("opened")
      var random = SeededGenerator(seed: seed)
      let version = try database.write { (group) throws(StorageError) in
        _ = try Ledger.advance(group, writer: writer, &random)
        if isLarge { try Ledger.addBulk(group, byteCount: 200_000) }
        storage.arm(operations)
      }
      Agent.answer("committed \(version) \(storage.operationCount)")
      database.close()
    }
  }

  static func commitSteadily(_ arguments: ArraySlice<String>) {
    let arguments = Array(arguments)
    guard arguments.count == 2, let count = Int(arguments[1]) else { Agent.fail("commit-steadily PATH COUNT") }
    run { () throws(StorageError) in
      let opened = Locked<FileStorage?>(nil)
      var options = Agent.options()
      options.openStorage = { (path, mode) throws(StorageError) in
        let storage = try FileStorage(path: path, mode: mode)
        opened.withLock { $0 = storage }
        return storage
      }
      let database = try Database.open(path: arguments[0], options: options)
      guard let storage = opened.withLock({ $0 }) else { Agent.fail("nothing was opened") }
      try Ledger.prepare(database)
      try commitOneObject(database, count: 50)
      let before = (storage.barrierCount, storage.writeCount, storage.allocationCount)
      Agent.answer("steady")
      try commitOneObject(database, count: count)
      Agent.answer("\(storage.barrierCount - before.0) \(storage.writeCount - before.1) \(storage.allocationCount - before.2)")
      database.close()
    }
  }

  private static func commitOneObject(_ database: Database, count: Int) throws(StorageError) {
    for step in 0..<count {
      let transaction = try database.beginWrite(staysOnThread: true)
      let group = try transaction.openGroup()
      guard let table = try group.table(named: "class_Account") else { Agent.fail("no accounts") }
      try table.setInt(table.keys()[step % Ledger.accountCount], table.column(named: "balance").key, 1 << 40 + Int64(step))
      try transaction.commit(group)
    }
  }

  private static func open(_ path: String) throws(StorageError) -> (Database, KillingStorage) {
    let opened = Locked<KillingStorage?>(nil)
    var options = Agent.options()
    options.openStorage = { (path, mode) throws(StorageError) in
      let storage = try KillingStorage(path: path, mode: mode)
      opened.withLock { $0 = storage }
      return storage
    }
    let database = try Database.open(path: path, options: options)
    guard let storage = opened.withLock({ $0 }) else { Agent.fail("nothing was opened") }
    return (database, storage)
  }

  private static func run(_ body: () throws(StorageError) -> Void) {
    do throws(StorageError) { try body() } catch { Agent.fail("\(error)") }
  }
}
