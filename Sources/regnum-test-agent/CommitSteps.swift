import RealmStorage

/// Commits to a real database: `commit PATH COUNT [DEATH]` and `commit-groups PATH COUNT [DEATH]`.
///
/// Each transaction raises the number in the first list by one and fills the second list with it. Answers `committed NUMBER` after each, or with groups
/// `durable NUMBER` when that many are: a group has one commit to twelve. With DEATH the process kills itself right after that many writes, extensions
/// and barriers of the data file since it was opened.
enum CommitSteps {
  static func run(_ arguments: ArraySlice<String>) {
    run(arguments) { (database) throws(StorageError) in
      let transaction = try database.beginWrite()
      let number = try raise(transaction)
      try transaction.commit(log: [1])
      Agent.answer("committed \(number)")
    }
  }

  static func runGroups(_ arguments: ArraySlice<String>) {
    run(arguments) { (database) throws(StorageError) in
      let transaction = if let next = try database.continueWriting() { next } else { try database.beginWrite() }
      let number = try raise(transaction)
      let read = try transaction.commitIntoGroup(log: [1]) { failure in
        if let failure { Agent.fail("\(failure)") }
        Agent.answer("durable \(number)")
      }
      read?.end()
      if number % 13 == 0 || number % 12 == 5 { database.makeGroupDurable() }
    }
  }

  private static func run(_ arguments: ArraySlice<String>, _ step: (Database) throws(StorageError) -> Void) {
    let words = Array(arguments)
    guard words.count >= 2, let count = Int(words[1]) else { Agent.fail("commit PATH COUNT [DEATH]") }
    let death = words.count > 2 ? Int(words[2]) : nil
    var options = Agent.options()
    options.openStorage = { (path, mode) throws(StorageError) in
      let storage = try KillingStorage(path: path, mode: mode)
      if let death { storage.arm(death) }
      return storage
    }
    do throws(StorageError) {
      let database = try Database.open(path: words[0], options: options)
      for _ in 0..<count { try step(database) }
      database.close()
    } catch {
      Agent.fail("\(error)")
    }
  }

  /// What stands in for tables: the number, and something to fill the file with.
  private enum Slot {
    static let number = 0, filler = 1
  }

  private static func raise(_ transaction: WriteTransaction) throws(StorageError) -> Int64 {
    let scratch = transaction.scratch
    try scratch.makeWritable(&transaction.topRef)
    let old = try TopArray(scratch.space, at: transaction.topRef).tables
    let lists = try scratch.space.refs(at: old)
    let number = lists.count > 0 ? try scratch.space.integers(at: lists.child(Slot.number)).element(0) + 1 : 1
    try scratch.freeTree(old)
    let tables = try scratch.createRefs(count: 2)
    scratch.setChild(tables, Slot.number, try scratch.createIntegers([number]))
    scratch.setChild(tables, Slot.filler, try scratch.createIntegers([Int64](repeating: number, count: 200 + Int(number % 7) * 100)))
    scratch.setChild(transaction.topRef, TopArray.Slot.tables, tables)
    return number
  }
}
