import OpenCombine
import RealmOpenCombine
import RealmSwift
import TestSupport
import Testing

/// Tokens that are saved, and what is written without telling their owners.
@Suite(.mustEnd) @MainActor struct TokenTests {
  let directory = TestDirectory()
  private let log = Log()
  private let owner = TokenOwner()
  private let realm: Realm
  private let walk: Walk

  init() throws {
    let realm = try Realm(configuration: directory.configuration)
    walk = try realm.write {
      realm.create(Walk.self, value: ["title": "Hill", "stops": [["name": "Inn"]], "tags": ["steep"], "ratings": ["Ann": 3]])
    }
    self.realm = realm
  }

  /// Subscribes, commits without telling, and then once more with it.
  private func check<P: Publisher>(
    _ publisher: P, beginsWithAReport: Bool = true, location: SourceLocation = #_sourceLocation, _ note: @escaping (P.Output, Log) -> Void
  ) async throws where P.Failure == Never {
    let cancellable = publisher.sink { [log] in note($0, log) }
    let token = try #require(owner.token, sourceLocation: location)
    if beginsWithAReport {
      #expect(try await eventually { log.all.count == 1 }, sourceLocation: location)
    }
    _ = log.take()
    func change() {
      walk.title += "!"
      walk.stops[0].minutes += 1
      walk.stops.append(Stop(value: ["name": "Inn"]))
      walk.tags.insert("\(walk.tags.count)")
      walk.ratings["\(walk.ratings.count)"] = 1
    }
    try realm.write(withoutNotifying: [token], change)
    let other = realm.objects(Walk.self).changesetPublisher.sink { [log] _ in log.add("other") }
    #expect(try await eventually { log.all.contains("other") }, sourceLocation: location)
    other.cancel()
    #expect(log.take() == ["other"], sourceLocation: location)
    try realm.write(change)
    #expect(try await eventually { !log.all.isEmpty }, sourceLocation: location)
    #expect(log.take().count == 1, sourceLocation: location)
    cancellable.cancel()
  }

  @Test func ownersOfTokensAreNotToldOfTheirOwnWrites() async throws {
    let sections = realm.objects(Stop.self).sectioned(by: { $0.name }, sortDescriptors: ["name"])
    try await check(walk.stops.objectWillChange.saveToken(on: owner, at: \.token)) { $1.add("will change") }
    try await check(walk.objectWillChange.saveToken(on: owner, at: \.token), beginsWithAReport: false) { $1.add("will change") }
    try await check(realm.objectWillChange.saveToken(on: owner, for: \.token), beginsWithAReport: false) { $1.add("will change") }
    try await check(walk.stops.collectionPublisher.saveToken(on: owner, at: \.token).assertNoFailure()) { $1.add("\($0.count)") }
    try await check(valuePublisher(walk).saveToken(on: owner, at: \.token).assertNoFailure(), beginsWithAReport: false) { $1.add($0.title) }
    try await check(changesetPublisher(walk).saveToken(on: owner, at: \.token), beginsWithAReport: false) { $1.note($0) }
    try await check(walk.stops.changesetPublisher.saveToken(on: owner, at: \.token)) { $1.note($0) }
    try await check(walk.ratings.changesetPublisher.saveToken(on: owner, at: \.token)) { $1.note($0) }
    try await check(sections.changesetPublisher.saveToken(on: owner, at: \.token)) { $1.note($0) }
    try await check(sections[0].changesetPublisher.saveToken(on: owner, at: \.token)) { $1.note($0) }
  }

  @Test func keyPathsStayWithASavedToken() async throws {
    let cancellable = valuePublisher(walk, keyPaths: ["title"]).saveToken(on: owner, at: \.token).assertNoFailure().sink { log.add($0.title) }
    try realm.write { walk.kilometres = 5 }
    try realm.write { walk.title = "Mountain" }
    #expect(try await eventually { !log.all.isEmpty })
    #expect(log.take() == ["Mountain"])
    cancellable.cancel()
  }

  @Test func invalidatingASavedTokenStopsTheChanges() async throws {
    let cancellable = walk.stops.changesetPublisher.saveToken(on: owner, at: \.token).sink { log.note($0) }
    let other = realm.objects(Walk.self).changesetPublisher.sink { _ in log.add("other") }
    #expect(try await eventually { log.all.count == 2 })
    owner.token?.invalidate()
    try realm.write { walk.stops.append(Stop()) }
    #expect(try await eventually { log.all.count == 3 })
    #expect(log.take() == ["initial", "other", "other"])
    cancellable.cancel()
    other.cancel()
  }
}
