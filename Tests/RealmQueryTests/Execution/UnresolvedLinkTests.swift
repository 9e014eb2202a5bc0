import Foundation
import RealmStorage
import TestSupport
import Testing

@testable import RealmQuery

/// Links to objects that other devices have deleted stay in the file, and read as null (Q8).
@Suite(.mustEnd) struct UnresolvedLinkTests {
  /// Object 0 has null wherever one can be, object 1 links to what is gone, object 2 to what is there.
  private func sample() throws -> (database: Database, directory: TestDirectory) {
    let directory = TestDirectory()
    let database = try Database.open(path: directory.file())
    try database.write { (group) throws(StorageError) in
      let target = try group.addTable("class_Target")
      try target.setPrimaryKey(target.addColumn(ColumnDefinition("id", .int)))
      let owner = try group.addTable("class_Owner")
      let to = try owner.addColumn(ColumnDefinition("to", .link, .nullable, target: target.key))
      let mixed = try owner.addColumn(ColumnDefinition("value", .mixed, .nullable))
      let nested = try owner.addColumn(ColumnDefinition("nested", .mixed, .nullable))
      let anys = try owner.addColumn(ColumnDefinition("anys", .mixed, [.nullable, .list]))
      let map = try owner.addColumn(ColumnDefinition("map", .mixed, [.nullable, .dictionary]))
      let links = try owner.addColumn(ColumnDefinition("links", .link, .list, target: target.key))
      let set = try owner.addColumn(ColumnDefinition("set", .link, .set, target: target.key))
      let targets = [try target.createObject(primaryKey: .int(1)), try target.createObject(primaryKey: .int(2))]
      for link in [nil, targets[0], targets[1]] {
        let key = try owner.createObject()
        let value = link.map { Value.typedLink(ObjectLink(table: target.key, key: $0)) } ?? .null
        if let link {
          try owner.set(key, to, .link(link))
          for _ in 0..<2 { try owner.collection(key, links).append(.link(link)) }
          _ = try owner.collection(key, set).insert(.link(link))
        }
        try owner.set(key, mixed, value)
        try owner.set(key, nested, .list(.null))
        try owner.collection(key, nested).append(value)
        try owner.collection(key, anys).append(value)
        try owner.collection(key, map).set(key: Array("k".utf8), value)
      }
      try target.makeTombstone(targets[0])
    }
    return (database, directory)
  }

  @Test(arguments: [
    ("to == O1", [2]), ("to != O1", [0, 1]), ("to IN {O1, NULL}", [0, 1, 2]), ("NOT to IN {O1, O2}", [0, 1]),
    ("to IN {O1, O2, O3, O4, O5, O6, O7, O8, O9, NULL}", [0, 1, 2]), ("to == NULL", [0, 1]), ("to != NULL", [2]),
    ("to.id == NULL", [0, 1]), ("to.id != 2", [0, 1]), ("value == NULL", [0, 1]), ("value != NULL", [2]),
    ("value.@type == 'null'", [0, 1]), ("value.@type == 'link'", [2]), ("anys == NULL", [0, 1]), ("NONE anys == NULL", [2]),
    ("anys[0] == NULL", [0, 1]),
    ("anys.@type == 'link'", [2]), ("map['k'] == NULL", [0, 1]), ("map == NULL", [0, 1]), ("map.@type == 'null'", [0, 1]),
    ("nested[0] == NULL", [0, 1]), ("nested[*] == NULL", [0, 1]), ("ALL nested[*] != NULL", [2]), ("nested[0].@type == 'link'", [2]),
    ("value.id == 2", [2]), ("nested[0].id == 2", [2]), ("TRUEPREDICATE SORT(value DESC)", [2, 0, 1]), ("TRUEPREDICATE SORT(to.id DESC)", [0, 1, 2]),
    ("TRUEPREDICATE SORT(nested[0] DESC)", [2, 0, 1]), ("TRUEPREDICATE SORT(map.k DESC)", [2, 0, 1]), ("TRUEPREDICATE DISTINCT(value)", [0, 2]),
    ("TRUEPREDICATE DISTINCT(to)", [0, 2]), ("TRUEPREDICATE DISTINCT(to.id)", [2]),
    ("links.@count == 0", [0, 1]), ("links.@count == 2", [2]), ("set.@count == 0", [0, 1]), ("set.@count == 1", [2]),
    ("anys.@max == NULL", [0, 1]), ("map.@min == NULL", [0, 1]),
  ])
  func whatIsGoneReadsAsNull(_ text: String, _ expected: [Int64]) throws {
    let (database, directory) = try sample()
    defer { database.close() }
    let snapshot = try database.snapshot()
    let group = try snapshot.openGroup()
    let table = try #require(try group.table(named: "class_Owner"))
    for options in [[], .evaluatesEachObject] as [QueryPlan.Options] {
      var plan = try Query(text).bind(table, in: group)
      plan.options = options
      #expect(try plan.execute().map(\.rawValue) == expected, "\(text) \(options)")
    }
    _ = directory
  }

  @Test func whatIsGoneIsGroupedWithNull() throws {
    let (database, directory) = try sample()
    defer { database.close() }
    let snapshot = try database.snapshot()
    let group = try snapshot.openGroup()
    let table = try #require(try group.table(named: "class_Owner"))
    let column = try table.column(named: "value")
    for options in [[], .evaluatesEachObject] as [QueryPlan.Options] {
      var plan = try Query("TRUEPREDICATE").bind(table, in: group)
      plan.options = options
      let groups = try plan.grouped(by: [column], [(.max, column)])
      #expect(groups.map(\.count) == [2, 1] && groups[0].values[0].isNull && groups[0].aggregates[0].isNull)
      #expect(try plan.compute(.min, PropertyAggregate(table, column)).count == 1)
    }
    _ = directory
  }
}
