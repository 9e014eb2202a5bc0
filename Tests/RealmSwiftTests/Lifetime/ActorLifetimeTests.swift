import Foundation
import RealmStorage
import TestSupport
import Testing

@testable import RealmSwift

/// An actor that keeps what is of its realm.
private actor Keeper {
  private var realm: Realm!
  private var token: NotificationToken?
  private var results: Results<Todo>?

  init(_ configuration: Realm.Configuration) async throws { realm = try await Realm(configuration: configuration, actor: self) }

  func add() throws { try realm.write { realm.add(Todo()) } }
  func addLater() async throws { try await realm.asyncWrite { realm.add(Todo()) } }
  func keepEverything() {
    results = realm.objects(Todo.self)
    token = realm.observe { _, _ in }
  }
  /// Returns before anything is written.
  func ask(_ done: @escaping @Sendable () -> Void) {
    realm.writeAsync {
      self.realm.add(Todo())
    } onComplete: { _ in
      done()
    }
  }
  /// The same; nothing that is handed over knows the actor.
  func askWithoutItself(_ done: @escaping @Sendable () -> Void) {
    let realm = realm!
    realm.writeAsync {
      realm.add(Todo())
    } onComplete: { _ in
      done()
    }
  }
  var count: Int { realm.objects(Todo.self).count }
}

/// An actor that uses its realm when it ends.
private actor Finisher {
  private var realm: Realm!
  init(_ configuration: Realm.Configuration) async throws { realm = try await Realm(configuration: configuration, actor: self) }
  var count: Int { realm.objects(Todo.self).count }
  isolated deinit {
    try! realm.write { realm.add(Todo()) }
    realm.invalidate()
  }
}

@Suite(.mustEnd) struct ActorLifetimeTests {
  let directory = TestDirectory()
  private var configuration: Realm.Configuration { directory.configuration([Todo.self]) }

  /// The task of an actor's last call may let go of it a moment later.
  private func isDeleted() async throws -> Bool {
    try await eventually { (try? Realm.deleteFiles(for: configuration)) == true }
  }

  @Test func anActorThatKeepsItsRealmGoes() async throws {
    weak var gone: Keeper?
    do {
      let keeper = try await Keeper(configuration)
      try await keeper.add()
      try await keeper.addLater()
      #expect(await keeper.count == 2)
      gone = keeper
    }
    #expect(try await eventually { gone == nil })
    #expect(try await isDeleted())
  }

  @Test func anActorThatKeepsResultsAndTokensGoes() async throws {
    weak var gone: Keeper?
    do {
      let keeper = try await Keeper(configuration)
      await keeper.keepEverything()
      try await keeper.add()
      gone = keeper
    }
    #expect(try await eventually { gone == nil })
    #expect(try await isDeleted())
  }

  @Test func anActorOfARealmThatGivesUpItsVersionGoes() async throws {
    var configuration = configuration
    configuration.idleVersionLimit = .seconds(600)
    weak var gone: Keeper?
    do {
      let keeper = try await Keeper(configuration)
      #expect(await keeper.count == 0)
      gone = keeper
    }
    #expect(try await eventually { gone == nil })
    #expect(try await isDeleted())
  }

  @Test func compactionIsAskedForAgainByTheNextActor() async throws {
    let calls = Calls()
    var configuration = configuration
    configuration.shouldCompactOnLaunch = { _, _ in
      calls.count.withLock { $0 += 1 }
      return false
    }
    for _ in 0..<3 {
      do {
        let keeper = try await Keeper(configuration)
        try await keeper.add()
      }
      let path = directory.fileURL().path
      #expect(try await eventually { !OpenFiles.isOpen(path) })
    }
    #expect(calls.count.withLock { $0 } == 3)
  }

  @Test func aWriteThatWasAskedForKeepsTheActor() async throws {
    let first = directory.configuration([Todo.self])
    await withCheckedContinuation { continuation in
      Task {
        let keeper = try await Keeper(first)
        await keeper.ask { continuation.resume() }
      }
    }
    await withCheckedContinuation { continuation in
      Task {
        let keeper = try await Keeper(first)
        await keeper.askWithoutItself { continuation.resume() }
      }
    }
    let keeper = try await Keeper(first)
    #expect(await keeper.count == 2)
  }

  @Test func anActorMayUseItsRealmWhenItEnds() async throws {
    do {
      let finisher = try await Finisher(configuration)
      #expect(await finisher.count == 0)
    }
    let path = directory.fileURL().path
    #expect(try await eventually { !OpenFiles.isOpen(path) })
    let keeper = try await Keeper(configuration)
    #expect(await keeper.count == 1)
  }

  /// Actors that come and go take each other's place in memory.
  @Test func anActorInThePlaceOfAnotherHasARealmOfItsOwn() async throws {
    let survivor = Survivor()
    for _ in 0..<50 {
      let keeper = try await Keeper(configuration)
      try await keeper.add()
      await survivor.see(keeper)
    }
    let keeper = try await Keeper(configuration)
    #expect(await keeper.count == 50)
  }
}

private final class Calls: Sendable { let count = Locked(0) }
private actor Survivor {
  private var seen = 0
  func see(_ keeper: Keeper) { seen += 1 }
}
