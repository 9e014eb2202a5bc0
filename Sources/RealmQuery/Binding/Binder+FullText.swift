import RealmStorage

extension Binder {
  /// `path TEXT 'words'` (Q12.2), in formats too.
  mutating func bindFullText(_ comparison: Comparison, in table: Table) throws(QueryError) -> ConditionPlan {
    let offset = comparison.offset
    guard case .property(let property) = comparison.left, property.operation == nil else {
      throw .invalid(.illegalOperation, message: "Column has no fulltext index", offset: offset)
    }
    let path = try resolve(property.path, in: table)
    let left = try bind(comparison.left, in: table, hint: nil)
    let right = try bind(comparison.right, in: table, hint: left)
    switch right.type {
    case .string: break
    case .null: throw FullTextSearch.missingToken
    default:
      throw .query("Unsupported comparison operator 'text' against type '\(right.type.name)', right side must be a string or binary type", at: offset)
    }
    guard let column = path.column, !column.isCollection, column.attributes.contains(.fullTextIndexed) else {
      throw .invalid(.illegalOperation, message: "Column has no fulltext index", offset: offset)
    }
    guard case .constants(let values) = right.plan, case .string(let text)? = values.first else { throw FullTextSearch.missingToken }
    return .fullText(FullTextPlan(chain: HopChain(hops: path.hops), table: path.table, column: column, search: try FullTextSearch(text)))
  }
}
