public import Foundation
import RealmStorage

extension Realm {
  /// How a realm is opened. A plain value: copy it, change it, share it.
  ///
  /// Computing the schema of `objectTypes` is the expensive part: keep a configuration instead of making it anew for every open.
  public struct Configuration: Sendable, Equatable, CustomStringConvertible {
    private static let sharedDefault = Locked<Configuration?>(nil)

    /// What `Realm()` uses. Changing it does not touch open realms.
    public static var defaultConfiguration: Configuration {
      get {
        sharedDefault.withLock { shared in
          if let shared { return shared }
          let fresh = Configuration()
          shared = fresh
          return fresh
        }
      }
      set { sharedDefault.withLock { $0 = newValue } }
    }

    /// The properties of the same names say what the parameters mean.
    ///
    /// Stops for an empty path or identifier, and as setting `objectTypes` does. Whether the settings go together is checked when a realm is opened.
    @preconcurrency
    public init(
      fileURL: URL? = Realm.Configuration._defaultFileURL, inMemoryIdentifier: String? = nil, syncConfiguration: SyncConfiguration? = nil,
      encryptionKey: Data? = nil, readOnly: Bool = false, schemaVersion: UInt64 = 0, migrationBlock: MigrationBlock? = nil,
      deleteRealmIfMigrationNeeded: Bool = false, shouldCompactOnLaunch: (@Sendable (Int, Int) -> Bool)? = nil,
      objectTypes: [ObjectBase.Type]? = nil, seedFilePath: URL? = nil
    ) {
      self.readOnly = readOnly
      self.encryptionKey = encryptionKey
      self.schemaVersion = schemaVersion
      self.migrationBlock = migrationBlock
      self.deleteRealmIfMigrationNeeded = deleteRealmIfMigrationNeeded
      self.shouldCompactOnLaunch = shouldCompactOnLaunch
      self.syncConfiguration = syncConfiguration
      if let fileURL, fileURL.path.isEmpty { stop("Realm path must not be empty") }
      place = fileURL.map { .file($0) }
      seedURL = seedFilePath
      self.objectTypes = objectTypes
      if let inMemoryIdentifier { self.inMemoryIdentifier = inMemoryIdentifier }
    }

    /// Public for technical reasons only.
    public static var _defaultFileURL: URL { DefaultPath.url }

    private enum Place: Equatable {
      case file(URL)
      case memory(String)
    }
    private var place: Place?

    /// The file. Setting it ends being in memory.
    public var fileURL: URL? {
      get { if case .file(let url) = place { url } else { nil } }
      set {
        if let newValue, newValue.path.isEmpty { stop("Realm path must not be empty") }
        place = newValue.map { .file($0) }
      }
    }

    /// The name of a realm that lives in memory and is gone with its last instance, but not before the present turn of the run loop, serial queue or
    /// actor ends in which it was opened, or the `autoreleasepool`. Setting it ends having a file.
    public var inMemoryIdentifier: String? {
      get { if case .memory(let name) = place { name } else { nil } }
      set {
        if let newValue, newValue.isEmpty { stop("In-memory identifier must not be empty") }
        place = newValue.map { .memory($0) }
        if newValue != nil { seedURL = nil }
      }
    }

    /// A realm that nobody has read from for this long, up to twice as long, gives up the version that it holds, so that the file's space
    /// can be used again; its next access reads the newest version, as after `refresh()`. Nothing becomes invalid. Nil, the default, is never.
    ///
    /// Applies to realms of the main thread, of queues, of actors and of threads with a running run loop whose `autorefresh` is on and that
    /// nobody observes; not to frozen realms, nor during a write transaction. An addition of this implementation.
    public var idleVersionLimit: Duration?
    /// Sync is not part of this package: a realm with such a configuration cannot be opened.
    public var syncConfiguration: SyncConfiguration?
    /// 64 bytes; nil for a plain file.
    public var encryptionKey: Data?
    /// For files, or directories, that cannot be written. Nobody may write the file meanwhile, not even another process.
    public var readOnly: Bool
    /// The version of the schema; raised with every change that needs a migration.
    public var schemaVersion: UInt64
    /// Called when the file has an older version.
    public var migrationBlock: MigrationBlock?
    /// Instead of migrating, start with an empty file.
    public var deleteRealmIfMigrationNeeded: Bool
    /// Called at the first open with the file's size and the bytes in use; true compacts the file before it is handed over, false leaves it as it is.
    public var shouldCompactOnLaunch: (@Sendable (_ totalBytes: Int, _ usedBytes: Int) -> Bool)?
    /// Writes of every kind stop while more versions than this are alive, the newest and its predecessor among them, and somebody holds an old one;
    /// nil and 0 are no limit.
    public var maximumNumberOfActiveVersions: UInt?
    /// Sync is not part of this package: a realm with such a configuration cannot be opened.
    public var eventConfiguration: EventConfiguration?

    private var seedURL: URL?
    /// A realm file that is copied when there is no file yet. Setting it ends being in memory.
    public var seedFilePath: URL? {
      get { seedURL }
      set {
        seedURL = newValue
        if newValue != nil, case .memory = place { place = nil }
      }
    }

    /// The classes of the schema; nil are all. While a file is open in the process, those of its first opening are in force.
    public var objectTypes: [ObjectBase.Type]? {
      get { customTypes }
      set {
        customTypes = newValue
        customSchema = newValue.map { types in orStop { try ModelSchemas.subset(types) } }
      }
    }
    var customTypes: [ObjectBase.Type]?
    var customSchema: Schema?

    /// Compares place, key, `readOnly` and schema version; not blocks and classes.
    public static func == (a: Configuration, b: Configuration) -> Bool {
      a.encryptionKey == b.encryptionKey && a.place == b.place && a.readOnly == b.readOnly && a.schemaVersion == b.schemaVersion
    }

    /// The settings, one a line. Of the key only the length.
    public var description: String {
      func text(_ value: Any?) -> String { value.map { "\($0)" } ?? "(null)" }
      let key = encryptionKey.map { "<\($0.count) bytes>" }
      let classes = customSchema.map { $0.objectSchema.map(\.className).sorted().joined(separator: ", ") }
      let lines: [(String, String)] = [
        ("fileURL", text(fileURL)), ("inMemoryIdentifier", text(inMemoryIdentifier)), ("encryptionKey", text(key)),
        ("readOnly", readOnly ? "YES" : "NO"), ("schemaVersion", "\(schemaVersion)"),
        ("migrationBlock", migrationBlock == nil ? "(null)" : "<block>"),
        ("deleteRealmIfMigrationNeeded", deleteRealmIfMigrationNeeded ? "YES" : "NO"),
        ("shouldCompactOnLaunch", shouldCompactOnLaunch == nil ? "(null)" : "<block>"), ("dynamic", "NO"), ("customSchema", text(classes)),
      ]
      return "Realm.Configuration {\n" + lines.map { "\t\($0) = \($1);\n" }.joined() + "}"
    }
  }
}

/// Where `default.realm` lies.
enum DefaultPath {
  /// `$REALM_DEFAULT_DIRECTORY`, else `$XDG_DATA_HOME/<executable>`, else `~/.local/share/<executable>`; on Apple systems the application
  /// support directory. Created when the realm is first opened.
  static var url: URL { directory.appendingPathComponent("default.realm", isDirectory: false) }

  static var directory: URL {
    let environment = ProcessInfo.processInfo.environment
    if let path = environment["REALM_DEFAULT_DIRECTORY"], !path.isEmpty { return URL(fileURLWithPath: path, isDirectory: true) }
    let executable = URL(fileURLWithPath: CommandLine.arguments.first ?? "realm").lastPathComponent
    let base: URL
    if let path = environment["XDG_DATA_HOME"], !path.isEmpty {
      base = URL(fileURLWithPath: path, isDirectory: true)
    } else {
      base =
        FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        ?? URL(fileURLWithPath: NSHomeDirectory()).appendingPathComponent(".local/share", isDirectory: true)
    }
    return base.appendingPathComponent(executable, isDirectory: true)
  }
}

/// Configures sync, which this package does not have: no value of it can be made.
public struct SyncConfiguration: Sendable {
  private init() {}
}
