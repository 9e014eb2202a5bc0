package import RealmStorage

// What debuggers and failing tests show of conditions on leaves, of rows and of keys. A column is named by the number of its leaf.

extension LeafCondition: CustomDebugStringConvertible {
  package var debugDescription: String {
    switch self {
    case .always: "always"
    case .never: "never"
    case .integer(let column, let test): column.text + interval(test.low, test.high, isNull: test.acceptsNull, isNot: test.isNegated)
    case .integers(let column, let set):
      "\(column.text) \(set.isNegated ? "not " : "")in {" + String(brief: set.members) { "\($0)" } + "}" + (set.acceptsNull ? " or null" : "")
    case .double(let column, let test): column.text + interval(test.low, test.high, isNull: test.acceptsNull, isNot: test.isNegated)
    case .float(let column, let test): column.text + interval(test.low, test.high, isNull: test.acceptsNull, isNot: test.isNegated)
    case .timestamp(let column, let test):
      column.text
        + interval(Value.timestamp(test.low).queryText, Value.timestamp(test.high).queryText, isNull: test.acceptsNull, isNot: test.isNegated)
    case .decimal(let column, let test): column.text + bounds(test) { .decimal($0) }
    case .objectID(let column, let test): column.text + bounds(test) { .objectID($0) }
    case .uuid(let column, let test): column.text + bounds(test) { .uuid($0) }
    case .text(let column, let test): column.text + " " + test.text
    case .linked(let condition): condition.debugDescription
    case .rows(let cost, _): "test of each object (cost \(cost))"
    case .all(let parts): "(" + String(brief: parts, separator: " && ") { $0.debugDescription.brief } + ")"
    case .any(let parts): "(" + String(brief: parts, separator: " || ") { $0.debugDescription.brief } + ")"
    case .not(let part): "NOT " + part.debugDescription
    }
  }

  private func interval<Bound>(_ low: Bound, _ high: Bound, isNull: Bool, isNot: Bool) -> String {
    " \(isNot ? "not " : "")in \(low)...\(high)" + (isNull ? " or null" : "")
  }

  private func bounds<Element>(_ test: BoundsTest<Element>, _ value: (Element) -> Value) -> String {
    var parts: [String] = []
    if let lower = test.lower { parts.append((lower.isIncluded ? ">= " : "> ") + value(lower.value).queryText) }
    if let upper = test.upper { parts.append((upper.isIncluded ? "<= " : "< ") + value(upper.value).queryText) }
    if let members = test.members { parts.append("in {" + String(brief: members) { value($0).queryText } + "}") }
    let text = (test.isNegated ? " not " : " ") + (parts.isEmpty ? "any" : parts.joined(separator: " and "))
    return text + (test.acceptsNull ? " or null" : "")
  }
}

extension LeafColumn {
  fileprivate var text: String { "leaf \(leafIndex)" }
}

extension PreparedTextTest {
  fileprivate var text: String {
    let operands = String(brief: test.operands) { Value.string($0).queryText.brief }
    return (test.isNegated ? "not " : "") + "\(test.operation)" + (test.ignoresCase ? "[c]" : "") + " {\(operands)}"
      + (test.acceptsNull ? " or null" : "")
  }
}

extension LinkedCondition: CustomDebugStringConvertible {
  package var debugDescription: String { "\(column.text) → \(target.className) with \(condition.debugDescription)".brief }
}

extension OrderColumn: CustomDebugStringConvertible {
  package var debugDescription: String {
    let text =
      switch source {
      case .column(let column): column.text
      case .linked(let links, let column): links.map { $0.link.text + " → " }.joined() + column.text
      case .computed: "computed"
      }
    return text + (isAscending ? " ascending" : " descending")
  }
}

extension RowOrder: CustomDebugStringConvertible {
  package var debugDescription: String {
    "\(count) rows of \(clusters.count) clusters\(isAscending ? ", ascending" : ""): " + String(brief: places) { "\(key($0).rawValue)" }
  }
}

extension KeySequence: CustomDebugStringConvertible {
  package var debugDescription: String {
    let first = (0..<Swift.min(count, 20)).map { "\(self[$0].rawValue)" }.joined(separator: ", ")
    return "\(count) keys\(isInKeyOrder ? ", ascending" : ""): " + first + (count > 20 ? ", …" : "")
  }
}

extension RowMask: CustomDebugStringConvertible {
  /// Runs of rows: "{0...63, 70}", of many the first.
  package var debugDescription: String {
    var runs: [ClosedRange<Int>] = []
    forEach { row in
      if let last = runs.last, last.upperBound == row - 1 { runs[runs.count - 1] = last.lowerBound...row } else { runs.append(row...row) }
    }
    let texts = runs.prefix(20).map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)...\($0.upperBound)" }
    return "{" + (texts + (runs.count > 20 ? ["… (\(count) rows)"] : [])).joined(separator: ", ") + "}"
  }
}
