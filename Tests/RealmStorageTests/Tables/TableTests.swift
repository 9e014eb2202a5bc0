import Foundation
import TestSupport
import Testing

@testable import RealmStorage

@Suite(.mustEnd) struct TableTests {
  private func group() throws -> (TestScratch, Group) {
    let file = try TestScratch()
    return (file, try Group(writing: file.scratch, top: .null))
  }

  @Test func keysWithoutAPrimaryKeyAreSqueezedAndWithOneAreNot() throws {
    let (file, group) = try group()
    let plain = try group.addTable("plain")
    for _ in 0..<256 { try plain.createObject() }
    #expect(try plain.createObject().rawValue == 65536)
    let keyed = try group.addTable("keyed")
    try keyed.setPrimaryKey(keyed.addColumn(ColumnDefinition("id", .int)))
    for id in 0..<300 { #expect(try keyed.createObject(primaryKey: .int(Int64(id * 7))).rawValue == Int64(id)) }
    #expect(try keyed.find(primaryKey: Int64(7 * 256))?.rawValue == 256)
    _ = file
  }

  @Test func aLongChainOfEmbeddedObjectsGoesWithItsOwner() throws {
    let (file, group) = try group()
    let (owner, link) = (try group.addTable("owner"), try group.addTable("link", kind: .embedded))
    let first = try owner.addColumn(ColumnDefinition("first", .link, target: link.key))
    let next = try link.addColumn(ColumnDefinition("next", .link, target: link.key))
    let object = try owner.createObject()
    var last = try owner.setEmbedded(object, first)
    for _ in 0..<20_000 { last = try link.setEmbedded(last, next) }
    #expect(try link.count() == 20_001)
    try owner.remove(object)
    #expect(try link.count() == 0)
    _ = file
  }

  @Test func removingALinkColumnBetweenEmbeddedObjectsRemovesWhatItHeld() throws {
    let (file, group) = try group()
    let (owner, node) = (try group.addTable("owner"), try group.addTable("node", kind: .embedded))
    let first = try owner.addColumn(ColumnDefinition("first", .link, target: node.key))
    let children = try node.addColumn(ColumnDefinition("children", .link, .list, target: node.key))
    let root = try owner.setEmbedded(owner.createObject(), first)
    for _ in 0..<3 {
      let child = try node.collection(root, children).insertEmbedded(at: 0)
      for _ in 0..<3 { _ = try node.collection(child, children).insertEmbedded(at: 0) }
    }
    #expect(try node.count() == 13)
    try node.removeColumn(children)
    #expect(try node.keys() == [root])
    _ = file
  }

  /// realm-core leaves the backlink columns of a removed Mixed column behind; they must not name a table that is gone.
  @Test func backlinkColumnsThatAreLeftOfAMixedColumnGoWithItsTable() throws {
    let (file, group) = try group()
    let (target, origin) = (try group.addTable("target"), try group.addTable("origin"))
    let any = try origin.addColumn(ColumnDefinition("any", .mixed, .nullable))
    let object = try origin.createObject()
    try origin.set(object, any, .typedLink(ObjectLink(table: target.key, key: target.createObject())))
    try origin.set(object, any, .null)
    // As realm-core removes it.
    try origin.dropColumn(any)
    #expect(target.backlinkColumns.count == 1)
    try group.removeTable(origin.key)
    #expect(target.backlinkColumns.isEmpty)
    _ = file
  }

  @Test func twoTombstonesWhoseKeysCoincideAreToldApart() throws {
    let (file, group) = try group()
    let (target, origin) = (try group.addTable("target"), try group.addTable("origin"))
    try target.setPrimaryKey(target.addColumn(ColumnDefinition("id", .int)))
    let links = try origin.addColumn(ColumnDefinition("links", .link, .list, target: target.key))
    let list = try origin.collection(origin.createObject(), links)
    let ids: [Int64] = [5, 5 + 1 << 62, 5 - 1 << 62]
    let tombstones = try ids.map { try target.tombstone(primaryKey: .int($0)) }
    #expect(tombstones[0].rawValue == -7)
    #expect(Set(tombstones).count == 3)
    for tombstone in tombstones { try list.append(.link(tombstone)) }
    #expect(try target.tombstone(primaryKey: .int(ids[1])) == tombstones[1])
    #expect(try target.tombstoneKeys().count == 3)
    let live = try target.createObject(primaryKey: .int(ids[1]))
    #expect(try list.all().map { identity($0) } == [tombstones[0], live, tombstones[2]].map { identity(.link($0)) })
    try list.removeAll()
    #expect(try target.tombstoneKeys().isEmpty)
    #expect(try group.space.refs(at: target.state.ref).child(TableTopSlot.collisionMap).isNull)
    _ = file
  }

  /// More than fit in a cluster, with keys next to each other, as whole numbers give them.
  @Test func tombstonesKeepTheirKeysWhenTheFirstClusterOfThemGoes() throws {
    let (file, group) = try group()
    let (target, origin) = (try group.addTable("target"), try group.addTable("origin"))
    try target.setPrimaryKey(target.addColumn(ColumnDefinition("id", .int)))
    let links = try origin.addColumn(ColumnDefinition("links", .link, .list, target: target.key))
    let list = try origin.collection(origin.createObject(), links)
    let ids = (1...700 as ClosedRange<Int64>).reversed()
    for id in ids { try list.append(.link(target.tombstone(primaryKey: .int(id)))) }
    let keys = try target.tombstoneKeys()
    #expect(keys.count == 700)
    for id in ids.prefix(256) { try target.createObject(primaryKey: .int(id)) }
    #expect(try target.tombstoneKeys() == Array(keys.dropFirst(256)))
    for id in ids.dropFirst(256) { try target.createObject(primaryKey: .int(id)) }
    #expect(try target.tombstoneKeys().isEmpty)
    try group.check()
    _ = file
  }

  @Test func aTableTakesAFreeSlotWithANewGeneration() throws {
    let (file, group) = try group()
    let first = try group.addTable("a").key
    let other = try group.addTable("b")
    let any = try other.addColumn(ColumnDefinition("any", .mixed))
    let target = try group.table(first).createObject()
    let origin = try other.createObject()
    try other.set(origin, any, .typedLink(ObjectLink(table: first, key: target)))
    try group.removeTable(first)
    #expect(try other.value(origin, any).isIdentical(to: .null))
    let second = try group.addTable("c").key
    #expect(second.slot == first.slot && second.tag == 1)
    #expect(throws: StorageError.self) { try group.table(first) }
    _ = file
  }

  @Test func aRemovedTableTakesTheBacklinksOfItsMixedValuesAlong() throws {
    let (file, group) = try group()
    let (target, origin) = (try group.addTable("target"), try group.addTable("origin"))
    let any = try origin.addColumn(ColumnDefinition("any", .mixed, .list))
    try origin.collection(origin.createObject(), any).append(.typedLink(ObjectLink(table: target.key, key: target.createObject())))
    #expect(target.backlinkColumns.count == 1)
    try group.removeTable(origin.key)
    #expect(target.backlinkColumns.isEmpty)
    try group.removeTable(target.key)
    #expect(try group.tableKeys().isEmpty)
    _ = file
  }

  @Test func aMovedNestedCollectionKeepsItsIdentity() throws {
    let (file, group) = try group()
    let table = try group.addTable("t")
    let column = try table.addColumn(ColumnDefinition("any", .mixed, .list))
    let object = try table.createObject()
    let list = try table.collection(object, column)
    for _ in 0..<3 { try list.append(.list(.null)) }
    try list.nested(.index(0)).append(.int(1))
    func identity(_ index: Int) throws -> Int64 {
      let place = try list.values(list.place()).locate(group.space, index)
      return try MixedLeaf(group.space, place.leaf).key(place.index)
    }
    let before = try (0..<3).map(identity)
    #expect(Set(before).count == 3 && !before.contains(0))
    try list.move(from: 0, to: 2)
    #expect(try (0..<3).map(identity) == [before[1], before[2], before[0]])
    #expect(try list.nested(.index(2)).count() == 1)
    _ = file
  }

  @Test func enumeratedStringsStayEnumerated() throws {
    let host = try TableHost(.database, copyOf: Fixture.path("realm-core/enumerated.realm"))
    for key in try host.group.tableKeys() {
      let table = try host.group.table(key)
      for column in table.publicColumns where !column.enumKeysRef.isNull {
        let object = try table.createObject()
        try table.set(object, column.key, Value("a value nobody had"))
        try table.set(table.createObject(), column.key, column.isNullable ? .null : Value("another one"))
        #expect(try table.value(object, column.key).isIdentical(to: Value("a value nobody had")))
        #expect(try !table.column(column.key).enumKeysRef.isNull)
        if column.attributes.contains(.indexed) {
          #expect(try table.indexedObjects(column.key, equalTo: Value("a value nobody had")) == [object])
        }
      }
    }
    try host.commit(independently: true, "enumerated")
  }

  /// The first write of a transaction to such a table adds the empty string to the distinct values, if it lacks it: who looked the column up before
  /// has an old place of theirs.
  @Test func anEnumeratedColumnThatLacksTheEmptyStringCanBeThePrimaryKey() throws {
    let host = try TableHost(.database, copyOf: Fixture.path("realm-core/enumerated.realm"))
    func column() throws -> (Table, ColumnDescription) {
      for key in try host.group.tableKeys() {
        let table = try host.group.table(key)
        if let column = table.publicColumns.first(where: { !$0.enumKeysRef.isNull && !$0.isNullable && $0.attributes.contains(.indexed) }) {
          return (table, column)
        }
      }
      throw StorageError.invalidArgument(reason: "the fixture has no such column")
    }
    var (table, enumerated) = try column()
    try table.removeAllObjects()
    let scratch = try table.writing()
    let empty = try table.enumPosition(scratch, enumerated, .string([]))
    var values = try table.column(enumerated.key).enumKeysRef
    try StringLeaf.set(scratch, &values, Int(empty), Value("unused"))
    try table.setEnumKeys(scratch, values, of: enumerated)
    // As other engines do: ours would add the empty string here already.
    scratch.setTagged(table.state.ref, TableTopSlot.primaryKey, UInt64(enumerated.key.rawValue))
    try host.commit(independently: false, "without the empty string")
    (table, enumerated) = try column()
    let leaf = try StringLeaf(host.group.space, enumerated.enumKeysRef)
    #expect(try (0..<leaf.count).allSatisfy { try !leaf.value($0).isIdentical(to: .string([])) })
    let object = try table.createObject(primaryKey: Value("a value nobody had"))
    #expect(try table.value(object, enumerated.key).isIdentical(to: Value("a value nobody had")))
    try host.commit(independently: true, "with it again")
  }

  @Test func aValueThatIsTooLongIsRefusedAndChangesNothing() throws {
    let (file, group) = try group()
    let table = try group.addTable("t")
    let text = try table.addColumn(ColumnDefinition("text", .string))
    let list = try table.addColumn(ColumnDefinition("list", .binary, .list))
    try table.addIndex(text)
    let object = try table.createObject()
    try table.set(object, text, Value("a"))
    let long = [UInt8](repeating: 65, count: 0xFFFFF1)
    #expect(throws: StorageError.self) { try table.set(object, text, .string(long)) }
    #expect(throws: StorageError.self) { try table.collection(object, list).append(.binary(long)) }
    #expect(try table.indexedObjects(text, equalTo: Value("a")) == [object])
    #expect(try table.collection(object, list).count() == 0)
    _ = file
  }
}
