package import RealmStorage

/// Which objects a file asks the server for, one version of it. Source: sync-history.md section 4.2.
package struct SubscriptionSet {
  package enum State: Equatable {
    case pending, bootstrapping, complete, error, awaitingMark
    /// A number that is not known here.
    case other(Int64)

    fileprivate init(_ number: Int64) {
      switch number {
      case 1: self = .pending
      case 2: self = .bootstrapping
      case 3: self = .complete
      case 4: self = .error
      case 6: self = .awaitingMark
      default: self = .other(number)
      }
    }
  }

  /// One query.
  package struct Subscription {
    package let name: String?
    /// Without the prefix of its table.
    package let className: String
    package let query: String
  }

  package let version: Int64
  package let state: State
  /// The version of the file that stored it.
  package let snapshotVersion: Int64
  /// What the server has against it.
  package let error: String?
  package let subscriptions: [Subscription]

  /// All sets of a file, by version.
  /// - Returns: nil if the file has none, or not in a form that is known here.
  package static func all(_ group: Group) throws(StorageError) -> [SubscriptionSet]? {
    guard let sets = try Columns(group.table(named: "flx_subscription_sets"), ["version", "state", "snapshot_version", "error", "subscriptions"]),
      sets[4].isList, let parts = try Columns(group.table(inSlot: sets[4].oppositeTable.slot), ["name", "object_class", "query"])
    else { return nil }
    var result: [SubscriptionSet] = []
    for key in try sets.table.keys() {
      var subscriptions: [Subscription] = []
      for case .link(let part) in try sets.table.collection(key, sets[4].key).all() {
        subscriptions.append(
          Subscription(name: try parts.text(part, 0), className: try parts.text(part, 1) ?? "", query: try parts.text(part, 2) ?? ""))
      }
      result.append(
        SubscriptionSet(
          version: try sets.number(key, 0), state: State(try sets.number(key, 1)), snapshotVersion: try sets.number(key, 2),
          error: try sets.text(key, 3), subscriptions: subscriptions))
    }
    return result.sorted { $0.version < $1.version }
  }

  /// Columns of a table that are known by name.
  private struct Columns {
    let table: Table
    private let columns: [ColumnDescription]

    /// Nil unless the table has all of them.
    init?(_ table: Table?, _ names: [String]) {
      guard let table else { return nil }
      columns = names.compactMap { name in table.publicColumns.first { $0.name.elementsEqual(name.utf8) } }
      guard columns.count == names.count else { return nil }
      self.table = table
    }

    subscript(position: Int) -> ColumnDescription { columns[position] }

    /// 0 for what is no number.
    func number(_ key: ObjectKey, _ position: Int) throws(StorageError) -> Int64 {
      guard !columns[position].isCollection, case .int(let number) = try table.value(key, columns[position].key) else { return 0 }
      return number
    }

    /// Nil for what is no text.
    func text(_ key: ObjectKey, _ position: Int) throws(StorageError) -> String? {
      guard !columns[position].isCollection, case .string(let bytes) = try table.value(key, columns[position].key) else { return nil }
      return SchemaNames.text(bytes)
    }
  }
}
