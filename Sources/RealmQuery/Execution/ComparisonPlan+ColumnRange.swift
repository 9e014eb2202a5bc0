import RealmStorage

extension ComparisonPlan {
  /// For an indexed property of the object itself and `<`, `<=`, `>`, `>=`, `BETWEEN` or `BEGINSWITH` with constants of its type.
  var columnRange: ColumnRange? {
    guard case .column(let column) = left.plan, case .constants(let constants) = right.plan, !right.isList, let constant = constants.first,
      column.isSearchable
    else { return nil }
    switch test {
    case .order(let relation):
      if column.type == .int {
        guard case .int(let number) = constant, relation.isOrder else { return nil }
        let interval = IntegerTest(relation.comparisonOperator, number)
        return ColumnRange(column: column, bounds: .integers(low: interval.low, high: interval.high), acceptsNull: false)
      }
      guard let bytes = constant.orderedBytes(as: column), let range = IndexRange(relation, bytes) else { return nil }
      let isBelow = relation == .less || relation == .lessOrEqual
      return ColumnRange(column: column, bounds: .bytes(range), acceptsNull: isDirect && isBelow && column.type == .string)
    case .range(let high):
      if case .int(let low) = constant, case .int(let high) = high, column.type == .int {
        return ColumnRange(column: column, bounds: .integers(low: low, high: high), acceptsNull: false)
      }
      guard let low = constant.orderedBytes(as: column), let high = high.orderedBytes(as: column) else { return nil }
      let range = IndexRange(low: .init(low, isIncluded: true), high: .init(high, isIncluded: true))
      return ColumnRange(column: column, bounds: .bytes(range), acceptsNull: false)
    case .text(let relation):
      guard relation.kind == .beginsWith, relation.options.isEmpty, column.type == .string, case .string(let prefix) = constant, !prefix.isEmpty
      else {
        return nil
      }
      return ColumnRange(column: column, bounds: .bytes(IndexRange(prefix: prefix)), acceptsNull: false)
    case .typeOverlap: return nil
    }
  }
}

extension IndexRange {
  fileprivate init?(_ relation: OrderRelation, _ bytes: [UInt8]) {
    switch relation {
    case .less: self.init(high: Bound(bytes, isIncluded: false))
    case .lessOrEqual: self.init(high: Bound(bytes, isIncluded: true))
    case .greater: self.init(low: Bound(bytes, isIncluded: false))
    case .greaterOrEqual: self.init(low: Bound(bytes, isIncluded: true))
    case .equal, .notEqual: return nil
    }
  }
}

extension OrderRelation {
  fileprivate var isOrder: Bool { self != .equal && self != .notEqual }
}

extension Value {
  /// The index bytes of a constant of the column's type, if they have the order of the values.
  fileprivate func orderedBytes(as column: ColumnDescription) -> [UInt8]? {
    switch (self, column.type) {
    case (.string(let bytes), .string): return bytes
    case (.objectID, .objectID), (.uuid, .uuid):
      var bytes: [UInt8] = []
      guard let value = IndexBytes(self), value.append(to: &bytes) else { return nil }
      return bytes
    default: return nil
    }
  }
}
