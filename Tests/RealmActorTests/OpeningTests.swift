import RealmSwift
import TestSupport
import Testing

/// Opens, writes and refreshes while it is made, when Swift 6.3 has no actor for `#isolation`.
private actor Founder {
  private var realm: Realm?
  private(set) var count = 0

  init(_ configuration: Realm.Configuration) async throws {
    let realm = try await Realm.open(configuration: configuration, _isolation: self)
    self.realm = realm
    try await realm.asyncWrite(_isolation: self) { _ = realm.create(Errand.self, value: ["name": "Found"]) }
    await realm.asyncRefresh(_isolation: self)
    count = realm.objects(Errand.self).count
  }
}

/// Realms that are opened for actors, and who owns them.
@Suite(.mustEnd) struct OpeningTests {
  let directory = TestDirectory()

  @Test(.endsProcesses) func withoutAnActorTheMainActorsRealmIsOpened() async {
    await #expect(processExitsWith: .success) { @MainActor [path = directory.path as String] in
      Realm.Configuration.defaultConfiguration = TestDirectory.configuration(in: path)
      let first = try await Realm()
      let second = try await Realm(actor: MainActor.shared)
      #expect(first == second)
      #expect(try await Realm.open() == first)
      try await pass(first)
      #expect(second.objects(Errand.self).count == 1)
    }
  }

  @MainActor @Test func configurationsAreChangedInPlace() async throws {
    var config = directory.configuration
    config.fileURL!.deleteLastPathComponent()
    config.fileURL!.appendPathComponent("galadriel")
    config.fileURL!.appendPathExtension("realm")
    let realm = try await Realm(configuration: config, actor: MainActor.shared, downloadBeforeOpen: .always)
    #expect(realm.configuration.fileURL?.lastPathComponent == "galadriel.realm")
    #expect(try await Realm(configuration: config, downloadBeforeOpen: .once) == realm)
  }

  @Test func anActorOpensItsRealmWhileItIsMade() async throws {
    let office = try await Office(directory.configuration)
    #expect(await office.count == 0)
    try await office.add("Buy bread", owner: "Sam")
    #expect(await office.count == 1)
    await office.close()
    #expect(try Realm.deleteFiles(for: directory.configuration), "nobody has the file open any more")
  }

  @Test func anActorWritesWhileItIsMade() async throws {
    let founder = try await Founder(directory.configuration)
    #expect(await founder.count == 1)
  }

  @Background @Test func aGlobalActorOpensRealmsForItself() async throws {
    let realm = try await Realm(configuration: directory.configuration, actor: Background.shared)
    #expect(try await Realm.open(configuration: directory.configuration) == realm)
    try await realm.asyncWrite { _ = realm.create(Errand.self, value: ["name": "Buy bread"]) }
    // Whatever thread the task goes on on.
    await Task.yield()
    #expect(realm.objects(Errand.self).count == 1)
    await Task.detached {}.value
    #expect(realm.objects(Errand.self).first?.name == "Buy bread")
  }
}

@MainActor private func pass(_ realm: Realm) async throws {
  try await realm.asyncWrite { realm.add(Errand(value: ["name": "Buy bread"])) }
}
