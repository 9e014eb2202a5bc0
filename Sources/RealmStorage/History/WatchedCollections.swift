/// The collections whose changes of elements somebody asks about.
package struct WatchedCollections: Sendable {
  private var addresses: Set<CollectionAddress> = []
  private var owners: Set<Owner> = []

  private struct Owner: Hashable {
    let table: TableKey
    let column: ColumnKey
    let object: ObjectKey
  }

  package init() {}
  package init(_ addresses: some Sequence<CollectionAddress>) { for address in addresses { insert(address) } }

  package var count: Int { addresses.count }

  package mutating func insert(_ address: CollectionAddress) {
    addresses.insert(address)
    owners.insert(Owner(table: address.table, column: address.column, object: address.object))
  }

  func contains(_ address: CollectionAddress) -> Bool { addresses.contains(address) }

  /// Whether a collection in a property, or one nested there, is watched.
  func containsAny(_ table: TableKey, _ column: ColumnKey, _ object: ObjectKey) -> Bool {
    owners.contains(Owner(table: table, column: column, object: object))
  }
}
