import Foundation
import RealmStorage

/// Opens the realm of a configuration: an instance that the caller's confinement has already, another one of a file that is open in the
/// process, or the file itself with everything that its first opening takes.
struct RealmOpening: Sendable {
  let configuration: Realm.Configuration
  let path: String

  init(_ configuration: Realm.Configuration) throws {
    self.configuration = configuration
    path = try RealmOpening.path(of: configuration)
    try check()
  }

  /// Whether a path from a directory names a file in it, or in a directory below.
  private static func staysBelow(_ path: String) -> Bool {
    let steps = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard let last = steps.last, !last.isEmpty, !last.elementsEqual(".".utf8) else { return false }
    return !path.utf8.contains(0) && !steps.contains { $0.elementsEqual("..".utf8) }
  }

  static func path(of configuration: Realm.Configuration) throws -> String {
    if let name = configuration.inMemoryIdentifier {
      // Opening empties the file: it must not be one that lies anywhere else.
      guard staysBelow(name) else {
        throw RealmFailure.misuse("The in-memory identifier '\(name)' cannot be the name of a file in the temporary directory.")
      }
      let directory = NSTemporaryDirectory()
      return directory.hasSuffix("/") ? directory + name : directory + "/" + name
    }
    guard let url = configuration.fileURL else {
      throw RealmFailure.misuse("A Realm Configuration must specify a path or an in-memory identifier.")
    }
    // `URL(string:)` of a path has no scheme. The original takes the path of any URL.
    guard url.isFileURL || url.scheme == nil else { throw RealmFailure.misuse("'\(url)' is not a file URL.") }
    // The same file has one path, however it is reached.
    return OpenFiles.realPath(url.path)
  }

  private func check() throws {
    if configuration.syncConfiguration != nil { throw RealmFailure.misuse("Sync is not available in this version of the SDK.") }
    if configuration.eventConfiguration != nil {
      throw RealmFailure.misuse("Recording events needs sync, which is not available in this version of the SDK.")
    }
    if configuration.schemaVersion == .max {
      throw RealmFailure.misuse("Cannot set schema version to 18446744073709551615, which stands for files without one")
    }
    if configuration.readOnly {
      if configuration.deleteRealmIfMigrationNeeded {
        throw RealmFailure.misuse("Cannot set `deleteRealmIfMigrationNeeded` when `readOnly` is set.")
      }
      if configuration.shouldCompactOnLaunch != nil { throw RealmFailure.misuse("Cannot set `shouldCompactOnLaunch` when `readOnly` is set.") }
    }
    if let key = configuration.effectiveKey {
      _ = try key.engineKey()
      if configuration.inMemoryIdentifier != nil {
        throw RealmFailure(.fail, "Encryption is not supported for in-memory realms", name: "InvalidCombination")
      }
    }
  }

  var isOpen: Bool { OpenFiles.isOpen(path) }

  /// The realm of a confinement; the caller is in it, or on the way to it.
  func run(_ confinement: Confinement) throws -> RealmCore {
    let core = try core(confinement)
    if configuration.inMemoryIdentifier != nil { core.stayForThisTurn() }
    return core
  }

  private func core(_ confinement: Confinement) throws -> RealmCore {
    if let file = OpenFiles.entry(path).current, let core = file.existingCore(confinement) {
      try compareInPlace(with: core.configuration)
      file.tellOfClasses(missingFor: configuration)
      return core
    }
    return try openedFile().core(for: configuration, confinement)
  }

  /// The file, which is opened if it is not open in this process.
  func openedFile() throws -> RealmFile {
    let entry = OpenFiles.entry(path)
    if let file = entry.current {
      try compare(with: file.configuration)
      file.tellOfClasses(missingFor: configuration)
      return file
    }
    return try entry.withOpeningLock {
      if let file = entry.current {
        try compare(with: file.configuration)
        file.tellOfClasses(missingFor: configuration)
        return file
      }
      let file = try openFile()
      entry.set(file)
      return file
    }
  }

  /// The realm that the caller's thread, queue or actor has already is returned, whatever else the configuration says.
  private func compareInPlace(with other: Realm.Configuration) throws {
    func differ(_ what: String) -> RealmFailure { mismatch("\(what)") }
    if configuration.readOnly != other.readOnly { throw differ("different read permissions") }
    if (configuration.inMemoryIdentifier == nil) != (other.inMemoryIdentifier == nil) { throw differ("different inMemory settings") }
    if configuration.effectiveKey != other.effectiveKey { throw differ("different encryption key") }
  }

  /// A file that is open in this process can only be opened in the same way.
  private func compare(with other: Realm.Configuration) throws {
    func differ(_ what: String) -> RealmFailure { mismatch("\(what).") }
    if configuration.readOnly != other.readOnly { throw differ("different read permissions") }
    if (configuration.inMemoryIdentifier == nil) != (other.inMemoryIdentifier == nil) { throw differ("different inMemory settings") }
    if configuration.effectiveKey != other.effectiveKey { throw differ("a different encryption key") }
    if configuration.deleteRealmIfMigrationNeeded != other.deleteRealmIfMigrationNeeded { throw differ("a different schema mode") }
    if configuration.schemaVersion != other.schemaVersion { throw differ("different schema version") }
  }

  private func mismatch(_ what: String) -> RealmFailure {
    RealmFailure(.fail, "Realm at path '\(path)' already opened with \(what)", path: path, name: "MismatchedConfig")
  }

  // MARK: The first opening

  private func openFile() throws -> RealmFile {
    let schema: Schema = if let custom = configuration.customSchema { custom } else { try ModelSchemas.defaultSchema() }
    try SchemaValidation.validate(schema)
    if configuration.fileURL?.deletingLastPathComponent().path == DefaultPath.directory.path { try? createDefaultDirectory() }
    // Only whoever is alone compacts, or deletes.
    if configuration.shouldCompactOnLaunch != nil || configuration.deleteRealmIfMigrationNeeded { OpenFiles.entry(path).waitUntilClosed(path) }
    let isSeeded = configuration.seedFilePath != nil && !FileCalls.exists(path)
    do {
      let database = try openDatabase()
      DatabaseLog.opened(database, configuration)
      try compactIfWanted(database)
      return try SchemaInitialisation(configuration, schema, path: path).run(database) { try openDatabase() }
    } catch let error as StorageError where isSeeded && error.isDamage {
      // The copy of a damaged seed would be in the way of a sound one.
      if FileCalls.exists(path) { _ = try? Database.deleteFiles(path: path) }
      guard case .corruptNode(let ref, let reason) = error, let seed = configuration.seedFilePath else { throw error }
      throw StorageError.invalidDatabase(path: seed.path, reason: "the seed is damaged at 0x\(String(ref.byteOffset, radix: 16)): \(reason)")
    }
  }

  private func createDefaultDirectory() throws {
    try FileManager.default.createDirectory(at: DefaultPath.directory, withIntermediateDirectories: true)
  }

  private func openDatabase() throws -> Database {
    var options = try configuration.databaseOptions()
    if configuration.readOnly, let seed = options.seedPath { try Database.copySeed(seed, to: path, options) }
    // A file of an older format is deleted, not upgraded, by a configuration that would delete it anyway.
    if configuration.deleteRealmIfMigrationNeeded { options.mayUpgrade = false }
    do throws(StorageError) { return try Database.open(path: path, options: options) } catch {
      guard configuration.deleteRealmIfMigrationNeeded, case .formatUpgradeRequired = error else { throw error }
    }
    // Of the present format is what another process has made since.
    try Database.deleteFiles(path: path, options) { _ in true }
    return try Database.open(path: path, options: options)
  }

  private func compactIfWanted(_ database: Database) throws {
    guard let decide = configuration.shouldCompactOnLaunch else { return }
    guard let use = try database.launchSpaceUse(), decide(Int(use.totalByteCount), Int(use.usedByteCount)) else { return }
    let clock = ContinuousClock()
    let start = clock.now
    guard try database.compactAtLaunch() else { return }
    let now = try database.fileByteCount()
    DatabaseLog.compacted(database, from: use.totalByteCount, to: now, clock.now - start)
  }
}
