import TestSupport
import Testing

@testable import RealmStorage

/// Properties whose index is not marked in the spec, as the original leaves them when a migration makes them optional.
@Suite(.mustEnd) struct UnmarkedIndexTests {
  let directory: TestDirectory
  let database: Database
  init() throws {
    directory = TestDirectory(inMemory: true)
    database = try Database.open(path: directory.file("unmarked"))
    try database.write { (group) throws(StorageError) in
      let table = try group.addTable("class_Person")
      try table.setPrimaryKey(table.addColumn(ColumnDefinition("id", .int)))
      let age = try table.addColumn(ColumnDefinition("age", .int, .nullable))
      try table.addIndex(age)
      for number: Int64 in 0..<300 {
        let key = try table.createObject(primaryKey: .int(number))
        if number % 7 != 0 { try table.set(key, age, .int(number % 7)) }
      }
      try table.editSpec(table.writing()) { (spec) throws(StorageError) in
        for position in spec.keys.indices { spec.attributes[position] &= ~Int64(ColumnAttributes.indexed.rawValue) }
      }
    }
  }

  private static func person(_ group: Group) throws(StorageError) -> (table: Table, age: ColumnDescription) {
    guard let table = try group.table(named: "class_Person") else { throw .noSuchTable(name: "class_Person") }
    return (table, try table.column(named: "age"))
  }

  private func read(_ body: (Table, ColumnDescription) throws(StorageError) -> Void) throws {
    let snapshot = try database.snapshot()
    let (table, age) = try Self.person(snapshot.openGroup())
    try body(table, age)
  }

  @Test func theIndexCountsAsAskedForAndIsNoDamage() throws {
    let snapshot = try database.snapshot()
    let found = Verification.run(snapshot.space, top: snapshot.topRef, format: 24)
    #expect(found.violations == [] && found.notes.count == 1 && found.notes.allSatisfy { $0.contains("without being marked as indexed") })
    try read { (table, age) throws(StorageError) in
      #expect(age.attributes.contains(.indexed) && !age.specAttributes.contains(.indexed))
      #expect(table.primaryKeyColumn?.attributes.contains(.indexed) == false)
      let (nulls, threes) = (try table.indexedCount(age.key, equalTo: .null), try table.indexedCount(age.key, equalTo: .int(3)))
      #expect(nulls == 43 && threes == 43)
    }
  }

  @Test func theIndexFollowsChanges() throws {
    try database.write { (group) throws(StorageError) in
      let (table, age) = try Self.person(group)
      let keys = try table.keys()
      try table.set(keys[1], age.key, .int(100))
      try table.remove(keys[3])
      try table.set(table.createObject(primaryKey: .int(1000)), age.key, .int(100))
      try group.check()
    }
    try read { (table, age) throws(StorageError) in
      let count = try table.indexedCount(age.key, equalTo: .int(100))
      #expect(count == 2)
    }
  }

  @Test func whatBecomesRequiredKeepsTheIndexMarked() throws {
    try database.write { (group) throws(StorageError) in
      let (table, age) = try Self.person(group)
      _ = try table.setNullability(age.key, false)
    }
    try read { (table, age) throws(StorageError) in
      #expect(age.specAttributes.contains(.indexed))
      let count = try table.indexedCount(age.key, equalTo: .int(0))
      #expect(count == 43)
      try table.check()
    }
  }

  @Test func theIndexCanBeRemoved() throws {
    try database.write { (group) throws(StorageError) in
      let (table, age) = try Self.person(group)
      try table.removeIndex(age.key)
    }
    try read { (table, age) throws(StorageError) in
      #expect(age.indexRef.isNull && !age.attributes.contains(.indexed))
      try table.check()
    }
  }
}
