import Foundation
import RealmSwift

// Pieces of the SDK's documentation, as they stand there: what compiles here without warnings in Swift 6 mode is what apps write.

enum TaskStatus: String, PersistableEnum { case notStarted, inProgress, complete }

class Chore: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var name: String = ""
  @Persisted var owner: String?
  @Persisted var status: TaskStatus = .notStarted
  @Persisted var progressMinutes = 0
  @Persisted var due: Date?
  @Persisted var meta: AnyRealmValue
  @Persisted var labels: MutableSet<String>
  convenience init(name: String) {
    self.init()
    self.name = name
  }
}

class Project: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var tasks: List<Chore>
  @Persisted var address: Address?
  @Persisted var tagCounts: Map<String, Int>
  @Persisted var lead: Person?
  override class func propertiesMapping() -> [String: String] { ["name": "project_name"] }
}

class Address: EmbeddedObject {
  @Persisted var street: String?
  @Persisted var city: String?
  @Persisted var geo: Grid
}

struct Grid: CustomPersistable, Equatable {
  typealias PersistedType = String
  var x: Int
  init(x: Int) { self.x = x }
  init(persistedValue: String) { x = Int(persistedValue) ?? 0 }
  var persistableValue: String { "\(x)" }
}

class PersonProjection: Projection<Person> {
  @Projected(\Person.name) var title
  @Projected(\Person.dogs.projectTo.name) var dogNames
}

final class CodableDog: Object, Codable {
  @Persisted var name: String
  @Persisted var tags: List<String>
  @Persisted var age: Int?
}

/// Models, writes, queries, collections, projections.
func documented(_ realm: Realm) throws {
  let task = Chore(name: "Do laundry")
  try realm.write {
    realm.add(task)
    realm.create(Project.self, value: ["id": 1, "name": "Home", "tasks": [task]], update: .modified)
  }
  let tasks = realm.objects(Chore.self)
  let open = tasks.where { $0.status == .notStarted && $0.name.starts(with: "Do", options: .caseInsensitive) }
  _ = tasks.where { $0.progressMinutes > 1 && ($0.owner == nil || $0.owner == "x") }
  _ = tasks.where { $0.name.in(["a", "b"]) || !$0.name.contains("zz") }
  _ = tasks.where { $0.labels.contains("x") }
  _ = realm.objects(Project.self).where { $0.tasks.progressMinutes > 3 || $0.tasks.count > 0 || $0.tagCounts["a"] > 2 }
  _ = realm.objects(Project.self).where { ($0.tasks.name == "x" && $0.tasks.progressMinutes >= 0).count > 0 }
  _ = realm.objects(Project.self).where { $0.address.city == "X" }
  _ = tasks.filter("progressMinutes > 1 AND name == %@", "Ali")
  _ = tasks.filter(NSPredicate(format: "status == %@", "complete"))
  let sorted = tasks.sorted(byKeyPath: "name", ascending: false)
  _ = tasks.sorted(by: [RealmSwift.SortDescriptor(keyPath: "name"), "progressMinutes"])
  let total: Int = tasks.sum(of: \.progressMinutes)
  let average: Double? = tasks.average(ofProperty: "progressMinutes")
  let latest: Date? = tasks.max(ofProperty: "due")
  print(open.count, sorted.first?.name ?? "-", total, average ?? -1, latest as Any)
  let sections = tasks.sectioned(by: \.status, ascending: true)
  for section in sections { print(section.key, section.map(\.name)) }
  for (index, item) in tasks.enumerated() where index < 2 { print(item.name) }
  let projections = realm.objects(PersonProjection.self)
  print(projections.count, projections.first.map { Array($0.dogNames).count } ?? 0)
  try realm.write {
    for item in tasks { item.progressMinutes += 1 }
    if let project = realm.object(ofType: Project.self, forPrimaryKey: 1) {
      project.tagCounts["home"] = 3
      project.address = Address(value: ["street": "a"])
      project.tasks.append(Chore(name: "second"))
      project.tasks.move(from: 0, to: 1)
      project.tasks.remove(at: 0)
      project.lead = realm.objects(Person.self).first
      project.setValue("other", forKey: "name")
      print(project["name"] as Any, project.objectSchema.className, project.description.count)
      realm.delete(project)
    }
    task.meta = .fromArray([.int(1), .string("two")])
    task.meta.listValue?.append(.none)
  }
}

/// Coding, configurations, errors.
func configured() throws {
  let decoded = try JSONDecoder().decode(CodableDog.self, from: Data(#"{"name":"a","tags":["x"]}"#.utf8))
  print(String(decoding: try JSONEncoder().encode(decoded), as: UTF8.self))
  let config = Realm.Configuration(
    inMemoryIdentifier: "docs", schemaVersion: 2,
    migrationBlock: { migration, oldSchemaVersion in
      if oldSchemaVersion < 2 {
        migration.enumerateObjects(ofType: "Person") { oldObject, newObject in newObject?["name"] = oldObject?["name"] as? String ?? "" }
        migration.renameProperty(onType: "Person", from: "a", to: "b")
      }
    }, shouldCompactOnLaunch: nil, objectTypes: [Person.self, Dog.self])
  print(config.description.count)
  _ = Realm.Configuration(shouldCompactOnLaunch: { totalBytes, usedBytes in
    (totalBytes > 100 * 1024 * 1024) && (Double(usedBytes) / Double(totalBytes)) < 0.5
  })
  do { _ = try Realm(configuration: Realm.Configuration(fileURL: URL(fileURLWithPath: "/nope/x.realm"))) } catch Realm.Error.fileNotFound {
    print("not found")
  } catch let error as Realm.Error { print(error.code, error.localizedDescription) }
}

/// A realm of the main actor, opened and written without blocking it.
@MainActor func opened() async throws {
  let realm = try await Realm(configuration: Realm.Configuration(inMemoryIdentifier: "async", objectTypes: [Person.self, Dog.self]))
  try await realm.asyncWrite { _ = realm.create(Person.self, value: ["name": "x"]) }
  await realm.asyncRefresh()
}

/// An actor with a realm of its own.
actor RealmActor {
  var realm: Realm!
  init() async throws {
    realm = try await Realm(configuration: Realm.Configuration(inMemoryIdentifier: "actor", objectTypes: [Todo.self]), actor: self)
  }
  var count: Int { realm.objects(Todo.self).count }
  func createTodo(name: String, owner: String, status: String) async throws {
    try await realm.asyncWrite { realm.create(Todo.self, value: ["_id": ObjectId.generate(), "name": name, "owner": owner, "status": status]) }
  }
  func updateTodo(_id: ObjectId, name: String) async throws {
    try await realm.asyncWrite { realm.create(Todo.self, value: ["_id": _id, "name": name] as [String: Any], update: .modified) }
  }
  func close() { realm = nil }
}
