package import RealmStorage

/// The subscription sets of a file of flexible synchronisation, which lie in it. Whoever commits changes of subscriptions adds a set; whoever speaks
/// with the server moves it on. Source: Y4.2.
package struct SubscriptionStore: Sendable {
  private let database: Database

  static let tables = InternalTables(
    groupName: "flx_subscription_store", version: 2,
    tables: [
      InternalTable(
        name: "flx_subscription_sets", primaryKey: .int("version"),
        properties: [.int("state"), .int("snapshot_version"), .string("error", .nullable), .list("subscriptions", of: "flx_subscriptions")]),
      InternalTable(
        name: "flx_subscriptions", isEmbedded: true,
        properties: [
          InternalTable.Property(name: "id", type: .objectID), .timestamp("created_at"), .timestamp("updated_at"), .string("name", .nullable),
          .string("object_class"), .string("query"),
        ]),
    ])

  /// Makes the tables and the first, empty set if the file does not have them.
  /// - Throws: `.badState` if another version of the software made them.
  package init(_ database: Database) throws(SyncError) {
    self.database = database
    let isReady = try database.reading { (group) throws(SyncError) in try !Self.tables.rows(in: group).isEmpty }
    if isReady { return }
    _ = try database.writing { (transaction, group) throws(SyncError) in
      try Self.tables.ensure(in: group)
      if try Self.tables.rows(in: group).isEmpty { try Self.addFirst(to: group, on: transaction.base.version) }
    }
  }

  private static func addFirst(to group: Group, on version: UInt64) throws(SyncError) {
    let row = try tables.addRow(.int(0), in: group)
    try row.set("state", .int(SubscriptionSet.State.pending.rawValue))
    try row.set("snapshot_version", version)
  }

  // MARK: Reading

  /// All sets, the oldest first; none in a file without.
  package static func sets(in group: Group) throws(SyncError) -> [SubscriptionSet] {
    var sets: [SubscriptionSet] = []
    for row in try tables.rows(in: group) { sets.append(try set(row)) }
    return sets.sorted { $0.version < $1.version }
  }

  private static func set(_ row: InternalRow) throws(SyncError) -> SubscriptionSet {
    let number = try row.int("state")
    guard let state = SubscriptionSet.State(rawValue: number) else { throw .badState("a set of subscriptions has the unknown state \(number)") }
    var subscriptions: [Subscription] = []
    for element in try row.list("subscriptions") {
      subscriptions.append(
        Subscription(
          id: try element.objectID("id"), createdAt: try element.timestamp("created_at"), updatedAt: try element.timestamp("updated_at"),
          name: try element.optionalText("name"), className: try element.text("object_class"), query: try element.text("query")))
    }
    return SubscriptionSet(
      version: try row.int("version"), state: state, snapshotVersion: try row.unsigned("snapshot_version"), error: try row.optionalText("error"),
      subscriptions: subscriptions)
  }

  /// All sets, the oldest first.
  package func sets() throws(SyncError) -> [SubscriptionSet] {
    try database.reading { (group) throws(SyncError) in try Self.sets(in: group) }
  }

  /// The newest set.
  package func latest() throws(SyncError) -> SubscriptionSet {
    guard let last = try sets().last else { throw .badState("the file has lost its subscriptions") }
    return last
  }

  /// The set whose objects the file holds: the newest that is complete or waits for a mark, else the first.
  package func active() throws(SyncError) -> SubscriptionSet {
    let sets = try sets()
    guard let set = sets.last(where: { $0.state.isActive }) ?? sets.first else { throw .badState("the file has lost its subscriptions") }
    return set
  }

  /// The oldest set after a version that the server has to be told of, again if its answer was interrupted.
  package func pending(after version: Int64) throws(SyncError) -> SubscriptionSet? {
    try sets().first { $0.version > version && ($0.state == .pending || $0.state == .bootstrapping) }
  }

  // MARK: Changing

  /// Adds a set that begins with the subscriptions of the newest.
  ///
  /// - Parameters:
  ///   - now: for the times of those that are changed.
  ///   - newID: makes identities.
  @discardableResult
  package func change(
    now: Timestamp, newID: @escaping () -> ObjectID, _ body: (inout SubscriptionEditing) -> Void
  ) throws(SyncError) -> SubscriptionSet {
    try database.writing { (transaction, group) throws(SyncError) in
      guard let latest = try Self.sets(in: group).last else { throw .badState("the file has lost its subscriptions") }
      var editing = SubscriptionEditing(latest.subscriptions, now: now, newID: newID)
      body(&editing)
      let row = try Self.tables.addRow(.int(latest.version + 1), in: group)
      try row.set("state", .int(SubscriptionSet.State.pending.rawValue))
      try row.set("snapshot_version", transaction.base.version)
      for subscription in editing.subscriptions {
        let element = try row.append(to: "subscriptions")
        try element.set("id", .objectID(subscription.id))
        try element.set("created_at", .timestamp(subscription.createdAt))
        try element.set("updated_at", .timestamp(subscription.updatedAt))
        try element.set("name", subscription.name)
        try element.set("object_class", subscription.className)
        try element.set("query", subscription.query)
      }
      return try Self.set(row)
    }.result
  }

  /// Notes that the server refused a set.
  /// - Throws: `.badState` for a set that is not there, or complete.
  package func refuse(_ version: Int64, _ text: String) throws(SyncError) {
    _ = try database.writing { (_, group) throws(SyncError) in
      let row = try Self.row(version, in: group)
      guard try Self.set(row).state != .complete else {
        throw .badState("the server refused subscription set \(version), which is complete: \(text)")
      }
      try row.set("state", .int(SubscriptionSet.State.error.rawValue))
      try row.set("error", text)
    }
  }

  /// Everything is there: the active set is complete if it waited for that.
  package func completeMark() throws(SyncError) {
    let active = try active()
    guard active.state == .awaitingMark else { return }
    _ = try database.writing { (_, group) throws(SyncError) in
      try Self.row(active.version, in: group).set("state", .int(SubscriptionSet.State.complete.rawValue))
    }
  }

  private static func row(_ version: Int64, in group: Group) throws(SyncError) -> InternalRow {
    for row in try tables.rows(in: group) where try row.int("version") == version { return row }
    throw .badState("there is no subscription set \(version)")
  }

  // MARK: Bootstraps, in their transactions

  /// The first part of what a set selects has come. A set that is in force already stays so: the server may send it anew.
  static func beginBootstrap(_ version: Int64, in group: Group) throws(SyncError) {
    let row = try row(version, in: group)
    switch try set(row).state {
    case .complete, .awaitingMark: return
    case .pending, .bootstrapping: try row.set("state", .int(SubscriptionSet.State.bootstrapping.rawValue))
    case .error: throw .badState("the server sends what subscription set \(version) selects, which it has refused")
    }
  }

  /// All that the set selects was applied; those before it are of no more interest.
  static func completeBootstrap(_ version: Int64, in group: Group) throws(SyncError) {
    let row = try row(version, in: group)
    guard try !set(row).state.isActive else { return }
    try row.set("state", .int(SubscriptionSet.State.awaitingMark.rawValue))
    for older in try tables.rows(in: group) where try older.int("version") < version { try older.remove() }
  }

  /// The server has to be asked again.
  static func cancelBootstrap(_ version: Int64, in group: Group) throws(SyncError) {
    let row = try row(version, in: group)
    if try set(row).state == .bootstrapping { try row.set("state", .int(SubscriptionSet.State.pending.rawValue)) }
  }
}
