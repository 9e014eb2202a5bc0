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
  func run(_ database: Database, reopen: () throws(RealmFailure) -> Database) throws(RealmFailure) -> RealmFile {
    var database = database
    let version = configuration.schemaVersion
    if configuration.readOnly {
      try read(database) { (group) throws(RealmFailure) in
        try SchemaDecision.checkReadOnly(group, schema, version: version, path: path)
      }
      return file(database)
    }
    if configuration.deleteRealmIfMigrationNeeded {
      let keeps = try read(database) { (group) throws(RealmFailure) in
        try SchemaDecision.keepsFile(group, schema, version: version, path: path)
      }
      if !keeps {
        database.close()
        try storing { () throws(StorageError) in _ = try Database.deleteFiles(path: path) }
        database = try reopen()
      }
    }
    let decision = try read(database) { (group) throws(RealmFailure) in
      try SchemaDecision.of(group, schema, version: version, path: path)
    }
    let file = file(database)
    if decision == .unchanged { return file }
    try update(file)
    return file
  }

  private func file(_ database: Database) -> RealmFile {
    RealmFile(path: path, database: database, schema: schema, configuration: configuration)
  }

  private func storing<Result>(_ body: () throws(StorageError) -> Result) throws(RealmFailure) -> Result {
    do throws(StorageError) { return try body() } catch { throw RealmFailure(error, path: path) }
  }

  private func read<Result>(_ database: Database, _ body: (Group) throws(RealmFailure) -> Result) throws(RealmFailure) -> Result {
    let snapshot = try storing { () throws(StorageError) in try database.snapshot() }
    defer { withExtendedLifetime(snapshot) {} }
    return try body(storing { () throws(StorageError) in try snapshot.openGroup() })
  }

  /// All changes in one write transaction; whatever goes wrong leaves the file as it was.
  private func update(_ file: RealmFile) throws(RealmFailure) {
    let transaction = try storing { () throws(StorageError) in try file.database.beginWrite(staysOnThread: true) }
    do throws(RealmFailure) {
      let group = try storing { () throws(StorageError) in try transaction.openGroup() }
      // Another process may have been faster.
      let decision = try SchemaDecision.of(group, schema, version: configuration.schemaVersion, path: path)
      if decision == .unchanged { return transaction.cancel() }
      let log = SchemaLog(decision, version: configuration.schemaVersion)
      try SchemaUpdate.run(decision, schema, version: configuration.schemaVersion, in: group, path: path, block: block(file, transaction))
      try storing { () throws(StorageError) in _ = try transaction.commit(group) }
      log.finished()
    } catch {
      transaction.cancel()
      throw error
    }
  }

  private func block(_ file: RealmFile, _ transaction: WriteTransaction) -> ((MigrationSteps) throws(RealmFailure) -> Void)? {
    guard let block = configuration.migrationBlock, configuration.schemaVersion > 0 else { return nil }
    return { (steps) throws(RealmFailure) in
      let before = try storing { () throws(StorageError) in Snapshot(try transaction.base.again(.frozen)) }
      let version = try storing { () throws(StorageError) in try SchemaStore.version(of: before.openGroup()) }
      let old = try RealmCore(frozen: before, file, configuration, schema: steps.oldSchema)
      let new = try RealmCore(migrating: steps.group, file, configuration, schema: schema)
      Logger.shared.log(.debug, "Calling migration function")
      block(Migration(old: old, new: new, steps: steps), version)
      new.endMigration()
      try old.invalidate()
    }
  }
}

extension MigrationSteps: MigrationMechanics {}
