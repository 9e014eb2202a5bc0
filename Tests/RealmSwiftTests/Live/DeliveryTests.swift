import Dispatch
import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// When observers are told of what.
@Suite(.mustEnd) struct DeliveryTests {
  let directory = TestDirectory()
  private let log = ReportLog()

  @MainActor private func open() throws -> Realm { try Realm(configuration: directory.configuration()) }

  private func addDog(_ name: String) -> @Sendable (Realm) -> Void { { $0.add(Dog(value: ["name": name])) } }

  // MARK: The first report

  @MainActor @Test func theFirstReportComesAtTheNextTurn() async throws {
    let token = try open().objects(Dog.self).observe { log.note($0) }
    #expect(log.all == [])
    #expect(try await eventually { log.all == ["initial"] })
    token.invalidate()
  }

  @MainActor @Test func theFirstReportComesWithRefresh() throws {
    let realm = try open()
    let token = realm.objects(Dog.self).observe { log.note($0) }
    #expect(!realm.refresh())
    #expect(log.take() == ["initial"])
    #expect(!realm.refresh())
    #expect(log.take() == [])
    token.invalidate()
  }

  @MainActor @Test func theFirstReportComesAsAWriteBegins() throws {
    let realm = try open()
    let token = realm.objects(Dog.self).observe { change in
      if case .initial = change { #expect(realm.isInWriteTransaction) }
      log.note(change)
    }
    try realm.write {
      #expect(log.take() == ["initial"])
      realm.add(Dog(value: ["name": "Rex"]))
    }
    #expect(log.take() == [])
    realm.refresh()
    #expect(log.take() == ["-[] +[0] ~[]"])
    token.invalidate()
  }

  @MainActor @Test func whatChangesBeforeTheFirstReportIsPartOfIt() throws {
    let realm = try open()
    let dogs = realm.objects(Dog.self)
    let token = dogs.observe { change in
      if case .initial(let results) = change { log.add("\(results.count)") } else { log.note(change) }
    }
    try directory.commitElsewhere(addDog("Rex"))
    #expect(realm.refresh())
    #expect(log.take() == ["1"])
    token.invalidate()
  }

  @MainActor @Test func objectsHaveNoFirstReport() async throws {
    let realm = try open()
    let dog = try realm.write { realm.create(Dog.self, value: ["name": "Rex"]) }
    let token = dog.observe { (change: ObjectChange<Dog>) in log.note(change) }
    realm.refresh()
    try await Task.sleep(for: .milliseconds(5))
    #expect(log.take() == [])
    try realm.write { dog.age = 3 }
    realm.refresh()
    #expect(log.take() == ["age: nil -> 3"])
    try directory.commitElsewhere { $0.objects(Dog.self)[0].age = 4 }
    realm.refresh()
    #expect(log.take() == ["age: 3 -> 4"])
    token.invalidate()
  }

  // MARK: Later reports

  @MainActor @Test func aCommitTellsRealmObserversAtOnceAndOthersAtTheNextTurn() async throws {
    let realm = try open()
    let tokens = [realm.objects(Dog.self).observe { log.note($0) }, realm.observe { notification, _ in log.add("\(notification)") }]
    realm.refresh()
    #expect(log.take() == ["initial"])
    try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
    #expect(log.take() == ["didChange"])
    #expect(try await eventually { log.all == ["-[] +[0] ~[]"] })
    tokens.forEach { $0.invalidate() }
  }

  @MainActor @Test func realmObserversAreToldOfOthersCommitsFirst() throws {
    let realm = try open()
    let tokens = [realm.objects(Dog.self).observe { log.note($0) }, realm.observe { notification, _ in log.add("\(notification)") }]
    realm.refresh()
    try directory.commitElsewhere(addDog("Rex"))
    realm.refresh()
    #expect(log.take() == ["initial", "didChange", "-[] +[0] ~[]"])
    tokens.forEach { $0.invalidate() }
  }

  @MainActor @Test func severalCommitsAreOneReport() throws {
    let realm = try open()
    let token = realm.objects(Dog.self).observe { log.note($0) }
    realm.refresh()
    for name in ["a", "b", "c"] { try directory.commitElsewhere(addDog(name)) }
    realm.refresh()
    #expect(log.take() == ["initial", "-[] +[0, 1, 2] ~[]"])
    token.invalidate()
  }

  @MainActor @Test func whatCancelsOutIsNotReported() throws {
    let realm = try open()
    let token = realm.objects(Dog.self).observe { log.note($0) }
    realm.refresh()
    #expect(log.take() == ["initial"])
    try directory.commitElsewhere(addDog("Rex"))
    try directory.commitElsewhere { $0.deleteAll() }
    try directory.commitElsewhere { _ in }
    #expect(realm.refresh())
    realm.beginWrite()
    realm.add(Dog(value: ["name": "Bella"]))
    realm.cancelWrite()
    realm.refresh()
    #expect(log.take() == [])
    token.invalidate()
  }

  @MainActor @Test func ownAndOthersCommitsAreOneReport() throws {
    let realm = try open()
    let token = realm.objects(Dog.self).observe { log.note($0) }
    realm.refresh()
    try realm.write { realm.add(Dog(value: ["name": "a"])) }
    try directory.commitElsewhere(addDog("b"))
    realm.refresh()
    #expect(log.take() == ["initial", "-[] +[0, 1] ~[]"])
    token.invalidate()
  }

  @MainActor @Test func beginningToWriteTellsFirst() throws {
    let realm = try open()
    let token = realm.objects(Dog.self).observe { log.note($0) }
    realm.refresh()
    try directory.commitElsewhere(addDog("Rex"))
    #expect(log.take() == ["initial"])
    realm.beginWrite()
    #expect(log.take() == ["-[] +[0] ~[]"])
    realm.cancelWrite()
    token.invalidate()
  }

  @MainActor @Test func deletionsAndModificationsAreOldPositions() throws {
    let realm = try open()
    try realm.write { for name in ["a", "b", "c"] { realm.add(Dog(value: ["name": name])) } }
    let token = realm.objects(Dog.self).observe { log.note($0) }
    realm.refresh()
    try realm.write {
      let dogs = realm.objects(Dog.self)
      dogs[1].age = 5
      realm.delete(dogs[0])
    }
    realm.refresh()
    #expect(log.take() == ["initial", "-[0] +[] ~[1]"])
    token.invalidate()
  }

  // MARK: Asynchronous writes

  @MainActor @Test func anAsynchronousWriteIsReportedAsAnOwnOne() async throws {
    let realm = try await Realm(configuration: directory.configuration())
    let dog = try await realm.asyncWrite { realm.create(Dog.self, value: ["name": "Rex"]) }
    let tokens = [realm.objects(Dog.self).observe { log.note($0) }, dog.observe { (change: ObjectChange<Dog>) in log.note(change) }]
    realm.refresh()
    #expect(log.take() == ["initial"])
    try await realm.asyncWrite { dog.age = 3 }
    #expect(try await eventually { log.all.count == 2 })
    #expect(log.take().sorted() == ["-[] +[] ~[0]", "age: nil -> 3"])
    // Told before the block of the next one.
    try await realm.asyncWrite { realm.add(Dog(value: ["name": "Bella"])) }
    try await realm.asyncWrite {
      #expect(log.take() == ["-[] +[1] ~[]"])
      realm.delete(dog)
    }
    #expect(try await eventually { log.all.count == 2 })
    #expect(log.take().sorted() == ["-[0] +[] ~[]", "deleted"])
    tokens.forEach { $0.invalidate() }
  }

  @MainActor @Test func groupedAsynchronousCommitsAreReported() async throws {
    let realm = try await Realm(configuration: directory.configuration())
    let token = realm.objects(Dog.self).observe { log.note($0) }
    realm.refresh()
    let names = ["a", "b", "c"]
    await withCheckedContinuation { continuation in
      for name in names {
        realm.beginAsyncWrite {
          realm.add(Dog(value: ["name": name]))
          realm.commitAsyncWrite(allowGrouping: name != "c") { _ in if name == "c" { continuation.resume() } }
        }
      }
    }
    let count = { log.all.dropFirst().count { $0.contains("+[") } }
    #expect(try await eventually { realm.objects(Dog.self).count == 3 && count() > 0 })
    realm.refresh()
    let inserted = log.take().dropFirst().reduce(0) { $0 + $1.filter(\.isNumber).count }
    #expect(inserted == 3)
    token.invalidate()
  }

  // MARK: Without autorefresh

  @MainActor @Test func withoutAutorefreshOnlyAskingTells() async throws {
    let realm = try open()
    realm.autorefresh = false
    let token = realm.objects(Dog.self).observe { log.note($0) }
    // What the realm shows already is no refresh.
    #expect(try await eventually { log.all == ["initial"] })
    try directory.commitElsewhere(addDog("a"))
    try await Task.sleep(for: .milliseconds(50))
    #expect(log.take() == ["initial"])
    #expect(realm.refresh())
    #expect(log.take() == ["-[] +[0] ~[]"])
    try directory.commitElsewhere(addDog("b"))
    #expect(await realm.asyncRefresh())
    #expect(log.take() == ["-[] +[1] ~[]"])
    try directory.commitElsewhere(addDog("c"))
    realm.beginWrite()
    #expect(log.take() == ["-[] +[2] ~[]"])
    realm.cancelWrite()
    token.invalidate()
  }

  // MARK: Inside of blocks

  @MainActor @Test func refreshingInsideOfABlockDoesNothing() throws {
    let realm = try open()
    let directory = directory
    var isFirst = true
    let token = realm.objects(Dog.self).observe { change in
      log.note(change)
      guard isFirst else { return }
      isFirst = false
      try! directory.commitElsewhere(addDog("Rex"))
      #expect(!realm.refresh())
      #expect(realm.objects(Dog.self).count == 0)
    }
    realm.refresh()
    #expect(log.take() == ["initial"])
    realm.refresh()
    #expect(log.take() == ["-[] +[0] ~[]"])
    token.invalidate()
  }

  @MainActor @Test func aBlockThatWritesLetsTheOthersBeToldFirst() throws {
    let realm = try open()
    let dogs = realm.objects(Dog.self)
    let first = dogs.observe { change in
      log.add("first")
      guard case .update = change, dogs.count < 3 else { return }
      try! realm.write {
        log.add("write")
        realm.add(Dog(value: ["name": "\(dogs.count)"]))
      }
    }
    let second = dogs.observe { _ in log.add("second \(dogs.count)") }
    realm.refresh()
    #expect(log.take() == ["first", "second 0"])
    try directory.commitElsewhere(addDog("a"))
    realm.refresh()
    #expect(Array(log.take().prefix(3)) == ["first", "second 1", "write"])
    realm.refresh()
    realm.refresh()
    #expect(dogs.count == 3)
    #expect(log.all.last == "second 3")
    [first, second].forEach { $0.invalidate() }
  }

  /// As code does that may run in a transaction or outside: `if realm.isInWriteTransaction { ... } else { try realm.write { ... } }`.
  @MainActor @Test func aBlockThatIsToldAsAWriteBeginsTakesPartInIt() throws {
    let realm = try open()
    let dogs = realm.objects(Dog.self)
    let ofRealm = realm.observe { _, _ in log.add("realm \(realm.isInWriteTransaction)") }
    let token = dogs.observe { change in
      log.note(change)
      guard case .update = change, dogs.count < 3 else { return }
      #expect(realm.isInWriteTransaction)
      realm.add(Dog(value: ["name": "of the block"]))
    }
    realm.refresh()
    try directory.commitElsewhere(addDog("a"))
    try realm.write {
      #expect(log.take() == ["initial", "realm true", "-[] +[0] ~[]"])
      #expect(dogs.map(\.name) == ["a", "of the block"])
      realm.add(Dog(value: ["name": "of the write"]))
    }
    realm.refresh()
    #expect(log.take() == ["realm false", "-[] +[1, 2] ~[]"])
    try directory.commitElsewhere(addDog("b"))
    realm.beginWrite()
    realm.cancelWrite()
    #expect(log.take() == ["realm true", "-[] +[3] ~[]"])
    [ofRealm, token].forEach { $0.invalidate() }
  }

  @MainActor @Test func aBlockThatIsToldAsAWriteBeginsMayCancelIt() throws {
    let realm = try open()
    let token = realm.objects(Dog.self).observe { _ in realm.cancelWrite() }
    realm.beginWrite()
    #expect(!realm.isInWriteTransaction)
    token.invalidate()
    try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
    #expect(realm.objects(Dog.self).count == 1)
  }

  /// What the second one is still to be told comes as the write of the first one begins.
  @MainActor @Test func twoBlocksThatWriteBothDo() throws {
    let realm = try open()
    let dogs = realm.objects(Dog.self)
    let tokens = ["x", "y"].map { name in
      dogs.observe { change in
        guard case .update = change, !dogs.contains(where: { $0.name == name }) else { return }
        if realm.isInWriteTransaction { realm.add(Dog(value: ["name": name])) } else { try! realm.write { realm.add(Dog(value: ["name": name])) } }
      }
    }
    realm.refresh()
    try directory.commitElsewhere(addDog("a"))
    realm.refresh()
    #expect(Set(dogs.map(\.name)) == ["a", "x", "y"])
    #expect(dogs.count == 3)
    tokens.forEach { $0.invalidate() }
  }

  /// Others have committed meanwhile: what is due is told before the transaction that goes on from there.
  @MainActor @Test func whatIsDueIsToldOfTheVersionThatItIsAbout() throws {
    let realm = try open()
    let dogs = realm.objects(Dog.self)
    let directory = directory
    let first = dogs.observe { change in
      guard case .update(_, _, [0], _) = change, dogs.count == 1 else { return }
      try! directory.commitElsewhere(addDog("b"))
      try! realm.write { log.add("write \(dogs.count)") }
    }
    let second = dogs.observe { change in
      log.note(change)
      guard case .update = change, dogs.count == 1 else { return }
      #expect(!realm.isInWriteTransaction)
      try! realm.write { log.add("inner write \(dogs.count)") }
    }
    realm.refresh()
    try directory.commitElsewhere(addDog("a"))
    realm.refresh()
    #expect(log.take() == ["initial", "-[] +[0] ~[]", "-[] +[1] ~[]", "inner write 2", "write 2"])
    [first, second].forEach { $0.invalidate() }
  }

  @Test(.endsProcesses) func aWriteWhileAnotherBeginsStops() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { @MainActor [path = directory.path as String] in
      let realm = try await Realm(configuration: TestDirectory.configuration(in: path))
      let token = realm.objects(Dog.self).observe { _ in realm.beginWrite() }
      realm.beginWrite()
      token.invalidate()
    }
    #expect(result?.stopped(with: "The Realm is already in a write transaction") == true)
  }
}
