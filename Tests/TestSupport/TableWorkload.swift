import Randomness

import RealmStorage

/// Commits with real tables, one of each kind that lays out the file in its own way.
package enum TableWorkload: CaseIterable {
  case smallCommit, bulkInsert, deleteMany, schemaChange, indexBuild, linksAndLists, rewriteEverything, removeTable

  private static func word(_ random: inout SeededGenerator) -> [UInt8] {
    let count = Int.random(in: 0..<40, using: &random) == 0 ? Int.random(in: 100..<900, using: &random) : Int.random(in: 0..<24, using: &random)
    return (0..<count).map { _ in UInt8.random(in: 97...122, using: &random) }
  }

  /// The schema and some objects, for an empty database.
  package static func create(_ group: Group, count: Int, _ random: inout SeededGenerator) throws(StorageError) {
    let dogs = try group.addTable("class_Dog")
    try dogs.addColumn(ColumnDefinition("name", .string, .nullable))
    let people = try group.addTable("class_Person")
    try people.setPrimaryKey(people.addColumn(ColumnDefinition("id", .int)))
    try people.addColumn(ColumnDefinition("name", .string))
    try people.addColumn(ColumnDefinition("age", .int))
    try people.addColumn(ColumnDefinition("score", .double))
    try people.addColumn(ColumnDefinition("dog", .link, target: dogs.key))
    try people.addColumn(ColumnDefinition("scores", .int, .list))
    for _ in 0..<8 { try dogs.set(dogs.createObject(), dogs.column(named: "name").key, .string(word(&random))) }
    try insert(people, 0..<count, &random)
  }

  private static func insert(_ people: Table, _ ids: Range<Int>, _ random: inout SeededGenerator) throws(StorageError) {
    let (name, age, score) = (try people.column(named: "name").key, try people.column(named: "age").key, try people.column(named: "score").key)
    for id in ids {
      let (key, _) = try people.findOrCreateObject(primaryKey: .int(Int64(id)))
      try people.set(key, name, .string(word(&random)))
      try people.set(key, age, .int(Int64.random(in: 0..<100, using: &random)))
      try people.set(key, score, .double(Double.random(in: 0..<1, using: &random)))
    }
  }

  package func run(_ group: Group, _ random: inout SeededGenerator) throws(StorageError) {
    guard let people = try group.table(named: "class_Person") else { throw .noSuchTable(name: "class_Person") }
    let keys = try people.keys()
    let (name, age) = (try people.column(named: "name").key, try people.column(named: "age").key)
    switch self {
    case .smallCommit:
      try people.setInt(keys.randomElement(using: &random)!, age, Int64.random(in: 0..<1000, using: &random))
    case .bulkInsert:
      let start = Int.random(in: 1000..<1_000_000, using: &random)
      try TableWorkload.insert(people, start..<start + Int.random(in: 50..<300, using: &random), &random)
    case .deleteMany:
      for key in keys.shuffled(using: &random).prefix(keys.count * 3 / 4) { try people.remove(key) }
    case .schemaChange:
      let column = try people.addColumn(ColumnDefinition("extra\(Int.random(in: 0..<1_000_000, using: &random))", .string, .nullable))
      for key in keys where Bool.random(using: &random) { try people.set(key, column, .string(TableWorkload.word(&random))) }
      if Bool.random(using: &random) { try people.removeColumn(people.column(named: "score").key) }
      let table = try group.addTable("class_New\(Int.random(in: 0..<1_000_000, using: &random))")
      try table.addColumn(ColumnDefinition("flag", .bool))
      try table.createObject()
      _ = try people.setNullability(age, true)
    case .indexBuild:
      try people.addIndex(name)
      try people.addIndex(age)
    case .linksAndLists:
      guard let dogs = try group.table(named: "class_Dog") else { throw .noSuchTable(name: "class_Dog") }
      let (dog, scores) = (try people.column(named: "dog").key, try people.column(named: "scores").key)
      let targets = try dogs.keys()
      for key in keys where Int.random(in: 0..<3, using: &random) == 0 {
        try people.set(key, dog, Bool.random(using: &random) ? .null : .link(targets.randomElement(using: &random)!))
        let list = try people.collection(key, scores)
        for _ in 0..<Int.random(in: 0..<6, using: &random) { try list.append(.int(Int64.random(in: 0...Int64.max, using: &random))) }
      }
      try dogs.remove(targets.randomElement(using: &random)!)
    case .rewriteEverything:
      for key in keys {
        try people.set(key, name, .string(TableWorkload.word(&random)))
        try people.setInt(key, age, Int64.random(in: 0..<1 << 40, using: &random))
      }
    case .removeTable:
      try people.removeColumn(people.column(named: "dog").key)
      if let dogs = try group.table(named: "class_Dog") { try group.removeTable(dogs.key) }
    }
  }

  /// Makes a file with some history and free space. Nobody has it open afterwards.
  package static func makeFile(_ path: String, count: Int, seed: UInt64, key: EncryptionKey? = nil) throws(StorageError) {
    var random = SeededGenerator(seed: seed)
    var options = DatabaseOptions()
    options.encryptionKey = key
    options.durability = .unsafe
    let database = try Database.open(path: path, options: options)
    try database.write { (group) throws(StorageError) in try create(group, count: count, &random) }
    for step in 0..<4 {
      try database.write { (group) throws(StorageError) in
        try (step == 1 ? TableWorkload.linksAndLists : .smallCommit).run(group, &random)
      }
    }
    database.close()
  }
}
