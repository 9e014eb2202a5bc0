import OpenCombine
import RealmOpenCombine
import RealmSwift
import TestSupport
import Testing

/// What publishers of collections send to somebody in the same confinement.
@Suite(.mustEnd) @MainActor struct CollectionPublisherTests {
  let directory = TestDirectory()
  private let log = Log()
  private let realm: Realm
  private let walk: Walk

  init() throws {
    let realm = try Realm(configuration: directory.configuration)
    walk = try realm.write {
      realm.create(Walk.self, value: ["title": "Hill", "stops": [["name": "Inn"], ["name": "Zoo"]], "tags": ["steep"], "ratings": ["Ann": 3]])
    }
    self.realm = realm
  }

  /// A publisher of values sends the collection at first, after each change, and nothing once it is cancelled.
  private func check<C: RealmSubscribable & ThreadConfined>(
    _ publisher: RealmPublishers.Value<C>, _ count: @escaping (C) -> Int, from old: Int, change: () -> Void,
    location: SourceLocation = #_sourceLocation
  ) async throws {
    let cancellable = publisher.assertNoFailure().sink { [log] in log.add("\(count($0))") }
    #expect(log.all == [], "a publisher sends in a turn of the realm, not while it is subscribed to", sourceLocation: location)
    #expect(try await eventually { log.all == ["\(old)"] }, sourceLocation: location)
    try realm.write(change)
    #expect(try await eventually { log.all.count == 2 }, sourceLocation: location)
    #expect(log.take() == ["\(old)", "\(old + 1)"], sourceLocation: location)
    cancellable.cancel()
    try realm.write { walk.title += "!" }
    try realm.write { realm.create(Walk.self) }
    try await passATurn()
    #expect(log.take() == [], sourceLocation: location)
  }

  /// Returns when whatever was to be told before was told.
  private func passATurn() async throws {
    let last = Log()
    let token = realm.objects(Walk.self).observe { _ in last.add("told") }
    #expect(try await eventually { !last.all.isEmpty })
    token.invalidate()
  }

  @Test func resultsArePublished() async throws {
    try await check(realm.objects(Walk.self).collectionPublisher, { $0.count }, from: 1) { realm.create(Walk.self) }
  }

  @Test func filteredResultsArePublished() async throws {
    try await check(realm.objects(Stop.self).where { $0.minutes == 0 }.collectionPublisher, { $0.count }, from: 2) { realm.create(Stop.self) }
  }

  @Test func listsArePublished() async throws {
    try await check(walk.stops.collectionPublisher, { $0.count }, from: 2) { walk.stops.append(Stop()) }
  }

  @Test func setsArePublished() async throws {
    try await check(walk.tags.collectionPublisher, { $0.count }, from: 1) { walk.tags.insert("long") }
  }

  @Test func mapsArePublished() async throws {
    try await check(walk.ratings.collectionPublisher, { $0.count }, from: 1) { walk.ratings["Bob"] = 5 }
  }

  @Test func linkingObjectsArePublished() async throws {
    let stop = walk.stops[0]
    try await check(stop.walks.collectionPublisher, { $0.count }, from: 1) { realm.create(Walk.self).stops.append(stop) }
  }

  @Test func anyCollectionsArePublished() async throws {
    try await check(AnyRealmCollection(walk.stops).collectionPublisher, { $0.count }, from: 2) { walk.stops.append(Stop()) }
  }

  @Test func sectionsArePublished() async throws {
    let sections = realm.objects(Stop.self).sectioned(by: { $0.name }, sortDescriptors: ["name"])
    try await check(sections.collectionPublisher, { $0.count }, from: 2) { realm.create(Stop.self, value: ["name": "Pub"]) }
  }

  @Test func oneSectionIsPublished() async throws {
    let sections = realm.objects(Stop.self).sectioned(by: { $0.name }, sortDescriptors: ["name"])
    try await check(sections[0].collectionPublisher, { $0.count }, from: 1) { realm.create(Stop.self, value: ["name": "Inn"]) }
  }

  @Test func theFreeFunctionPublishesCollections() async throws {
    try await check(valuePublisher(walk.stops), { $0.count }, from: 2) { walk.stops.append(Stop()) }
    let cancellable = changesetPublisher(walk.stops).sink { log.note($0) }
    #expect(try await eventually { log.all == ["initial"] })
    cancellable.cancel()
  }

  // MARK: Changesets

  @Test func changesOfResultsArePublished() async throws {
    let cancellable = realm.objects(Stop.self).sorted(byKeyPath: "name").changesetPublisher.sink { log.note($0) }
    #expect(try await eventually { log.all == ["initial"] })
    try realm.write {
      realm.create(Stop.self, value: ["name": "Pub"])
      realm.delete(walk.stops[0])
      walk.stops[0].minutes = 5
    }
    #expect(try await eventually { log.all.count == 2 })
    #expect(log.take() == ["initial", "-[0] +[0] ~[1]"])
    cancellable.cancel()
  }

  @Test func changesOfMapsArePublished() async throws {
    let cancellable = walk.ratings.changesetPublisher.sink { log.note($0) }
    #expect(try await eventually { log.all == ["initial"] })
    try realm.write {
      walk.ratings["Ann"] = 4
      walk.ratings["Bob"] = 5
    }
    #expect(try await eventually { log.all.count == 2 })
    #expect(log.take() == ["initial", #"-[] +["Bob"] ~["Ann"]"#])
    cancellable.cancel()
  }

  @Test func changesOfSectionsArePublished() async throws {
    let sections = realm.objects(Stop.self).sectioned(by: { $0.name }, sortDescriptors: ["name"])
    var cancellables: Set<AnyCancellable> = []
    sections.changesetPublisher.sink { log.note($0) }.store(in: &cancellables)
    #expect(try await eventually { log.all == ["initial"] })
    try realm.write { realm.create(Stop.self, value: ["name": "Pub"]) }
    #expect(try await eventually { log.all.count == 2 })
    #expect(log.take() == ["initial", "-[] +[[1, 0]] ~[] +s[1] -s[]"])
    cancellables = []
    sections[0].changesetPublisher(keyPaths: ["minutes"]).sink { log.note($0) }.store(in: &cancellables)
    #expect(try await eventually { log.all == ["initial"] })
    try realm.write { walk.stops[0].minutes = 1 }
    #expect(try await eventually { log.all.count == 2 })
    #expect(log.take() == ["initial", "-[] +[] ~[[0, 0]] +s[] -s[]"])
  }

  @Test func onlyTheKeyPathsThatAreNamedCount() async throws {
    var cancellables: Set<AnyCancellable> = []
    walk.stops.collectionPublisher(keyPaths: ["name"]).assertNoFailure().sink { _ in log.add("value") }.store(in: &cancellables)
    walk.stops.changesetPublisher(keyPaths: ["name"]).sink { log.note($0) }.store(in: &cancellables)
    #expect(try await eventually { log.all.count == 2 })
    #expect(log.take() == ["value", "initial"])
    try realm.write { walk.stops[1].minutes = 3 }
    try await passATurn()
    #expect(log.take() == [])
    try realm.write { walk.stops[1].name = "Pub" }
    #expect(try await eventually { log.all.count == 2 })
    #expect(log.take() == ["value", "-[] +[] ~[1]"])
  }

  @Test func commitsOfOthersArePublished() async throws {
    let cancellable = realm.objects(Walk.self).changesetPublisher.sink { log.note($0) }
    #expect(try await eventually { log.all == ["initial"] })
    try directory.commitElsewhere { $0.create(Walk.self) }
    #expect(try await eventually { log.all.count == 2 })
    #expect(log.take() == ["initial", "-[] +[1] ~[]"])
    cancellable.cancel()
  }

  @Test func aListThatIsGoneIsPublishedOnceMore() async throws {
    var cancellables: Set<AnyCancellable> = []
    walk.stops.collectionPublisher.assertNoFailure().sink { log.add("\($0.isInvalidated)") }.store(in: &cancellables)
    walk.stops.changesetPublisher.sink { log.note($0) }.store(in: &cancellables)
    #expect(try await eventually { log.all == ["false", "initial"] })
    try realm.write { realm.delete(walk) }
    #expect(try await eventually { log.all.count == 4 })
    #expect(log.take() == ["false", "initial", "true", "-[0, 1] +[] ~[]"])
  }

  // MARK: That something will change

  @Test func whateverCanBeObservedSaysThatItChanges() async throws {
    let sections = realm.objects(Stop.self).sectioned(by: { $0.name }, sortDescriptors: ["name"])
    let publishers: [(String, AnyPublisher<Void, Never>)] = [
      ("results", realm.objects(Stop.self).objectWillChange.eraseToAnyPublisher()),
      ("list", walk.stops.objectWillChange.eraseToAnyPublisher()),
      ("set", walk.tags.objectWillChange.eraseToAnyPublisher()),
      ("map", walk.ratings.objectWillChange.eraseToAnyPublisher()),
      ("links", walk.stops[0].walks.objectWillChange.eraseToAnyPublisher()),
      ("any", AnyRealmCollection(walk.stops).objectWillChange.eraseToAnyPublisher()),
      ("sections", sections.objectWillChange.eraseToAnyPublisher()),
      ("section", sections[0].objectWillChange.eraseToAnyPublisher()),
    ]
    let cancellables = publishers.map { name, publisher in publisher.sink { [log] in log.add(name) } }
    // As in the original, observing a collection begins with a report.
    #expect(try await eventually { log.all.count == publishers.count })
    #expect(log.take() == publishers.map(\.0))
    try realm.write {
      walk.stops[0].minutes += 1
      walk.tags.insert("long")
      walk.ratings["Bob"] = 5
      walk.title = "Mountain"
    }
    #expect(try await eventually { log.all.count == publishers.count })
    #expect(log.take() == publishers.map(\.0))
    for cancellable in cancellables { cancellable.cancel() }
    try realm.write { walk.stops[0].minutes += 1 }
    try await passATurn()
    #expect(log.take() == [])
  }

  @Test func modelsAndCollectionsAreObservableObjects() {
    func isObservable(_ object: some ObservableObject) -> Bool { true }
    #expect(isObservable(walk) && isObservable(walk.stops) && isObservable(walk.tags) && isObservable(walk.ratings))
    #expect(isObservable(WalkSummary(projecting: walk)) && isObservable(Place()))
  }
}
