import TestSupport
import Testing

@testable import RealmStorage

/// Messages reach users, who know classes and no tables.
@Suite(.mustEnd) struct MessageTests {
  let directory = TestDirectory()

  @Test func messagesNameTheClassAndNotItsTable() throws {
    let database = try Database.open(path: directory.file("m.realm"))
    defer { database.close() }
    try database.write { (group) throws(StorageError) in
      let person = try group.addTable("class_Person")
      let age = try person.addColumn(ColumnDefinition("age", .int))
      let name = try person.addColumn(ColumnDefinition("name", .string))
      let key = try person.createObject()
      var errors: [StorageError] = []
      func note(_ body: () throws(StorageError) -> Void) { do throws(StorageError) { try body() } catch { errors.append(error) } }
      note { () throws(StorageError) in try person.addInteger(key, name, 1) }
      note { () throws(StorageError) in _ = try person.collection(key, age) }
      note { () throws(StorageError) in _ = try person.find(primaryKey: .int(1)) }
      note { () throws(StorageError) in try person.createObject(withKey: ObjectKey(5), primaryKey: .int(1)) }
      #expect(errors.count == 4)
      for error in errors {
        #expect("\(error)".contains("'Person"), "\(error)")
        #expect(!"\(error)".contains("class_"), "\(error)")
      }
    }
  }
}
