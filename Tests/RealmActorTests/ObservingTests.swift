import RealmSwift
import TestSupport
import Testing

/// What actors are told of changes.
@Suite(.mustEnd) struct ObservingTests {
  let directory = TestDirectory()
  private let log = Log()

  /// Observes on an actor that has nothing to do with the realm.
  private actor Watcher {
    private let log: Log
    init(_ log: Log) { self.log = log }
    func add(_ line: String) { log.add(line) }
  }

  @MainActor private func watch(_ errands: Results<Errand>, keyPaths: [String]? = nil) async -> NotificationToken {
    await errands.observe(keyPaths: keyPaths, on: Watcher(log)) { actor, changes in
      actor.assertIsolated()
      switch changes {
      case .initial(let errands): actor.add("initial \(errands.count)")
      case .update(let errands, let deletions, let insertions, let modifications):
        actor.add("\(errands.count) \(deletions) \(insertions) \(modifications)")
      case .error(let error): actor.add("\(error)")
      }
    }
  }

  @MainActor @Test func anActorIsToldOfACollection() async throws {
    let realm = try await Realm(configuration: directory.configuration)
    let office = try await Office(directory.configuration)
    let token = await watch(realm.objects(Errand.self))
    #expect(try await eventually { log.all == ["initial 0"] })
    try await office.add("Buy bread", owner: "Sam")
    #expect(try await eventually { log.all.count == 2 })
    let id = try #require(await office.identifier(of: "Buy bread"))
    try await office.update(id, status: "done")
    #expect(try await eventually { log.all.count == 3 })
    let errand = try #require(realm.object(ofType: Errand.self, forPrimaryKey: id))
    try await realm.asyncWrite { errand.owner = "Sam" }
    #expect(try await eventually { log.all.count == 4 }, "setting the value that is there counts, too")
    try await office.delete(id)
    #expect(try await eventually { log.all.count == 5 })
    #expect(log.take() == ["initial 0", "1 [] [0] []", "1 [] [] [0]", "1 [] [] [0]", "0 [0] [] []"])
    token.invalidate()
  }

  @MainActor @Test func aTokenThatIsLetGoOfStopsTheObservation() async throws {
    let realm = try await Realm(configuration: directory.configuration)
    var token: NotificationToken? = await watch(realm.objects(Errand.self))
    let other = await watch(realm.objects(Errand.self))
    #expect(try await eventually { log.all.count == 2 })
    withExtendedLifetime(token) {}
    token = nil
    try await realm.asyncWrite { realm.create(Errand.self) }
    #expect(try await eventually { log.all.count == 3 })
    #expect(log.take() == ["initial 0", "initial 0", "1 [] [0] []"])
    other.invalidate()
  }

  @MainActor @Test func keyPathsRestrictWhatIsTold() async throws {
    let realm = try await Realm(configuration: directory.configuration)
    let errand = try await realm.asyncWrite { realm.create(Errand.self, value: ["name": "Buy bread", "place": ["street": "High Street"]]) }
    let token = await watch(realm.objects(Errand.self), keyPaths: ["place.street", "owner"])
    #expect(try await eventually { log.all == ["initial 1"] })
    try await realm.asyncWrite { errand.status = "done" }
    try await realm.asyncWrite { errand.place?.street = "Low Street" }
    #expect(try await eventually { log.all.count == 2 })
    #expect(log.take() == ["initial 1", "1 [] [] [0]"])
    token.invalidate()
  }

  @MainActor @Test func anActorIsToldOfAnObject() async throws {
    let realm = try await Realm(configuration: directory.configuration)
    let errand = try await realm.asyncWrite { realm.create(Errand.self, value: ["name": "Buy bread", "status": "new", "place": ["street": "a"]]) }
    let watcher = Watcher(log)
    let token = await errand.observe(on: watcher) { (actor, change: ObjectChange<Errand>) in
      actor.assertIsolated()
      switch change {
      case .change(let object, let properties):
        for property in properties { actor.add("\(property.name) of \(object.name): \(property.newValue!)") }
      case .error(let error): actor.add("\(error)")
      case .deleted: actor.add("deleted")
      }
    }
    try await realm.asyncWrite { errand.place?.street = "b" }
    try await realm.asyncWrite { errand.status = "done" }
    #expect(try await eventually { !log.all.isEmpty })
    #expect(log.take() == ["status of Buy bread: done"], "what changes behind a link is not a change of the object")
    try await realm.asyncWrite { realm.delete(errand) }
    #expect(try await eventually { !log.all.isEmpty })
    #expect(log.take() == ["deleted"])
    token.invalidate()
  }

  @MainActor @Test func aCancelledTaskGetsATokenThatIsInvalidated() async throws {
    let realm = try await Realm(configuration: directory.configuration)
    let errand = try await realm.asyncWrite { realm.create(Errand.self, value: ["name": "Buy bread"]) }
    let log = log
    let wasStopped = await Task { @MainActor in
      withUnsafeCurrentTask { $0?.cancel() }
      let results = await watch(realm.objects(Errand.self))
      let object = await errand.observe(on: Watcher(log)) { (actor, _: ObjectChange<Errand>) in actor.add("object") }
      return [results.invalidate(), object.invalidate()]
    }.value
    #expect(wasStopped == [false, false], "nothing was observed that could be stopped")
    try await realm.asyncWrite { errand.status = "done" }
    #expect(log.all.isEmpty)
  }

  @MainActor @Test func typedKeyPathsRestrictWhatIsToldOfAnObject() async throws {
    let realm = try await Realm(configuration: directory.configuration)
    let errand = try await realm.asyncWrite { realm.create(Errand.self, value: ["name": "Buy bread"]) }
    let token = await errand.observe(keyPaths: [\Errand.status], on: Watcher(log)) { (actor, change: ObjectChange<Errand>) in
      if case .change(_, let properties) = change { actor.add(properties.map(\.name).joined(separator: ", ")) }
    }
    try await realm.asyncWrite { errand.owner = "Sam" }
    try await realm.asyncWrite { errand.status = "done" }
    #expect(try await eventually { !log.all.isEmpty })
    #expect(log.take() == ["status"])
    token.invalidate()
  }

  @MainActor @Test func typedKeyPathsRestrictWhatIsToldOfAProjection() async throws {
    let realm = try await Realm(configuration: directory.configuration)
    let errand = try await realm.asyncWrite { realm.create(Errand.self, value: ["name": "Buy bread"]) }
    let view = ErrandView(projecting: errand)
    let token = await view.observe(keyPaths: [\.state], on: Watcher(log)) { (actor, change: ObjectChange<ErrandView>) in
      actor.assertIsolated()
      if case .change(_, let properties) = change { actor.add(properties.map(\.name).joined(separator: ", ")) }
    }
    try await realm.asyncWrite { view.owner = "Sam" }
    try await realm.asyncWrite { view.state = "done" }
    #expect(try await eventually { !log.all.isEmpty })
    #expect(log.take() == ["state"])
    token.invalidate()
  }

  @MainActor @Test func typedKeyPathsRestrictWhatIsToldOfSections() async throws {
    let realm = try await Realm(configuration: directory.configuration)
    let errand = try await realm.asyncWrite { realm.create(Errand.self, value: ["name": "Buy bread", "owner": "Sam"]) }
    let sections = realm.objects(Errand.self).sectioned(by: \.owner)
    let tokens = [
      await sections.observe(keyPaths: [\Errand.status], on: Watcher(log)) { (actor, change) in
        actor.assertIsolated()
        if case .update(_, _, _, let modifications, _, _) = change { actor.add("sections \(modifications)") }
      },
      await sections[0].observe(keyPaths: [\Errand.status], on: Watcher(log)) { (actor, change) in
        actor.assertIsolated()
        if case .update(_, _, _, let modifications, _, _) = change { actor.add("section \(modifications)") }
      },
    ]
    try await realm.asyncWrite { errand.name = "Buy milk" }
    try await realm.asyncWrite { errand.status = "done" }
    #expect(try await eventually { log.all.count == 2 })
    #expect(log.take().sorted() == ["section [[0, 0]]", "sections [[0, 0]]"])
    for token in tokens { token.invalidate() }
  }

  // MARK: What cannot be observed

  private func stops(_ result: ExitTest.Result?, _ text: String) -> Bool {
    guard let result else { return false }
    return String(decoding: result.standardErrorContent, as: UTF8.self).contains("Fatal error: " + text)
  }

  @Test(.endsProcesses) func onlyManagedThingsAreObserved() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor in
      _ = await Errand().observe(on: Background.shared) { (_, _: ObjectChange<Errand>) in }
    }
    #expect(stops(result, "Only objects which are managed by a Realm support change notifications"))
  }

  @Test(.endsProcesses) func readOnlyRealmsAreNotObserved() async throws {
    let existing = directory.configuration
    try otherThread { _ = try Realm(configuration: existing) }
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor [path = directory.path as String] in
      var configuration = TestDirectory.configuration(in: path)
      configuration.readOnly = true
      let realm = try await Realm(configuration: configuration)
      _ = await realm.objects(Errand.self).observe(on: Background.shared) { _, _ in }
    }
    #expect(stops(result, "Read-only Realms do not change and do not have change notifications."))
  }

  @Test(.endsProcesses) func whatIsChangedInARunningTransactionIsNotObserved() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor [path = directory.path as String] in
      let realm = try await Realm(configuration: TestDirectory.configuration(in: path))
      try realm.write {
        realm.create(Errand.self)
        _ = realm.objects(Errand.self).observe { _ in }
      }
    }
    #expect(stops(result, "Cannot create asynchronous query after making changes in a write transaction."))
  }

  @Test(.endsProcesses) func anActorsRealmIsNotObservedFromElsewhere() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor [path = directory.path as String] in
      let smuggled = Handed<Results<Errand>>()
      try await open(path, smuggled)
      _ = await smuggled.value?.observe(on: MainActor.shared) { _, _ in }
    }
    #expect(stops(result, "Realm accessed from incorrect thread. It is confined to actor Background and was used on the main thread."))
  }
}

/// A way around the compiler, which refuses this (`RefusedCodeTests`).
@Background private func open(_ path: String, _ smuggled: Handed<Results<Errand>>) async throws {
  let realm = try await Realm(configuration: TestDirectory.configuration(in: path), actor: Background.shared)
  smuggled.value = realm.objects(Errand.self)
}
