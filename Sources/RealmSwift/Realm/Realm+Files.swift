public import Foundation
import RealmStorage

extension Realm {
  // MARK: Copies

  /// Writes a compacted copy of what this realm shows, uncommitted changes included.
  /// - Parameters:
  ///   - fileURL: must not exist yet.
  ///   - encryptionKey: 64 bytes; nil for a plain file.
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    if let encryptionKey { orStop { () throws(RealmFailure) in _ = try encryptionKey.engineKey() } }
    var configuration = Configuration(fileURL: fileURL)
    configuration.encryptionKey = encryptionKey
    try writeCopy(configuration: configuration)
  }

  /// As `writeCopy(toFile:encryptionKey:)`; only the place and the key of the configuration matter.
  public func writeCopy(configuration: Realm.Configuration) throws {
    try orThrow { () throws(RealmFailure) in
      try core.verifyThread()
      try core.writeCopy(toFile: RealmOpening.path(of: configuration), configuration.effectiveKey?.engineKey())
    }
  }

  // MARK: Files

  /// Whether there is a realm file.
  public static func fileExists(for config: Configuration) -> Bool {
    FileCalls.exists(orStop { () throws(RealmFailure) in try RealmOpening.path(of: config) })
  }

  /// Deletes a realm file and what stands beside it, but for the lock file.
  /// - Returns: whether there was a realm file.
  /// - Throws: `Realm.Error.alreadyOpen` if anybody has it open.
  @discardableResult
  public static func deleteFiles(for config: Configuration) throws -> Bool {
    let path = try orThrow { () throws(RealmFailure) in try RealmOpening.path(of: config) }
    do throws(StorageError) {
      if try Database.deleteFiles(path: path) { return true }
    } catch {
      if case .permissionDenied = error { throw noPermission(path) }
      throw Realm.Error(RealmFailure(error, path: path))
    }
    if FileCalls.exists(path) { throw noPermission(path) }
    return false
  }

  private static func noPermission(_ path: String) -> any Swift.Error {
    NSError(domain: NSCocoaErrorDomain, code: CocoaError.fileWriteNoPermission.rawValue, userInfo: ["NSFilePath": path])
  }

  /// Opens a realm, which migrates it, and closes it.
  public static func performMigration(for configuration: Realm.Configuration = .defaultConfiguration) throws {
    let opening = try orThrow { () throws(RealmFailure) in try RealmOpening(configuration) }
    if opening.isOpen { stop("Cannot migrate Realms that are already open.") }
    _ = try orThrow { () throws(RealmFailure) in try opening.openedFile() }
  }
}

/// The schema version of a realm file.
/// - Note: Opens the file for writing: one that does not exist is created.
/// - Throws: `Realm.Error.invalidDatabase` if no schema was ever written to the file, and what opening may throw.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
  var configuration = Realm.Configuration(fileURL: fileURL)
  configuration.encryptionKey = encryptionKey
  return try orThrow { () throws(RealmFailure) in
    let opening = try RealmOpening(configuration)
    let version = try opening.storedVersion()
    if version == SchemaStore.notVersioned {
      throw RealmFailure(.invalidDatabase, "Realm at path '\(opening.path)' has not been initialized.", path: opening.path)
    }
    return version
  }
}

extension RealmOpening {
  fileprivate func storedVersion() throws(RealmFailure) -> UInt64 {
    let options = try configuration.databaseOptions()
    do throws(StorageError) {
      let database: Database =
        if let file = OpenFiles.entry(path).current { file.database } else { try Database.open(path: path, options: options) }
      return try database.read { (group) throws(StorageError) in try SchemaStore.version(of: group) }
    } catch { throw RealmFailure(error, path: path) }
  }
}
