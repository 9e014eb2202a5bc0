import Dispatch
import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Observing on queues, actors and threads other than that of the thing that is observed.
@Suite(.mustEnd) struct HandedObservationTests {
  let directory = TestDirectory()
  private let log = ReportLog()
  private var configuration: Realm.Configuration { directory.configuration() }

  @MainActor private func open() throws -> Realm { try Realm(configuration: configuration) }

  // MARK: Queues

  @MainActor @Test func aQueueIsToldAtItsTurns() async throws {
    let realm = try open()
    let queue = DispatchQueue(label: "observing")
    let token = realm.objects(Dog.self).observe(on: queue) { change in
      dispatchPrecondition(condition: .onQueue(queue))
      log.note(change)
    }
    #expect(try await eventually { log.all == ["initial"] })
    try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
    #expect(try await eventually { log.all.count == 2 })
    #expect(log.take() == ["initial", "-[] +[0] ~[]"])
    token.invalidate()
    try realm.write { realm.add(Dog(value: ["name": "Bella"])) }
    queue.sync {}
    #expect(log.take() == [])
  }

  @MainActor @Test func aQueueGetsCopiesOfItsOwn() async throws {
    let realm = try open()
    let dog = try realm.write { realm.create(Dog.self, value: ["name": "Rex"]) }
    let queue = DispatchQueue(label: "observing")
    let token = dog.observe(on: queue) { (change: ObjectChange<Dog>) in
      log.note(change)
      if case .change(let copy, _) = change { log.add("\(copy.name) \(copy.age)") }
    }
    // The observation begins at a turn of the queue.
    queue.sync {}
    try realm.write { dog.age = 2 }
    #expect(try await eventually { log.all.count == 2 })
    #expect(log.take() == ["age: 0 -> 2", "Rex 2"])
    try realm.write { realm.delete(dog) }
    #expect(try await eventually { log.all.count == 1 })
    #expect(log.take() == ["deleted"])
    token.invalidate()
  }

  @MainActor @Test func invalidatedBeforeItsTurnAQueueIsNotTold() throws {
    let realm = try open()
    let queue = DispatchQueue(label: "observing")
    queue.suspend()
    let token = realm.objects(Dog.self).observe(on: queue) { log.note($0) }
    token.invalidate()
    queue.resume()
    queue.sync {}
    queue.sync {}
    #expect(log.take() == [])
  }

  @MainActor @Test func aQueueIsNotToldOfWhatIsGoneBeforeItsTurn() throws {
    let realm = try open()
    let dog = try realm.write { realm.create(Dog.self, value: ["name": "Rex"]) }
    let queue = DispatchQueue(label: "observing")
    // SAFETY: used on the queue only.
    nonisolated(unsafe) let other = try queue.sync { try Realm(configuration: configuration, queue: queue) }
    queue.suspend()
    queue.async { other.refresh() }
    let token = dog.observe(on: queue) { (change: ObjectChange<Dog>) in log.note(change) }
    try realm.write { realm.delete(dog) }
    queue.resume()
    queue.sync {}
    queue.sync {}
    #expect(log.take() == [])
    token.invalidate()
  }

  @MainActor @Test func aQueueThatReadsNothingBeginsWithTheVersionOfTheObject() async throws {
    let realm = try open()
    let dog = try realm.write { realm.create(Dog.self, value: ["name": "Rex"]) }
    let queue = DispatchQueue(label: "observing")
    queue.suspend()
    let token = dog.observe(on: queue) { (change: ObjectChange<Dog>) in log.note(change) }
    try realm.write { realm.delete(dog) }
    queue.resume()
    #expect(try await eventually { log.all == ["deleted"] })
    token.invalidate()
  }

  // MARK: Actors

  private actor Observer {
    var token: NotificationToken?
    func hold(_ token: NotificationToken) { self.token = token }
  }

  @MainActor @Test func anActorIsToldOnItself() async throws {
    let realm = try open()
    let actor = Observer()
    let log = log
    let token = await realm.objects(Dog.self).observe(on: actor) { actor, change in
      actor.assertIsolated()
      log.note(change)
    }
    // The first call comes at a turn of the actor: what is written before that is part of it.
    #expect(try await eventually { log.all.count == 1 })
    try await realm.asyncWrite { realm.add(Dog(value: ["name": "Rex"])) }
    #expect(try await eventually { log.all.count == 2 })
    #expect(log.take() == ["initial", "-[] +[0] ~[]"])
    token.invalidate()
    try await realm.asyncWrite { realm.add(Dog(value: ["name": "Bella"])) }
    try await Task.sleep(for: .milliseconds(20))
    #expect(log.take() == [])
  }

  @MainActor @Test func afterObservingOnAnActorHasBegunNothingIsMissed() async throws {
    let realm = try open()
    let dog = try realm.write { realm.create(Dog.self, value: ["name": "Rex"]) }
    let actor = Observer()
    let log = log
    for age in 1...5 {
      let token = await dog.observe(on: actor) { (_, change: ObjectChange<Dog>) in log.note(change) }
      try realm.write { dog.age = age }
      #expect(try await eventually { !log.all.isEmpty })
      #expect(log.take() == ["age: \(age - 1) -> \(age)"])
      token.invalidate()
    }
  }

  @MainActor @Test func aCancelledTaskObservesNothing() async throws {
    let realm = try open()
    let actor = Observer()
    let log = log
    let token = await Task { @MainActor in
      withUnsafeCurrentTask { $0?.cancel() }
      return await realm.objects(Dog.self).observe(on: actor) { _, change in log.note(change) }
    }.value
    try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
    try await Task.sleep(for: .milliseconds(20))
    #expect(log.take() == [])
    token.invalidate()
  }

  // MARK: References

  @MainActor @Test func whatAReferenceBringsIsObserved() async throws {
    let realm = try open()
    let person = try realm.write { realm.create(Person.self, value: ["name": "Ada", "scores": [1]]) }
    let reference = ThreadSafeReference(to: person.scores)
    let queue = DispatchQueue(label: "observing")
    let configuration = configuration
    let token = try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      return try #require(realm.resolve(reference)).observe { log.note($0) }
    }
    #expect(try await eventually { log.all == ["initial"] })
    try realm.write { person.scores.append(2) }
    #expect(try await eventually { log.all.count == 2 })
    #expect(log.take() == ["initial", "-[] +[1] ~[]"])
    token.invalidate()
  }

  @MainActor @Test func whatAThreadSafeWrapperHoldsIsObserved() async throws {
    let realm = try open()
    let dog = try realm.write { realm.create(Dog.self, value: ["name": "Rex"]) }
    @ThreadSafe var shared: Dog? = dog
    let wrapper = _shared
    let queue = DispatchQueue(label: "observing")
    let log = log
    let token = queue.sync { () -> NotificationToken? in
      wrapper.wrappedValue?.observe(on: queue) { (change: ObjectChange<Dog>) in log.note(change) }
    }
    queue.sync {}
    try realm.write { dog.age = 2 }
    #expect(try await eventually { !log.all.isEmpty })
    #expect(log.take() == ["age: 0 -> 2"])
    token?.invalidate()
  }

  // MARK: Run loops

  @Test func aThreadWithARunLoopIsToldInIt() throws {
    let configuration = configuration
    let log = log
    let ready = DispatchSemaphore(value: 0)
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      let timer = Timer(timeInterval: 0, repeats: false) { _ in
        let token = try! Realm(configuration: configuration).objects(Dog.self).observe { log.note($0) }
        Thread.current.threadDictionary["token"] = token
        ready.signal()
      }
      RunLoop.current.add(timer, forMode: .default)
      let end = Date(timeIntervalSinceNow: 30)
      while log.all.count < 2, Date() < end { _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05)) }
      (Thread.current.threadDictionary["token"] as? NotificationToken)?.invalidate()
      ended.signal()
    }
    ready.wait()
    #expect(waitUntil { log.all == ["initial"] })
    try directory.commitElsewhere { $0.add(Dog(value: ["name": "Rex"])) }
    ended.wait()
    #expect(log.take() == ["initial", "-[] +[0] ~[]"])
  }

  // MARK: Migration

  @MainActor @Test func aMigratedRealmIsObserved() throws {
    let url = directory.fileURL()
    try otherThread {
      let old = try Realm(configuration: Realm.Configuration(fileURL: url, objectTypes: [NoteV1.self]))
      try old.write { old.add(NoteV1(value: ["title": "a"])) }
    }
    let configuration = Realm.Configuration(
      fileURL: url, schemaVersion: 1, migrationBlock: { migration, _ in migration.create("Note", value: ["title": "b", "stars": 3]) },
      objectTypes: [NoteV2.self])
    let realm = try Realm(configuration: configuration)
    let token = realm.objects(NoteV2.self).filter("stars > 0").observe { log.note($0) }
    realm.refresh()
    try realm.write { realm.objects(NoteV2.self)[0].stars = 5 }
    realm.refresh()
    #expect(log.take() == ["initial", "-[] +[0] ~[]"])
    token.invalidate()
  }
}
