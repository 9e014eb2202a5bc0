import RealmSwift

/// An actor that owns a realm.
actor Office {
  // Nil until the realm is open: opening it needs the actor, which exists only then.
  private(set) var realm: Realm!

  init(_ configuration: Realm.Configuration) async throws { realm = try await Realm(configuration: configuration, actor: self) }

  var count: Int { realm.objects(Errand.self).count }

  func add(_ name: String, owner: String, status: String = "new") async throws {
    try await realm.asyncWrite {
      realm.create(Errand.self, value: ["_id": ObjectId.generate(), "name": name, "owner": owner, "status": status] as [String: Any])
    }
  }

  private func errand(_ name: String) -> Errand? { realm.objects(Errand.self).where { $0.name == name }.first }

  // Values of these types may leave the actor.
  func owner(of name: String) -> String { errand(name)?.owner ?? "nobody" }
  func identifier(of name: String) -> ObjectId? { errand(name)?._id }
  func values(of name: String) -> ErrandValues? { errand(name).map(ErrandValues.init) }

  func update(_ id: ObjectId, status: String) async throws {
    try await realm.asyncWrite { realm.create(Errand.self, value: ["_id": id, "status": status] as [String: Any], update: .modified) }
  }

  func delete(_ id: ObjectId) async throws {
    try await realm.asyncWrite { if let errand = realm.object(ofType: Errand.self, forPrimaryKey: id) { realm.delete(errand) } }
  }

  /// Resolves a reference in the actor's own realm, in a write transaction.
  func finish(_ reference: ThreadSafeReference<Errand>) throws {
    try realm.write { realm.resolve(reference)?.status = "done" }
  }

  /// Resolves a reference in a realm that is opened for the thread on which the actor runs now.
  func deleteAtOnce(_ configuration: Realm.Configuration, _ reference: ThreadSafeReference<Errand>) throws {
    let realm = try Realm(configuration: configuration)
    try realm.write { if let errand = realm.resolve(reference) { realm.delete(errand) } }
  }

  func reference(to name: String) -> ThreadSafeReference<Errand>? { errand(name).map { ThreadSafeReference(to: $0) } }

  func refresh() async -> Bool { await realm.asyncRefresh() }

  func setAutorefresh(_ isOn: Bool) { realm.autorefresh = isOn }

  func close() { realm = nil }
}

/// An actor for whatever is marked with it.
@globalActor actor Background: GlobalActor { static let shared = Background() }
