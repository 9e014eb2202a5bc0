import RealmStorage

/// Messages about one open file, in the form of the original: `DB: 17 Thread 139…: what happened`.
enum DatabaseLog {
  static func log(_ level: LogLevel, _ database: Database, _ message: @autoclosure () -> String) {
    Logger.shared.log(level, .file, "DB: \(UInt(bitPattern: ObjectIdentifier(database)) >> 4 & 0xFFFF) Thread \(currentThread()): \(message())")
  }

  static func opened(_ database: Database, _ configuration: Realm.Configuration) {
    log(.detail, database, "Open file: \(database.path)")
    log(
      .trace, database,
      "Version \(database.newestVersion) of \(database.numberOfVersions), encryption: \(configuration.effectiveKey != nil), read-only: "
        + "\(configuration.readOnly)")
  }

  static func compacted(_ database: Database, from old: UInt64, to new: UInt64, _ time: Duration) {
    log(.info, database, "DB compacted from: \(old) to \(new) in \(Int(time / .microseconds(1))) us")
  }
}

/// What is said of the work on a schema.
struct SchemaLog {
  private let changeCount: Int
  private let start = ContinuousClock.now

  init(_ decision: SchemaDecision, version: UInt64) {
    let text: String
    switch decision {
    case .unchanged: (changeCount, text) = (0, "")
    case .additions(let changes): (changeCount, text) = (changes.count, "Migrating from schema version \(version) to \(version)")
    case .update(let changes, let from, _):
      changeCount = changes.count
      text = from == Group.noSchemaVersion ? "Creating schema version \(version)" : "Migrating from schema version \(from) to \(version)"
    }
    if decision != .unchanged { Logger.shared.log(.debug, .schema, text + " in mode 'Automatic'") }
  }

  func finished() {
    let time = ContinuousClock.now - start
    Logger.shared.log(.debug, .schema, "Migration did run in \(Int(time / .microseconds(1))) us (\(changeCount) changes)")
  }
}
