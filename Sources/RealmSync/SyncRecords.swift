package import RealmStorage

/// That a file was reset because the server no longer goes on from where it was, until it has met the server again. Source: Y4.4.
package struct ClientResetRecord: Equatable, Sendable {
  /// What becomes of changes that the server does not have.
  package enum Mode: Int64, Sendable { case discards = 0, recovers = 1 }
  /// What the server asked for.
  package enum Action: Int64, Sendable { case reset = 1, resetWithoutRecovery = 2, migrateToFlexible = 3, revertToPartition = 4 }

  package let libraryVersion: String
  package let time: Timestamp
  package let mode: Mode
  package let action: Action
  /// As the SDK tells it.
  package let errorCode: Int64
  package let errorText: String

  /// A record with everything that it says.
  package init(libraryVersion: String, time: Timestamp, mode: Mode, action: Action, errorCode: Int64, errorText: String) {
    (self.libraryVersion, self.time, self.mode) = (libraryVersion, time, mode)
    (self.action, self.errorCode, self.errorText) = (action, errorCode, errorText)
  }

  private static let tables = InternalTables(
    version: 1,
    tables: [
      InternalTable(
        name: "client_reset_metadata",
        properties: [.string("core_version"), .timestamp("time"), .int("mode"), .int("action"), .int("error_code"), .string("error_msg")])
    ])

  /// What the file says; nil if it was not reset since it met the server.
  package static func read(_ database: Database) throws(SyncError) -> ClientResetRecord? {
    try database.reading { (group) throws(SyncError) in
      guard let row = try tables.rows(in: group).first else { return nil }
      guard let mode = Mode(rawValue: try row.int("mode")), let action = Action(rawValue: try row.int("action")) else {
        throw .badState("the file was reset in an unknown way")
      }
      return ClientResetRecord(
        libraryVersion: try row.text("core_version"), time: try row.timestamp("time"), mode: mode, action: action,
        errorCode: try row.int("error_code"), errorText: try row.text("error_msg"))
    }
  }

  /// Puts it into the file.
  /// - Throws: `.badState` if there is one already.
  package func store(in database: Database) throws(SyncError) {
    _ = try database.writing { (_, group) throws(SyncError) in
      try Self.tables.ensure(in: group)
      guard try Self.tables.rows(in: group).isEmpty else { throw .badState("the file was reset before, and has not met the server since") }
      let row = try Self.tables.addRow(in: group)
      try row.set("core_version", libraryVersion)
      try row.set("time", .timestamp(time))
      try row.set("mode", .int(mode.rawValue))
      try row.set("action", .int(action.rawValue))
      try row.set("error_code", .int(errorCode))
      try row.set("error_msg", errorText)
    }
  }

  /// The file has met the server.
  package static func remove(from database: Database) throws(SyncError) {
    guard try read(database) != nil else { return }
    _ = try database.writing { (_, group) throws(SyncError) in for row in try tables.rows(in: group) { try row.remove() } }
  }
}

/// That the server moved a file from a partition to flexible synchronisation. Source: Y4.5.
package struct MigrationRecord: Equatable, Sendable {
  /// The numbers are those of the file.
  package enum State: Int64, Sendable { case inProgress = 1, migrated = 2, rollbackInProgress = 3 }

  package var startedAt: Timestamp
  package var completedAt: Timestamp?
  package var state: State
  /// Selects the partition.
  package var query: String
  package var partition: String
  /// The first set of subscriptions after it; uploads wait for it.
  package var firstSubscriptionVersion: Int64?

  /// A record with everything that it says.
  package init(
    startedAt: Timestamp, completedAt: Timestamp? = nil, state: State, query: String, partition: String, firstSubscriptionVersion: Int64? = nil
  ) {
    (self.startedAt, self.completedAt, self.state) = (startedAt, completedAt, state)
    (self.query, self.partition, self.firstSubscriptionVersion) = (query, partition, firstSubscriptionVersion)
  }

  private static let tables = InternalTables(
    groupName: "flx_migration_store", version: 1,
    tables: [
      InternalTable(
        name: "flx_migration",
        properties: [
          .timestamp("started_at"), .timestamp("completed_at", .nullable), .int("state"), .string("query_string"),
          .string("original_partition"), .int("sentinel_subscription_set_version", .nullable),
        ])
    ])

  /// What the file says; nil if it was never moved.
  package static func read(_ database: Database) throws(SyncError) -> MigrationRecord? {
    try database.reading { (group) throws(SyncError) in
      guard let row = try tables.rows(in: group).first else { return nil }
      guard let state = State(rawValue: try row.int("state")) else { throw .badState("the file was moved in an unknown way") }
      return MigrationRecord(
        startedAt: try row.timestamp("started_at"), completedAt: try row.optionalTimestamp("completed_at"), state: state,
        query: try row.text("query_string"), partition: try row.text("original_partition"),
        firstSubscriptionVersion: try row.optionalInt("sentinel_subscription_set_version"))
    }
  }

  /// Puts it into the file, in place of what is there.
  package func store(in database: Database) throws(SyncError) {
    _ = try database.writing { (_, group) throws(SyncError) in
      try Self.tables.ensure(in: group)
      for row in try Self.tables.rows(in: group) { try row.remove() }
      let row = try Self.tables.addRow(in: group)
      try row.set("started_at", .timestamp(startedAt))
      try row.set("completed_at", completedAt.map { .timestamp($0) } ?? .null)
      try row.set("state", .int(state.rawValue))
      try row.set("query_string", query)
      try row.set("original_partition", partition)
      try row.set("sentinel_subscription_set_version", firstSubscriptionVersion.map { .int($0) } ?? .null)
    }
  }

  /// The file is what it was before it was moved.
  package static func remove(from database: Database) throws(SyncError) {
    guard try read(database) != nil else { return }
    _ = try database.writing { (_, group) throws(SyncError) in for row in try tables.rows(in: group) { try row.remove() } }
  }
}
