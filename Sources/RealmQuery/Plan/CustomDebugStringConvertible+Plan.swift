import RealmStorage

// What debuggers and failing tests show of plans: names and types are settled, constants converted. Close to RQL, but not to be read back.

extension ConditionPlan: CustomDebugStringConvertible {
  var debugDescription: String {
    switch self {
    case .constant(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .and(let parts): return parts.isEmpty ? "TRUEPREDICATE" : String(brief: parts, separator: " && ", \.nestedText)
    case .or(let parts): return parts.isEmpty ? "FALSEPREDICATE" : String(brief: parts, separator: " || ", \.nestedText)
    case .not(let part): return "NOT " + part.nestedText
    case .comparison(let comparison): return comparison.debugDescription
    case .fullText(let plan): return plan.debugDescription
    case .geo(let plan): return plan.debugDescription
    case .reaches(let plan): return plan.debugDescription
    }
  }

  fileprivate var nestedText: String {
    switch self {
    case .and(let parts) where parts.count > 1, .or(let parts) where parts.count > 1: "(\(debugDescription))".brief
    default: debugDescription.brief
    }
  }
}

extension ComparisonPlan: CustomDebugStringConvertible {
  var debugDescription: String {
    var marks: [String] = []
    if isDirect { marks.append("direct") }
    if isElementwise && left.isList && right.isList { marks.append("by position") }
    let suffix = marks.isEmpty ? "" : " [" + marks.joined(separator: ", ") + "]"
    if case .range(let high) = test {
      return "\(left.debugDescription) BETWEEN {\(right.debugDescription), \(high.queryText.brief)}" + suffix
    }
    return "\(left.debugDescription) \(test.debugDescription) \(right.debugDescription)" + suffix
  }
}

extension ComparisonPlan.Side: CustomDebugStringConvertible {
  var debugDescription: String { (quantifier.map { $0.keyword + " " } ?? "") + plan.debugDescription }
}

extension ValueTest: CustomDebugStringConvertible {
  var debugDescription: String {
    switch self {
    case .order(let order): return Relation.allCases.first { OrderRelation($0) == order }?.symbol ?? ""
    case .text(let text):
      let relation = Relation.allCases.first { TextRelation($0, text.options)?.kind == text.kind }
      let letters = (text.options.contains(.caseInsensitive) ? "c" : "") + (text.options.contains(.diacriticInsensitive) ? "d" : "")
      return (relation?.symbol ?? "") + (letters.isEmpty ? "" : "[\(letters)]")
    case .typeOverlap(let isEqual): return isEqual ? "overlaps" : "does not overlap"
    case .range(let high): return "up to \(high.queryText.brief) from"
    }
  }
}

extension OperandPlan: CustomDebugStringConvertible {
  var debugDescription: String {
    switch self {
    case .constants(let values):
      values.count == 1 ? values[0].queryText.brief : "{" + String(brief: values) { $0.queryText.brief } + "}"
    case .column(let column): column.text
    case .path(let path): path.debugDescription
    case .aggregate(let aggregate): aggregate.debugDescription
    case .subquery(let chain, let condition): "SUBQUERY(\(chain.debugDescription), \(condition.debugDescription.brief)).@count"
    case .cachedSubquery(let chain, let cached): "SUBQUERY(\(chain.debugDescription), \(cached.debugDescription)).@count"
    case .arithmetic(let operation, let left, let right):
      "(\(left.debugDescription) \(operation.rawValue) \(right.debugDescription))".brief
    }
  }
}

extension PathPlan: CustomDebugStringConvertible {
  var debugDescription: String {
    let end =
      switch terminal {
      case .links(let hop): hop.debugDescription
      case .value(let column): column.text
      case .elements(let column, let selector): column.text + (selector.isAll ? "" : selector.text)
      case .mixed(let column, let path): column.text + path.debugDescription
      case .mixedElements(let column, let selector, let path): column.text + selector.text + path.debugDescription
      case .linkCount(let hop): hop.debugDescription + ".@count"
      case .count(let column): column.text + ".@count"
      case .backlinkCount: "@links.@count"
      }
    let suffix =
      switch transformation {
      case .none: ""
      case .byteCount, .size: ".@size"
      case .length: ".length"
      case .type: ".@type"
      }
    return (chain.hops.isEmpty ? "" : chain.debugDescription + ".") + end + suffix
  }
}

extension MixedPath: CustomDebugStringConvertible {
  var debugDescription: String { steps.map(\.text).joined() }
}

extension AggregatePlan: CustomDebugStringConvertible {
  var debugDescription: String {
    switch source {
    case .objects(let chain, let column): "\(chain.debugDescription).@\(function.rawValue).\(column.text)"
    case .elements(let chain, let column):
      (chain.hops.isEmpty ? "" : chain.debugDescription + ".") + "\(column.text).@\(function.rawValue)"
    }
  }
}

extension Hop: CustomDebugStringConvertible {
  var debugDescription: String {
    switch kind {
    case .link(let column): column.text
    case .collection(let column, let selector): column.text + (selector.isAll ? "" : selector.text)
    case .backlink: "@links.\(target.className)"
    }
  }
}

extension HopChain: CustomDebugStringConvertible {
  var debugDescription: String { hops.map(\.debugDescription).joined(separator: ".") }
}

extension FullTextPlan: CustomDebugStringConvertible {
  var debugDescription: String {
    let words =
      search.words.map { String(decoding: $0, as: UTF8.self) } + search.prefixes.map { String(decoding: $0, as: UTF8.self) + "*" }
      + search.excluded.map { "-" + String(decoding: $0, as: UTF8.self) } + (search.matchesNothing ? ["*"] : [])
    return (chain.hops.isEmpty ? "" : chain.debugDescription + ".") + column.text + " TEXT '" + String(brief: words, separator: " ", \.self) + "'"
  }
}

extension GeoPlan: CustomDebugStringConvertible {
  var debugDescription: String {
    let shape =
      switch region {
      case .cap: "circle"
      case .polygon(let outer, let holes): "polygon of \(outer.vertices.count) corners" + (holes.isEmpty ? "" : " with \(holes.count) holes")
      }
    return "\(quantifier.keyword) \(chain.debugDescription) GEOWITHIN \(shape)"
  }
}

extension ReachPlan: CustomDebugStringConvertible {
  var debugDescription: String { "\(quantifier.keyword) \(chain.debugDescription) satisfies \(condition.debugDescription)" }
}

extension CachedCondition: CustomDebugStringConvertible {
  var debugDescription: String { "(\(condition.debugDescription))".brief }
}
