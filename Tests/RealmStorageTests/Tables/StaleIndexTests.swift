import TestSupport
import Testing

@testable import RealmStorage

/// An index of Mixed values as realm-core leaves it when the targets of its links are deleted: the values are null, their objects are still
/// filed under the links.
@Suite(.mustEnd) struct StaleIndexTests {
  let directory: TestDirectory
  init() throws { directory = TestDirectory(inMemory: true) }

  private static func tables(_ group: Group) throws(StorageError) -> (target: Table, origin: Table, any: ColumnKey) {
    guard let target = try group.table(named: "class_Target"), let origin = try group.table(named: "class_Origin") else {
      throw .noSuchTable(name: "class_Origin")
    }
    return (target, origin, try origin.column(named: "any").key)
  }

  /// Objects 0, 2, 4 and 6 hold links that became null, 1 and 5 null, 3 a number.
  private func staleFile(_ name: String) throws -> (path: String, database: Database) {
    let path = directory.file(name)
    let database = try Database.open(path: path)
    try database.write { (group) throws(StorageError) in
      let target = try group.addTable("class_Target")
      try target.setPrimaryKey(target.addColumn(ColumnDefinition("id", .int)))
      let origin = try group.addTable("class_Origin")
      let any = try origin.addColumn(ColumnDefinition("any", .mixed, .nullable))
      try origin.addIndex(any)
      let goals = [try target.createObject(primaryKey: .int(1)), try target.createObject(primaryKey: .int(2))]
      for number in 0..<7 {
        let key = try origin.createObject()
        if number % 2 == 0 { try origin.set(key, any, .typedLink(ObjectLink(table: target.key, key: goals[number / 4]))) }
        if number == 3 { try origin.set(key, any, .int(3)) }
      }
      // Behind the index's back.
      let scratch = try origin.writing()
      let column = try origin.column(any)
      let root = try origin.indexRoot(column)
      scratch.setChild(try origin.writableIndexes(scratch), any.leafIndex, .null)
      for goal in goals { try target.remove(goal) }
      scratch.setChild(try origin.writableIndexes(scratch), any.leafIndex, root)
      // The same key again, by the same primary key.
      try target.createObject(primaryKey: .int(2))
    }
    #expect(try FileContents.violations(path).count == 4)
    return (path, database)
  }

  @Test(arguments: 0..<7) func anyObjectCanBeChangedAndTheIndexIsRightAfterwards(_ number: Int) throws {
    for what in 0..<4 {
      let (path, database) = try staleFile("\(what).realm")
      try database.write { (group) throws(StorageError) in
        let (target, origin, any) = try Self.tables(group)
        let key = try origin.keys()[number]
        switch what {
        case 0: try origin.remove(key)
        case 1: try origin.set(key, any, Value("text"))
        case 2: try origin.set(key, any, .typedLink(ObjectLink(table: target.key, key: target.keys()[0])))
        default: try origin.removeAllObjects()
        }
        if what == 1 { #expect(try origin.indexedObjects(any, equalTo: Value("text")) == [key]) }
        // What was filed wrongly is found out at the latest when it is changed itself.
        for key in try origin.keys() { try origin.set(key, any, .bool(true)) }
        #expect(try origin.indexedCount(any, equalTo: .bool(true)) == origin.count())
      }
      #expect(try FileContents.violations(path) == [], "object \(number), change \(what)")
      database.close()
    }
  }
}
