import OpenCombine
import RealmOpenCombine
import RealmSwift
import TestSupport
import Testing

/// What publishers of objects, projections and realms send to somebody in the same confinement.
@Suite(.mustEnd) @MainActor struct ObjectPublisherTests {
  let directory = TestDirectory()
  private let log = Log()
  private let realm: Realm
  private let walk: Walk

  init() throws {
    let realm = try Realm(configuration: directory.configuration)
    walk = try realm.write { realm.create(Walk.self, value: ["title": "Hill", "stops": [["name": "Inn"]], "start": ["street": "High Street"]]) }
    self.realm = realm
  }

  @Test func anObjectIsPublishedWhenItWasChangedAndFinishedWhenItIsDeleted() async throws {
    let cancellable = valuePublisher(walk).sink(receiveCompletion: { log.end($0) }, receiveValue: { log.add($0.title) })
    try realm.write { walk.title = "Mountain" }
    #expect(try await eventually { log.all == ["Mountain"] })
    try realm.write { realm.delete(walk) }
    #expect(try await eventually { log.all == ["Mountain", "finished"] })
    cancellable.cancel()
  }

  @Test func changesOfAnObjectArePublishedAndFinishedWhenItIsDeleted() async throws {
    let cancellable = changesetPublisher(walk).sink(receiveCompletion: { log.end($0) }, receiveValue: { log.note($0) })
    try realm.write {
      walk.title = "Mountain"
      walk.kilometres = 12
    }
    #expect(try await eventually { log.all == ["title: Mountain, kilometres: 12"] })
    try realm.write { realm.delete(walk) }
    #expect(try await eventually { log.all.count == 2 })
    #expect(log.take().last == "finished")
    cancellable.cancel()
  }

  @Test func onlyTheKeyPathsThatAreNamedCount() async throws {
    var cancellables: Set<AnyCancellable> = []
    valuePublisher(walk, keyPaths: ["stops.name"]).assertNoFailure().sink { log.add($0.title) }.store(in: &cancellables)
    changesetPublisher(walk, keyPaths: ["title"]).sink { log.note($0) }.store(in: &cancellables)
    try realm.write { walk.kilometres = 1 }
    try realm.write { walk.title = "Mountain" }
    #expect(try await eventually { !log.all.isEmpty })
    #expect(log.take() == ["title: Mountain"])
    try realm.write { walk.stops[0].name = "Pub" }
    #expect(try await eventually { !log.all.isEmpty })
    #expect(log.take() == ["Mountain"])
  }

  @Test func cancelledNothingIsSentAnyMore() async throws {
    let cancellable = changesetPublisher(walk).sink { log.note($0) }
    let other = changesetPublisher(walk).sink { _ in log.add("other") }
    cancellable.cancel()
    try realm.write { walk.kilometres = 1 }
    #expect(try await eventually { !log.all.isEmpty })
    #expect(log.take() == ["other"])
    other.cancel()
  }

  @Test func aSubscriberMayCancelWhileItIsSentSomething() async throws {
    var cancellable: AnyCancellable?
    cancellable = valuePublisher(walk).assertNoFailure().sink { [log] in
      log.add($0.title)
      cancellable?.cancel()
    }
    let other = valuePublisher(walk).assertNoFailure().sink { [log] _ in log.add("other") }
    for title in ["A", "B"] { try realm.write { walk.title = title } }
    #expect(try await eventually { log.all.last == "other" && log.all.first == "A" || log.all.first == "B" })
    try realm.write { walk.title = "C" }
    #expect(try await eventually { log.all.count >= 3 })
    #expect(log.take().count { $0 != "other" } == 1)
    other.cancel()
    withExtendedLifetime(cancellable) {}
  }

  @Test func projectionsArePublished() async throws {
    let summary = WalkSummary(projecting: walk)
    var cancellables: Set<AnyCancellable> = []
    valuePublisher(summary).sink(receiveCompletion: { log.end($0) }, receiveValue: { log.add($0.title) }).store(in: &cancellables)
    changesetPublisher(summary).sink(receiveCompletion: { log.end($0) }, receiveValue: { log.note($0) }).store(in: &cancellables)
    summary.objectWillChange.sink { log.add("will change") }.store(in: &cancellables)
    try realm.write { walk.title = "Mountain" }
    #expect(try await eventually { log.all.count == 3 })
    #expect(log.take() == ["Mountain", "title: Mountain", "will change"])
    try realm.write { realm.delete(walk) }
    #expect(try await eventually { log.all.count == 3 })
    #expect(log.take() == ["finished", "finished", "will change"])
  }

  @Test func objectsSayThatTheyChange() async throws {
    var cancellables: Set<AnyCancellable> = []
    walk.objectWillChange.sink { log.add("walk") }.store(in: &cancellables)
    walk.start?.objectWillChange.sink { log.add("start") }.store(in: &cancellables)
    try realm.write {
      walk.title = "Mountain"
      walk.start?.street = "Low Street"
    }
    #expect(try await eventually { log.all.count == 2 })
    #expect(log.take() == ["walk", "start"])
    try realm.write { realm.delete(walk) }
    #expect(try await eventually { log.all.count == 2 })
    #expect(log.take() == ["walk", "start"])
  }

  @Test func aRealmSaysThatItChanges() async throws {
    let cancellable = realm.objectWillChange.sink { log.add("realm") }
    try realm.write { walk.title = "Mountain" }
    #expect(log.take() == ["realm"], "the realm's own commits are said at once")
    try directory.commitElsewhere { $0.create(Walk.self) }
    #expect(try await eventually { log.all == ["realm"] })
    cancellable.cancel()
    try realm.write { walk.title = "Hill" }
    #expect(log.all == ["realm"])
  }
}
