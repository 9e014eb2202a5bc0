import Foundation
import RealmQuery
import RealmStorage

/// Typed queries as trees that can be bound to a table.
struct QueryTree {
  /// The realm that is queried, from which objects in constants have to be; nil if it does not matter.
  private let core: RealmCore?
  /// The queried class, for texts.
  private let className: String
  private let subject: QuerySubject
  private var names = SubqueryNames()
  private var depth = 0

  /// How far conditions may be inside of each other, chains of `&&` and of `||` counting once: what binds and answers them goes down by recursion.
  static let depthLimit = 500
  static var tooDeep: RealmFailure { .misuse("The query is nested more than \(depthLimit) levels deep") }

  static func query(_ node: QueryNode, _ core: RealmCore?, className: String, about subject: QuerySubject = .objects) throws -> RealmQuery.Query {
    var tree = QueryTree(core: core, className: className, subject: subject)
    return RealmQuery.Query(try tree.condition(node), dialect: .format)
  }

  private init(core: RealmCore?, className: String, subject: QuerySubject) {
    (self.core, self.className, self.subject) = (core, className, subject)
  }

  // MARK: Conditions

  private mutating func condition(_ node: QueryNode) throws -> Condition {
    guard depth < Self.depthLimit else { throw Self.tooDeep }
    depth += 1
    defer { depth -= 1 }
    switch node {
    case .path: return .compare(try operand(node), .equal, .value(.bool(true)))
    case .constant(let value):
      guard let value = value as? Bool else { throw incomparable }
      return .constant(value)
    case .subqueryCount: throw incomparable
    case .and(let parts): return .and(try conditions(parts) { if case .and(let inner) = $0 { inner } else { nil } })
    case .or(let parts): return .or(try conditions(parts) { if case .or(let inner) = $0 { inner } else { nil } })
    case .not(let inner): return .not(try condition(inner))
    case .comparison(let a, let relation, let options, let b): return try comparison(a, relation, options, b)
    case .membership(let left, let values): return try membership(left, values)
    case .containment(let path, let value): return try comparison(.path(path), .equal, [], .constant(value))
    case .between(let left, let low, let high):
      return .between(try operand(left), ConstantList([try constant(low), try constant(high)]))
    case .geoWithin(let path, _, let shape): return .geoWithin(try property(path), .shape(shape))
    }
  }

  /// - Parameter inner: the parts of a node of the same kind, which may be chained by its right side as long as a loop runs.
  private mutating func conditions(_ nodes: [QueryNode], inner: (QueryNode) -> [QueryNode]?) throws -> [Condition] {
    var conditions: [Condition] = []
    conditions.reserveCapacity(nodes.count)
    var waiting = Array(nodes.reversed())
    while let node = waiting.popLast() {
      if let parts = inner(node) { waiting += parts.reversed() } else { conditions.append(try condition(node)) }
    }
    return conditions
  }

  private var incomparable: RealmFailure { .misuse("Predicate expressions must compare a keypath and another keypath or a constant value") }

  private mutating func comparison(
    _ a: QueryNode, _ relation: Relation, _ options: StringOptions, _ b: QueryNode
  ) throws -> Condition {
    if case .path(let left) = a, case .path(let right) = b, left.isQuantified, right.isQuantified {
      throw RealmFailure.misuse("Comparing two collection columns is not permitted.")
    }
    if a.isCondition {
      guard case .constant(let value) = b, let flag = value as? Bool, relation == .equal || relation == .notEqual else { throw incomparable }
      let condition = try condition(a)
      return flag == (relation == .equal) ? condition : .not(condition)
    }
    if case .path(let path) = a, case .constant(let value?) = b, let object = Self.embeddedObject(value) {
      guard relation == .equal || relation == .notEqual else { throw incomparable }
      return try memberwise(path, object, isEqual: relation == .equal)
    }
    let left = try operand(a)
    return .compare(left, relation, try operand(b), options: options.engineOptions)
  }

  private mutating func membership(_ left: QueryNode, _ values: [Any?]) throws -> Condition {
    if case .path(let path) = left, values.contains(where: { $0.flatMap(Self.embeddedObject) != nil }) {
      var parts: [Condition] = []
      for value in values { parts.append(try comparison(.path(path), .equal, [], .constant(value))) }
      return .or(parts)
    }
    var constants: [Constant] = []
    constants.reserveCapacity(values.count)
    for value in values { constants.append(try constant(value)) }
    return .compare(try operand(left), .in, .list(ConstantList(constants)))
  }

  // MARK: Operands

  private mutating func operand(_ node: QueryNode) throws -> Operand {
    switch node {
    case .path(let path):
      guard case .aggregate(let function)? = path.operation else { return .property(try property(path)) }
      return .aggregate(try aggregate(path, function))
    case .constant(let value): return .constant(try constant(value))
    case .subqueryCount(let inner):
      let (collection, variable, rewritten) = try names.subquery(inner)
      let path = QueryPath(collection.steps.map(\.engineStep))
      return .subquery(SubqueryOperand(path, variable: variable, try condition(rewritten)))
    default: throw incomparable
    }
  }

  private func property(_ path: RecordedPath) throws -> PropertyOperand {
    let own = subject.ownValue.map { [QueryPath.Step.name($0)] } ?? []
    let steps = own + path.steps.map(\.engineStep)
    if steps.isEmpty { throw incomparable }
    let operation: PropertyOperand.Operation? = if case .count? = path.operation { .count } else { nil }
    return PropertyOperand(QueryPath(steps), path.isQuantified ? .any : nil, operation)
  }

  private func aggregate(_ path: RecordedPath, _ function: AggregateFunction) throws -> AggregateOperand {
    guard path.aggregatesProperty else { return AggregateOperand(QueryPath(path.steps.map(\.engineStep)), function) }
    guard case .property(let name, _)? = path.steps.last else { throw incomparable }
    guard path.steps.count > 1 else {
      throw RealmFailure.misuse(
        "Invalid keypath '\(path.text)': Property '\(className).\(name)' is not a link or collection and can only appear at the end of a keypath.")
    }
    guard path.operationPosition < path.steps.count, path.leadsThroughCollection else {
      throw RealmFailure.misuse("Invalid keypath '\(path.text)': collection operation '@\(function.rawValue)' must be applied to a collection")
    }
    return AggregateOperand(QueryPath(path.steps.dropLast().map(\.engineStep)), function, of: name)
  }

  // MARK: Constants

  private func constant(_ value: Any?) throws -> Constant {
    guard let value else { return .value(.null) }
    if let object = DynamicInput.object(value) { return try constant(object) }
    if case .object(let object)? = value as? AnyRealmValue { return try constant(object) }
    guard let stored = DynamicInput.engineValue(value) ?? DynamicInput.nested(value) else {
      throw RealmFailure.misuse("Cannot use value '\(DynamicInput.shown(value))' of type '\(type(of: value))' in a query of '\(className)'")
    }
    return .value(stored)
  }

  private func constant(_ object: ObjectBase) throws -> Constant {
    guard let owner = object.core, let binding = object.binding, !object.isManagedAndGone else { return .detachedObject }
    if let core, owner.file !== core.file { throw RealmFailure.misuse("Object must be from the Realm being queried") }
    return .value(.typedLink(ObjectLink(table: binding.tableKey, key: object.key)))
  }

  // MARK: Custom types that are stored as embedded objects (Q16.3, Q14)

  private static func embeddedObject(_ value: Any) -> EmbeddedObject? {
    func persisted<T: _CustomPersistable>(_ custom: T) -> Any { custom.persistableValue }
    guard let custom = value as? any _CustomPersistable else { return nil }
    return persisted(custom) as? EmbeddedObject
  }

  /// All members are equal; over a collection, those of some element.
  private mutating func memberwise(_ path: RecordedPath, _ object: EmbeddedObject, isEqual: Bool) throws -> Condition {
    guard path.isQuantified else {
      let condition = try members(path.steps, object)
      return isEqual ? condition : .not(condition)
    }
    let (collection, variable, element) = try names.subquery(.path(path))
    guard case .path(let elementPath) = element else { throw incomparable }
    let steps = QueryPath(collection.steps.map(\.engineStep))
    let matching = Operand.subquery(SubqueryOperand(steps, variable: variable, try members(elementPath.steps, object)))
    let some = Condition.compare(matching, .greater, .value(.int(0)))
    if isEqual { return some }
    return .compare(.property(PropertyOperand(steps, nil, .count)), .greater, .value(.int(0))) && !some
  }

  private mutating func members(_ steps: [RecordedPath.Step], _ object: EmbeddedObject) throws -> Condition {
    let schema = try object.currentSchema()
    var parts: [Condition] = []
    for property in schema.properties {
      func unsupported(_ what: String) -> RealmFailure {
        .misuse("Unsupported property '\(schema.className).\(property.name)' for memberwise equality query: \(what) not implemented.")
      }
      if property.isCollection { throw unsupported("equality on collections is") }
      if property.type == .object { throw unsupported("object links are") }
      let value = try object.dynamicValue(property.name).flatMap(QueryNode.plain)
      let path = QueryPath((steps + [.property(property.name, isCollection: false)]).map(\.engineStep))
      parts.append(.compare(.property(PropertyOperand(path)), .equal, .constant(try constant(value))))
    }
    return .and(parts)
  }
}

extension RecordedPath {
  /// Some step is a collection, or an element of the collection of a subquery.
  fileprivate var leadsThroughCollection: Bool {
    steps.contains { if case .property(_, isCollection: true) = $0 { true } else { false } }
  }
}

extension RecordedPath.Step {
  fileprivate var engineStep: QueryPath.Step {
    switch self {
    case .property(let name, _), .variable(let name): .name(name)
    case .allKeys: .keys
    case .allValues: .values
    case .entry(let key), .key(let key): .element(.key(Array(key.utf8)))
    case .index(let index): .element(.index(index))
    case .anyElement: .element(.all)
    }
  }
}

extension StringOptions {
  fileprivate var engineOptions: ComparisonOptions { ComparisonOptions(rawValue: rawValue) }
}
