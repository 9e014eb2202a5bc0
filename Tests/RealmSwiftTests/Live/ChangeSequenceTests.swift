import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmSwift

final class SequenceDog: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var age = 0
  @Persisted var toys: List<String>
  @Persisted var places: Map<String, Int>
}

final class SequenceDogView: Projection<SequenceDog> { @Projected(\SequenceDog.age) var years }

/// `for await change in results.changes`.
@MainActor @Suite(.mustEnd) struct ChangeSequenceTests {
  private let directory = TestDirectory(inMemory: true)
  private var configuration: Realm.Configuration { directory.configuration([SequenceDog.self]) }

  private func text<C: RealmCollection>(_ change: RealmCollectionChange<C>?) -> String {
    switch change {
    case .initial(let collection)?: "initial \(collection.count)"
    case .update(let collection, let deletions, let insertions, let modifications)?:
      "\(collection.count): \(deletions) \(insertions) \(modifications)"
    case .error?: "error"
    case nil: "end"
    }
  }

  @Test func aLoopIsToldOfEachChange() async throws {
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    var changes = realm.objects(SequenceDog.self).sorted(byKeyPath: "name").changes.makeAsyncIterator()
    #expect(text(await changes.next()) == "initial 0")
    try realm.write { realm.add(SequenceDog(value: ["name": "b"])) }
    #expect(text(await changes.next()) == "1: [] [0] []")
    try await realm.asyncWrite { realm.add(SequenceDog(value: ["name": "a"])) }
    #expect(text(await changes.next()) == "2: [] [0] []")
    try realm.write { realm.objects(SequenceDog.self).filter("name == 'b'").setValue(3, forKey: "age") }
    #expect(text(await changes.next()) == "2: [] [] [1]")
  }

  @Test func whatHappensWhileALoopIsBusyIsOneChange() async throws {
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    var changes = realm.objects(SequenceDog.self).changes.makeAsyncIterator()
    #expect(text(await changes.next()) == "initial 0")
    for number in 0..<50 {
      try realm.write { realm.add(SequenceDog(value: ["name": "\(number)"])) }
      realm.refresh()
    }
    #expect(text(await changes.next()) == "50: [] \(Array(0..<50)) []")
    try realm.write { realm.deleteAll() }
    #expect(text(await changes.next()) == "0: \(Array(0..<50)) [] []")
  }

  /// A commit may come after the one that wakes the loop, and before it runs.
  @Test func positionsAreThoseOfWhatTheRealmShowsToTheLoop() async throws {
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    let dogs = realm.objects(SequenceDog.self).sorted(byKeyPath: "name")
    var random = SeededGenerator(test: 0)
    let task = Task { @MainActor in
      var names: [String] = []
      loop: for await change in dogs.changes {
        switch change {
        case .initial: names = dogs.map(\.name)
        case .update(_, let deletions, let insertions, let modifications):
          #expect(modifications.allSatisfy { $0 < names.count })
          for position in deletions.reversed() { names.remove(at: position) }
          for position in insertions where position < dogs.count { names.insert(dogs[position].name, at: position) }
        case .error: Issue.record("an error")
        }
        #expect(names == dogs.map(\.name))
        if names != dogs.map(\.name) || names == ["end"] { break loop }
      }
    }
    for _ in 0..<300 {
      for _ in 0..<Int.random(in: 0..<3, using: &random) { await Task.yield() }
      try realm.write {
        for _ in 0..<Int.random(in: 1..<4, using: &random) {
          let name = "\(Int.random(in: 0..<9, using: &random))"
          if let dog = realm.object(ofType: SequenceDog.self, forPrimaryKey: name) {
            if Bool.random(using: &random) { realm.delete(dog) } else { dog.age += 1 }
          } else {
            realm.add(SequenceDog(value: ["name": name]))
          }
        }
      }
      if Bool.random(using: &random) { realm.refresh() }
    }
    try realm.write {
      realm.deleteAll()
      realm.add(SequenceDog(value: ["name": "end"]))
    }
    await task.value
  }

  @Test func aLoopThatComesBackLateKnowsWhoseChangeItIs() async throws {
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    let dog = try realm.write { realm.create(SequenceDog.self, value: ["name": "x", "age": 1]) }
    let first = Task { @MainActor in
      for await case .change(_, let properties) in dog.changes { return "\(properties[0].oldValue ?? "none") \(properties[0].newValue ?? "none")" }
      return "nothing"
    }
    while realm.core.liveObservers.isEmpty { await Task.yield() }
    for age in 2..<5 {
      try realm.write { dog.age = age }
      realm.refresh()
    }
    // Own changes have no old value.
    #expect(await first.value == "none 4")
  }

  @Test func aLoopInAWriteTransactionIsToldAfterIt() async throws {
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    let dogs = realm.objects(SequenceDog.self)
    realm.beginWrite()
    let task = Task { @MainActor in
      for await case .initial(let dogs) in dogs.changes { return dogs.count }
      return -1
    }
    for _ in 0..<10 { await Task.yield() }
    realm.add(SequenceDog(value: ["name": "x"]))
    try realm.commitWrite()
    #expect(await task.value == 1)
  }

  @Test func cancellationEndsTheLoop() async throws {
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    let results = realm.objects(SequenceDog.self)
    let task = Task { @MainActor in
      var count = 0
      for await _ in results.changes { count += 1 }
      return count
    }
    while realm.core.liveObservers.isEmpty { await Task.yield() }
    try realm.write { realm.add(SequenceDog(value: ["name": "x"])) }
    task.cancel()
    let count = await task.value
    #expect(count <= 2)
    while !realm.core.liveObservers.isEmpty { await Task.yield() }
  }

  @Test func leavingTheLoopEndsTheObservation() async throws {
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    for await _ in realm.objects(SequenceDog.self).changes { break }
    #expect(realm.core.liveObservers.isEmpty)
  }

  @Test func theLoopOfAnObjectEndsWithTheObject() async throws {
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    let dog = try realm.write { realm.create(SequenceDog.self, value: ["name": "x", "toys": ["ball"]]) }
    var toys = dog.toys.changes.makeAsyncIterator()
    var texts: [String] = []
    let first = Task { @MainActor in
      for await change in dog.changes {
        switch change {
        case .change(_, let properties): texts.append(properties.map(\.name).joined(separator: ","))
        case .deleted: texts.append("deleted")
        case .error: texts.append("error")
        }
      }
    }
    #expect(text(await toys.next()) == "initial 1")
    while realm.core.liveObservers.registry.all.count < 2 { await Task.yield() }
    try realm.write { dog.age = 4 }
    realm.refresh()
    // A loop that has not run yet would get both changes in one.
    while texts.count < 1 { await Task.yield() }
    try realm.write { dog.toys.append("bone") }
    realm.refresh()
    #expect(text(await toys.next()) == "2: [] [1] []")
    while texts.count < 2 { await Task.yield() }
    try realm.write { realm.delete(dog) }
    realm.refresh()
    guard case .update(let gone, [0, 1], [], [])? = await toys.next() else {
      Issue.record("the list has another change")
      return
    }
    #expect(gone.isInvalidated)
    #expect(text(await toys.next()) == "end")
    await first.value
    #expect(texts == ["age", "toys", "deleted"])
  }

  @Test func mapsProjectionsSectionsAndRealmsHaveChanges() async throws {
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    let dog = try realm.write { realm.create(SequenceDog.self, value: ["name": "x", "age": 1]) }
    var places = dog.places.changes.makeAsyncIterator()
    let view = SequenceDogView(projecting: dog)
    let viewTask = Task { @MainActor in
      for await case .change(_, let properties) in view.changes { return properties.map(\.name) }
      return []
    }
    var sections = realm.objects(SequenceDog.self).sectioned(by: \.age).changes.makeAsyncIterator()
    let realmTask = Task { @MainActor in
      for await notification in realm.changes { return notification }
      return Realm.Notification.refreshRequired
    }
    guard case .initial? = await places.next(), case .initial? = await sections.next() else {
      Issue.record("not at the beginning")
      return
    }
    while realm.core.liveObservers.registry.all.count < 3 || realm.core.observers.isEmpty { await Task.yield() }
    try realm.write {
      dog.places["home"] = 1
      dog.age = 2
    }
    guard case .update(_, [], ["home"], [])? = await places.next() else {
      Issue.record("the map has another change")
      return
    }
    guard case .update(_, _, _, _, let inserted, let deleted)? = await sections.next() else {
      Issue.record("the sections have another change")
      return
    }
    #expect(inserted == [0] && deleted == [0])
    #expect(await viewTask.value == ["years"])
    #expect(await realmTask.value == .didChange)
  }

  @Test func aLoopOfAnotherActorHasItsOwnCopy() async throws {
    let watcher = SequenceWatcher()
    let configuration = configuration
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    let task = Task { try await watcher.names(configuration, until: 3) }
    for name in ["a", "b", "c"] {
      try await realm.asyncWrite { realm.add(SequenceDog(value: ["name": name])) }
      await Task.yield()
    }
    #expect(try await task.value == ["a", "b", "c"])
  }
}

private actor SequenceWatcher {
  func names(_ configuration: Realm.Configuration, until count: Int) async throws -> [String] {
    let realm = try await Realm.open(configuration: configuration)
    for await change in realm.objects(SequenceDog.self).sorted(byKeyPath: "name").changes {
      switch change {
      case .initial(let dogs), .update(let dogs, _, _, _): if dogs.count == count { return dogs.map(\.name) }
      case .error: break
      }
    }
    return []
  }
}
