import Foundation
import RealmQuery

/// Typed queries as format strings with arguments.
struct QueryText {
  private(set) var format = ""
  private(set) var arguments: [Any] = []
  private var names = SubqueryNames()

  init(_ node: QueryNode) throws { try append(condition: node, isNegated: false) }

  private mutating func append(condition node: QueryNode, isNegated: Bool) throws {
    switch node {
    case .path(let path):
      append(path)
      format += isNegated ? " == false" : " == true"
    case .not(let inner): try append(condition: inner, isNegated: !isNegated)
    case .and(let parts): try append(parts, "&&", isNegated)
    case .or(let parts): try append(parts, "||", isNegated)
    case .comparison(let a, let relation, let options, let b):
      if case .path(let left) = a, case .path(let right) = b, left.isQuantified, right.isQuantified {
        throw RealmFailure.misuse("Comparing two collection columns is not permitted.")
      }
      begin(isNegated)
      try append(operand: a)
      format += " \(relation.symbol)\(options.text) "
      try append(operand: b)
      format += ")"
    case .membership(let operand, let values):
      begin(isNegated)
      try append(operand: operand)
      format += " IN "
      append(argument: values.map { $0 ?? NSNull() })
      format += ")"
    case .containment(let path, let value):
      begin(isNegated)
      append(argument: value)
      format += " IN "
      append(withoutQuantifier: path)
      format += ")"
    case .between(let operand, let low, let high):
      begin(isNegated)
      try append(operand: operand)
      format += " BETWEEN {"
      append(argument: low)
      format += ", "
      append(argument: high)
      format += "})"
    case .geoWithin(let path, let shape, _):
      begin(isNegated)
      append(path)
      format += " IN "
      append(argument: shape)
      format += ")"
    case .constant, .subqueryCount: try append(operand: node)
    }
  }

  /// Each further part has its own parentheses.
  private mutating func append(_ parts: [QueryNode], _ word: String, _ isNegated: Bool) throws {
    if isNegated { format += "NOT " }
    format += String(repeating: "(", count: parts.count - 1)
    for (index, part) in parts.enumerated() {
      if index > 0 { format += " \(word) " }
      try append(condition: part, isNegated: false)
      if index > 0 { format += ")" }
    }
  }

  private mutating func begin(_ isNegated: Bool) { format += isNegated ? "(NOT " : "(" }

  private mutating func append(operand node: QueryNode) throws {
    switch node {
    case .path(let path): append(path)
    case .constant(let value): append(argument: value)
    case .subqueryCount(let inner):
      let (collection, variable, condition) = try names.subquery(inner)
      format += "SUBQUERY(\(collection.text), \(variable), "
      try append(condition: condition, isNegated: false)
      format += ").@count"
    default: try append(condition: node, isNegated: false)
    }
  }

  private mutating func append(_ path: RecordedPath) {
    if path.isQuantified { format += "ANY " }
    append(withoutQuantifier: path)
  }
  private mutating func append(withoutQuantifier path: RecordedPath) {
    format += path.text
    arguments += path.arguments
  }

  private mutating func append(argument: Any?) {
    format += "%@"
    arguments.append(argument ?? NSNull())
  }
}

extension StringOptions {
  fileprivate var text: String {
    if isEmpty { return "" }
    return "[" + (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "") + "]"
  }
}
