import Dispatch
import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Tokens that are invalidated, released, or left out of a commit.
@Suite(.mustEnd) struct TokenTests {
  let directory = TestDirectory()
  private let log = ReportLog()

  @MainActor private func open() throws -> Realm { try Realm(configuration: directory.configuration()) }
  private func add(_ name: String, to realm: Realm) throws { try realm.write { realm.add(Dog(value: ["name": name])) } }

  // MARK: Invalidating

  /// What stands in for a realm in an application's tests returns one.
  @Test func aTokenOfOnesOwnIsInvalidatedAlready() {
    let token = NotificationToken()
    #expect(token.hasEnded)
    #expect(!token.invalidate())
  }

  @Test func tokensMayBeKeptInASet() {
    let a = NotificationToken(), b = NotificationToken()
    var tokens: Set = [a, b, a]
    #expect(tokens.count == 2 && tokens.remove(b) === b && tokens == [a] && a != b)
  }

  @MainActor @Test func invalidatedBeforeTheFirstReportATokenIsSilent() throws {
    let realm = try open()
    let token = realm.objects(Dog.self).observe { log.note($0) }
    token.invalidate()
    realm.refresh()
    try add("Rex", to: realm)
    realm.refresh()
    #expect(log.take() == [])
  }

  @MainActor @Test func releasedATokenIsSilent() throws {
    let realm = try open()
    var token: NotificationToken? = realm.objects(Dog.self).observe { log.note($0) }
    realm.refresh()
    try add("Rex", to: realm)
    token = nil
    realm.refresh()
    #expect(log.take() == ["initial"])
    withExtendedLifetime(token) {}
  }

  @MainActor @Test func invalidatedAfterTheCommitATokenIsSilent() throws {
    let realm = try open()
    let token = realm.objects(Dog.self).observe { log.note($0) }
    realm.refresh()
    try add("Rex", to: realm)
    token.invalidate()
    token.invalidate()
    realm.refresh()
    #expect(log.take() == ["initial"])
  }

  @MainActor @Test func aTokenCanBeInvalidatedInItsOwnBlock() throws {
    let realm = try open()
    var token: NotificationToken?
    token = realm.objects(Dog.self).observe { change in
      log.note(change)
      if case .update = change { token?.invalidate() }
    }
    realm.refresh()
    for name in ["a", "b"] {
      try add(name, to: realm)
      realm.refresh()
    }
    #expect(log.take() == ["initial", "-[] +[0] ~[]"])
  }

  @MainActor @Test func aTokenCanBeInvalidatedInTheBlockOfAnother() throws {
    let realm = try open()
    var tokens: [NotificationToken] = []
    for index in 0..<3 {
      tokens.append(
        realm.objects(Dog.self).observe { change in
          log.add("\(index)")
          if case .update = change { tokens.enumerated().filter { $0.offset != index }.forEach { $0.element.invalidate() } }
        })
    }
    realm.refresh()
    #expect(log.take().sorted() == ["0", "1", "2"])
    try add("Rex", to: realm)
    realm.refresh()
    #expect(log.take().count == 1)
  }

  @MainActor @Test func aTokenCanBeInvalidatedOnAnotherThread() throws {
    let realm = try open()
    let token = realm.objects(Dog.self).observe { log.note($0) }
    realm.refresh()
    try add("Rex", to: realm)
    _ = try otherThread { token.invalidate() }
    realm.refresh()
    #expect(log.take() == ["initial"])
  }

  @Test func tokensAreInvalidatedWhileBlocksAreCalled() throws {
    let queue = DispatchQueue(label: "observing")
    let configuration = directory.configuration()
    // SAFETY: used on the queue only.
    nonisolated(unsafe) let realm = try queue.sync { try Realm(configuration: configuration, queue: queue) }
    for round in 0..<trials(full: 1000, tenth: 100) {
      let token = queue.sync {
        let token = realm.objects(Dog.self).observe { _ in log.add("\(round)") }
        realm.refresh()
        return token
      }
      queue.async { try? add("\(round)", to: realm) }
      token.invalidate()
      // One that has begun comes to its end.
      queue.sync { _ = log.take() }
      try queue.sync {
        try add("second \(round)", to: realm)
        realm.refresh()
        #expect(log.take() == [])
      }
    }
    // It ends where it was used.
    queue.sync { withExtendedLifetime(realm) {} }
  }

  @MainActor @Test func tokensKeepTheRealmOpen() throws {
    let configuration = directory.configuration()
    var token: NotificationToken? = try Realm(configuration: configuration).objects(Dog.self).observe { log.note($0) }
    #expect(throws: Realm.Error.self) { try Realm.deleteFiles(for: configuration) }
    token?.invalidate()
    token = nil
    #expect(try Realm.deleteFiles(for: configuration))
  }

  // MARK: Left out of a commit

  @MainActor @Test func aTokenMissesTheCommitThatLeavesItOut() throws {
    let realm = try open()
    let dogs = realm.objects(Dog.self)
    let (skipped, told) = (dogs.observe { log.note($0) }, dogs.observe { _ in log.add("told") })
    realm.refresh()
    #expect(log.take().sorted() == ["initial", "told"])
    try realm.write(withoutNotifying: [skipped]) { realm.add(Dog(value: ["name": "a"])) }
    realm.refresh()
    #expect(log.take() == ["told"])
    try add("b", to: realm)
    realm.refresh()
    #expect(log.take().sorted() == ["-[] +[1] ~[]", "told"])
    [skipped, told].forEach { $0.invalidate() }
  }

  @MainActor @Test func aTokenMissesOnlyThatCommit() throws {
    let realm = try open()
    let directory = directory
    let token = realm.objects(Dog.self).observe { log.note($0) }
    realm.refresh()
    try realm.write(withoutNotifying: [token]) { realm.add(Dog(value: ["name": "a"])) }
    try directory.commitElsewhere { $0.add(Dog(value: ["name": "b"])) }
    realm.refresh()
    #expect(log.take() == ["initial", "-[] +[1] ~[]"])
    // The next write begins with what was committed before.
    try directory.commitElsewhere { $0.add(Dog(value: ["name": "c"])) }
    try realm.write(withoutNotifying: [token]) { realm.add(Dog(value: ["name": "d"])) }
    realm.refresh()
    #expect(log.take() == ["-[] +[2] ~[]"])
    token.invalidate()
  }

  @MainActor @Test func aTokenThatWasNotToldYetMissesNothingElse() throws {
    let realm = try open()
    let token = realm.objects(Dog.self).observe { log.note($0) }
    try realm.write(withoutNotifying: [token]) { realm.add(Dog(value: ["name": "a"])) }
    try add("b", to: realm)
    realm.refresh()
    #expect(log.take() == ["initial", "-[] +[1] ~[]"])
    token.invalidate()
  }

  @MainActor @Test func objectsAndMapsAreLeftOut() throws {
    let realm = try open()
    let person = try realm.write { realm.create(Person.self, value: ["name": "Ada"]) }
    let tokens = [
      person.observe { (change: ObjectChange<Person>) in log.note(change) }, person.ratings.observe { log.note($0) },
      person.scores.observe { log.note($0) },
    ]
    realm.refresh()
    #expect(log.take() == ["initial", "initial"])
    try realm.write(withoutNotifying: tokens) {
      person.ratings["a"] = 1
      person.scores.append(1)
      person.age = 20
    }
    realm.refresh()
    #expect(log.take() == [])
    try realm.write {
      person.ratings["a"] = 2
      person.scores.append(2)
    }
    realm.refresh()
    #expect(log.take().sorted() == ["-[] +[1] ~[]", "-[] +[] ~[\"a\"]", "scores: nil -> null, ratings: nil -> null"])
    tokens.forEach { $0.invalidate() }
  }

  @Test(.endsProcesses) func leavingATokenOutIsRefusedWhereItMakesNoSense() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor [path = directory.path as String] in
      let realm = try await Realm(configuration: TestDirectory.configuration(in: path))
      var other = TestDirectory.configuration(in: path)
      other.fileURL = URL(fileURLWithPath: path + "/other.realm")
      let token = try await Realm(configuration: other).objects(Dog.self).observe { _ in }
      try realm.write(withoutNotifying: [token]) {}
    }
    #expect(result?.stopped(with: "Incorrect Realm: only notifications for the Realm being modified can be skipped.") == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor [path = directory.path as String] in
      let realm = try await Realm(configuration: TestDirectory.configuration(in: path))
      let token = realm.objects(Dog.self).observe { _ in }
      try realm.commitWrite(withoutNotifying: [token])
    }
    let text = "Suppressing the notification from a write transaction must be done from inside the write transaction."
    #expect(result?.stopped(with: text) == true)
  }
}
