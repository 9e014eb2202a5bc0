package import RealmStorage

/// A condition on the objects of one table, in the form that is evaluated a batch of leaves at a time.
///
/// What the plan makes of a predicate: comparisons of a property with constants become the tests of their type, `&&`, `||` and `NOT` become
/// `all`, `any` and `not`, a path over to-one links `linked`, and whatever has no kernel `rows`, which is asked leaf by leaf.
/// Two-valued: every row satisfies a condition or its `not`. Nulls and NaNs are the tests' own business (Q5.1): the plan chooses
/// `acceptsNull` and `acceptsNaN` by the rules of the direct or the generic comparison.
///
/// A condition belongs to one snapshot and one thread: tests of text remember what they saw of a column.
package indirect enum LeafCondition {
  case always
  case never
  /// Int, Bool (false is 0), and links (the stored number, key + 1: see `link(_:equals:)`).
  case integer(LeafColumn, IntegerTest)
  /// `IN` for Int; for links keys + 1.
  case integers(LeafColumn, IntegerSet)
  case double(LeafColumn, FloatingTest<Double>)
  case float(LeafColumn, FloatingTest<Float>)
  case timestamp(LeafColumn, TimestampTest)
  case decimal(LeafColumn, BoundsTest<Decimal128>)
  case objectID(LeafColumn, BoundsTest<ObjectID>)
  case uuid(LeafColumn, BoundsTest<UUIDBytes>)
  /// String and Binary; enumerated strings are tested once for each distinct value.
  case text(LeafColumn, PreparedTextTest)
  /// A condition on the object at the other end of a link.
  case linked(LinkedCondition)
  /// Anything else: `test` gets a cluster and the rows that are left, and returns those of them that satisfy the condition.
  /// `cost` is relative to 1 for an Int comparison; an object-by-object evaluation has 50 or more.
  case rows(cost: Int, test: (Cluster, RowMask, Cancellation?) throws(StorageError) -> RowMask)
  case all([LeafCondition])
  case any([LeafCondition])
  case not(LeafCondition)

  package static func text(_ column: LeafColumn, _ test: TextTest) -> LeafCondition { .text(column, PreparedTextTest(test)) }

  /// `link == object`; nil is null.
  package static func link(_ column: LeafColumn, equals key: ObjectKey?) -> LeafCondition {
    guard let key, key.rawValue >= 0 else { return .integer(column, .null) }
    return .integer(column, IntegerTest(.equal, key.rawValue &+ 1))
  }
  /// `link IN objects`.
  package static func link(
    _ column: LeafColumn, among keys: [ObjectKey], orNull: Bool = false, _ cancellation: Cancellation? = nil
  ) throws(StorageError) -> LeafCondition {
    .integers(column, try IntegerSet(keys.filter { $0.rawValue >= 0 }.map { $0.rawValue &+ 1 }, acceptsNull: orNull, cancellation))
  }

  /// Rough cost of one row, which decides the order in a conjunction.
  var cost: Int {
    switch self {
    case .always, .never: 0
    case .integer: 1
    case .double, .float: 2
    case .integers, .timestamp: 4
    case .linked(let condition): condition.cost
    case .objectID, .uuid: 8
    case .decimal: 15
    case .text(_, let test): test.cost
    case .rows(let cost, _): cost
    case .all(let conditions), .any(let conditions): conditions.reduce(1) { $0 + $1.cost }
    case .not(let condition): condition.cost
    }
  }

  /// Whether no object is looked at by itself.
  var isMadeOfKernels: Bool {
    switch self {
    case .rows: false
    case .all(let conditions), .any(let conditions): conditions.allSatisfy(\.isMadeOfKernels)
    case .not(let condition): condition.isMadeOfKernels
    case .linked(let link): link.condition.isMadeOfKernels
    default: true
    }
  }

  /// The same condition with nested conjunctions and disjunctions merged, and the cheapest conditions first.
  package func arranged() -> LeafCondition {
    switch self {
    case .all(let conditions):
      var flat: [LeafCondition] = []
      for condition in conditions.map({ $0.arranged() }) {
        switch condition {
        case .always: break
        case .never: return .never
        case .all(let inner): flat += inner
        default: flat.append(condition)
        }
      }
      if flat.count <= 1 { return flat.first ?? .always }
      return .all(Self.byCost(flat))
    case .any(let conditions):
      var flat: [LeafCondition] = []
      for condition in conditions.map({ $0.arranged() }) {
        switch condition {
        case .never: break
        case .always: return .always
        case .any(let inner): flat += inner
        default: flat.append(condition)
        }
      }
      if flat.count <= 1 { return flat.first ?? .never }
      return .any(Self.byCost(flat))
    case .not(let condition):
      switch condition.arranged() {
      case .always: return .never
      case .never: return .always
      case .not(let inner): return inner
      case let arranged: return .not(arranged)
      }
    default: return self
    }
  }

  /// Stable.
  private static func byCost(_ conditions: [LeafCondition]) -> [LeafCondition] {
    let costs = conditions.map(\.cost)
    let order = conditions.indices.sorted { a, b in costs[a] == costs[b] ? a < b : costs[a] < costs[b] }
    return order.map { conditions[$0] }
  }

  /// Keeps the rows of `masks`, one for each cluster of the batch, that satisfy the condition.
  package func narrow(_ batch: ClusterBatch, _ masks: inout [RowMask]) throws(StorageError) {
    switch self {
    case .always: break
    case .never: for index in masks.indices { masks[index] = .empty }
    case .integer(let column, let test): try batch.narrow(&masks, column, test)
    case .integers(let column, let set): try batch.narrow(&masks, column, set)
    case .double(let column, let test): try batch.narrow(&masks, column, test)
    case .float(let column, let test): try batch.narrow(&masks, column, test)
    case .timestamp(let column, let test): try batch.narrow(&masks, column, test)
    case .decimal(let column, let test): try batch.narrow(&masks, column, test)
    case .objectID(let column, let test): try batch.narrow(&masks, column, test)
    case .uuid(let column, let test): try batch.narrow(&masks, column, test)
    case .text(let column, let test): try batch.narrow(&masks, column, test)
    case .linked(let condition): try condition.narrow(batch, &masks)
    case .rows(_, let test):
      for index in masks.indices where !masks[index].isEmpty {
        try batch.cancellation?.check()
        masks[index] &= try test(batch.clusters[index], masks[index], batch.cancellation)
      }
    case .all(let conditions):
      for condition in conditions {
        try condition.narrow(batch, &masks)
        if ClusterBatch.isEmpty(masks) { return }
      }
    case .any(let conditions): try narrowToAny(conditions, batch, &masks)
    case .not(let condition):
      var inner = masks
      try condition.narrow(batch, &inner)
      for index in masks.indices { masks[index] = masks[index].subtracting(inner[index]) }
    }
  }

  /// Every condition is asked only about the rows that none before it has accepted.
  private func narrowToAny(_ conditions: [LeafCondition], _ batch: ClusterBatch, _ masks: inout [RowMask]) throws(StorageError) {
    var rest = masks
    for condition in conditions {
      var accepted = rest
      try condition.narrow(batch, &accepted)
      for index in rest.indices { rest[index] = rest[index].subtracting(accepted[index]) }
      if ClusterBatch.isEmpty(rest) { return }
    }
    for index in masks.indices { masks[index] = masks[index].subtracting(rest[index]) }
  }

  /// Whether one row satisfies the condition.
  package func accepts(_ space: NodeSpace, _ cluster: Cluster, _ row: Int, _ cancellation: Cancellation?) throws(StorageError) -> Bool {
    var masks = [RowMask(row: row)]
    try narrow(ClusterBatch(space, [cluster], cancellation), &masks)
    return !masks[0].isEmpty
  }
}

extension PreparedTextTest {
  fileprivate var cost: Int {
    switch test.operation {
    case .nothing: 3
    case .equal, .beginsWith: 5
    case .endsWith, .less, .lessOrEqual, .greater, .greaterOrEqual: 12
    case .among: 15
    case .contains: 20
    case .like: 40
    }
  }
}
