import Foundation
import RealmSwift
import TestSupport
import Testing

@Suite(.mustEnd) struct FileTests {
  let directory = TestDirectory()
  private let key = Data((0..<64).map { UInt8($0) })

  private func configuration(_ name: String, key: Data? = nil) -> Realm.Configuration {
    Realm.Configuration(fileURL: directory.fileURL(name), encryptionKey: key, objectTypes: [Dog.self, Person.self, Address.self])
  }
  private func filled() throws -> Realm {
    let realm = try Realm(configuration: configuration("test.realm"))
    try realm.write { for index in 0..<2000 { realm.add(Dog(value: ["dog \(index)", index])) } }
    try realm.write { realm.delete(Array(realm.objects(Dog.self))[10...]) }
    return realm
  }
  private func fill(_ count: Int) throws {
    let realm = try Realm(configuration: configuration("test.realm"), queue: nil)
    try realm.write { for index in 0..<count { realm.add(Dog(value: ["dog \(index)", index])) } }
  }

  // MARK: Copies

  @Test func aCopyIsCompactAndEqual() throws {
    let realm = try filled()
    let size = try directory.byteCount()
    try realm.writeCopy(toFile: directory.fileURL("copy.realm"))
    #expect(try directory.byteCount("copy.realm") < size / 4)
    #expect(try directory.byteCount() == size)
    let copy = try Realm(configuration: configuration("copy.realm"))
    #expect(copy.objects(Dog.self).map(\.age).sorted() == Array(0..<10))
    try copy.write { copy.add(Dog(value: ["new", 1])) }
    #expect(realm.objects(Dog.self).count == 10)
  }

  @Test func aCopyMayBeEncryptedAndBack() throws {
    let realm = try filled()
    try realm.writeCopy(toFile: directory.fileURL("secret.realm"), encryptionKey: key)
    #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration("secret.realm")) }
    let secret = try Realm(configuration: configuration("secret.realm", key: key))
    #expect(secret.objects(Dog.self).count == 10)
    var plain = configuration("plain.realm")
    plain.schemaVersion = 9
    try secret.writeCopy(configuration: plain)
    #expect(try Realm(configuration: configuration("plain.realm")).objects(Dog.self).count == 10)
    #expect(try schemaVersionAtURL(directory.fileURL("secret.realm"), encryptionKey: key) == 0)
  }

  @Test func aCopyInATransactionHoldsWhatIsNotCommitted() throws {
    let realm = try filled()
    realm.beginWrite()
    realm.add(Dog(value: ["uncommitted", 1]))
    try realm.writeCopy(toFile: directory.fileURL("copy.realm"))
    realm.add(Dog(value: ["later", 1]))
    realm.cancelWrite()
    #expect(realm.objects(Dog.self).count == 10)
    let copy = try Realm(configuration: configuration("copy.realm"))
    #expect(copy.objects(Dog.self).count == 11)
    #expect(copy.object(ofType: Dog.self, forPrimaryKey: "uncommitted") != nil)
    try copy.write { copy.add(Dog(value: ["more", 1])) }
  }

  @Test func theTransactionGoesOnAfterACopy() throws {
    let realm = try filled()
    try realm.write {
      realm.add(Dog(value: ["a", 1]))
      try realm.writeCopy(toFile: directory.fileURL("copy.realm"))
      realm.add(Dog(value: ["b", 1]))
    }
    #expect(realm.objects(Dog.self).count == 12)
  }

  @Test func theDestinationMustNotExist() throws {
    let realm = try filled()
    #expect {
      try realm.writeCopy(toFile: directory.fileURL())
    } throws: {
      ($0 as? Realm.Error)?.code == .fileExists
        && $0.localizedDescription == "Failed to open file at path '\(directory.fileURL().path)': File exists"
    }
    let missing = directory.url.appendingPathComponent("none/copy.realm")
    #expect {
      try realm.writeCopy(toFile: missing)
    } throws: {
      ($0 as? Realm.Error)?.code == .fileNotFound
        && $0.localizedDescription == "Failed to open file at path '\(missing.path)': parent directory does not exist"
    }
  }

  /// A backup that a dying process left unfinished must not be taken for one.
  @Test(.endsProcesses) func aProcessThatEndsWhileItCopiesLeavesNoCopy() async throws {
    try fill(10_000)
    await #expect(processExitsWith: .signal(SIGXFSZ)) { [path = directory.path as String] in
      let realm = try Realm(configuration: TestDirectory.configuration(in: path), queue: nil)
      // Whoever starts tests may ignore the signal, and threads of tasks do not take it.
      signal(SIGXFSZ, SIG_DFL)
      var tooLarge = sigset_t()
      sigemptyset(&tooLarge)
      sigaddset(&tooLarge, SIGXFSZ)
      pthread_sigmask(SIG_UNBLOCK, &tooLarge, nil)
      var limit = rlimit(rlim_cur: 64 * 1024, rlim_max: .max)
      setrlimit(__rlimit_resource_t(UInt32(RLIMIT_FSIZE.rawValue)), &limit)
      try realm.writeCopy(toFile: URL(fileURLWithPath: path + "/copy.realm"))
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.hasPrefix("copy") }
    #expect(left.count == 1 && left.allSatisfy { $0.hasSuffix(".partial") }, "\(left)")
    try Realm(configuration: configuration("test.realm"), queue: nil).writeCopy(toFile: directory.fileURL("copy.realm"))
    #expect(try Realm(configuration: configuration("copy.realm"), queue: nil).objects(Dog.self).count == 10_000)
  }

  @Test(.endsProcesses) func aCopyMayBeMadeWhereFilesCannotBeListed() async {
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      chmod(path, 0o777)
      let box = path + "/box"
      mkdir(box, 0o777)
      chmod(box, 0o733)
      if geteuid() == 0 { #expect(seteuid(65534) == 0) }
      let realm = try Realm(configuration: TestDirectory.configuration(in: path), queue: nil)
      try realm.write { realm.add(Dog(value: ["Rex", 1])) }
      try realm.writeCopy(toFile: URL(fileURLWithPath: box + "/test.realm"))
      let copy = try Realm(configuration: TestDirectory.configuration(in: box), queue: nil)
      #expect(copy.objects(Dog.self).map(\.name) == ["Rex"])
    }
  }

  @Test func aFrozenRealmIsCopiedAsItIs() throws {
    let realm = try filled()
    let frozen = realm.freeze()
    try realm.write { realm.deleteAll() }
    try frozen.writeCopy(toFile: directory.fileURL("copy.realm"))
    #expect(try Realm(configuration: configuration("copy.realm")).objects(Dog.self).count == 10)
  }

  @Test(.endsProcesses) func aShortKeyStops() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      let realm = try Realm(configuration: TestDirectory.configuration(in: path), queue: nil)
      try realm.writeCopy(toFile: URL(fileURLWithPath: path + "/copy.realm"), encryptionKey: Data(count: 10))
    }
    #expect(result?.stopped(with: "Encryption key must be exactly 64 bytes long") == true)
  }

  // MARK: Encryption

  @Test func keysOpenWhatTheyClosed() throws {
    do {
      let realm = try Realm(configuration: configuration("secret.realm", key: key))
      try realm.write { realm.add(Dog(value: ["a secret name", 1])) }
      #expect {
        _ = try Realm(configuration: configuration("secret.realm", key: Data(count: 64)))
      } throws: {
        $0.localizedDescription == "Realm at path '\(directory.fileURL("secret.realm").path)' already opened with different encryption key"
      }
    }
    #expect(try Realm(configuration: configuration("secret.realm", key: key)).objects(Dog.self).first?.name == "a secret name")
    #expect {
      _ = try Realm(configuration: configuration("secret.realm", key: Data(count: 64)))
    } throws: {
      ($0 as? Realm.Error)?.code == .invalidDatabase
        && $0.localizedDescription.hasPrefix(
          "Failed to open Realm file at path '\(directory.fileURL("secret.realm").path)': Realm file decryption failed (")
    }
    #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration("secret.realm")) }
    do { _ = try Realm(configuration: configuration("plain.realm")) }
    #expect {
      _ = try Realm(configuration: configuration("plain.realm", key: key))
    } throws: {
      ($0 as? Realm.Error)?.code == .invalidDatabase
        && $0.localizedDescription
          == "Failed to open Realm file at path '\(directory.fileURL("plain.realm").path)': Attempt to open unencrypted file with encryption key"
    }
  }

  @Test(.endsProcesses) func theEnvironmentCanSwitchEncryptionOff() async {
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      setenv("REALM_DISABLE_ENCRYPTION", "1", 1)
      var configuration = TestDirectory.configuration(in: path)
      configuration.encryptionKey = Data(count: 64)
      do { _ = try Realm(configuration: configuration, queue: nil) }
      configuration.encryptionKey = nil
      #expect(try Realm(configuration: configuration, queue: nil).isEmpty)
    }
  }

  // MARK: Deleting

  @Test func filesAreDeletedButTheLockFile() throws {
    let configuration = configuration("test.realm")
    #expect(!Realm.fileExists(for: configuration))
    #expect(try !Realm.deleteFiles(for: configuration))
    do { _ = try filled() }
    #expect(Realm.fileExists(for: configuration))
    _ = FileManager.default.createFile(atPath: directory.fileURL("test.realm.log").path, contents: nil)
    #expect(try Realm.deleteFiles(for: configuration))
    #expect(!Realm.fileExists(for: configuration))
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["test.realm.lock"])
    #expect(try !Realm.deleteFiles(for: configuration))
    var other = configuration
    other.fileURL = directory.url.appendingPathComponent("none/a.realm")
    #expect(try !Realm.deleteFiles(for: other))
  }

  @Test(.endsProcesses) func openFilesAreNotDeleted() async throws {
    let configuration = configuration("test.realm")
    let realm = try Realm(configuration: configuration, queue: nil)
    #expect {
      try Realm.deleteFiles(for: configuration)
    } throws: {
      ($0 as? Realm.Error)?.code == .alreadyOpen
        && $0.localizedDescription == "Cannot delete files of an open Realm: '\(directory.fileURL().path)' is still in use."
    }
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      #expect {
        try Realm.deleteFiles(for: TestDirectory.configuration(in: path))
      } throws: {
        ($0 as? Realm.Error)?.code == .alreadyOpen
      }
    }
    #expect(Realm.fileExists(for: configuration))
    withExtendedLifetime(realm) {}
  }

  @Test(.endsProcesses) func filesThatMayNotBeDeletedAreNamed() async throws {
    do { _ = try filled() }
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      chmod(path + "/test.realm.lock", 0o666)
      chmod(path, 0o555)
      if geteuid() == 0 { #expect(seteuid(65534) == 0) }
      #expect {
        try Realm.deleteFiles(for: TestDirectory.configuration(in: path))
      } throws: {
        ($0 as NSError).domain == NSCocoaErrorDomain && ($0 as NSError).code == CocoaError.fileWriteNoPermission.rawValue
      }
    }
    chmod(directory.path, 0o755)
  }

  // MARK: Schema version

  @Test func theVersionOfAFileCanBeAsked() throws {
    var configuration = configuration("test.realm")
    configuration.schemaVersion = 12
    do {
      let realm = try Realm(configuration: configuration)
      #expect(try schemaVersionAtURL(directory.fileURL()) == 12)
      withExtendedLifetime(realm) {}
    }
    #expect(try schemaVersionAtURL(directory.fileURL()) == 12)
    let url = directory.fileURL("new.realm")
    #expect {
      _ = try schemaVersionAtURL(url)
    } throws: {
      ($0 as? Realm.Error)?.code == .invalidDatabase && $0.localizedDescription == "Realm at path '\(url.path)' has not been initialized."
    }
    #expect(FileManager.default.fileExists(atPath: url.path))
  }

  @Test(.endsProcesses) func performMigrationMigratesClosedFiles() async throws {
    do {
      let realm = try Realm(configuration: directory.configuration([NoteV1.self]), queue: nil)
      try realm.write { realm.add(NoteV1(value: ["title": "a"])) }
    }
    var configuration = directory.configuration([NoteV2.self])
    configuration.schemaVersion = 1
    configuration.migrationBlock = { migration, version in
      #expect(version == 0)
      migration.enumerateObjects(ofType: "Note") { _, new in new!["stars"] = 5 }
    }
    try Realm.performMigration(for: configuration)
    #expect(try Realm(configuration: configuration, queue: nil).objects(NoteV2.self).first?.stars == 5)
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [path = directory.path as String] in
      var configuration = TestDirectory.configuration(in: path, [Extra.self])
      configuration.fileURL = URL(fileURLWithPath: path + "/other.realm")
      let realm = try Realm(configuration: configuration, queue: nil)
      try Realm.performMigration(for: configuration)
      withExtendedLifetime(realm) {}
    }
    #expect(result?.stopped(with: "Cannot migrate Realms that are already open.") == true)
  }
}
