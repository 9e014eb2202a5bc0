import TestSupport
import Testing

@testable import RealmStorage

/// Single damages to sound structures, each of which breaks one rule that the structure's check has to name.
@Suite struct CheckTests {
  /// Expects that `check` finds nothing wrong before `damage`, and names `rule` after it.
  private func expect(_ rule: String, after damage: () throws -> Void, _ check: () throws -> Void) throws {
    try check()
    try damage()
    do {
      try check()
      Issue.record("nobody noticed: \(rule)")
    } catch StorageError.corruptNode(_, let reason) {
      #expect(reason.contains(rule))
    }
  }

  // MARK: B+ trees

  /// Four leaves, the last one not full; `isCompact` decides about the form of the root.
  private func tree(_ scratch: Scratch, isCompact: Bool) throws -> BPlusTree<IntegerFamily> {
    var tree = try BPlusTree.create(scratch, family: IntegerFamily())
    for value in 0..<3500 { try tree.append(scratch, Int64(value)) }
    if !isCompact { try tree.remove(scratch, 10) }
    return tree
  }

  private static let treeDamages: [(rule: String, isCompact: Bool, damage: @Sendable (Scratch, Node) throws -> Void)] = [
    ("says 3499 elements, there are 3500", true, { $0.setTagged($1.ref, 5, 3499) }),
    ("999 elements per child", true, { $0.setTagged($1.ref, 0, 999) }),
    (
      "has 500 elements, the compact form says 1000", true,
      { scratch, root in
        let (third, fourth) = (try root.child(3), try root.child(4))
        scratch.setChild(root.ref, 3, fourth)
        scratch.setChild(root.ref, 4, third)
      }
    ),
    (
      "offset 0 of", false,
      { scratch, root in
        var offsets = try root.child(0)
        try scratch.set(&offsets, 0, 998, .unsigned)
      }
    ),
    (
      "offsets for 4 children", false,
      { scratch, root in
        var offsets = try root.child(0)
        try scratch.remove(&offsets, 0)
      }
    ),
    ("is used twice", true, { $0.setChild($1.ref, 2, try $1.child(1)) }),
    (
      "the total is missing", true,
      { scratch, root in
        scratch.setTagged(root.ref, 5, 0); scratch.setChild(root.ref, 5, .null)
      }
    ),
    ("is no usable node of the tree", true, { $0.setChild($1.ref, 2, Ref(1 << 60)) }),
    ("is empty", true, { scratch, root in scratch.setChild(root.ref, 4, try scratch.createIntegers()) }),
    (
      "lie at different depths", false,
      { scratch, root in
        let inner = try scratch.createRefs(count: 3)
        scratch.setTagged(inner, 0, 1000)
        scratch.setChild(inner, 1, try root.child(1))
        scratch.setTagged(inner, 2, 999)
        scratch.setHeader(inner, NodeHeader(flags: 0xC0, scheme: .bits, widthIndex: 7, count: 3))
        scratch.setChild(root.ref, 1, inner)
      }
    ),
  ]

  @Test(arguments: treeDamages.indices) func aDamagedTreeIsNamed(_ index: Int) throws {
    let (rule, isCompact, damage) = Self.treeDamages[index]
    let test = try TestScratch()
    let tree = try tree(test.scratch, isCompact: isCompact)
    try expect(rule, after: { try damage(test.scratch, test.space.node(at: tree.root)) }, { try tree.check(test.space) })
  }

  // MARK: Tables

  /// People with names, friends and tags, enough for a tree of three clusters.
  private struct People {
    let test: TestScratch
    let group: Group
    let table: Table
    let others: Table

    init() throws {
      test = try TestScratch()
      group = try Group(writing: test.scratch, top: .null)
      others = try group.addTable("class_Dog")
      try others.addColumn(ColumnDefinition("name", .string))
      let dogs = [try others.createObject(), try others.createObject()]
      table = try group.addTable("class_Person")
      let id = try table.addColumn(ColumnDefinition("id", .int))
      try table.setPrimaryKey(id)
      let age = try table.addColumn(ColumnDefinition("age", .int))
      try table.addIndex(age)
      let born = try table.addColumn(ColumnDefinition("born", .timestamp))
      let dog = try table.addColumn(ColumnDefinition("dog", .link, .nullable, target: others.key))
      let tags = try table.addColumn(ColumnDefinition("tags", .int, .set))
      for number in 0..<600 as Range<Int64> {
        let key = try table.createObject(primaryKey: .int(number))
        try table.set(key, age, .int(number % 7 * 1000))
        try table.set(key, born, .timestamp(Timestamp(seconds: number, nanoseconds: 5)))
        if number < 2 { try table.set(key, dog, .link(dogs[Int(number)])) }
        if number == 0 { for tag in [3, 5, 9] as [Int64] { _ = try table.collection(key, tags).insert(.int(tag)) } }
      }
      try table.remove(try table.keys()[300])
      try group.finish()
    }

    var scratch: Scratch { test.scratch }
    var space: NodeSpace { test.space }
    var root: Node { get throws { try space.node(at: table.state.liveRoot) } }
    /// The cluster of an object by position.
    func cluster(_ position: Int = 0) throws -> Cluster {
      try #require(try ClusterTree.locate(space, table.state.liveRoot, position: position)).cluster
    }
    func leaf(_ name: String) throws -> Ref { try cluster().column(table.column(named: name).leafIndex) }
    func index(_ name: String) throws -> Node { try space.node(at: table.indexRoot(table.column(named: name))) }
    func check() throws {
      try table.check()
      try group.check()
    }
    /// As reading the table anew sees it.
    func checkAnew() throws { try Group(writing: test.scratch, top: group.topRef).check() }
  }

  private static let tableDamages: [(rule: String, damage: @Sendable (People) throws -> Void)] = [
    // The cluster tree.
    ("says 598 objects, there are 599", { $0.scratch.setTagged(try $0.root.ref, 2, 598) }),
    (
      "has depth 2, expected was",
      { people in
        let inner = try people.scratch.createRefs(count: 4)
        people.scratch.setTagged(inner, 1, 2)
        people.scratch.setTagged(inner, 2, 256)
        people.scratch.setChild(inner, 3, try people.root.child(3))
        people.scratch.setHeader(inner, NodeHeader(flags: 0xC0, scheme: .bits, widthIndex: 7, count: 4))
        people.scratch.setChild(try people.root.ref, 3, inner)
      }
    ),
    (
      "follows",
      { people in
        var keys = try people.cluster(400).node.child(0)
        try people.scratch.set(&keys, 1, 0, .unsigned)
      }
    ),
    ("is empty", { people in people.scratch.setTagged(try people.cluster().node.ref, 0, 0) }),
    (
      "lies beyond the range of its cluster",
      { people in
        let cluster = try people.cluster(400)
        var keys = try cluster.node.child(0)
        try people.scratch.set(&keys, cluster.count - 1, 300, .unsigned)
        people.scratch.setChild(cluster.node.ref, 0, keys)
      }
    ),
    // Leaves of columns.
    (
      "values for 256 objects",
      { people in
        var leaf = try people.leaf("age")
        try people.scratch.remove(&leaf, 0)
      }
    ),
    ("is empty", { people in people.scratch.setChild(try people.cluster().node.ref, try people.table.column(named: "age").leafIndex + 1, .null) }),
    (
      "is not canonical",
      { people in
        var nanoseconds = try people.space.node(at: people.leaf("born")).child(1)
        try people.scratch.set(&nanoseconds, 3, -5)
        people.scratch.setChild(try people.leaf("born"), 1, nanoseconds)
      }
    ),
    (
      "is used twice",
      { people in
        let cluster = try people.cluster().node.ref
        people.scratch.setChild(cluster, try people.table.column(named: "age").leafIndex + 1, try people.leaf("id"))
      }
    ),
    // Collections.
    (
      "the set is not strictly ascending",
      { people in
        var leaf = try people.space.node(at: people.leaf("tags")).child(0)
        try people.scratch.set(&leaf, 1, 2)
      }
    ),
    // The schema.
    (
      "are both called 'class_Dog'",
      { people in
        people.group.names[people.table.key.slot] = Array("class_Dog".utf8)
        try people.group.storeNames(people.scratch)
      }
    ),
    // Links against backlinks.
    (
      "links come from",
      { people in
        var leaf = try people.leaf("dog")
        try people.scratch.set(&leaf, 0, 2)
      }
    ),
    (
      "has backlinks from nowhere, links come from 0",
      { people in
        let row = try people.others.row(people.others.keys()[0])
        let backlinks = try #require(people.others.backlinkColumns.first)
        people.scratch.setTagged(try row.leaf(backlinks.key), 0, 0)
        people.scratch.setChild(try row.leaf(backlinks.key), 0, .null)
      }
    ),
    // Indexes against objects.
    (
      "under keys that are not those of its value",
      { people in
        var leaf = try people.leaf("age")
        try people.scratch.set(&leaf, 0, 77)
      }
    ),
    (
      "under keys that are not those of its value",
      { people in
        var keys = try people.index("age").child(0)
        try people.scratch.set(&keys, 3, people.space.integers(at: keys).element(3) + 1)
      }
    ),
    (
      "do not ascend",
      { people in
        var keys = try people.index("age").child(0)
        try people.scratch.set(&keys, 3, people.space.integers(at: keys).element(2))
      }
    ),
    (
      "keys for 7 index entries",
      { people in
        var keys = try people.index("age").child(0)
        try people.scratch.remove(&keys, 3)
      }
    ),
    (
      "does not end with the key that its parent says",
      { people in
        let root = try people.index("id")
        #expect(root.header.isInner)
        var keys = try root.child(0)
        try people.scratch.set(&keys, 0, people.space.integers(at: keys).element(0) + 1)
      }
    ),
    (
      "the index lists 598 objects, the table has 599",
      { people in
        var list = try people.index("age").child(1)
        try people.scratch.remove(&list, 5)
      }
    ),
    (
      "which does not exist",
      { people in
        var list = try people.index("age").child(1)
        let count = try people.space.integers(at: list).count
        try people.scratch.set(&list, count - 1, 5000)
        people.scratch.setChild(try people.index("age").ref, 1, list)
      }
    ),
  ]

  @Test(arguments: tableDamages.indices) func aDamagedTableIsNamed(_ index: Int) throws {
    let (rule, damage) = Self.tableDamages[index]
    let people = try People()
    try expect(rule, after: { try damage(people) }, { try people.check() })
    #expect(throws: StorageError.self) { try people.table.check() }
    #expect(throws: StorageError.self) { try people.checkAnew() }
  }

  @Test func tombstonesUnderOtherKeysThanTheirPrimaryKeysAreNamed() throws {
    let people = try People()
    _ = try people.table.tombstone(primaryKey: .int(4711))
    let root = try #require(people.table.state.tombstones?.root)
    try expect(
      "whose tombstone is",
      after: {
        let cluster = try people.space.node(at: root)
        var leaf = try cluster.child(people.table.column(named: "id").leafIndex + 1)
        try people.scratch.set(&leaf, 0, 4712)
      }, { try people.check() })
  }

  @Test func aTombstoneOfAnObjectThatIsThereIsNamed() throws {
    let people = try People()
    _ = try people.table.tombstone(primaryKey: .int(4711))
    try people.check()
    try expect(
      "the tombstone -4713 has the primary key of an object",
      after: {
        var leaf = try people.leaf("id")
        try people.scratch.set(&leaf, 3, 4711)
      }, { try people.check() })
  }

  @Test(arguments: [
    (TableKind.embedded, "links from 'class_Person'.'anything' to table 'class_Dog': embedded objects cannot be values of a Mixed property"),
    (TableKind.asymmetric, "links from 'class_Person'.'anything' to table 'class_Dog': nothing can link to an asymmetric class"),
  ])
  func linksThatTheirTargetsClassCannotHaveAreNamed(_ kind: TableKind, _ rule: String) throws {
    let test = try TestScratch()
    let group = try Group(writing: test.scratch, top: .null)
    let (people, dogs) = (try group.addTable("class_Person"), try group.addTable("class_Dog"))
    let anything = try people.addColumn(ColumnDefinition("anything", .mixed, .nullable))
    try people.set(people.createObject(), anything, .typedLink(ObjectLink(table: dogs.key, key: dogs.createObject())))
    try group.check()
    try expect(rule, after: { try dogs.setKind(kind) }, { try group.check() })
    #expect(throws: StorageError.self) { try people.check() }
  }

  @Test func aPropertyOfAnAsymmetricClassIsNamed() throws {
    let test = try TestScratch()
    let group = try Group(writing: test.scratch, top: .null)
    let (people, dogs) = (try group.addTable("class_Person"), try group.addTable("class_Dog"))
    _ = try people.addColumn(ColumnDefinition("dog", .link, .nullable, target: dogs.key))
    try group.check()
    try expect("its class is asymmetric", after: { try dogs.setKind(.asymmetric) }, { try group.check() })
  }

  // MARK: Embedded objects

  /// An owner of an embedded object, and another one that owns nothing.
  private func owners() throws -> (TestScratch, Group, owner: Table, embedded: Table, column: ColumnKey) {
    let test = try TestScratch()
    let group = try Group(writing: test.scratch, top: .null)
    let (owner, embedded) = (try group.addTable("class_Owner"), try group.addTable("class_Part", kind: .embedded))
    let column = try owner.addColumn(ColumnDefinition("part", .link, .nullable, target: embedded.key))
    let object = try owner.createObject()
    _ = try owner.createObject()
    _ = try owner.setEmbedded(object, column)
    try group.check()
    return (test, group, owner, embedded, column)
  }

  @Test func anEmbeddedObjectWithoutParentIsNoted() throws {
    let (test, group, owner, embedded, column) = try owners()
    try owner.abandonEmbedded(owner.keys()[0], column)
    try group.finish()
    try group.check()
    try embedded.check()
    let checker = Checker(test.space)
    try GroupCheck(checker, top: group.topRef).run()
    #expect(checker.report.violations == [])
    #expect(checker.report.notes == ["table 'class_Part' object 0: an embedded object without a parent"])
  }

  @Test func anEmbeddedObjectWithTwoParentsIsNamed() throws {
    let (test, group, owner, embedded, column) = try owners()
    let (part, second) = (try embedded.keys()[0], try owner.keys()[1])
    try owner.updateLeaf(test.scratch, second, owner.column(column).leafIndex) { (leaf, row) throws(StorageError) in
      try test.scratch.makeWritable(&leaf)
      try test.scratch.set(&leaf, row, part.rawValue + 1)
    }
    try owner.addTypedBacklink(test.scratch, owner.column(column), ObjectLink(table: embedded.key, key: part), origin: second)
    try group.finish()
    #expect(throws: StorageError.corruptNode(ref: group.topRef, reason: "table 'class_Part' object 0: an embedded object with 2 incoming links")) {
      try group.check()
    }
  }

  // MARK: What a column says and what it holds

  /// A table with columns of several types, and one object.
  private func columns(_ definitions: [ColumnDefinition]) throws -> (TestScratch, Group, Table, [ColumnKey]) {
    let test = try TestScratch()
    let group = try Group(writing: test.scratch, top: .null)
    let table = try group.addTable("class_Thing")
    let columns = try definitions.map { try table.addColumn($0) }
    _ = try table.createObject()
    try group.check()
    return (test, group, table, columns)
  }

  /// Gives a column an index that only other ones can have, of all its objects.
  private func forgeIndex(_ test: TestScratch, _ table: Table, _ column: ColumnKey, _ attribute: ColumnAttributes) throws {
    var index = try SearchIndex.create(test.scratch)
    let description = try table.column(column)
    if !description.isCollection {
      for key in try table.keys() { try index.insert(test.scratch, key, table.value(key, column), ColumnValues(table, description)) }
    }
    test.scratch.setChild(try table.writableIndexes(test.scratch), column.leafIndex, index.root)
    try table.editSpec(test.scratch) { (spec) throws(StorageError) in
      spec.attributes[spec.keys.firstIndex(of: column.rawValue)!] |= Int64(attribute.rawValue)
    }
  }

  private static let unindexed: [(ColumnDefinition, ColumnAttributes)] = [
    (ColumnDefinition("d", .double), .indexed), (ColumnDefinition("f", .float), .indexed), (ColumnDefinition("b", .binary), .indexed),
    (ColumnDefinition("n", .decimal), .indexed), (ColumnDefinition("l", .int, .list), .indexed), (ColumnDefinition("s", .string, .set), .indexed),
    (ColumnDefinition("i", .int), .fullTextIndexed),
  ]

  @Test(arguments: unindexed.indices) func anIndexOfAPropertyThatCanHaveNoneIsNamed(_ number: Int) throws {
    let (definition, attribute) = Self.unindexed[number]
    let (test, group, table, columns) = try columns([definition])
    try expect("which a property of this type cannot have", after: { try forgeIndex(test, table, columns[0], attribute) }) {
      try Group(writing: test.scratch, top: group.topRef).check()
    }
  }

  @Test func aPrimaryKeyThatIsACollectionIsNamed() throws {
    let (test, group, table, columns) = try columns([ColumnDefinition("l", .string, .list)])
    try expect(
      "the primary key is a collection",
      after: {
        test.scratch.setTagged(table.state.ref, TableTopSlot.primaryKey, UInt64(columns[0].rawValue))
        test.scratch.setChild(try table.writableIndexes(test.scratch), columns[0].leafIndex, try SearchIndex.create(test.scratch).root)
      }, { try Group(writing: test.scratch, top: group.topRef).check() })
  }

  private static let required: [ColumnType] = [.bool, .string, .binary, .timestamp, .float, .double, .decimal, .objectID, .uuid]

  @Test(arguments: required, [ColumnAttributes.list, .set]) func nullInARequiredCollectionIsNamed(
    _ type: ColumnType, _ collection: ColumnAttributes
  ) throws {
    let (test, group, table, columns) = try columns([ColumnDefinition("c", type, collection)])
    let list = try table.collection(table.keys()[0], columns[0])
    try list.edit { (scratch, root, _) throws(StorageError) in
      root = try BPlusTree.create(scratch, family: ValueFamily(type.leafKind([]), isNullable: true)).root
    }
    try expect(
      "null in a collection",
      after: {
        try list.edit { (scratch, root, _) throws(StorageError) in
          var tree = BPlusTree(root: root, family: ValueFamily(type.leafKind([]), isNullable: true))
          try tree.append(scratch, .null)
          root = tree.root
        }
      }, { try Group(writing: test.scratch, top: group.topRef).check() })
  }

  private static let strangers: [(ColumnType, ColumnAttributes, Value)] = [
    (.int, [], .null), (.int, [], .string([65])), (.string, .nullable, .int(1)), (.double, [], .float(1)), (.timestamp, [], .bool(true)),
  ]

  @Test(arguments: strangers.indices) func aValueOfAnotherTypeInADictionaryIsNamed(_ number: Int) throws {
    let (type, nullable, value) = Self.strangers[number]
    let (test, group, table, columns) = try columns([ColumnDefinition("d", type, [.dictionary, nullable])])
    let dictionary = try table.collection(table.keys()[0], columns[0])
    let sound: Value = type == .int ? .int(1) : .null
    if sound.fits(try table.column(columns[0])) { try dictionary.set(key: [65], sound) }
    try expect(
      "which is no value of its property", after: { try dictionary.rawInsertEntry(at: dictionary.count(), key: .string([66]), value) },
      { try Group(writing: test.scratch, top: group.topRef).check() })
  }

  // MARK: Keys of nested collections

  /// Gives the nested collection at `index` a key, whoever else has it.
  private func rename(_ scratch: Scratch, _ leaf: inout Ref, _ index: Int, _ key: Int64) throws(StorageError) {
    let value = try MixedLeaf(scratch.space, leaf).value(index)
    try MixedLeaf.set(scratch, &leaf, index, value)
    try MixedLeaf.ensureKey(scratch, &leaf, index, unused: key)
  }

  @Test func collectionsOfDifferentObjectsMayHaveTheSameKey() throws {
    let test = try TestScratch()
    let group = try Group(writing: test.scratch, top: .null)
    let table = try group.addTable("class_Note")
    let column = try table.column(table.addColumn(ColumnDefinition("any", .mixed, .nullable)))
    for _ in 0..<300 { _ = try table.createObject() }
    let keys = try table.keys()
    let owners = [keys[0], keys[1], keys[299]]
    for (count, owner) in owners.enumerated() {
      try table.set(owner, column.key, .list(.null))
      for number in 0...count { try table.collection(owner, column.key).append(.int(Int64(number))) }
      try table.updateLeaf(test.scratch, owner, column.leafIndex) { (leaf, row) throws(StorageError) in
        // The first number that the original draws, in each process anew.
        try rename(test.scratch, &leaf, row, -17572)
      }
    }
    try group.finish()
    try group.check()
    // Two clusters become one.
    for key in keys[2..<250] { try table.remove(key) }
    try group.finish()
    #expect(try #require(try ClusterTree.locate(test.space, table.state.liveRoot, position: 0)).cluster.count == 52)
    try group.check()
    for (count, owner) in owners.enumerated() {
      let list = try table.collection(owner, column.key)
      #expect(try list.rootIdentity() == -17572 && list.count() == count + 1)
      try list.append(.bool(true))
      #expect(try list.value(at: count + 1).isIdentical(to: .bool(true)))
    }
  }

  /// In the same leaf, and in another one.
  @Test(arguments: [1, 1400]) func collectionsOfOneListWithTheSameKeyAreNamed(_ index: Int) throws {
    let test = try TestScratch()
    let group = try Group(writing: test.scratch, top: .null)
    let table = try group.addTable("class_Note")
    let column = try table.addColumn(ColumnDefinition("any", .mixed, .list))
    let list = try table.collection(table.createObject(), column)
    try list.insert(contentsOf: [Value](repeating: .int(1), count: 1500), at: 0)
    for collection in [0, index] { try list.set(at: collection, .list(.null)) }
    try group.finish()
    let place = try list.values(list.place()).locate(test.space, 0)
    let first = try MixedLeaf(test.space, place.leaf).key(place.index)
    let damage = {
      var tree = try list.values(list.place())
      try tree.updateLeaf(test.scratch, index) { (leaf, position) throws(StorageError) in try rename(test.scratch, &leaf, position, first) }
    }
    try expect("has the key of another", after: damage) { try group.check() }
  }

  // MARK: History and free space

  @Test func aHistoryLongerThanItsVersionIsNamed() throws {
    let test = try TestScratch()
    var history = HistoryTree(root: .null)
    for version in 1...3 as ClosedRange<UInt64> { try history.append(test.scratch, [1, 2], version: version, oldestLive: 0) }
    try history.check(test.space, version: 4)
    #expect(throws: StorageError.corruptNode(ref: history.root, reason: "history: 3 changesets lead to version 3")) {
      try history.check(test.space, version: 3)
    }
  }

  /// Offsets in the file of F12.1, what to store there, and the rule that is broken.
  private static let spaceDamages: [(change: [Int: UInt8], rule: String)] = [
    ([0x120: 0x70, 0x130: 0x90], "are neither reachable nor free"), ([0x120: 0x60, 0x130: 0xA0], "overlaps something in use"),
    ([0xAC: 0x80], "is reachable twice"), ([0x120: 0x69], "is not aligned or empty"), ([0x131: 0x7E], "lies outside the logical file"),
    ([0x13C: 1], "overlaps another node"), ([0x94: 0x1B], "width scheme 3"),
  ]

  @Test(arguments: spaceDamages.indices) func damagedSpaceIsNamed(_ index: Int) throws {
    let (change, rule) = Self.spaceDamages[index]
    let test = try TestScratch(OneObjectFile.bytes)
    try expect(
      rule, after: { for (offset, byte) in change { try test.write([byte], at: offset) } },
      { try FreeSpace.check(test.fileSpace, top: Ref(0x140)) })
  }

  // MARK: What a commit writes

  /// The nodes of the file of F12.1, as if one commit had written them.
  private func written(_ test: TestScratch, free: [FreeSpace.Entry]? = nil, without: Ref? = nil, twice: Ref? = nil) throws -> String? {
    let space = test.fileSpace
    let reached = Reachability(space, top: Ref(0x140), isStreaming: false, report: CheckReport()).reached
    var nodes = stride(from: UInt64(24), to: 4096, by: 8).map { Ref($0) }.filter { reached.contains($0) && $0 != without }
    if let twice { nodes.append(twice) }
    let entries = free ?? [FreeSpace.Entry(position: 0x168, byteCount: 4096 - 0x168, version: 0)]
    return WrittenNodes(
      space: space, top: Ref(0x140), lists: [Ref(0x118), Ref(0x128), Ref(0x138)], nodes: nodes,
      free: FreeSpace(entries: entries, logicalByteCount: 4096)
    ).violation()
  }

  @Test func whatACommitWroteIsChecked() throws {
    let test = try TestScratch(OneObjectFile.bytes)
    #expect(try written(test) == nil)
    #expect(try written(test, twice: Ref(0x80))?.contains("was written over another one") == true)
    #expect(try written(test, twice: Ref(0x170))?.contains("which is free") == true)
    let entry = FreeSpace.Entry(position: 0x88, byteCount: 8, version: 0)
    #expect(try written(test, free: [entry])?.contains("which is free") == true)
    // A leaf that was there before is asked for its count alone.
    #expect(try written(test, without: Ref(0x90)) == nil)
    try test.write([2], at: 0x97)
    #expect(try written(test)?.contains("2 values for 1 objects") == true)
    #expect(try written(test, without: Ref(0x90))?.contains("2 values for 1 objects") == true)
  }

  @Test func aNodeThatWasWrittenForNothingIsNamed() throws {
    var image = OneObjectFile.bytes
    // An empty array behind the last node.
    image.replaceSubrange(0x180..<0x188, with: [0x41, 0x41, 0x41, 0x41, 0, 0, 0, 0])
    let test = try TestScratch(image)
    let entries = [
      FreeSpace.Entry(position: 0x168, byteCount: 0x18, version: 0), FreeSpace.Entry(position: 0x188, byteCount: 4096 - 0x188, version: 0),
    ]
    #expect(try written(test, free: entries, twice: Ref(0x180)) == "node 0x180 was written but has no role")
  }
}
