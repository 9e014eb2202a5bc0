import RealmStorage

/// What opening a file with a schema comes to. S3.1, S3.4 and S4.2.
enum SchemaDecision: Equatable, Sendable {
  /// Nothing is to be written.
  case unchanged
  /// New classes and indexes, at the same version.
  case additions([SchemaChange])
  /// Everything else, and a new version.
  /// - `runsBlock`: the file had a lower version, so that the user's migration block is called.
  case update([SchemaChange], from: UInt64, runsBlock: Bool)

  /// Compares the classes in a file, read in any transaction, with those of the program.
  /// - Parameter version: the program's.
  /// - Throws: when the version is too low, or a change needs a higher one.
  static func of(_ group: Group, _ schema: Schema, version: UInt64) throws -> SchemaDecision {
    let (stored, existing) = try read(group)
    return try of(existing, storedVersion: stored, schema, version: version)
  }

  static func of(_ existing: Schema, storedVersion stored: UInt64, _ schema: Schema, version: UInt64) throws -> SchemaDecision {
    let changes = SchemaComparison.changes(from: existing, to: schema)
    if stored == Group.noSchemaVersion { return .update(changes, from: stored, runsBlock: false) }
    guard stored <= version else {
      throw RealmFailure(.fail, "Provided schema version \(version) is less than last set version \(stored).", name: "InvalidSchemaVersion")
    }
    if stored < version { return .update(changes, from: stored, runsBlock: true) }
    if let lines = lines("Migration is required due to the following errors:", changes.filter(\.needsMigration)) {
      throw RealmFailure(.schemaMismatch, lines, name: "SchemaMismatch")
    }
    return changes.isEmpty ? .unchanged : .additions(changes)
  }

  /// The checks for a realm that cannot write.
  static func checkReadOnly(_ group: Group, _ schema: Schema, version: UInt64) throws {
    let (stored, existing) = try read(group)
    guard stored == version else {
      throw RealmFailure(.fail, "Provided schema version \(version) does not equal last set version \(stored).", name: "InvalidSchemaVersion")
    }
    let changes = SchemaComparison.changes(from: existing, to: schema).filter(\.mattersWhenReadOnly)
    if let lines = lines("The following changes cannot be made in read-only schema mode:", changes) {
      throw RealmFailure(.fail, lines, name: "InvalidSchemaChange")
    }
  }

  /// Whether `deleteRealmIfMigrationNeeded` spares the file.
  static func keepsFile(_ group: Group, _ schema: Schema, version: UInt64) throws(StorageError) -> Bool {
    let (stored, existing) = try read(group)
    return try group.schemaVersion() == Group.noSchemaVersion
      || stored == version && !SchemaComparison.changes(from: existing, to: schema).contains(where: \.needsMigration)
  }

  /// What is wrong with changes that somebody else made to the file while it was open here; nil if they do no harm.
  static func externalFailure(opened schema: Schema, now group: Group) throws -> RealmFailure? {
    let (_, existing) = try read(group)
    let harmful = SchemaComparison.changes(from: schema, to: existing).filter { change in
      switch change {
      case .addClass, .addProperty, .addIndex, .removeIndex: false
      default: true
      }
    }
    guard let lines = lines("Unsupported schema changes were made by another client or process:", harmful) else { return nil }
    let advice = "\nIf your app is running in development mode, you can delete the realm and restart the app to update your schema."
    return RealmFailure(.fail, lines + advice, name: "InvalidSchemaChange")
  }

  /// Nil if none of the changes is an error.
  private static func lines(_ title: String, _ changes: [SchemaChange]) -> String? {
    let lines = changes.compactMap(\.text)
    return lines.isEmpty ? nil : title + lines.map { "\n- \($0)" }.joined()
  }

  private static func read(_ group: Group) throws(StorageError) -> (UInt64, Schema) {
    (try storedVersion(group), try SchemaStore.schema(of: group))
  }

  /// The version of a file's schema. What a client synchronised before a program gave its schema a version counts as version 0: else properties
  /// that the program lacks would be removed without a migration, here and for everybody.
  static func storedVersion(_ group: Group) throws(StorageError) -> UInt64 {
    let version = try group.schemaVersion()
    if version == Group.noSchemaVersion, try group.synchronises { return 0 }
    return version
  }
}
