import Foundation
import RealmSwift
import TestSupport

enum Mood: String, PersistableEnum { case calm, wild }

class Dog: Object {
  @Persisted(primaryKey: true) var name: String
  @Persisted var age: Int
  @Persisted var weight: Double?
  @Persisted var mood: Mood = .calm
  @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
}

class Address: EmbeddedObject {
  @Persisted var street = ""
  @Persisted var city: String?
}

class Person: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted(indexed: true) var name: String
  @Persisted var age = 30
  @Persisted var born: Date?
  @Persisted var data: Data
  @Persisted var height: Float
  @Persisted var isNice: Bool
  @Persisted var money: Decimal128
  @Persisted var token: UUID
  @Persisted var favourite: Dog?
  @Persisted var home: Address?
  @Persisted var dogs: List<Dog>
  @Persisted var scores: List<Int>
  @Persisted var nicknames: MutableSet<String>
  @Persisted var ratings: Map<String, Int>
  @Persisted var pets: Map<String, Dog?>
  @Persisted var places: List<Address>
  @Persisted var anything: AnyRealmValue
}

extension TestDirectory {
  func configuration(_ types: [ObjectBase.Type]? = [Dog.self, Person.self, Address.self]) -> Realm.Configuration {
    Realm.Configuration(fileURL: fileURL(), objectTypes: types)
  }

  /// Runs `body` on a queue with a realm of its own, and waits until it calls what it is given.
  func onQueue<Result: Sendable>(
    _ body: @escaping @Sendable (Realm, DispatchQueue, _ done: @escaping @Sendable (Result) -> Void) -> Void
  ) async -> Result {
    let (queue, configuration) = (DispatchQueue(label: "writes"), configuration())
    return await withCheckedContinuation { continuation in
      queue.async {
        let realm = try! Realm(configuration: configuration, queue: queue)
        body(realm, queue) { continuation.resume(returning: $0) }
      }
    }
  }
}

class Extra: Object {
  @Persisted var text = ""
}

/// Two shapes of one stored class.
class NoteV1: Object {
  override class func _realmObjectName() -> String? { "Note" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  @Persisted var title: String
}
class NoteV2: Object {
  override class func _realmObjectName() -> String? { "Note" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  @Persisted var title: String
  @Persisted var stars: Int
}
