import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// Filling tables by `createObject(primaryKey:_:)`, with and without the index put off.
@Suite(.mustEnd) struct BulkCreationTests {
  private struct Person {
    let key: Int64
    let age: Int64
    let name: String
    let friend: Int?
  }

  private func fill(_ people: [Person], in group: Group, lookingUpEvery step: Int) throws {
    let other = try group.addTable("class_Other")
    let targets = try (0..<5).map { _ in try other.createObject() }
    let table = try group.addTable("class_Person")
    let id = try table.addColumn(ColumnDefinition("id", .int))
    let age = try table.addColumn(ColumnDefinition("age", .int))
    let name = try table.addColumn(ColumnDefinition("name", .string, .nullable))
    let friend = try table.addColumn(ColumnDefinition("friend", .link, target: other.key))
    let score = try table.addColumn(ColumnDefinition("score", .double))
    try table.setPrimaryKey(id)
    for (index, person) in people.enumerated() {
      try table.createObject(primaryKey: person.key) { (object) throws(StorageError) in
        if index % 7 != 0 { try object.set(age, int: person.age) }
        if index % 5 == 0 { try object.set(name, Value(person.name)) } else { try object.set(name, string: person.name.utf8Span.span.bytes) }
        if let target = person.friend { try object.set(friend, link: targets[target]) }
        if index % 3 == 0 { try object.set(score, double: Double(person.age)) }
      }
      if step > 0, index % step == 0 {
        let found = try table.find(primaryKey: person.key)
        #expect(found != nil)
        #expect(try table.find(primaryKey: -77) == nil)
      }
    }
    try group.finish()
  }

  @Test(arguments: [(2000, 0), (700, 50), (700, 1)]) func objectsGetTheirFirstValuesAndTheIndexHasThemAll(_ count: Int, _ step: Int) throws {
    var random = SeededGenerator(test: UInt64(count + step))
    for ascending in [true, false] {
      var keys: Set<Int64> = []
      while keys.count < count { keys.insert(Int64.random(in: -50...Int64(count * 3), using: &random)) }
      keys.insert(1 << 40)
      keys.insert(1 << 41)
      let ordered = ascending ? keys.sorted() : keys.shuffled(using: &random)
      let people = ordered.map {
        Person(key: $0, age: $0 % 90, name: "name \($0 &* 7919)", friend: $0 % 4 == 0 ? nil : Int($0.magnitude % 5))
      }
      let directory = TestDirectory()
      let database = try Database.open(path: directory.file("bulk.realm"))
      try database.write { (group) throws(StorageError) in
        do { try fill(people, in: group, lookingUpEvery: step) } catch { throw error as? StorageError ?? .transactionEnded }
      }
      let snapshot = try database.snapshot()
      #expect(Verification.run(snapshot.space, top: snapshot.topRef, format: 24, isStreaming: false).violations.isEmpty)
      let table = try #require(try snapshot.openGroup().table(named: "class_Person"))
      let (age, name) = (try table.column(named: "age"), try table.column(named: "name"))
      for (index, person) in people.enumerated() {
        let key = try #require(try table.find(primaryKey: person.key))
        let row = try table.row(key)
        #expect(try row.int(age.key) == (index % 7 == 0 ? 0 : person.age))
        guard case .string(let text) = try row.value(name) else { throw StorageError.typeMismatch(reason: "no name") }
        #expect(text == Array(person.name.utf8))
      }
      let asked = ordered.shuffled(using: &random) + [-1000, 1 << 50]
      let found = try table.find(primaryKeys: asked)
      #expect(found.suffix(2).allSatisfy { $0 == nil })
      for (key, object) in zip(asked, found) where key > -1000 && key < 1 << 50 {
        #expect(try object.map { try table.value($0, table.column(named: "id").key) }?.isIdentical(to: .int(key)) == true)
      }
    }
  }

  @Test func aSecondObjectWithTheSameKeyIsRefusedAlsoWhileTheIndexIsPutOff() throws {
    let directory = TestDirectory()
    let database = try Database.open(path: directory.file("bulk.realm"))
    try database.write { (group) throws(StorageError) in
      let table = try group.addTable("class_Person")
      try table.setPrimaryKey(table.addColumn(ColumnDefinition("id", .int)))
      for key in 0..<10 as Range<Int64> { try table.createObject(primaryKey: key) }
      for key in [9, 3, 0] as [Int64] {
        var refusal: StorageError?
        do throws(StorageError) { try table.createObject(primaryKey: key) } catch { refusal = error }
        #expect(refusal == .duplicatePrimaryKey(table: "class_Person"))
      }
      try table.createObject(primaryKey: 10)
      #expect(Result { () throws(StorageError) -> Int in try table.count() } == .success(11))
    }
  }

  @Test func anErrorAmongTheFirstValuesLeavesAWholeObject() throws {
    let directory = TestDirectory()
    let database = try Database.open(path: directory.file("bulk.realm"))
    try database.write { (group) throws(StorageError) in
      let table = try group.addTable("class_Person")
      let id = try table.addColumn(ColumnDefinition("id", .int))
      _ = try table.addColumn(ColumnDefinition("name", .string))
      try table.setPrimaryKey(id)
      for key in 0..<3 as Range<Int64> {
        var refusal: StorageError?
        do throws(StorageError) {
          try table.createObject(primaryKey: key) { (_) throws(StorageError) in throw .invalidArgument(reason: "stop") }
        } catch { refusal = error }
        #expect(refusal == .invalidArgument(reason: "stop"))
      }
    }
    let snapshot = try database.snapshot()
    #expect(Verification.run(snapshot.space, top: snapshot.topRef, format: 24, isStreaming: false).violations.isEmpty)
    #expect(try snapshot.openGroup().table(named: "class_Person")?.count() == 3)
  }

  @Test func aFirstValueThatIsRefusedLeavesTheDefault() throws {
    let directory = TestDirectory()
    let database = try Database.open(path: directory.file("bulk.realm"))
    let tooLong = [UInt8](repeating: 0x61, count: StringLeaf.byteLimit + 1)
    try database.write { (group) throws(StorageError) in
      let table = try group.addTable("class_Person")
      let id = try table.addColumn(ColumnDefinition("id", .int))
      let name = try table.addColumn(ColumnDefinition("name", .string))
      let born = try table.addColumn(ColumnDefinition("born", .timestamp))
      let age = try table.addColumn(ColumnDefinition("age", .int, .nullable))
      try table.setPrimaryKey(id)
      for key in 0..<3 as Range<Int64> {
        var refusals = 0
        try table.createObject(primaryKey: key) { (object) throws(StorageError) in
          do throws(StorageError) { try object.set(name, string: tooLong.span.bytes) } catch { refusals += 1 }
          for value in [Value.int(3), .timestamp(Timestamp(seconds: 1, nanoseconds: -1)), .null] {
            do throws(StorageError) { try object.set(born, value) } catch { refusals += 1 }
          }
          try object.set(age, .int(key))
        }
        #expect(refusals == 4)
      }
    }
    let snapshot = try database.snapshot()
    #expect(Verification.run(snapshot.space, top: snapshot.topRef, format: 24, isStreaming: false).violations.isEmpty)
    let table = try #require(try snapshot.openGroup().table(named: "class_Person"))
    for (position, key) in try table.keys().enumerated() {
      let row = try table.row(key)
      #expect(try row.value(table.column(named: "name")).isIdentical(to: .string([])))
      #expect(try row.value(table.column(named: "born")).isIdentical(to: .timestamp(Timestamp(seconds: 0, nanoseconds: 0))))
      #expect(try row.value(table.column(named: "age")).isIdentical(to: .int(Int64(position))))
    }
  }

  @Test func firstValuesOfEveryPlainTypeAreThoseThatAreRead() throws {
    let directory = TestDirectory()
    let database = try Database.open(path: directory.file("bulk.realm"))
    let values: [(ColumnType, Value)] = [
      (.bool, .bool(true)), (.int, .int(-5)), (.float, .float(1.5)), (.double, .double(-2.5)), (.string, Value("x")), (.binary, .binary([1, 2])),
      (.timestamp, .timestamp(Timestamp(seconds: -3, nanoseconds: -4))), (.decimal, .decimal(Decimal128(Int64(7)))),
      (.objectID, .objectID(ObjectID(high: 1, low: 2))), (.uuid, .uuid(UUIDBytes(high: 3, low: 4))),
    ]
    try database.write { (group) throws(StorageError) in
      let table = try group.addTable("class_All")
      let id = try table.addColumn(ColumnDefinition("id", .int))
      var columns: [(ColumnKey, Value, isNullable: Bool)] = []
      for (index, (type, value)) in values.enumerated() {
        columns.append((try table.addColumn(ColumnDefinition("required\(index)", type)), value, false))
        columns.append((try table.addColumn(ColumnDefinition("optional\(index)", type, .nullable)), value, true))
      }
      try table.setPrimaryKey(id)
      // More than a cluster; every third row has no value, every fifth one is given its values twice.
      for row in 0..<600 as Range<Int64> {
        try table.createObject(primaryKey: row) { (object) throws(StorageError) in
          for (column, value, isNullable) in columns {
            if row % 5 == 0 { try object.set(column, value) }
            if row % 3 == 0 { if isNullable { try object.set(column, .null) } } else { try object.set(column, value) }
          }
        }
      }
    }
    let snapshot = try database.snapshot()
    #expect(Verification.run(snapshot.space, top: snapshot.topRef, format: 24, isStreaming: false).violations.isEmpty)
    let table = try #require(try snapshot.openGroup().table(named: "class_All"))
    for (index, (type, value)) in values.enumerated() {
      let (required, optional) = (try table.column(named: "required\(index)"), try table.column(named: "optional\(index)"))
      for (position, key) in try table.keys().enumerated() {
        let row = try table.row(key)
        let isDefault = position % 3 == 0 && position % 5 != 0
        #expect(try isDefault != row.value(required).isIdentical(to: value), "\(type) in row \(position)")
        #expect(try row.value(optional).isIdentical(to: position % 3 == 0 ? .null : value), "\(type) in row \(position)")
      }
    }
  }
}
