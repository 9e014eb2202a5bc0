import Randomness
import RealmStorage

/// Tables whose contents prove whether a commit was lost, doubled or seen in part.
///
/// - `class_Counter`: for each writer the sequence number of its last commit.
/// - `class_Entry`: the last 200 commits in order, with a text that follows from writer and sequence.
/// - `class_Total`: one object with the number of commits and the sum of a number per commit.
/// - `class_Account`: 32 balances between which each commit transfers something; they sum to 0.
enum Ledger {
  static let entryLimit = 200
  static let accountCount = 32

  /// The number that a commit adds to the sum.
  private static func weight(_ writer: Int64, _ sequence: Int64) -> Int64 { writer &* 1_000_003 &+ sequence &* 7919 &+ 17 }

  /// Sum of the weights of a writer's commits up to `last`.
  private static func weights(_ writer: Int64, through last: Int64) -> Int64 {
    last &* (writer &* 1_000_003 &+ 17) &+ 7919 &* (last &* (last &+ 1) / 2)
  }

  /// The text of a commit: mostly short, now and then some kilobytes.
  private static func note(_ writer: Int64, _ sequence: Int64) -> [UInt8] {
    var random = SeededGenerator(seed: UInt64(bitPattern: weight(writer, sequence)))
    let number = random.next()
    let count = number % 61 == 0 ? 6000 : Int(number >> 8 % 180)
    return [UInt8](repeating: UInt8(97 + number >> 40 % 26), count: count)
  }

  /// Creates the tables, unless they exist.
  static func prepare(_ database: Database) throws(StorageError) {
    let isThere = try database.read { (group) throws(StorageError) in try group.table(named: "class_Total") != nil }
    if isThere { return }
    try database.write { (group) throws(StorageError) in
      if try group.table(named: "class_Total") == nil { try create(group) }
    }
  }

  private static func create(_ group: Group) throws(StorageError) {
    let counters = try group.addTable("class_Counter")
    try counters.setPrimaryKey(counters.addColumn(ColumnDefinition("id", .int)))
    try counters.addColumn(ColumnDefinition("value", .int))
    let entries = try group.addTable("class_Entry")
    try entries.addColumn(ColumnDefinition("writer", .int))
    try entries.addColumn(ColumnDefinition("sequence", .int))
    try entries.addColumn(ColumnDefinition("note", .string))
    let total = try group.addTable("class_Total")
    try total.addColumn(ColumnDefinition("count", .int))
    try total.addColumn(ColumnDefinition("sum", .int))
    try total.createObject()
    let accounts = try group.addTable("class_Account")
    try accounts.addColumn(ColumnDefinition("balance", .int))
    for _ in 0..<accountCount { try accounts.createObject() }
  }

  private static func table(_ group: Group, _ name: String) throws(StorageError) -> Table {
    guard let table = try group.table(named: name) else { throw .noSuchTable(name: name) }
    return table
  }

  /// One commit's worth of changes.
  /// - Returns: the sequence number.
  static func advance(_ group: Group, writer: Int64, _ random: inout SeededGenerator) throws(StorageError) -> Int64 {
    let counters = try table(group, "class_Counter")
    let value = try counters.column(named: "value").key
    let counter = try counters.findOrCreateObject(primaryKey: .int(writer)).key
    let sequence = try counters.int(counter, value) + 1
    try counters.setInt(counter, value, sequence)

    let entries = try table(group, "class_Entry")
    let entry = try entries.createObject()
    try entries.setInt(entry, entries.column(named: "writer").key, writer)
    try entries.setInt(entry, entries.column(named: "sequence").key, sequence)
    try entries.set(entry, entries.column(named: "note").key, .string(note(writer, sequence)))
    let keys = try entries.keys()
    for key in keys.prefix(max(0, keys.count - entryLimit)) { try entries.remove(key) }

    let total = try table(group, "class_Total")
    let (count, sum) = (try total.column(named: "count").key, try total.column(named: "sum").key)
    let object = try total.keys()[0]
    try total.setInt(object, count, total.int(object, count) + 1)
    try total.setInt(object, sum, total.int(object, sum) &+ weight(writer, sequence))

    let accounts = try table(group, "class_Account")
    let balance = try accounts.column(named: "balance").key
    let all = try accounts.keys()
    let amount = Int64.random(in: -100_000...100_000, using: &random)
    let (from, to) = (all[Int.random(in: 0..<all.count, using: &random)], all[Int.random(in: 0..<all.count, using: &random)])
    try accounts.setInt(from, balance, accounts.int(from, balance) - amount)
    try accounts.setInt(to, balance, accounts.int(to, balance) + amount)
    return sequence
  }

  /// Adds data that make the file longer.
  static func addBulk(_ group: Group, byteCount: Int) throws(StorageError) {
    let table: Table
    if let existing = try group.table(named: "class_Bulk") {
      table = existing
    } else {
      table = try group.addTable("class_Bulk")
      try table.addColumn(ColumnDefinition("data", .binary))
    }
    let data = try table.column(named: "data").key
    for index in 0..<max(1, byteCount / 8000) {
      try table.set(table.createObject(), data, .binary([UInt8](repeating: UInt8(truncatingIfNeeded: index), count: 8000)))
    }
  }

  /// What one version says.
  struct State: Equatable {
    var count: Int64 = 0
    var counters: [Int64: Int64] = [:]
    /// The first broken rule.
    var violation: String?
  }

  static func check(_ group: Group) throws(StorageError) -> State {
    var state = State()
    let counters = try table(group, "class_Counter")
    let (id, value) = (try counters.column(named: "id").key, try counters.column(named: "value").key)
    for key in try counters.keys() { state.counters[try counters.int(key, id)] = try counters.int(key, value) }

    let total = try table(group, "class_Total")
    let object = try total.keys()[0]
    state.count = try total.int(object, total.column(named: "count").key)
    let sum = try total.int(object, total.column(named: "sum").key)
    let counted = state.counters.values.reduce(0, +)
    if counted != state.count { state.violation = "\(state.count) commits, the counters say \(counted)" }
    let expected = state.counters.reduce(Int64(0)) { $0 &+ weights($1.key, through: $1.value) }
    if expected != sum { state.violation = "the sum is \(sum), the counters say \(expected)" }

    let accounts = try table(group, "class_Account")
    let balance = try accounts.column(named: "balance").key
    var balances: Int64 = 0
    for key in try accounts.keys() { balances += try accounts.int(key, balance) }
    if balances != 0 { state.violation = "the balances sum to \(balances)" }
    if let violation = try entryViolation(group, state) { state.violation = violation }
    return state
  }

  private static func entryViolation(_ group: Group, _ state: State) throws(StorageError) -> String? {
    let entries = try table(group, "class_Entry")
    let (writer, sequence) = (try entries.column(named: "writer").key, try entries.column(named: "sequence").key)
    let note = try entries.column(named: "note").key
    let keys = try entries.keys()
    guard keys.count == min(Int(state.count), entryLimit) else { return "\(keys.count) entries for \(state.count) commits" }
    // Backwards, so that each writer's last entry comes first.
    var next = state.counters
    for key in keys.reversed() {
      let (who, number) = (try entries.int(key, writer), try entries.int(key, sequence))
      guard next[who] == number else { return "the entry \(number) of writer \(who) stands where \(next[who] ?? 0) must be" }
      next[who] = number - 1
      guard case .string(let text) = try entries.value(key, note), text == Self.note(who, number) else {
        return "the text of entry \(number) of writer \(who) is wrong"
      }
    }
    return nil
  }
}
