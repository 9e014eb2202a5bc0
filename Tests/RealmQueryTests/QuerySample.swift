import Foundation
import RealmStorage
import TestSupport

@testable import RealmQuery

/// A small database with every kind of property, for tests that need no fixture.
final class QuerySample {
  let snapshot: Snapshot
  let group: Group
  let people: Table
  let dogs: Table

  /// Made once; each test reads it by a snapshot of its own.
  private static let shared = Result { try make() }

  private static func make() throws -> Database {
    // The file needs no name once it is open.
    let directory = TestDirectory()
    let database = try Database.open(path: directory.file())
    try database.write { (group) throws(StorageError) in
      let dog = try group.addTable("class_Dog")
      try dog.addColumn(ColumnDefinition("name", .string))
      try dog.addColumn(ColumnDefinition("age", .int, .nullable))
      let person = try group.addTable("class_Person")
      try person.addColumn(ColumnDefinition("id", .int))
      try person.setPrimaryKey(person.column(named: "id").key)
      for (name, type, attributes) in [
        ("name", .string, .nullable), ("age", .int, []), ("height", .double, .nullable), ("speed", .float, []), ("isGood", .bool, []),
        ("born", .timestamp, .nullable), ("price", .decimal, .nullable), ("data", .binary, .nullable), ("token", .uuid, []),
        ("code", .objectID, []), ("extra", .mixed, .nullable), ("tags", .string, .list), ("scores", .int, .set), ("map", .int, .dictionary),
        ("with space", .int, []),
      ] as [(String, ColumnType, ColumnAttributes)] {
        try person.addColumn(ColumnDefinition(name, type, attributes))
      }
      try person.addColumn(ColumnDefinition("dog", .link, .nullable, target: dog.key))
      try person.addColumn(ColumnDefinition("dogs", .link, .list, target: dog.key))
      try person.addColumn(ColumnDefinition("friend", .link, .nullable, target: person.key))
      let notes = try person.addColumn(ColumnDefinition("notes", .string, .nullable))
      try person.addFullTextIndex(notes)
      try person.addIndex(person.column(named: "age").key)
      try QuerySample.fill(person, dog)
    }
    return database
  }

  init() throws {
    snapshot = try Self.shared.get().snapshot()
    group = try snapshot.openGroup()
    people = try group.table(named: "class_Person")!
    dogs = try group.table(named: "class_Dog")!
  }

  private static func fill(_ person: Table, _ dog: Table) throws(StorageError) {
    var dogKeys: [ObjectKey] = []
    for index in 0..<20 {
      let key = try dog.createObject()
      dogKeys.append(key)
      try dog.set(key, dog.column(named: "name").key, Value(["Rex", "Fido", "Bella", "Max"][index % 4]))
      if index % 5 != 0 { try dog.set(key, dog.column(named: "age").key, .int(Int64(index))) }
    }
    var previous: ObjectKey?
    for index in 0..<300 {
      let key = try person.createObject(primaryKey: .int(Int64(index)))
      func set(_ name: String, _ value: Value) throws(StorageError) { try person.set(key, person.column(named: name).key, value) }
      if index % 7 != 0 { try set("name", Value(["Ann", "Bob", "Ärger", "ärger", "Cid", "bob", ""][index % 7 - 1])) }
      try set("age", .int(Int64(index % 60)))
      if index % 3 != 0 { try set("height", index % 20 == 1 ? .double(.nan) : .double(Double(index) / 2)) }
      try set("speed", .float(Float(index) / 10))
      try set("isGood", .bool(index % 2 == 0))
      if index % 4 != 0 { try set("born", .timestamp(Timestamp(seconds: Int64(index) * 1000 - 50_000, nanoseconds: 0))) }
      if index % 5 != 0 { try set("price", .decimal(Decimal128(Int64(index)))) }
      try set("token", .uuid(UUIDBytes(high: UInt64(index), low: 1)))
      try set("extra", [.null, .int(Int64(index)), Value("text"), .double(1.5)][index % 4])
      try set("notes", Value(["hello world", "Hello Realm", "other words", ""][index % 4]))
      if index % 3 == 0 { try set("dog", .link(dogKeys[index % 20])) }
      if let previous { try set("friend", .link(previous)) }
      previous = index % 11 == 0 ? nil : key
      for step in 0..<(index % 4) {
        try person.collection(key, person.column(named: "dogs").key).append(.link(dogKeys[(index + step * 7) % 20]))
        try person.collection(key, person.column(named: "tags").key).append(Value(["red", "green", "blue"][step]))
        _ = try person.collection(key, person.column(named: "scores").key).insert(.int(Int64(index % 9 + step)))
        try person.collection(key, person.column(named: "map").key).set(key: Array("k\(step)".utf8), .int(Int64(index)))
      }
    }
  }

  func keys(_ text: String, _ arguments: [QueryArgument] = []) throws -> [Int64] {
    try Query(text, arguments: arguments).bind(people, in: group).execute().map(\.rawValue)
  }
  func format(_ text: String, _ arguments: Value...) throws -> [Int64] {
    try PredicateFormat.parse(text, arguments: arguments.map { .value($0) }).bind(people, in: group).execute().map(\.rawValue)
  }
}

extension Group {
  func refusal(_ body: () throws -> Void) -> String {
    do { try body() } catch let error as QueryError { return error.message } catch { return "\(error)" }
    return ""
  }
}
