import RealmQuery
import RealmStorage

/// A table with indexes of every kind, to find out what asking them costs and saves. Not thread-safe.
public final class IndexStore {
  private let database: Database

  /// Makes the file.
  ///
  /// - Parameter rows: of the class `Item`. `id` counts up; `flag`, `tag` and `stamp` have two values, of which all but one row in a hundred have
  ///   the first; `age` has a hundred values; `name` one for ten rows; `token` one for each; `plain` and `text` are like `age` and `name` without
  ///   index. There are a hundred `dept`s, with a `title` of their own and one of two `kind`s, and a `team` for ten rows, with one of fifty
  ///   `grade`s. `depts` and `teams` are lists of two.
  public init(path: String, rows: Int) throws {
    database = try Database.open(path: path)
    try database.write { (group) throws(StorageError) in
      let dept = try group.addTable("class_Dept")
      try dept.addIndex(dept.addColumn(ColumnDefinition("title", .string)))
      try dept.addIndex(dept.addColumn(ColumnDefinition("kind", .int)))
      let team = try group.addTable("class_Team")
      try team.addIndex(team.addColumn(ColumnDefinition("name", .string)))
      try team.addIndex(team.addColumn(ColumnDefinition("grade", .int)))
      let depts = try (0..<100).map { (number) throws(StorageError) in
        let key = try dept.createObject()
        try dept.set(key, dept.column(named: "title").key, Value("title \(number)"))
        try dept.set(key, dept.column(named: "kind").key, .int(Int64(number % 2)))
        return key
      }
      let teams = try (0..<max(rows / 10, 1)).map { (number) throws(StorageError) in
        let key = try team.createObject()
        try team.set(key, team.column(named: "name").key, Value("team \(number)"))
        try team.set(key, team.column(named: "grade").key, .int(Int64(number * 7919 % 50)))
        return key
      }
      try Self.fill(group, rows, dept, depts, team, teams)
    }
  }

  private static func fill(
    _ group: Group, _ rows: Int, _ dept: Table, _ depts: [ObjectKey], _ team: Table, _ teams: [ObjectKey]
  ) throws(StorageError) {
    let item = try group.addTable("class_Item")
    try item.setPrimaryKey(item.addColumn(ColumnDefinition("id", .int)))
    for (name, type, isIndexed) in [
      ("flag", .int, true), ("tag", .string, true), ("stamp", .timestamp, true), ("age", .int, true), ("name", .string, true),
      ("token", .uuid, true), ("plain", .int, false), ("text", .string, false),
    ] as [(String, ColumnType, Bool)] {
      let column = try item.addColumn(ColumnDefinition(name, type))
      if isIndexed { try item.addIndex(column) }
    }
    for (name, target, attributes) in [
      ("dept", dept, .nullable), ("team", team, .nullable), ("depts", dept, .list), ("teams", team, .list),
    ] as [(String, Table, ColumnAttributes)] {
      try item.addColumn(ColumnDefinition(name, .link, attributes, target: target.key))
    }
    let columns = try ["flag", "tag", "stamp", "age", "name", "token", "plain", "text", "dept", "team", "depts", "teams"].map {
      (name) throws(StorageError) in try item.column(named: name).key
    }
    for number in 0..<rows {
      let key = try item.createObject(primaryKey: .int(Int64(number)))
      // Scattered, and the same in every run.
      let mixed = Int(UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15 >> 33)
      let isRare = number % 100 == 99
      let name = Value("user-" + String(mixed % max(rows / 10, 1) + 0x10_0000, radix: 16))
      let values: [Value] = [
        .int(isRare ? 1 : 0), Value(isRare ? "rare" : "common"), .timestamp(Timestamp(seconds: isRare ? 1 : 0, nanoseconds: 0)),
        .int(Int64(mixed % 100)), name, .uuid(UUIDBytes(high: UInt64(mixed) << 40, low: UInt64(number))), .int(Int64(mixed / 100 % 100)), name,
        .link(depts[mixed / 7 % depts.count]), .link(teams[mixed / 11 % teams.count]),
      ]
      for (column, value) in zip(columns, values) { try item.set(key, column, value) }
      for step in 0..<2 {
        try item.collection(key, columns[10]).append(.link(depts[(mixed / 13 + step * 31) % depts.count]))
        try item.collection(key, columns[11]).append(.link(teams[(mixed / 17 + step * 31) % teams.count]))
      }
    }
  }

  /// Leaves the session; nothing may be in progress.
  public func close() { database.close() }

  /// Who says at every leaf whether to go on.
  public enum Asking: CaseIterable, Sendable { case nobody, flag, task }

  /// A query that is bound already.
  public struct Prepared {
    fileprivate let plan: QueryPlan
    /// What the condition says to the indexes: the text of the index that it would be answered by, nil for a scan.
    public func askIndexes() throws -> String? { try plan.selectedIndex()?.text }
    /// The number of objects.
    public func count(ignoringIndexes: Bool, asking: Asking = .nobody) throws -> Int {
      var plan = plan
      if ignoringIndexes { plan.options.insert(.ignoresIndexes) }
      switch asking {
      case .nobody: break
      case .flag: plan.cancellation = Cancellation()
      case .task: plan.cancellation = Cancellation { Task.isCancelled }
      }
      if asking != .nobody { plan.options.remove(.ignoresCancellation) }
      return try plan.count()
    }
  }

  /// Lends a query on `Item` for a while in which nothing changes.
  public func withQuery<Result>(_ text: String, _ body: (Prepared) throws -> Result) throws -> Result {
    let transaction = try database.beginRead()
    defer { transaction.end() }
    let group = try Group(reading: transaction.space, top: transaction.topRef)
    guard let table = try group.table(named: "class_Item") else { throw StorageError.noSuchTable(name: "class_Item") }
    var plan = try RealmQuery.Query(text).bind(table, in: group)
    plan.options = .ignoresCancellation
    return try body(Prepared(plan: plan))
  }
}
