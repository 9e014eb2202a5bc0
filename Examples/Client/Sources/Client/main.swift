import Foundation
import RealmSwift

/// What the sample checks: that documented code compiles in Swift 6 mode without warnings, and runs.
@MainActor func run() throws {
  let directory = FileManager.default.temporaryDirectory.appendingPathComponent("regnum-client-\(UUID().uuidString)", isDirectory: true)
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: directory) }
  try quickStart(directory.appendingPathComponent("quick.realm"))

  var configuration = Realm.Configuration(fileURL: directory.appendingPathComponent("todos.realm"), schemaVersion: 1)
  configuration.objectTypes = [Todo.self]
  let realm = try Realm(configuration: configuration)
  let todo = try realm.write { realm.create(Todo.self, value: ["name": "Write the sample", "owner": "me", "status": "open"]) }
  let reference = ThreadSafeReference(to: todo)
  guard realm.resolve(reference)?.name == todo.name else { fatalError("the reference leads elsewhere") }
  let frozen = todo.freeze()
  try realm.write { todo.status = "done" }
  guard frozen.status == "open", realm.objects(Todo.self).where({ $0.status == "done" }).count == 1 else { fatalError("wrong answers") }
}

class Todo: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var name: String
  @Persisted var owner: String
  @Persisted var status: String
}

@MainActor func runDocumented() async throws {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("regnum-client-\(UUID().uuidString).realm")
  let configuration = Realm.Configuration(
    fileURL: url, objectTypes: [Chore.self, Project.self, Address.self, Person.self, Dog.self, CodableDog.self])
  defer { _ = try? Realm.deleteFiles(for: configuration) }
  try documented(try await Realm(configuration: configuration))
  try configured()
  try await opened()
  let actor = try await RealmActor()
  try await actor.createTodo(name: "n", owner: "o", status: "s")
  guard await actor.count == 1 else { fatalError("the actor's object is missing") }
  await actor.close()
}

try run()
try await runDocumented()
print("ok")
