import RealmStorage

/// How the values of an operand are found for an object.
indirect enum OperandPlan {
  case constants([Value])
  /// A property of the object itself.
  case column(ColumnDescription)
  case path(PathPlan)
  case aggregate(AggregatePlan)
  case subquery(HopChain, ConditionPlan)
  /// For one execution only.
  case cachedSubquery(HopChain, CachedCondition)
  case arithmetic(ArithmeticOperator, OperandPlan, OperandPlan)

  /// Appends the values: exactly one for operands that are no lists, or none where there is nothing to compare.
  func append(_ row: Row, to values: inout [Value], _ cancellation: Cancellation?) throws(StorageError) {
    switch self {
    case .constants(let constants): values.append(contentsOf: constants)
    case .column(let column): values.append(try row.value(column).linked(to: column.oppositeTable).resolved)
    case .path(let path): try path.append(row, to: &values, cancellation)
    case .aggregate(let aggregate): try aggregate.append(row, to: &values, cancellation)
    case .subquery(let chain, let condition):
      var count: Int64 = 0
      try chain.forEachRow(row, cancellation) { (target) throws(StorageError) in if try condition.matches(target, cancellation) { count += 1 } }
      values.append(.int(count))
    case .cachedSubquery(let chain, let condition):
      var count: Int64 = 0
      try chain.forEachKey(row, cancellation) { (key) throws(StorageError) in if try condition.accepts(key, cancellation) { count += 1 } }
      values.append(.int(count))
    case .arithmetic(let operation, let left, let right):
      var a: [Value] = []
      var b: [Value] = []
      try left.append(row, to: &a, cancellation)
      try right.append(row, to: &b, cancellation)
      for x in a { for y in b { values.append(Arithmetic.apply(operation, x, y)) } }
    }
  }

  var isConstant: Bool { if case .constants = self { true } else { false } }
}

/// A path: objects reached by hops, and what is taken from each of them.
struct PathPlan {
  enum Terminal {
    /// The links of the last hop itself, which is not part of the chain.
    case links(Hop)
    case value(ColumnDescription)
    case elements(ColumnDescription, ElementSelector)
    /// Steps into the value of a Mixed property.
    case mixed(ColumnDescription, MixedPath)
    /// Steps into the elements of a collection of Mixed values.
    case mixedElements(ColumnDescription, ElementSelector, MixedPath)
    /// Number of links of a hop.
    case linkCount(Hop)
    /// Number of elements of a collection.
    case count(ColumnDescription)
    /// All references to the object.
    case backlinkCount
  }
  /// What is compared instead of the values themselves.
  enum Transformation {
    case none
    /// Bytes of texts; null for null.
    case byteCount
    /// Bytes of elements; 0 for null. Elements of Mixed collections that are neither texts nor data have none.
    case length
    /// Entries or bytes of Mixed values; null for what has no size.
    case size
    /// The type, as a bit set.
    case type
  }

  let chain: HopChain
  let terminal: Terminal
  var transformation = Transformation.none
  /// Whether null is among the links of a dictionary that has a null entry.
  var countsNullEntries = false
  let table: Table

  private var space: NodeSpace { table.group.space }

  func append(_ row: Row, to values: inout [Value], _ cancellation: Cancellation?) throws(StorageError) {
    let start = values.count
    if chain.hops.isEmpty {
      try appendTerminal(row, isSingle: true, &values, cancellation)
    } else if chain.isToOne {
      if let end = try chain.singleRow(row, cancellation) {
        try appendTerminal(end, isSingle: true, &values, cancellation)
      } else {
        appendMissing(&values)
      }
    } else {
      try chain.forEachRow(row, cancellation) { (end) throws(StorageError) in try appendTerminal(end, isSingle: false, &values, cancellation) }
    }
    if case .backlinkCount = terminal { addUp(&values, from: start) }
    try transform(&values, from: start)
  }

  private func transform(_ values: inout [Value], from start: Int) throws(StorageError) {
    switch transformation {
    case .none: return
    case .length:
      if hasMixedElements { values.removeAll(from: start) { !$0.isTextOrBinary } }
      for index in start..<values.count { values[index] = .int(Int64(values[index].byteCount)) }
    case .byteCount, .size: for index in start..<values.count { values[index] = try values[index].size(space).map { .int(Int64($0)) } ?? .null }
    case .type: for index in start..<values.count { values[index] = .int(Int64(TypeSet(values[index]).rawValue)) }
    }
  }

  private var hasMixedElements: Bool { if case .elements(let column, _) = terminal { column.type == .mixed } else { false } }

  // MARK: Collections in collections

  /// Several collections may be reached: ALL and NONE ask whether one of them satisfies them.
  var isNested: Bool {
    if case .length = transformation { return false }
    return switch terminal {
    case .elements: !chain.isToOne
    case .mixed(_, let path): !chain.isToOne || path.steps.dropLast().contains(.all)
    case .mixedElements(_, let selector, let path): !chain.isToOne || selector.isAll || path.steps.dropLast().contains(.all)
    // Entries of dictionaries of links, one of each dictionary.
    case .links(let hop):
      if case .collection(let column, let selector) = hop.kind { column.isDictionary && !selector.isAll && !chain.isToOne } else { false }
    case .value, .linkCount, .count, .backlinkCount: false
    }
  }

  /// The values of each collection.
  func groups(_ row: Row, _ cancellation: Cancellation?) throws(StorageError) -> [[Value]] {
    var groups: [[Value]] = []
    try chain.forEachRow(row, cancellation) { (end) throws(StorageError) in
      switch terminal {
      case .mixed(let column, let path): groups.append(contentsOf: try path.groups(end.value(column), cancellation))
      case .mixedElements(let column, let selector, let path):
        var elements: [Value] = []
        try CollectionReader(space, end, column, cancellation).append(selector, to: &elements)
        for element in elements { groups.append(contentsOf: try path.groups(element, cancellation)) }
      default:
        var values: [Value] = []
        try appendTerminal(end, isSingle: false, &values, cancellation)
        groups.append(values)
      }
    }
    for index in groups.indices { try transform(&groups[index], from: 0) }
    return groups
  }

  private func addUp(_ values: inout [Value], from start: Int) {
    var total: Int64 = 0
    for value in values[start...] { if case .int(let count) = value { total += count } }
    values.replaceSubrange(start..., with: [.int(total)])
  }

  /// Behind a null link.
  private func appendMissing(_ values: inout [Value]) {
    switch terminal {
    case .links(let hop) where hop.isToOne: values.append(.null)
    case .value: values.append(.null)
    case .count: values.append(.int(0))
    default: break
    }
  }

  private func appendTerminal(_ row: Row, isSingle: Bool, _ values: inout [Value], _ cancellation: Cancellation?) throws(StorageError) {
    switch terminal {
    case .value(let column): values.append(try row.value(column).linked(to: column.oppositeTable).resolved)
    case .links(let hop): try appendLinks(hop, row, isSingle, &values, cancellation)
    case .elements(let column, let selector):
      let start = values.count
      try CollectionReader(space, row, column, cancellation).append(selector, to: &values)
      if column.type == .link || column.type == .mixed {
        for index in start..<values.count { values[index] = values[index].linked(to: column.oppositeTable).resolved }
      }
    case .mixed(let column, let path): try path.append(row.value(column), to: &values, cancellation)
    case .mixedElements(let column, let selector, let path):
      var elements: [Value] = []
      try CollectionReader(space, row, column, cancellation).append(selector, to: &elements)
      for element in elements { try path.append(element, to: &values, cancellation) }
    case .linkCount(let hop): values.append(.int(Int64(try hop.countTargets(row, cancellation, countsNull: !chain.hops.isEmpty))))
    case .count(let column): values.append(.int(Int64(try CollectionReader(space, row, column, cancellation).count())))
    case .backlinkCount: values.append(.int(Int64(try (chain.hops.last?.target ?? table).backlinkCount(row.key))))
    }
  }

  private func appendLinks(
    _ hop: Hop, _ row: Row, _ isSingle: Bool, _ values: inout [Value], _ cancellation: Cancellation?
  ) throws(StorageError) {
    switch hop.kind {
    case .link(let column):
      if let key = try row.link(column.key) {
        values.append(.typedLink(ObjectLink(table: hop.target.key, key: key)))
      } else if isSingle {
        values.append(.null)
      }
    case .collection(let column, let selector) where column.isDictionary:
      let start = values.count
      try CollectionReader(space, row, column, cancellation).append(selector, to: &values)
      for index in start..<values.count { values[index] = values[index].linked(to: hop.target.key).resolved }
      if selector.isAll && !countsNullEntries { values.removeAll(from: start, where: \.isNull) }
    default:
      try hop.forEachTarget(row, cancellation) { key in values.append(.typedLink(ObjectLink(table: hop.target.key, key: key))) }
    }
  }
}

extension Array {
  fileprivate mutating func removeAll(from start: Int, where isUnwanted: (Element) -> Bool) {
    let rest = self[start...].filter { !isUnwanted($0) }
    replaceSubrange(start..., with: rest)
  }
}

extension Value {
  fileprivate var isTextOrBinary: Bool {
    switch self {
    case .string, .binary: true
    default: false
    }
  }
}
