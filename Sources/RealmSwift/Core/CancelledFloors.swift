import RealmStorage

/// What cancelled transactions took with them: objects that they had created. Their keys may exist again, for other objects.
struct CancelledFloors {
  /// By number of the transaction: objects from this key on did not exist before it; in tables that are missing here, none did.
  private var floors: [UInt32: [TableKey: ObjectKey]] = [:]

  /// - Parameter base: what the transaction had begun with; nil if that cannot be read, and then no object of the transaction is trusted.
  mutating func note(_ transaction: UInt32, base: Group?, _ classes: ClassBindings?) {
    var known: [TableKey: ObjectKey] = [:]
    if let base, let classes {
      for key in classes.tables { known[key] = try? base.table(key).nextKeyBound() }
    }
    floors[transaction] = known
  }

  /// Whether an object that an accessor stands for was created by a transaction that was cancelled.
  func took(_ key: ObjectKey, in table: TableKey, madeIn transaction: UInt32) -> Bool {
    guard let floors = floors[transaction] else { return false }
    guard let floor = floors[table] else { return true }
    return key >= floor
  }
}
