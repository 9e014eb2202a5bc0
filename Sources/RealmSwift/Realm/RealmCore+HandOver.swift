import RealmStorage

extension RealmCore {
  /// The version being read, claimed once more; nil inside a write transaction.
  func pinned(_ kind: PinKind? = nil) throws -> Snapshot? {
    if isInWriteTransaction { return nil }
    _ = try group()
    guard let snapshot else { return nil }
    return try snapshot.again(kind ?? (isFrozen ? .frozen : .live))
  }

  /// What a reference needs to be resolved here.
  func advance(toAtLeast version: UInt64, wasWriting: Bool) throws {
    if isFrozen || isInWriteTransaction || configuration.readOnly { return }
    guard isReading else {
      if wasWriting { _ = try group() } else { try beginReading(atVersion: version) }
      return
    }
    _ = try group()
    if let own = self.version, own < version || wasWriting && own == version { _ = try refresh() }
  }

  /// Whether an object was created by the running write transaction.
  func isNewInTransaction(_ className: String, _ key: ObjectKey) throws -> Bool {
    try separateFromJoined()
    guard let transaction else { return false }
    let binding: ClassBinding = try binding(named: className)
    let base = Snapshot(try transaction.base.again(.live))
    let group = try base.openGroup()
    defer { withExtendedLifetime(base) {} }
    guard let table = try group.table(named: SchemaStore.tableName(binding.className)) else { return true }
    return try !table.contains(key)
  }

  func hasObject(_ className: String, _ key: ObjectKey) throws -> Bool {
    let binding: ClassBinding = try binding(named: className)
    guard binding.hasTable else { return false }
    let table = try binding.table(self)
    return try table.contains(key)
  }
}
