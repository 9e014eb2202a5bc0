import TestSupport
import Testing

@testable import RealmStorage

/// Whoever catches an error of a change may commit what else there is: the file must be as sound as if nobody had tried.
@Suite(.mustEnd) struct RefusedChangeTests {
  let directory = TestDirectory()

  private struct Keys {
    var object = ObjectKey(0)
    var columns: [String: ColumnKey] = [:]
    subscript(_ name: String) -> ColumnKey { get throws { try #require(columns[name]) } }
  }

  /// A class of 600 objects, in clusters below an inner node, with values, collections and indexes of all kinds.
  private func fill(_ group: Group, primaryKey: Value) throws(StorageError) -> Keys {
    let part = try group.addTable("class_Part", kind: .embedded)
    try part.addColumn(ColumnDefinition("name", .string))
    let other = try group.addTable("class_Other")
    _ = try other.createObject()
    let table = try group.addTable("class_Thing")
    var keys = Keys()
    let isText = if case .string = primaryKey { true } else { false }
    let definitions: [ColumnDefinition] = [
      ColumnDefinition("id", isText ? .string : .int), ColumnDefinition("name", .string), ColumnDefinition("age", .int),
      ColumnDefinition("other", .link, .nullable, target: other.key), ColumnDefinition("part", .link, .nullable, target: part.key),
      ColumnDefinition("any", .mixed, .nullable), ColumnDefinition("names", .string, .list), ColumnDefinition("numbers", .int, .set),
      ColumnDefinition("map", .string, .dictionary), ColumnDefinition("others", .link, .list, target: other.key),
      ColumnDefinition("parts", .link, .list, target: part.key), ColumnDefinition("anys", .mixed, [.list, .nullable]),
    ]
    for (definition, key) in zip(definitions, try table.addColumns(definitions)) { keys.columns[definition.name] = key }
    if let id = keys.columns["id"] { try table.setPrimaryKey(id) }
    if let name = keys.columns["name"] { try table.addIndex(name) }
    for index in 0..<600 {
      let id: Value = isText ? .string(Array("\(index)".utf8)) : .int(Int64(index))
      let object = try table.createObject(primaryKey: id)
      if let name = keys.columns["name"] { try table.set(object, name, .string(Array("name \(index % 7)".utf8))) }
      keys.object = object
    }
    let object = keys.object
    if let names = keys.columns["names"] { try table.collection(object, names).append(.string([65])) }
    if let numbers = keys.columns["numbers"] { _ = try table.collection(object, numbers).insert(.int(1)) }
    if let map = keys.columns["map"] { try table.collection(object, map).set(key: [65], .string([66])) }
    if let parts = keys.columns["parts"] { _ = try table.collection(object, parts).insertEmbedded(at: 0) }
    if let anys = keys.columns["anys"] { try table.collection(object, anys).append(.int(7)) }
    return keys
  }

  private typealias Change = @Sendable (Group, Table, Keys) throws -> Void

  private static let tooLong = Value.string([UInt8](repeating: 65, count: StringLeaf.byteLimit + 1))
  private static let lost = Value.link(ObjectKey(12345))

  /// By what they try.
  private static let changes: [(String, Change)] = [
    ("a primary key that is taken, fast", { _, table, _ in try table.createObject(primaryKey: 3) }),
    ("a primary key that is taken", { _, table, keys in try table.createObject(primaryKey: table.value(ObjectKey(3), keys["id"])) }),
    ("a primary key of another type", { _, table, _ in try table.createObject(primaryKey: .double(1)) }),
    ("no primary key", { _, table, _ in try table.createObject() }),
    ("a key that is taken", { group, _, _ in try #require(try group.table(named: "class_Other")).createObject(withKey: ObjectKey(0)) }),
    ("an embedded object of its own", { group, _, _ in try #require(try group.table(named: "class_Part")).createObject() }),
    ("an object that is not there", { _, table, _ in try table.remove(ObjectKey(12345)) }),
    ("a value of another type", { _, table, keys in try table.set(keys.object, keys["age"], .string([65])) }),
    ("null where none is", { _, table, keys in try table.set(keys.object, keys["name"], .null) }),
    ("a text that is too long", { _, table, keys in try table.set(keys.object, keys["name"], tooLong) }),
    ("a text that is too long, mixed", { _, table, keys in try table.set(keys.object, keys["any"], tooLong) }),
    ("a link to nothing", { _, table, keys in try table.set(keys.object, keys["other"], lost) }),
    (
      "a typed link to nothing",
      { group, table, keys in
        let other = try #require(try group.table(named: "class_Other")).key
        try table.set(keys.object, keys["any"], .typedLink(ObjectLink(table: other, key: ObjectKey(12345))))
      }
    ),
    ("a link to an embedded object", { group, table, keys in try table.set(keys.object, keys["part"], .link(ObjectKey(0))) }),
    ("an integer added to a text", { _, table, keys in try table.addInteger(keys.object, keys["name"], 1) }),
    ("a value of no object", { _, table, keys in try table.set(ObjectKey(12345), keys["age"], .int(1)) }),
    ("an element of another type", { _, table, keys in try table.collection(keys.object, keys["names"]).append(.int(1)) }),
    ("an element that is too long", { _, table, keys in try table.collection(keys.object, keys["names"]).append(tooLong) }),
    ("an element out of range", { _, table, keys in try table.collection(keys.object, keys["names"]).insert(at: 9, .string([65])) }),
    ("an element set out of range", { _, table, keys in try table.collection(keys.object, keys["names"]).set(at: 9, .string([65])) }),
    ("an element set too long", { _, table, keys in try table.collection(keys.object, keys["names"]).set(at: 0, tooLong) }),
    ("an element removed out of range", { _, table, keys in try table.collection(keys.object, keys["names"]).remove(at: 9) }),
    ("an element moved out of range", { _, table, keys in try table.collection(keys.object, keys["names"]).move(from: 0, to: 9) }),
    (
      "many elements, the last one too long",
      { _, table, keys in
        try table.collection(keys.object, keys["names"]).insert(contentsOf: [.string([66]), tooLong], at: 0)
      }
    ),
    ("a member of another type", { _, table, keys in _ = try table.collection(keys.object, keys["numbers"]).insert(.string([65])) }),
    ("an entry of another type", { _, table, keys in try table.collection(keys.object, keys["map"]).set(key: [65], .int(1)) }),
    ("an entry that is too long", { _, table, keys in try table.collection(keys.object, keys["map"]).set(key: [66], tooLong) }),
    ("a key with a dot", { _, table, keys in try table.collection(keys.object, keys["map"]).set(key: Array("a.b".utf8), .string([65])) }),
    ("an element that links to nothing", { _, table, keys in try table.collection(keys.object, keys["others"]).append(lost) }),
    ("an embedded object out of range", { _, table, keys in _ = try table.collection(keys.object, keys["parts"]).insertEmbedded(at: 9) }),
    ("an element that is too long, mixed", { _, table, keys in try table.collection(keys.object, keys["anys"]).append(tooLong) }),
    ("an element that is too long, mixed and set", { _, table, keys in try table.collection(keys.object, keys["anys"]).set(at: 0, tooLong) }),
    ("a class that is there", { group, _, _ in try group.addTable("class_Thing") }),
    ("a property that is there", { _, table, _ in try table.addColumn(ColumnDefinition("age", .int)) }),
    (
      "properties, the last one there",
      { _, table, _ in
        try table.addColumns([ColumnDefinition("new", .string), ColumnDefinition("age", .int)])
      }
    ),
    ("an index of a list", { _, table, keys in try table.addIndex(keys["names"]) }),
    ("a primary key with equal values", { _, table, keys in try table.setPrimaryKey(keys["name"]) }),
  ]

  @Test(arguments: changes.indices, [Value.int(0), .string([])])
  func theFileIsSoundAfterAChangeThatWasRefused(_ index: Int, _ primaryKey: Value) throws {
    let (what, change) = Self.changes[index]
    let path = directory.file()
    let database = try Database.open(path: path)
    var keys = Keys()
    try database.write { (group) throws(StorageError) in keys = try fill(group, primaryKey: primaryKey) }
    var isRefused = false
    try database.write { (group) throws(StorageError) in
      guard let table = try group.table(named: "class_Thing") else { return }
      do { try change(group, table, keys) } catch { isRefused = true }
    }
    try expectSound(path, independently: false, what)
    // Once more with something else in the same transaction, after which the file's free space is used again.
    try database.write { (group) throws(StorageError) in
      guard let table = try group.table(named: "class_Thing") else { return }
      do { try change(group, table, keys) } catch {}
      if let age = keys.columns["age"] { try table.set(ObjectKey(5), age, .int(5)) }
    }
    for _ in 0..<3 { try database.write { (group) throws(StorageError) in _ = try group.table(named: "class_Other")?.createObject() } }
    try expectSound(path, independently: false, what)
    database.close()
    #expect(isRefused)
  }
}
