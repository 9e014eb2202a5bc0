package import RealmStorage

/// A property of an object, or of the one that links lead to from it, which may be embedded.
package struct LinkedProperty {
  private let chain: HopChain
  /// Of the class at the end of the links.
  package let column: ColumnDescription

  package init(_ column: ColumnDescription) { (chain, self.column) = (HopChain(hops: []), column) }

  /// - Parameters:
  ///   - links: the first one of `table`, each other one of the class that the one before it leads to; no collections.
  ///   - column: of the class that the last one leads to.
  package init(_ column: ColumnDescription, behind links: [ColumnDescription], of table: Table) throws(StorageError) {
    var hops: [Hop] = []
    var origin = table
    for link in links {
      let target = try table.group.table(link.oppositeTable)
      hops.append(Hop(kind: .link(link), origin: origin, target: target))
      origin = target
    }
    (chain, self.column) = (HopChain(hops: hops), column)
  }

  /// Of the objects themselves.
  var isOwn: Bool { chain.hops.isEmpty }

  /// The object that has the property; nil if a link on the way is null.
  package func owner(_ row: Row) throws(StorageError) -> Row? { try chain.singleRow(row, nil) }

  /// Null also where a link on the way is.
  func value(_ row: Row) throws(StorageError) -> Value { isOwn ? try row.value(column) : try owner(row)?.value(column) ?? .null }
}
