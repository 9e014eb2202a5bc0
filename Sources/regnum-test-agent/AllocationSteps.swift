import RealmStorage

/// Counts the allocations of reading properties: `allocations PATH ROWS` makes a database and answers a line `KIND READS ALLOCATIONS` for
/// each kind of reading.
enum AllocationSteps {
  static func run(_ arguments: ArraySlice<String>) {
    let words = Array(arguments)
    guard words.count == 2, let rows = Int(words[1]) else { Agent.fail("allocations PATH ROWS") }
    #if canImport(Glibc)
      do throws(StorageError) {
        let database = try Database.open(path: words[0])
        try SampleTable.fill(database, rows: rows)
        let transaction = try database.beginRead()
        defer { transaction.end() }
        try PropertyReading(Group(reading: transaction.space, top: transaction.topRef)).run()
      } catch {
        Agent.fail("\(error)")
      }
    #else
      Agent.fail("only for Linux")
    #endif
  }
}
