import RealmStorage

/// Which of several faults of a query is reported.
extension RQLBinder {
  /// Of several faulty parts the one is reported that the original meets first.
  mutating func refusal(_ error: QueryError, of condition: Condition, in table: Table) -> QueryError {
    guard case .invalid = error else { return error }
    return firstError(of: condition, in: table) ?? error
  }

  /// The operators of a query, outside of NOT and of subqueries, are taken apart breadth first.
  private mutating func firstError(of condition: Condition, in table: Table) -> QueryError? {
    let parts: [Condition]
    switch condition {
    case .and, .or: parts = condition.partsBreadthFirst
    default:
      do throws(QueryError) { _ = try bind(condition, in: table) } catch { return error }
      return nil
    }
    for part in parts { if let error = firstError(of: part, in: table) { return error } }
    return nil
  }
}

extension Condition {
  /// The operands of a chain of `&&`, or of `||`, in the order of a walk over levels: each operator has two operands, a chain leans to the left.
  fileprivate var partsBreadthFirst: [Condition] {
    var queue: [ArraySlice<Condition>] = [[self]]
    var parts: [Condition] = []
    var position = 0
    while position < queue.count {
      var chain = queue[position]
      position += 1
      if chain.count == 1, let part = chain.first {
        switch (self, part) {
        case (.and, .and(let inner)), (.or, .or(let inner)): chain = inner[...]
        default: parts.append(part)
        }
      }
      guard chain.count > 1 else { continue }
      queue.append(chain.dropLast())
      queue.append(chain.suffix(1))
    }
    return parts
  }
}
