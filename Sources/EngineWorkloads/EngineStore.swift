import RealmStorage

/// The storage engine at the work that the benchmarks measure: an open database with the table of people.
///
/// Goes through the same entry points as the SDK. Not thread-safe.
public final class EngineStore {
  private let database: Database

  private static let person = "class_Person"
  static let department = "class_Department"

  /// Opens the database, creates it with its schema and the departments if it has none.
  /// - Parameter key: 64 bytes that encrypt it.
  public init(path: String, key: [UInt8]? = nil) throws {
    var options = DatabaseOptions()
    options.encryptionKey = try key.map { (key) throws(StorageError) in try EncryptionKey(key) }
    database = try Database.open(path: path, options: options)
    let snapshot = try database.snapshot()
    if try Group(reading: snapshot.space, top: snapshot.topRef).table(named: Self.person) == nil { try createSchema() }
  }

  private func createSchema() throws {
    try write { (group) throws(StorageError) in
      let departments = try group.addTable(Self.department)
      let id = try departments.addColumn(ColumnDefinition("id", .int))
      for number in 0..<People.departmentCount { try departments.setInt(departments.createObject(), id, Int64(number)) }
      let people = try group.addTable(Self.person)
      let key = try people.addColumn(ColumnDefinition("id", .int))
      try people.setPrimaryKey(key)
      try people.addColumn(ColumnDefinition("age", .int))
      try people.addColumn(ColumnDefinition("score", .double))
      try people.addColumn(ColumnDefinition("name", .string))
      try people.addColumn(ColumnDefinition("created", .int))
      try people.addColumn(ColumnDefinition("department", .link, target: departments.key))
    }
  }

  /// Leaves the session; nothing may be in progress.
  public func close() { database.close() }

  // MARK: Transactions

  private func write(_ body: (Group) throws(StorageError) -> Void) throws(StorageError) {
    let transaction = try database.beginWrite()
    let group = try transaction.openGroup()
    try body(group)
    try transaction.commit(group)
  }

  func read<Result>(_ body: (Table) throws -> Result) throws -> Result {
    let transaction = try database.beginRead()
    defer { transaction.end() }
    return try body(Self.people(Group(reading: transaction.space, top: transaction.topRef)))
  }

  private static func people(_ group: Group) throws(StorageError) -> Table {
    guard let table = try group.table(named: person) else { throw .noSuchTable(name: person) }
    return table
  }

  // MARK: Writing

  /// Inserts all rows in one transaction.
  public func insert(_ people: People) throws {
    try write { (group) throws(StorageError) in
      let table = try Self.people(group)
      let (age, score) = (try table.column(named: "age").key, try table.column(named: "score").key)
      let (name, created) = (try table.column(named: "name").key, try table.column(named: "created").key)
      let department = try table.column(named: "department").key
      guard let departments = try group.table(named: Self.department)?.keys() else { throw .noSuchTable(name: Self.department) }
      for row in 0..<people.count {
        try table.createObject(primaryKey: people.keys[row]) { (object) throws(StorageError) in
          try object.set(age, int: people.ages[row])
          try object.set(score, double: people.scores[row])
          // SAFETY: a byte has no padding.
          try object.set(name, string: unsafe people.names.span.bytes.extracting(people.nameRange(row)))
          try object.set(created, int: people.created[row])
          try object.set(department, link: departments[Int(people.departments[row])])
        }
      }
    }
  }

  /// New ages for the people with these keys, in one transaction.
  public func update(_ keys: [Int64], ages: [Int64]) throws {
    try write { (group) throws(StorageError) in
      let table = try Self.people(group)
      let age = try table.column(named: "age").key
      for index in keys.indices {
        guard let key = try table.find(primaryKey: keys[index]) else { throw .noSuchObject(key: .null) }
        try table.setInt(key, age, ages[index])
      }
    }
  }

  /// Gives the people in these rows the values of other rows, all but the key, in one transaction.
  public func rewrite(_ rows: [Int], from sources: [Int], _ people: People) throws {
    try write { (group) throws(StorageError) in
      let table = try Self.people(group)
      let (age, score) = (try table.column(named: "age").key, try table.column(named: "score").key)
      let (name, created) = (try table.column(named: "name").key, try table.column(named: "created").key)
      let department = try table.column(named: "department").key
      guard let departments = try group.table(named: Self.department)?.keys() else { throw .noSuchTable(name: Self.department) }
      for (row, source) in zip(rows, sources) {
        guard let key = try table.find(primaryKey: people.keys[row]) else { throw .noSuchObject(key: .null) }
        try table.setInt(key, age, people.ages[source])
        try table.set(key, score, .double(people.scores[source]))
        try table.set(key, name, .string(Array(people.names[people.nameRange(source)])))
        try table.setInt(key, created, people.created[source])
        try table.set(key, department, .link(departments[Int(people.departments[source])]))
      }
    }
  }

  /// Deletes the people with these keys in one transaction.
  public func delete(_ keys: [Int64]) throws {
    try write { (group) throws(StorageError) in
      let table = try Self.people(group)
      var objects: [ObjectKey] = []
      objects.reserveCapacity(keys.count)
      for found in try table.find(primaryKeys: keys) {
        guard let found else { throw .noSuchObject(key: .null) }
        objects.append(found)
      }
      try table.remove(objects)
    }
  }

  /// Makes an index of the names, in one transaction.
  public func createNameIndex() throws {
    try write { (group) throws(StorageError) in
      let table = try Self.people(group)
      try table.addIndex(table.column(named: "name").key)
    }
  }

  // MARK: Reading

  /// The sum of the ages of the people with these keys, read in one transaction.
  public func sumOfAges(_ keys: [Int64]) throws -> Int64 {
    try read { (table) throws(StorageError) in
      let age = try table.column(named: "age").key
      var sum: Int64 = 0
      for number in keys {
        guard let row = try table.row(primaryKey: number) else { throw .noSuchObject(key: .null) }
        sum &+= try row.int(age)
      }
      return sum
    }
  }

  /// Begins and ends `count` read transactions.
  /// - Returns: a number that depends on each of them.
  @discardableResult public func beginAndEndReads(_ count: Int) throws -> UInt64 {
    var result: UInt64 = 0
    for _ in 0..<count {
      let transaction = try database.beginRead()
      result &+= transaction.version
      transaction.end()
    }
    return result
  }

  /// The sum of all ages.
  public func sumOfAllAges() throws -> Int64 {
    try read { (table) throws(StorageError) in
      let age = try table.column(named: "age").key
      let space = table.group.space
      var sum: Int64 = 0
      try table.forEachCluster { (cluster) throws(StorageError) in
        sum &+= try space.integers(at: cluster.column(age.leafIndex)).sum()
        return true
      }
      return sum
    }
  }

  /// A number that depends on every property of everybody, so that every page of the table is read.
  public func sumOfEverything() throws -> Int64 {
    try read { (table) throws(StorageError) in
      let (age, created) = (try table.column(named: "age").key, try table.column(named: "created").key)
      let (id, score, name) = (try table.column(named: "id").key, try table.column(named: "score"), try table.column(named: "name"))
      let department = try table.column(named: "department").key
      let space = table.group.space
      var sum: Int64 = 0
      try table.forEachCluster { (cluster) throws(StorageError) in
        for key in [age, created, id, department] { sum &+= try space.integers(at: cluster.column(key.leafIndex)).sum() }
        let scores = try LeafReader(space, cluster.column(score.leafIndex), score.leafKind)
        let names = try LeafReader(space, cluster.column(name.leafIndex), name.leafKind)
        for row in 0..<scores.count {
          if case .double(let value) = try scores.value(row) { sum &+= Int64(value) }
          if case .string(let text) = try names.value(row) { sum &+= Int64(text.count) }
        }
        return true
      }
      return sum
    }
  }

  /// The number of people with a name, by the index.
  public func count(name: [UInt8]) throws -> Int {
    try read { (table) throws(StorageError) in try table.indexedObjects(table.column(named: "name").key, equalTo: .string(name)).count }
  }

  /// The number of people.
  public func count() throws -> Int { try read { (table) throws(StorageError) in try table.count() } }

  /// Opens an existing database, reads one property and closes it.
  public static func openReadClose(path: String, key: Int64) throws -> Int64 {
    let database = try Database.open(path: path)
    defer { database.close() }
    let transaction = try database.beginRead()
    defer { transaction.end() }
    let table = try people(Group(reading: transaction.space, top: transaction.topRef))
    guard let object = try table.find(primaryKey: key) else { throw StorageError.noSuchObject(key: .null) }
    return try table.row(object).int(table.column(named: "age").key)
  }

  // MARK: Space

  /// Bytes of the newest version that are in use, and those of them that belong to the log of changes.
  public func usedByteCounts() throws -> (total: UInt64, history: UInt64) {
    let transaction = try database.beginRead()
    defer { transaction.end() }
    let top = try TopArray(transaction.space, at: transaction.topRef)
    var free: UInt64 = 0
    let lengths = try transaction.space.integers(at: top.freeByteCounts)
    for index in 0..<lengths.count { free += UInt64(bitPattern: lengths.element(unchecked: index)) }
    var history: UInt64 = 0
    if try !top.history.isNull { try Self.add(transaction.space, top.history, to: &history) }
    return (transaction.byteCount - free, history)
  }

  /// The bytes of the newest version, of the nodes that its commit replaced, and of what is free besides.
  public func spaceUse() throws -> (used: UInt64, replaced: UInt64, unused: UInt64) {
    let transaction = try database.beginRead()
    defer { transaction.end() }
    let free = try FreeSpace(transaction.space, top: transaction.topRef, logicalByteCount: transaction.byteCount, path: database.path)
    let replaced = free.lockedByteCount(oldest: transaction.version - 1)
    return (transaction.byteCount - free.freeByteCount, replaced, free.freeByteCount - replaced)
  }

  /// Writes a compacted copy.
  public func writeCompactedCopy(to path: String) throws { try database.snapshot().write(toFile: path) }

  private static func add(_ space: NodeSpace, _ ref: Ref, to byteCount: inout UInt64) throws(StorageError) {
    let node = try space.node(at: ref)
    byteCount += UInt64(node.byteCount)
    guard node.header.hasRefs, node.header.schemeBits == 0 else { return }
    for slot in 0..<node.count {
      let element = node.element(unchecked: slot)
      if element != 0 && element & 1 == 0 { try add(space, Ref(element: element), to: &byteCount) }
    }
  }
}
