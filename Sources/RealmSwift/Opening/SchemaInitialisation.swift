import RealmStorage

/// Brings a file that has just been opened to the schema of its configuration.
struct SchemaInitialisation {
  private let configuration: Realm.Configuration
  private let schema: Schema
  private let path: String

  init(_ configuration: Realm.Configuration, _ schema: Schema, path: String) {
    self.configuration = configuration
    self.schema = schema
    self.path = path
  }

  /// - Parameter reopen: opens the file anew after it was deleted.
  func run(_ database: Database, reopen: () throws -> Database) throws -> RealmFile {
    var database = database
    let version = configuration.schemaVersion
    if configuration.readOnly {
      try read(database) { group in try SchemaDecision.checkReadOnly(group, schema, version: version) }
      return file(database)
    }
    if configuration.deleteRealmIfMigrationNeeded {
      let keeps = try read(database) { group in try SchemaDecision.keepsFile(group, schema, version: version) }
      if !keeps {
        database.close()
        try Database.deleteFiles(path: path, configuration.databaseOptions()) { group throws(StorageError) in
          try SchemaDecision.keepsFile(group, schema, version: version)
        }
        database = try reopen()
      }
    }
    let decision = try read(database) { group in try SchemaDecision.of(group, schema, version: version) }
    let file = file(database)
    if decision == .unchanged { return file }
    try update(file)
    return file
  }

  private func file(_ database: Database) -> RealmFile {
    RealmFile(path: path, database: database, schema: schema, configuration: configuration)
  }

  private func read<Result>(_ database: Database, _ body: (Group) throws -> Result) throws -> Result {
    let snapshot = try database.snapshot()
    defer { withExtendedLifetime(snapshot) {} }
    return try body(snapshot.openGroup())
  }

  /// All changes in one write transaction; whatever goes wrong leaves the file as it was.
  private func update(_ file: RealmFile) throws {
    let transaction = try file.database.beginWrite(staysOnThread: true)
    do {
      let group = try transaction.openGroup()
      // Another process may have been faster.
      let decision = try SchemaDecision.of(group, schema, version: configuration.schemaVersion)
      if decision == .unchanged { return transaction.cancel() }
      let log = SchemaLog(decision, version: configuration.schemaVersion)
      try SchemaUpdate.run(decision, schema, version: configuration.schemaVersion, in: group, block: block(file, transaction))
      _ = try transaction.commit(group)
      log.finished()
    } catch {
      transaction.cancel()
      throw error
    }
  }

  private func block(_ file: RealmFile, _ transaction: WriteTransaction) -> ((MigrationSteps) throws -> Void)? {
    guard let block = configuration.migrationBlock, configuration.schemaVersion > 0 else { return nil }
    return { steps in
      let before = Snapshot(try transaction.base.again(.frozen))
      let version = try SchemaDecision.storedVersion(before.openGroup())
      let old = try RealmCore(frozen: before, file, configuration, schema: steps.oldSchema)
      let new = try RealmCore(migrating: steps.group, file, configuration, schema: schema)
      Logger.shared.log(.debug, .schema, "Calling migration function")
      block(Migration(old: old, new: new, steps: steps), version)
      new.endMigration()
      try old.invalidate()
    }
  }
}
