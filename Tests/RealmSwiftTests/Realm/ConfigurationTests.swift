import Foundation
import RealmSwift
import TestSupport
import Testing

@Suite(.mustEnd) struct ConfigurationTests {
  let directory = TestDirectory()

  @Test func theDefaultsAreThoseOfTheDocuments() {
    let configuration = Realm.Configuration()
    #expect(configuration.fileURL?.lastPathComponent == "default.realm")
    #expect(configuration.fileURL?.hasDirectoryPath == false)
    #expect(configuration.inMemoryIdentifier == nil)
    #expect(configuration.syncConfiguration == nil)
    #expect(configuration.encryptionKey == nil)
    #expect(!configuration.readOnly)
    #expect(configuration.schemaVersion == 0)
    #expect(configuration.migrationBlock == nil)
    #expect(!configuration.deleteRealmIfMigrationNeeded)
    #expect(configuration.shouldCompactOnLaunch == nil)
    #expect(configuration.objectTypes == nil)
    #expect(configuration.seedFilePath == nil)
    #expect(configuration.maximumNumberOfActiveVersions == nil)
    #expect(configuration.eventConfiguration == nil)
  }

  @Test func everyArgumentStandsAlone() {
    _ = Realm.Configuration(fileURL: nil)
    _ = Realm.Configuration(inMemoryIdentifier: "a")
    _ = Realm.Configuration(syncConfiguration: nil)
    _ = Realm.Configuration(encryptionKey: Data(count: 64))
    _ = Realm.Configuration(readOnly: true)
    _ = Realm.Configuration(schemaVersion: 3)
    _ = Realm.Configuration(migrationBlock: { _, _ in })
    _ = Realm.Configuration(deleteRealmIfMigrationNeeded: true)
    _ = Realm.Configuration(shouldCompactOnLaunch: { totalBytes, usedBytes in
      let oneHundredMB = 100 * 1024 * 1024
      return (totalBytes > oneHundredMB) && (Double(usedBytes) / Double(totalBytes)) < 0.5
    })
    _ = Realm.Configuration(objectTypes: [Dog.self, Person.self, Address.self])
    _ = Realm.Configuration(seedFilePath: directory.fileURL())
    _ = Realm.Configuration(
      fileURL: directory.fileURL(), inMemoryIdentifier: nil, syncConfiguration: nil, encryptionKey: nil, readOnly: false, schemaVersion: 0,
      migrationBlock: nil, deleteRealmIfMigrationNeeded: false, shouldCompactOnLaunch: nil, objectTypes: nil, seedFilePath: nil)
  }

  @Test func fileAndMemoryExcludeEachOther() {
    var configuration = Realm.Configuration(fileURL: directory.fileURL(), inMemoryIdentifier: "memory")
    #expect(configuration.fileURL == nil)
    #expect(configuration.inMemoryIdentifier == "memory")
    configuration.fileURL = directory.fileURL()
    #expect(configuration.inMemoryIdentifier == nil)
    configuration.inMemoryIdentifier = "again"
    #expect(configuration.fileURL == nil)
    configuration.seedFilePath = directory.fileURL("seed.realm")
    #expect(configuration.inMemoryIdentifier == nil)
    configuration.inMemoryIdentifier = "third"
    #expect(configuration.seedFilePath == nil)
  }

  @Test func aPathCanBeChangedInPlace() {
    var configuration = directory.configuration()
    configuration.fileURL!.deleteLastPathComponent()
    configuration.fileURL!.appendPathComponent("other")
    configuration.fileURL!.appendPathExtension("realm")
    #expect(configuration.fileURL == directory.fileURL("other.realm"))
  }

  @Test func equalityComparesKeyPlaceModeAndVersion() {
    let configuration = directory.configuration()
    var other = configuration
    other.migrationBlock = { _, _ in }
    other.shouldCompactOnLaunch = { _, _ in true }
    other.objectTypes = nil
    other.deleteRealmIfMigrationNeeded = true
    other.maximumNumberOfActiveVersions = 7
    #expect(other == configuration)
    other.schemaVersion = 1
    #expect(other != configuration)
    other = configuration
    other.readOnly = true
    #expect(other != configuration)
    other = configuration
    other.encryptionKey = Data(count: 64)
    #expect(other != configuration)
    other = configuration
    other.fileURL = directory.fileURL("b.realm")
    #expect(other != configuration)
    other.inMemoryIdentifier = "c"
    #expect(other != configuration)
  }

  @Test func theDescriptionHasOneLineForEachField() {
    let text = Realm.Configuration(inMemoryIdentifier: "name", schemaVersion: 4).description
    #expect(
      text == """
        Realm.Configuration {
        \tfileURL = (null);
        \tinMemoryIdentifier = name;
        \tencryptionKey = (null);
        \treadOnly = NO;
        \tschemaVersion = 4;
        \tmigrationBlock = (null);
        \tdeleteRealmIfMigrationNeeded = NO;
        \tshouldCompactOnLaunch = (null);
        \tdynamic = NO;
        \tcustomSchema = (null);
        }
        """)
  }

  @Test func objectTypesComeBackAsASet() throws {
    let configuration = directory.configuration()
    #expect(
      Set(configuration.objectTypes!.map { ObjectIdentifier($0) }) == [
        ObjectIdentifier(Dog.self), ObjectIdentifier(Person.self), ObjectIdentifier(Address.self),
      ])
    let realm = try Realm(configuration: configuration)
    #expect(realm.schema.objectSchema.map(\.className) == ["Address", "Dog", "Person"])
    #expect(Set(realm.configuration.objectTypes!.map { ObjectIdentifier($0) }) == Set(configuration.objectTypes!.map { ObjectIdentifier($0) }))
    #expect(realm.configuration == configuration)
    // What an open realm says of itself opens it again.
    #expect(try Realm(configuration: realm.configuration) == realm)
  }

  @Test func configurationsCanBeSent() async {
    let configuration = directory.configuration()
    let path = await Task.detached { configuration.fileURL?.path }.value
    #expect(path == directory.fileURL().path)
  }

  @Test(.endsProcesses) func theDefaultConfigurationIsWhatRealmOpens() async {
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      var configuration = TestDirectory.configuration(in: path)
      Realm.Configuration.defaultConfiguration = configuration
      let realm = try Realm(queue: nil)
      #expect(realm.configuration.fileURL?.lastPathComponent == "test.realm")
      configuration.fileURL!.deleteLastPathComponent()
      configuration.fileURL!.appendPathComponent("b.realm")
      Realm.Configuration.defaultConfiguration = configuration
      #expect(realm.configuration.fileURL?.lastPathComponent == "test.realm")
      #expect(try Realm(queue: nil).configuration.fileURL?.lastPathComponent == "b.realm")
      #expect(try Realm(fileURL: URL(fileURLWithPath: path + "/c.realm")).schema.objectSchema.count == 3)
    }
  }

  @Test(.endsProcesses) func theDefaultDirectoryIsMadeWhenItIsUsed() async {
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      setenv("XDG_DATA_HOME", path, 1)
      let url = try #require(Realm.Configuration().fileURL)
      #expect(url.path.hasPrefix(path + "/"))
      _ = try Realm(configuration: Realm.Configuration(objectTypes: [Address.self]), queue: nil)
      #expect(FileManager.default.fileExists(atPath: url.path))
      setenv("REALM_DEFAULT_DIRECTORY", path, 1)
      #expect(Realm.Configuration().fileURL?.path == path + "/default.realm")
    }
  }

  // MARK: Misuse

  @Test(.endsProcesses) func emptyPlacesStop() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var configuration = Realm.Configuration()
      configuration.inMemoryIdentifier = ""
    }
    #expect(result?.stopped(with: "In-memory identifier must not be empty") == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var configuration = Realm.Configuration()
      configuration.fileURL = URL(string: "file://")
    }
    #expect(result?.stopped(with: "Realm path must not be empty") == true)
  }

  @Test(.endsProcesses) func objectTypesAreCheckedAtOnce() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Realm.Configuration(objectTypes: [Object.self])
    }
    #expect(result?.stopped(with: "Can't add non-Object type 'Object' to a schema.") == true)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Realm.Configuration(objectTypes: [Person.self])
    }
    let text = result?.standardError ?? ""
    #expect(text.contains("Fatal error: Invalid class subset list:\n- "))
    #expect(text.contains("- 'Person.favourite' links to class 'Dog', which is missing from the list of classes managed by the Realm\n"))
  }

  @Test(.endsProcesses) func noRealmHasSubscriptionsOrEvents() async throws {
    #expect(try Realm(configuration: directory.configuration(), queue: nil).events == nil)
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      _ = try Realm(configuration: TestDirectory.configuration(in: path), queue: nil).subscriptions
    }
    #expect(result?.stopped(with: "This Realm was not configured with flexible sync") == true)
  }
}
