import RealmQuery

/// What a typed query has recorded (Q17). Format strings and the tree of RealmQuery are both made from it.
indirect enum QueryNode {
  /// Alone it is a condition: the property is true.
  case path(RecordedPath)
  /// Without optionals around it; nil is null.
  case constant(Any?)
  /// `(condition).count`: how many elements of the collection in the condition's paths satisfy it.
  case subqueryCount(QueryNode)

  /// At least two, joined from left to right. A long chain is flat: nothing recurses over its length.
  case and([QueryNode])
  case or([QueryNode])
  case not(QueryNode)
  case comparison(QueryNode, Relation, StringOptions, QueryNode)
  /// `property IN {…}`.
  case membership(QueryNode, [Any?])
  /// `constant IN collection`.
  case containment(RecordedPath, Any?)
  case between(QueryNode, Any?, Any?)
  /// A shape is what the user gave: `GeoBox`, `GeoCircle` or `GeoPolygon`.
  case geoWithin(RecordedPath, Any, GeoShape)

  static func && (a: QueryNode, b: QueryNode) -> QueryNode { if case .and(let parts) = a { .and(parts + [b]) } else { .and([a, b]) } }
  static func || (a: QueryNode, b: QueryNode) -> QueryNode { if case .or(let parts) = a { .or(parts + [b]) } else { .or([a, b]) } }

  /// Whether this is a statement rather than a value.
  var isCondition: Bool {
    switch self {
    case .path, .constant, .subqueryCount: false
    default: true
    }
  }

  static func constant(of value: Any) -> QueryNode { .constant(plain(value)) }

  /// A value without optionals around it.
  static func plain(_ value: Any) -> Any? { DynamicInput.isNull(value) ? nil : DynamicInput.unwrapped(value) }
}

/// The way from the queried class to a value.
struct RecordedPath {
  enum Step: Hashable {
    case property(String, isCollection: Bool)
    /// An element of the collection of a subquery.
    case variable(String)
    case allKeys, allValues
    /// The entry of a dictionary.
    case entry(String)
    // Inside an `AnyRealmValue`.
    case index(Int)
    case key(String)
    case anyElement

    fileprivate var isInsideMixed: Bool {
      switch self {
      case .index, .key, .anyElement: true
      default: false
      }
    }
  }

  /// `@count`, `@min` and so on.
  enum Operation {
    case count
    case aggregate(AggregateFunction)
    var text: String {
      switch self {
      case .count: "@count"
      case .aggregate(let function): "@\(function.rawValue)"
      }
    }
  }

  var steps: [Step] = []
  private(set) var operation: Operation?
  /// The number of steps that text shows before the operation. Fewer than all for an aggregate of a property of objects.
  private(set) var operationPosition = 0

  func appending(_ step: Step) -> RecordedPath {
    if case .entry? = steps.last, case .property = step { stop("Cannot apply key path to Map subscripts.") }
    if operation != nil { stop("Cannot apply a keypath to \(text)") }
    var path = self
    path.steps.append(step)
    return path
  }

  /// The operation on the collection that the path leads to.
  func appending(_ operation: Operation) -> RecordedPath { placing(operation, at: steps.count) }

  /// The aggregate of the property that the path leads to, over the objects of the collection in the path.
  func aggregating(_ function: AggregateFunction) -> RecordedPath {
    if steps.last == .allValues { return appending(.aggregate(function)) }
    let position = (firstCollection ?? 0) + 1
    let hasValues = position < steps.count && steps[position] == .allValues
    return placing(.aggregate(function), at: hasValues ? position + 1 : position)
  }

  private func placing(_ operation: Operation, at position: Int) -> RecordedPath {
    if self.operation != nil { stop("Invalid keypath '\(text)': at most one collection operation per keypath is supported.") }
    var path = self
    path.operation = operation
    path.operationPosition = min(position, steps.count)
    return path
  }

  /// The operation is about a property of objects rather than about a collection.
  var aggregatesProperty: Bool { operation != nil && (operationPosition < steps.count || firstCollection == nil) }

  private var firstCollection: Int? {
    steps.firstIndex { if case .property(_, isCollection: true) = $0 { true } else { false } }
  }

  /// Leads to several values.
  var isQuantified: Bool {
    guard operation == nil else { return false }
    for (index, step) in steps.enumerated() {
      guard case .property(_, isCollection: true) = step else { continue }
      if index + 1 < steps.count, case .entry = steps[index + 1] { continue }
      return true
    }
    return false
  }

  /// As format strings have it, without quantifier. Keys and indexes are arguments.
  var text: String {
    if steps.isEmpty { return "self" }
    var text = ""
    for (index, step) in steps.enumerated() {
      if let operation, index == operationPosition { text += "." + operation.text }
      let separator = index == 0 ? "" : "."
      switch step {
      case .property(let name, _), .variable(let name): text += separator + name
      case .allKeys: text += separator + "@allKeys"
      case .allValues: text += separator + "@allValues"
      case .entry, .index, .key: text += "[%@]"
      case .anyElement: text += "[%K]"
      }
    }
    if let operation, operationPosition == steps.count { text += "." + operation.text }
    return text
  }

  /// The arguments of `text`.
  var arguments: [Any] {
    steps.compactMap { step in
      switch step {
      case .entry(let key), .key(let key): key
      case .index(let index): index
      case .anyElement: "#any"
      default: nil
      }
    }
  }

  // MARK: In subqueries

  /// Splits off the way to the first collection; nil if there is none.
  /// - Parameter variable: what stands for the element.
  func split(_ variable: String) throws -> (collection: [Step], rest: RecordedPath)? {
    if steps.contains(where: { if case .entry = $0 { true } else { false } }) {
      throw RealmFailure.misuse("Subqueries do not support map subscripts.")
    }
    if steps.contains(where: \.isInsideMixed) { throw RealmFailure.misuse("Subqueries do not support AnyRealmValue subscripts.") }
    guard let index = firstCollection else { return nil }
    var rest = steps[(index + 1)...]
    if rest.first == .allValues { rest = rest.dropFirst() }
    var path = self
    path.steps = [.variable(variable)] + rest
    path.operationPosition = max(1, operationPosition - (steps.count - path.steps.count))
    return (Array(steps[...index]), path)
  }
}

extension QueryNode {
  /// The condition of a subquery about one element.
  /// - Parameter collection: receives the collection that the subquery goes through.
  func rewritten(_ variable: String, _ collection: inout [RecordedPath.Step]?) throws -> QueryNode {
    switch self {
    case .path(let path): return .path(try path.rewritten(variable, &collection))
    case .constant, .subqueryCount: return self
    case .and(let parts): return .and(try Self.rewritten(parts, variable, &collection))
    case .or(let parts): return .or(try Self.rewritten(parts, variable, &collection))
    case .not(let node): return .not(try node.rewritten(variable, &collection))
    case .comparison(let a, let relation, let options, let b):
      return .comparison(try a.rewritten(variable, &collection), relation, options, try b.rewritten(variable, &collection))
    case .membership(let node, let values): return .membership(try node.rewritten(variable, &collection), values)
    case .containment(let path, let value): return .containment(try path.rewritten(variable, &collection), value)
    case .between(let node, let low, let high): return .between(try node.rewritten(variable, &collection), low, high)
    case .geoWithin(let path, let value, let shape): return .geoWithin(try path.rewritten(variable, &collection), value, shape)
    }
  }

  private static func rewritten(
    _ nodes: [QueryNode], _ variable: String, _ collection: inout [RecordedPath.Step]?
  ) throws -> [QueryNode] {
    var result: [QueryNode] = []
    result.reserveCapacity(nodes.count)
    for node in nodes { result.append(try node.rewritten(variable, &collection)) }
    return result
  }
}

extension RecordedPath {
  fileprivate func rewritten(_ variable: String, _ collection: inout [Step]?) throws -> RecordedPath {
    guard let (prefix, rest) = try split(variable) else { return self }
    if let known = collection, known != prefix { throw RealmFailure.misuse("Subqueries must contain a keypath starting with a collection.") }
    collection = prefix
    return rest
  }
}

/// Numbers the subqueries of one predicate, outer ones first.
struct SubqueryNames {
  private var count = 0

  /// The collection that a subquery goes through, the name of its element, and its condition.
  mutating func subquery(_ node: QueryNode) throws -> (collection: RecordedPath, variable: String, condition: QueryNode) {
    count += 1
    let variable = "$col\(count)"
    var collection: [RecordedPath.Step]?
    let condition = try node.rewritten(variable, &collection)
    guard let collection else { throw RealmFailure.misuse("Subqueries must contain a keypath starting with a collection.") }
    return (RecordedPath(steps: collection), variable, condition)
  }
}
