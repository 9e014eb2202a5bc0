import OpenCombine
import RealmOpenCombine
import RealmSwift
import TestSupport
import Testing

/// Subscribers that ask for a limited number of changes.
@Suite(.mustEnd) @MainActor struct DemandTests {
  let directory = TestDirectory()
  private let log = Log()

  /// Takes what it has asked for, and nothing more.
  private final class Careful<Input>: Subscriber {
    typealias Failure = Never
    var subscription: (any Subscription)?
    /// What it asks for with each value that it is sent.
    var further = Subscribers.Demand.none
    private let note: (Input) -> Void

    init(_ note: @escaping (Input) -> Void) { self.note = note }

    func receive(subscription: any Subscription) { self.subscription = subscription }
    func receive(_ input: Input) -> Subscribers.Demand {
      note(input)
      return further
    }
    func receive(completion: Subscribers.Completion<Never>) {}
  }

  private func commitAndPassATurn(_ realm: Realm, _ change: () -> Void) async throws {
    let last = Log()
    try realm.write(change)
    let token = realm.objects(Stop.self).observe { _ in last.add("told") }
    #expect(try await eventually { !last.all.isEmpty })
    token.invalidate()
  }

  @Test func whateverHappensUntilMoreIsAskedForIsOneChange() async throws {
    let realm = try await Realm(configuration: directory.configuration)
    let subscriber = Careful<RealmCollectionChange<Results<Walk>>> { [log] in log.note($0) }
    realm.objects(Walk.self).changesetPublisher.subscribe(subscriber)
    try await commitAndPassATurn(realm) { realm.create(Walk.self) }
    #expect(log.take() == [], "nobody has asked for anything")
    subscriber.subscription?.request(.max(1))
    #expect(try await eventually { log.all == ["initial"] })
    try await commitAndPassATurn(realm) { realm.create(Walk.self) }
    try await commitAndPassATurn(realm) { realm.create(Walk.self) }
    try await commitAndPassATurn(realm) { realm.delete(realm.objects(Walk.self)[0]) }
    #expect(log.take() == ["initial"])
    subscriber.subscription?.request(.max(2))
    #expect(try await eventually { log.all.count == 1 })
    #expect(log.take() == ["-[0] +[0, 1] ~[]"])
    try await commitAndPassATurn(realm) { realm.create(Walk.self) }
    #expect(log.take() == ["-[] +[2] ~[]"])
    subscriber.subscription?.cancel()
  }

  @Test func aSubscriberThatAsksForOneMoreEachTimeGetsAll() async throws {
    let realm = try await Realm(configuration: directory.configuration)
    let subscriber = Careful<RealmCollectionChange<Results<Walk>>> { [log] in log.note($0) }
    subscriber.further = .max(1)
    realm.objects(Walk.self).changesetPublisher.subscribe(subscriber)
    subscriber.subscription?.request(.max(1))
    #expect(try await eventually { log.all == ["initial"] })
    for number in 0..<3 {
      try await commitAndPassATurn(realm) { realm.create(Walk.self) }
      #expect(try await eventually { log.all.count == number + 2 })
    }
    #expect(log.take() == ["initial", "-[] +[0] ~[]", "-[] +[1] ~[]", "-[] +[2] ~[]"])
    subscriber.subscription?.cancel()
  }

  @Test func moreMayBeAskedForOnAnotherThread() async throws {
    let realm = try await Realm(configuration: directory.configuration)
    let subscriber = Careful<RealmCollectionChange<Results<Walk>>> { [log] in log.note($0) }
    realm.objects(Walk.self).changesetPublisher.subscribe(subscriber)
    let subscription = Handed(subscriber.subscription)
    try otherThread { subscription.value?.request(.unlimited) }
    #expect(try await eventually { log.all == ["initial"] })
    try otherThread { subscription.value?.cancel() }
    try await commitAndPassATurn(realm) { realm.create(Walk.self) }
    #expect(log.take() == ["initial"])
  }

  @Test func whatWasHeldBackIsToldWithoutAutorefreshToo() async throws {
    let realm = try await Realm(configuration: directory.configuration)
    realm.autorefresh = false
    let subscriber = Careful<RealmCollectionChange<Results<Walk>>> { [log] in log.note($0) }
    realm.objects(Walk.self).changesetPublisher.subscribe(subscriber)
    subscriber.subscription?.request(.max(1))
    #expect(try await eventually { log.all == ["initial"] })
    try directory.commitElsewhere { $0.create(Walk.self) }
    realm.refresh()
    #expect(log.take() == ["initial"])
    subscriber.subscription?.request(.unlimited)
    #expect(try await eventually { log.all == ["-[] +[0] ~[]"] })
    subscriber.subscription?.cancel()
  }

  @Test func whatIsWrittenWithoutNotifyingIsNotLostForWhoIsBehind() async throws {
    let realm = try await Realm(configuration: directory.configuration)
    let owner = TokenOwner()
    let subscriber = Careful<RealmCollectionChange<Results<Walk>>> { [log] in log.note($0) }
    realm.objects(Walk.self).changesetPublisher.saveToken(on: owner, at: \.token).subscribe(subscriber)
    subscriber.subscription?.request(.max(1))
    #expect(try await eventually { log.all == ["initial"] })
    try await commitAndPassATurn(realm) { realm.create(Walk.self) }
    try realm.write(withoutNotifying: [try #require(owner.token)]) { realm.create(Walk.self) }
    subscriber.subscription?.request(.unlimited)
    #expect(try await eventually { log.all == ["initial", "-[] +[0, 1] ~[]"] })
    subscriber.subscription?.cancel()
  }

  @Test func aRealmSaysNothingToWhoHasNotAsked() throws {
    let realm = try Realm(configuration: directory.configuration)
    let subscriber = Careful<Void> { [log] in log.add("realm") }
    realm.objectWillChange.subscribe(subscriber)
    try realm.write { realm.create(Walk.self) }
    #expect(log.all == [])
    subscriber.subscription?.request(.max(1))
    for _ in 0..<2 { try realm.write { realm.create(Walk.self) } }
    #expect(log.all == ["realm"])
    subscriber.subscription?.cancel()
  }
}
