import Foundation
import RealmStorage
import TestSupport
import Testing

@testable import RealmSwift

private let types: [ObjectBase.Type] = [AggregateLeaf.self, AggregateOwner.self, LoadingHolder.self]

class LoadingHolder: Unlisted {
  @Persisted var numbers: List<Int>
}

extension Realm {
  fileprivate func fill(_ count: Int, team: Int) throws {
    try write {
      for number in 0..<count { create(AggregateLeaf.self, value: ["team": team, "int": number, "flag": number % 2 == 0] as [String: Any]) }
    }
  }
}

private actor LoadingActor {
  let configuration: Realm.Configuration
  init(_ configuration: Realm.Configuration) { self.configuration = configuration }

  /// What is there right after loading, and what a new evaluation says.
  func load() async throws -> (loaded: Int, present: Bool, counted: Int) {
    let realm = try await Realm.open(configuration: configuration)
    let results = try await realm.objects(AggregateLeaf.self).where { $0.flag }.sorted(byKeyPath: "int", ascending: false).load()
    return (results.count, results.base.presentContents != nil, realm.objects(AggregateLeaf.self).where { $0.flag }.count)
  }

  private var realm: Realm?
  private func write() throws { try realm?.fill(3, team: 2) }

  func loadWhileWriting(_ rounds: Int) async throws -> Int {
    let realm = try await Realm.open(configuration: configuration)
    self.realm = realm
    defer { self.realm = nil }
    let results = realm.objects(AggregateLeaf.self).where { $0.flag && $0.int >= 0 }
    var mistakes = 0
    for _ in 0..<rounds {
      // Writes of this actor can come in while `load` is suspended.
      let write = Task { try self.write() }
      try await results.load()
      if results.base.presentContents == nil || results.count != realm.objects(AggregateLeaf.self).filter("flag == true").count { mistakes += 1 }
      try await write.value
    }
    return mistakes
  }
}

@Suite(.mustEnd) struct LoadingTests {
  let directory = TestDirectory()
  private var configuration: Realm.Configuration { directory.configuration(types) }

  @Test @MainActor func theMainActorGetsItsResultsFromElsewhere() async throws {
    let realm = try await Realm(configuration: configuration)
    try realm.fill(1000, team: 1)
    let results = try await realm.objects(AggregateLeaf.self).where { $0.int >= 900 }.load()
    #expect(results.base.presentContents?.count == 100)
    #expect(results.first?.int == 900)
    // Loaded results stay live.
    try realm.fill(910, team: 2)
    #expect(results.base.presentContents == nil)
    #expect(results.count == 110)
    try await results.load()
    #expect(results.base.presentContents?.count == 110)
  }

  @Test func anActorGetsItsResultsFromElsewhere() async throws {
    try Realm.filled(configuration, 1000)
    let outcome = try await LoadingActor(configuration).load()
    #expect(outcome == (500, true, 500))
  }

  @Test func aWriteInBetweenIsSeen() async throws {
    try Realm.filled(configuration, 5000)
    #expect(try await LoadingActor(configuration).loadWhileWriting(20) == 0)
  }

  @Test @MainActor func resultsOfAWriteTransactionAndOfListsAreLoadedToo() async throws {
    let realm = try await Realm(configuration: configuration)
    try realm.fill(10, team: 1)
    realm.beginWrite()
    let owner = realm.create(AggregateOwner.self)
    owner.rows.append(objectsIn: realm.objects(AggregateLeaf.self))
    let inTransaction = try await owner.rows.where { $0.int > 6 }.load()
    #expect(inTransaction.base.presentContents?.count == 3)
    try realm.commitWrite()
    let ofList = try await owner.rows.where { $0.int > 6 }.sorted(byKeyPath: "int", ascending: false).load()
    #expect(ofList.base.presentContents != nil)
    #expect(ofList.map(\.int) == [9, 8, 7])
    let all = try await realm.objects(AggregateLeaf.self).load()
    #expect(all.base.presentContents?.count == 10)
  }

  @Test func frozenResultsAreLoadedOnAnyThread() async throws {
    let configuration = configuration
    try Realm.filled(configuration, 300)
    // `Results` are not `Sendable`, frozen or not: they are made where they are used.
    let count = try await Task.detached {
      let frozen = try Self.frozen(configuration)
      let loaded = try await frozen.load()
      return loaded.base.presentContents?.count
    }.value
    #expect(count == 150)
  }

  private static func frozen(_ configuration: Realm.Configuration) throws -> Results<AggregateLeaf> {
    try Realm(configuration: configuration).objects(AggregateLeaf.self).where { $0.flag }.freeze()
  }

  @Test @MainActor func aCancelledTaskGetsNothing() async throws {
    let realm = try await Realm(configuration: configuration)
    try realm.fill(1000, team: 1)
    let results = realm.objects(AggregateLeaf.self).where { $0.flag }
    let task = Task { @MainActor in
      while !Task.isCancelled { await Task.yield() }
      _ = try await results.load()
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(results.base.presentContents == nil)
    #expect(results.count == 500)
  }

  @Test @MainActor func theEvaluationItselfEndsWhenTheTaskIsCancelled() async throws {
    let realm = try await Realm(configuration: configuration)
    try realm.fill(1000, team: 1)
    for results in [
      realm.objects(AggregateLeaf.self).where { $0.flag }, realm.objects(AggregateLeaf.self).where { $0.flag }.sorted(byKeyPath: "int"),
    ] {
      let evaluation = try #require(try results.base.evaluationElsewhere())
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        return try await evaluation.run().count
      }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test @MainActor func anEvaluationIsGivenUpAtAnyOfItsQuestions() async throws {
    let realm = try await Realm(configuration: configuration)
    try realm.fill(3000, team: 1)
    try realm.write {
      realm.create(AggregateOwner.self).rows.append(objectsIn: realm.objects(AggregateLeaf.self))
      realm.create(LoadingHolder.self).numbers.append(objectsIn: (0..<9000).map { $0 * 7919 % 9000 })
    }
    let leaves = realm.objects(AggregateLeaf.self)
    let rows = try #require(realm.objects(AggregateOwner.self).first).rows
    let numbers = try #require(realm.objects(LoadingHolder.self).first).numbers
    func evaluation(_ core: ResultsCore) throws -> DetachedEvaluation { try #require(try core.evaluationElsewhere()) }
    // Of 3000 objects in twelve clusters, and 9000 numbers.
    for (what, evaluation, least) in try [
      ("all", evaluation(leaves.base), 12), ("filtered", evaluation(leaves.where { $0.flag }.base), 12),
      ("sorted", evaluation(leaves.where { $0.flag }.sorted(byKeyPath: "int").base), 24),
      ("of a list", evaluation(rows.where { $0.int > 6 }.base), 14), ("sorted list", evaluation(rows.sorted(byKeyPath: "int").base), 14),
      ("sorted values", evaluation(numbers.sorted().base), 14), ("distinct values", evaluation(numbers.distinct(by: ["self"]).base), 14),
    ] {
      let questions = Locked(0)
      func contents(until limit: Int) throws -> ResultsCore.Contents {
        questions.withLock { $0 = 0 }
        return try evaluation.contents(
          Cancellation {
            questions.withLock {
              $0 += 1
              return $0 >= limit
            }
          })
      }
      var limit = 1
      while limit < 40 {
        do {
          _ = try contents(until: limit)
          break
        } catch is CancellationError {
          #expect(questions.withLock { $0 } == limit, "\(what) went on after a yes")
        }
        limit += 1
      }
      #expect(limit > least, "\(what) asked \(limit - 1) times")
    }
  }

  @Test func realmsOfThreadsCannotWait() async throws {
    let configuration = configuration
    try Realm.filled(configuration, 3)
    let results = try Self.live(configuration)
    do {
      try await results.load()
      Issue.record("a realm of a thread was waited for")
    } catch let error as Realm.Error {
      #expect(error.localizedDescription == "load() can only be called on main thread or actor-isolated Realms")
    }
  }
  private static func live(_ configuration: Realm.Configuration) throws -> Results<AggregateLeaf> {
    try Realm(configuration: configuration).objects(AggregateLeaf.self)
  }
}

extension Realm {
  fileprivate static func filled(_ configuration: Realm.Configuration, _ count: Int) throws {
    try Realm(configuration: configuration).fill(count, team: 1)
  }
}
