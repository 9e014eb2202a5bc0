import RealmStorage

extension Binder {
  /// `path TEXT 'words'` (Q12.2), in formats too.
  mutating func bindFullText(_ comparison: Comparison, in table: Table) throws(QueryError) -> ConditionPlan {
    let offset = comparison.offset
    let left: BoundOperand
    let right: BoundOperand
    if comparison.right.isConstant {
      left = try bind(comparison.left, in: table, hint: nil)
      right = try bind(comparison.right, in: table, hint: left)
    } else {
      right = try bind(comparison.right, in: table, hint: nil)
      left = try bind(comparison.left, in: table, hint: comparison.left.isConstant ? right : nil)
    }
    let property: PropertyOperand? = if case .property(let property) = comparison.left, property.operation == nil { property } else { nil }
    guard right.type == .string || right.type == .null && left.type == .string else {
      throw .query("Unsupported comparison operator 'text' against type '\(right.type.name)', right side must be a string or binary type", at: offset)
    }
    guard let property, case let path = try resolve(property.path, in: table), let column = path.column, !column.isCollection,
      column.attributes.contains(.fullTextIndexed)
    else {
      throw .invalid(.illegalOperation, message: "Column has no fulltext index", offset: offset)
    }
    guard case .constants(let values) = right.plan, case .string(let text)? = values.first else { throw FullTextSearch.missingToken }
    return .fullText(FullTextPlan(chain: HopChain(hops: path.hops), table: path.table, column: column, search: try FullTextSearch(text)))
  }
}
