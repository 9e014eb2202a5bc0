public import Foundation
import RealmStorage

extension Realm {
  // MARK: Copies

  /// Writes a compacted copy of what this realm shows, uncommitted changes included. Stops for a key that has not 64 bytes.
  /// - Parameters:
  ///   - fileURL: must not exist yet.
  ///   - encryptionKey: 64 bytes; nil for a plain file.
  /// - Throws: `Realm.Error` if the file exists or cannot be written, and on a wrong thread.
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    if let encryptionKey { orStop { _ = try encryptionKey.engineKey() } }
    var configuration = Configuration(fileURL: fileURL)
    configuration.encryptionKey = encryptionKey
    try writeCopy(configuration: configuration)
  }

  /// Writes a compacted copy of what this realm shows, uncommitted changes included, to the file that a configuration names.
  ///
  /// The file has that name once it is complete: a process that ends before leaves a file with a name that ends with `.partial`, which can be removed.
  ///
  /// - Parameter configuration: only the place and the key matter. The file must not exist yet.
  /// - Throws: `Realm.Error` if the file exists or cannot be written, for a key that has not 64 bytes, and on a wrong thread.
  public func writeCopy(configuration: Realm.Configuration) throws {
    try orThrow(core) {
      try core.verifyThread()
      _ = try core.group()
    }
    let path = try orThrow { try RealmOpening.path(of: configuration) }
    // What is damaged is the file that is read; errors of the copy name it themselves.
    try orThrow(core) { try core.writeCopy(toFile: path, configuration.effectiveKey?.engineKey()) }
  }

  // MARK: Space

  /// Moves the contents of the file together and gives the rest of it back to the system, while it stays open and others go on using it.
  ///
  /// Commits do this by themselves once much more is free than used; here it is done at once, and for any file. This realm lets go of its version as if it
  /// had not read yet: objects and collections stay valid, and the next access reads the newest version. What older versions need that others hold
  /// (`Realm.pinnedVersions(for:)`), and the end of an encrypted file, is given back by later commits and openings.
  ///
  /// Blocks, and waits for other writers, who get their turn in between. Costs about one copy of what lies in the wrong place.
  /// - Returns: by how many bytes the file became shorter.
  /// - Throws: what `commitWrite()` may throw. A failure loses nothing: the file is what it was, or partly moved together.
  @discardableResult public func releaseUnusedSpace() throws -> Int {
    try orThrow(core) { try core.releaseUnusedSpace() }
  }

  // MARK: Files

  /// Whether there is a realm file. Stops for a configuration that names none.
  public static func fileExists(for config: Configuration) -> Bool {
    FileCalls.exists(orStop { try RealmOpening.path(of: config) })
  }

  /// Deletes a realm file and what stands beside it, but for the lock file.
  /// - Returns: whether there was a realm file.
  /// - Throws: `Realm.Error.alreadyOpen` if anybody has it open.
  @discardableResult
  public static func deleteFiles(for config: Configuration) throws -> Bool {
    let path = try orThrow { try RealmOpening.path(of: config) }
    return try orThrow(path: path) {
      OpenCallbacks.wait(for: path)
      OpenFiles.entry(path).waitUntilClosed(path)
      do { if try Database.deleteFiles(path: path) { return true } } catch StorageError.permissionDenied { throw noPermission(path) }
      if FileCalls.exists(path) { throw noPermission(path) }
      return false
    }
  }

  private static func noPermission(_ path: String) -> any Swift.Error {
    let text = "Failed to delete file at '\(path)': Permission denied"
    return NSError(
      domain: NSCocoaErrorDomain, code: CocoaError.fileWriteNoPermission.rawValue,
      userInfo: [NSLocalizedDescriptionKey: text, NSFilePathErrorKey: path])
  }

  /// Opens a realm, which migrates it, and closes it. Stops if the file is open in this process.
  /// - Throws: what ``init(configuration:queue:)`` throws.
  public static func performMigration(for configuration: Realm.Configuration = .defaultConfiguration) throws {
    let opening = try orThrow { try RealmOpening(configuration) }
    if opening.isOpen { stop("Cannot migrate Realms that are already open.") }
    _ = try orThrow(path: opening.path) { try opening.openedFile() }
  }
}

/// The schema version of a realm file.
/// - Note: Opens the file for writing: one that does not exist is created.
/// - Throws: `Realm.Error.invalidDatabase` if no schema was ever written to the file, and what opening may throw.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
  var configuration = Realm.Configuration(fileURL: fileURL)
  configuration.encryptionKey = encryptionKey
  let opening = try orThrow { try RealmOpening(configuration) }
  return try orThrow(path: opening.path) {
    let version = try opening.storedVersion()
    if version == Group.noSchemaVersion {
      throw RealmFailure(.invalidDatabase, "Realm at path '\(opening.path)' has not been initialized.", path: opening.path)
    }
    return version
  }
}

extension RealmCore {
  fileprivate func releaseUnusedSpace() throws -> Int {
    try requireWriting()
    guard !isInWriteTransaction, !isBeginningToWrite else { throw RealmFailure.transaction("The Realm is already in a write transaction") }
    settle()
    // A right to write that is asked for in the background would be waited for here: it is given back and asked for again.
    defer { asyncWriting.proceed() }
    if let requested = try asyncWriting.takeTransaction() { requested.cancel() }
    guard releaseVersion() else { throw RealmFailure.misuse("The space of a Realm cannot be released while it delivers notifications.") }
    defer { catchUp() }
    return Int(clamping: try file.database.releaseUnusedSpace())
  }
}

extension RealmOpening {
  fileprivate func storedVersion() throws -> UInt64 {
    let options = try configuration.databaseOptions()
    let database: Database =
      if let file = OpenFiles.entry(path).current { file.database } else { try Database.open(path: path, options: options) }
    return try database.read { (group) throws(StorageError) in try group.schemaVersion() }
  }
}
