import Dispatch
import OpenCombine
import OpenCombineDispatch
import RealmOpenCombine
import RealmSwift
import TestSupport
import Testing

/// Publishers whose values go to other queues.
@Suite(.mustEnd) @MainActor struct HandoverTests {
  let directory = TestDirectory()
  private let log = Log()
  private let queue = DispatchQueue(label: "publishing")
  private let realm: Realm
  private let walk: Walk

  init() throws {
    let realm = try Realm(configuration: directory.configuration)
    walk = try realm.write {
      realm.create(Walk.self, value: ["title": "Hill", "stops": [["name": "Inn"]], "tags": ["steep"], "ratings": ["Ann": 3]])
    }
    self.realm = realm
  }

  private func change() throws {
    try realm.write {
      walk.title += "!"
      walk.stops.append(Stop(value: ["name": "Inn"]))
      walk.ratings["Bob"] = 5
    }
  }

  /// Commits a change once the first reports are there, and tells what was sent.
  private func sent<P: Publisher>(_ publisher: P, reportsBefore: Int = 1, _ note: @escaping @Sendable (P.Output, Log) -> Void) async throws
    -> [String]
  where P.Failure == Never {
    let cancellable = publisher.sink { @Sendable [log, queue] value in
      dispatchPrecondition(condition: .onQueue(queue))
      note(value, log)
    }
    queue.sync {}
    #expect(try await eventually { log.all.count == reportsBefore })
    try change()
    #expect(try await eventually { log.all.count == reportsBefore + 1 })
    cancellable.cancel()
    queue.sync {}
    return log.take()
  }

  // MARK: subscribe(on:)

  @Test func whatIsObservedOnAQueueIsPublishedThere() async throws {
    let sections = realm.objects(Stop.self).sectioned(by: { $0.name }, sortDescriptors: ["name"])
    #expect(try await sent(walk.stops.collectionPublisher.subscribe(on: queue).assertNoFailure()) { $1.add("\($0.count)") } == ["1", "2"])
    #expect(try await sent(walk.stops.changesetPublisher.subscribe(on: queue)) { $1.note($0) } == ["initial", "-[] +[2] ~[]"])
    #expect(try await sent(walk.ratings.changesetPublisher.subscribe(on: queue)) { $1.note($0) } == ["initial", #"-[] +[] ~["Bob"]"#])
    #expect(try await sent(sections.changesetPublisher.subscribe(on: queue)) { $1.note($0) } == ["initial", "-[] +[[0, 4]] ~[] +s[] -s[]"])
    #expect(try await sent(sections[0].changesetPublisher.subscribe(on: queue)) { $1.note($0) } == ["initial", "-[] +[[0, 5]] ~[] +s[] -s[]"])
    #expect(try await sent(valuePublisher(walk).subscribe(on: queue).assertNoFailure(), reportsBefore: 0) { $1.add($0.title) } == ["Hill!!!!!!"])
    let own = try await sent(changesetPublisher(walk, keyPaths: ["title"]).subscribe(on: queue), reportsBefore: 0) { $1.note($0) }
    #expect(own == ["title: Hill!!!!!!!"])
    let summary = try #require(realm.objects(WalkSummary.self).first)
    let projections = valuePublisher(summary).subscribe(on: queue).assertNoFailure()
    #expect(try await sent(projections, reportsBefore: 0) { $1.add($0.title) } == ["Hill!!!!!!!!"])
    let shown = try await sent(changesetPublisher(summary).subscribe(on: queue), reportsBefore: 0) { $1.note($0) }
    #expect(shown == ["title: Hill!!!!!!!!!"])
  }

  @Test func aSavedTokenGoesToAQueueToo() async throws {
    let owner = TokenOwner()
    let publisher = walk.stops.changesetPublisher.saveToken(on: owner, at: \.token).subscribe(on: queue)
    #expect(try await sent(publisher) { $1.note($0) } == ["initial", "-[] +[1] ~[]"])
    #expect(owner.token != nil)
    let values = walk.stops.collectionPublisher.saveToken(on: owner, at: \.token).subscribe(on: queue).assertNoFailure()
    #expect(try await sent(values) { $1.add("\($0.count)") } == ["2", "3"])
    let object = changesetPublisher(walk, keyPaths: ["title"]).saveToken(on: owner, at: \.token).subscribe(on: queue)
    #expect(try await sent(object, reportsBefore: 0) { $1.note($0) } == ["title: Hill!!!"])
  }

  @Test func thePublisherOfAnObjectOnAQueueFinishesThere() async throws {
    let cancellable = valuePublisher(walk).subscribe(on: queue).sink(
      receiveCompletion: { @Sendable [log, queue] in
        dispatchPrecondition(condition: .onQueue(queue))
        log.end($0)
      }, receiveValue: { @Sendable [log] in log.add($0.title) })
    queue.sync {}
    try realm.write { realm.delete(walk) }
    #expect(try await eventually { log.all == ["finished"] })
    cancellable.cancel()
  }

  @Test func cancelledBeforeItsTurnAQueueIsSentNothing() throws {
    queue.suspend()
    let cancellable = walk.stops.changesetPublisher.subscribe(on: queue).sink { @Sendable [log] in log.note($0) }
    cancellable.cancel()
    queue.resume()
    for _ in 0..<2 { queue.sync {} }
    #expect(log.all == [])
  }

  // MARK: receive(on:)

  @Test func valuesAreHandedOverToAQueue() async throws {
    let sections = realm.objects(Stop.self).sectioned(by: { $0.name }, sortDescriptors: ["name"])
    #expect(try await sent(walk.stops.collectionPublisher.receive(on: queue).assertNoFailure()) { $1.add("\($0.count)") } == ["1", "2"])
    #expect(try await sent(walk.stops.changesetPublisher.receive(on: queue)) { $1.note($0) } == ["initial", "-[] +[2] ~[]"])
    #expect(try await sent(walk.ratings.changesetPublisher.receive(on: queue)) { $1.note($0) } == ["initial", #"-[] +[] ~["Bob"]"#])
    #expect(try await sent(sections.changesetPublisher.receive(on: queue)) { $1.note($0) } == ["initial", "-[] +[[0, 4]] ~[] +s[] -s[]"])
    #expect(try await sent(sections[0].changesetPublisher.receive(on: queue)) { $1.note($0) } == ["initial", "-[] +[[0, 5]] ~[] +s[] -s[]"])
    #expect(try await sent(valuePublisher(walk).receive(on: queue).assertNoFailure(), reportsBefore: 0) { $1.add($0.title) } == ["Hill!!!!!!"])
    let own = try await sent(changesetPublisher(walk, keyPaths: ["title"]).receive(on: queue), reportsBefore: 0) { $1.note($0) }
    #expect(own == ["title: Hill!!!!!!!"])
  }

  @Test func theSchedulerOfAQueueIsAsGoodAsTheQueue() async throws {
    let publisher = walk.stops.changesetPublisher.subscribe(on: queue.ocombine).threadSafeReference().receive(on: queue.ocombine)
    #expect(try await sent(publisher) { $1.note($0) } == ["initial", "-[] +[1] ~[]"])
  }

  @Test func whatAQueueIsHandedBelongsToIt() async throws {
    let cancellable = walk.stops.changesetPublisher.receive(on: queue).sink { @Sendable [log] change in
      guard case .update(let stops, _, let insertions, _) = change else { return log.add("initial") }
      log.add(insertions.map { stops[$0].name }.joined())
    }
    #expect(try await eventually { log.all == ["initial"] })
    try directory.commitElsewhere { $0.objects(Walk.self)[0].stops.append(Stop(value: ["name": "Zoo"])) }
    #expect(try await eventually { log.all.count == 2 })
    #expect(log.take() == ["initial", "Zoo"])
    cancellable.cancel()
  }

  @Test func referencesAreCarriedThroughOtherOperators() async throws {
    let sections = realm.objects(Stop.self).sectioned(by: { $0.name }, sortDescriptors: ["name"])
    let values = walk.stops.collectionPublisher.filter { _ in true }.threadSafeReference().receive(on: queue).assertNoFailure()
    #expect(try await sent(values) { $1.add("\($0.count)") } == ["1", "2"])
    let changes = walk.stops.changesetPublisher.filter { _ in true }.threadSafeReference().receive(on: queue)
    #expect(try await sent(changes) { $1.note($0) } == ["initial", "-[] +[2] ~[]"])
    let entries = walk.ratings.changesetPublisher.filter { _ in true }.threadSafeReference().receive(on: queue)
    #expect(try await sent(entries) { $1.note($0) } == ["initial", #"-[] +[] ~["Bob"]"#])
    let parts = sections.changesetPublisher.filter { _ in true }.threadSafeReference().receive(on: queue)
    #expect(try await sent(parts) { $1.note($0) } == ["initial", "-[] +[[0, 4]] ~[] +s[] -s[]"])
    let object = changesetPublisher(walk, keyPaths: ["title"]).filter { _ in true }.threadSafeReference().receive(on: queue)
    #expect(try await sent(object, reportsBefore: 0) { $1.note($0) } == ["title: Hill!!!!!"])
    let projection = changesetPublisher(WalkSummary(projecting: walk)).filter { _ in true }.threadSafeReference().receive(on: queue)
    #expect(try await sent(projection, reportsBefore: 0) { $1.note($0) } == ["title: Hill!!!!!!"])
  }

  @Test func withoutAReceiverAReferenceChangesNothing() async throws {
    var cancellables: Set<AnyCancellable> = []
    walk.stops.collectionPublisher.threadSafeReference().assertNoFailure().sink { log.add("\($0.count)") }.store(in: &cancellables)
    walk.stops.changesetPublisher.threadSafeReference().sink { log.note($0) }.store(in: &cancellables)
    #expect(try await eventually { log.all == ["1", "initial"] })
  }

  @Test func whatIsGoneOnArrivalIsLeftOut() async throws {
    let other = Handed<Realm>()
    let configuration = directory.configuration
    try queue.sync { other.value = try Realm(configuration: configuration, queue: queue) }
    queue.suspend()
    queue.async { other.value?.refresh() }
    let values = valuePublisher(walk).map { [log] walk in
      log.add("sent")
      return walk
    }
    let cancellable = values.threadSafeReference().receive(on: queue).sink(
      receiveCompletion: { @Sendable [log] in log.end($0) }, receiveValue: { @Sendable [log] in log.add($0.title) })
    try realm.write { walk.title = "Mountain" }
    #expect(try await eventually { log.all == ["sent"] })
    try realm.write { realm.delete(walk) }
    queue.resume()
    #expect(try await eventually { log.all.count == 2 })
    #expect(log.take() == ["sent", "finished"])
    cancellable.cancel()
    queue.sync { other.value = nil }
  }

  // MARK: Frozen

  @Test func frozenValuesMayGoAnywhere() async throws {
    let sections = realm.objects(Stop.self).sectioned(by: { $0.name }, sortDescriptors: ["name"])
    #expect(
      try await sent(walk.stops.collectionPublisher.freeze().receive(on: queue).assertNoFailure()) { $1.add("\($0.count) \($0.isFrozen)") }
        == ["1 true", "2 true"])
    #expect(
      try await sent(walk.stops.changesetPublisher.freeze().receive(on: queue)) { change, log in
        if case .initial(let stops) = change { log.add("\(stops.isFrozen)") } else { log.note(change) }
      } == ["true", "-[] +[2] ~[]"])
    #expect(
      try await sent(walk.ratings.changesetPublisher.freeze().receive(on: queue)) { change, log in
        if case .initial(let ratings) = change { log.add("\(ratings.isFrozen)") } else { log.note(change) }
      } == ["true", #"-[] +[] ~["Bob"]"#])
    #expect(
      try await sent(sections.changesetPublisher.freeze().receive(on: queue)) { change, log in
        if case .initial(let sections) = change { log.add("\(sections.isFrozen)") } else { log.note(change) }
      } == ["true", "-[] +[[0, 4]] ~[] +s[] -s[]"])
    let own = try await sent(changesetPublisher(walk).freeze().receive(on: queue), reportsBefore: 0) { change, log in
      if case .change(let walk, _) = change { log.add("\(walk.title) \(walk.isFrozen)") }
    }
    #expect(own == ["Hill!!!!! true"])
    let projected = try await sent(changesetPublisher(WalkSummary(projecting: walk)).freeze().receive(on: queue), reportsBefore: 0) { change, log in
      if case .change(let walk, _) = change { log.add("\(walk.title) \(walk.isFrozen)") }
    }
    #expect(projected == ["Hill!!!!!! true"])
  }

  @Test func frozenValuesNeedNoReference() async throws {
    let values = walk.stops.collectionPublisher.freeze().threadSafeReference().receive(on: queue).assertNoFailure()
    #expect(try await sent(values) { $1.add("\($0.count) \($0.isFrozen)") } == ["1 true", "2 true"])
    let changes = walk.stops.changesetPublisher.freeze().threadSafeReference().receive(on: queue)
    #expect(try await sent(changes) { $1.note($0) } == ["initial", "-[] +[2] ~[]"])
  }
}
