import RealmQuery
import RealmStorage

// Steps: filters, orders and the like. Those on objects are bound to the class's table and run by `RealmQuery`; those on values are done here.

extension ResultsCore {
  /// - Parameter query: made after the elements were found to be ones that can be queried.
  func filtered(_ query: @autoclosure () throws -> RealmQuery.Query) throws -> ResultsCore {
    try requireObjects()
    let query = try query()
    try core.verifyThread()
    try requireValid()
    if lacksTable { return self }
    if step != nil, try plan().hasLimit { throw RealmFailure.misuse("Filtering a Results with a limit is not yet implemented") }
    let results = appending(query)
    // Refuses names and types that do not fit now, not at the first access.
    _ = try results.plan()
    return results
  }

  func sorted(_ descriptors: [SortDescriptor]) throws -> ResultsCore {
    try core.verifyThread()
    try requireValid()
    if descriptors.isEmpty { return self }
    guard target != nil else {
      if descriptors.count > 1 { throw RealmFailure.misuse("Cannot sort array of '\(className)' on more than one key path") }
      guard descriptors[0].keyPath == "self" else {
        throw RealmFailure.misuse("Cannot sort on key path '\(descriptors[0].keyPath)': arrays of '\(className)' can only be sorted on 'self'")
      }
      return appending(
        RealmQuery.Query(.constant(true), [.sort([SortKey(QueryPath("self"), ascending: descriptors[0].ascending)])], dialect: .format))
    }
    for descriptor in descriptors where descriptor.keyPath.contains("@") {
      throw RealmFailure.misuse("Cannot sort on key path '\(descriptor.keyPath)': KVC collection operators are not supported.")
    }
    return try described(.sort(descriptors.map { SortKey(try sortPath($0.keyPath), ascending: $0.ascending) }))
  }

  func distinct(_ keyPaths: [String]) throws -> ResultsCore {
    try core.verifyThread()
    try requireValid()
    guard target != nil else {
      if keyPaths.count > 1 { throw RealmFailure.misuse("Cannot sort array of '\(className)' on more than one key path") }
      guard keyPaths.allSatisfy({ $0 == "self" }) else {
        throw RealmFailure.misuse("Cannot sort on key path '\(keyPaths[0])': arrays of '\(className)' can only be sorted on 'self'")
      }
      return appending(RealmQuery.Query(.constant(true), [.distinct([QueryPath("self")])], dialect: .format))
    }
    for keyPath in keyPaths where keyPath.contains("@") {
      throw RealmFailure.misuse("Cannot distinct on keypath '\(keyPath)': KVC collection operators are not supported.")
    }
    return try described(.distinct(keyPaths.map { try sortPath($0) }))
  }

  /// `distinct` refuses with the words of `sorted`.
  private func sortPath(_ keyPath: String) throws -> QueryPath {
    guard let schema = target?.schema else { return QueryPath(keyPath) }
    return try SortKeyPath(keyPath, in: schema, core.schema).path
  }

  private func described(_ descriptor: Descriptor) throws -> ResultsCore {
    if lacksTable { return self }
    let query = RealmQuery.Query(.constant(true), [descriptor], dialect: .format)
    let results = appending(query)
    _ = try results.plan()
    return results
  }

  /// The position of the first element that satisfies a condition, which is made as in ``filtered(_:)``.
  func index(matching query: @autoclosure () throws -> RealmQuery.Query) throws -> Int? {
    try requireObjects()
    let query = try query()
    try core.verifyThread()
    guard let target, target.hasTable else { return nil }
    let plan = try bound(query, target.table(core))
    if plainTable != nil {
      try requireValid()
      return try plan.first().flatMap { try position(of: $0) }
    }
    // Both conditions at once, by kernels and indexes. Those of equals that stay, and the first few, are none of that.
    if isOfTable, !isInvalidated {
      let elements = try self.plan()
      if elements.onlySorts { return try elements.followed(by: plan).first().flatMap { try keys().firstIndex(of: $0) } }
    }
    for (index, key) in try keys().enumerated() {
      if try plan.matches(key) { return index }
    }
    return nil
  }

  /// Whether there is nothing to ask: a file that is only read can lack a class. Without its columns no condition can be bound to them.
  private var lacksTable: Bool { target.map { !$0.hasTable } ?? false }

  // MARK: Execution

  /// All steps as one plan, bound to the class's table in the present version.
  ///
  /// Conditions come first whatever the order of the steps: what is filtered after `distinct` was filtered before it (Q18.1).
  func plan() throws -> QueryPlan {
    if let cachedPlan, let target, cachedPlan.isCurrent, try cachedPlan.table.group === target.table(core).group { return cachedPlan }
    guard let target, target.hasTable else { throw RealmFailure.misuse("The file has no objects of class '\(className)'.") }
    // What is before has its plan: a chain is bound once, however long a loop makes it.
    let plan = try plan(over: target.table(core)) { try $0.plan() }
    if !core.isFrozen { cachedPlan = plan }
    return plan
  }

  /// The same, bound to the class's table in any version.
  func plan(over table: Table) throws -> QueryPlan { try plan(over: table) { try $0.plan(over: table) } }

  /// - Parameter before: the plan of the results that these are results of, in the same version.
  private func plan(over table: Table, before: (ResultsCore) throws -> QueryPlan) throws -> QueryPlan {
    var plan = try bound(step ?? .all, table)
    if case .results(let base) = source, base.step != nil { plan = try before(base).followed(by: plan) }
    if let cancellation {
      plan.options.remove(.ignoresCancellation)
      plan.cancellation = cancellation
    }
    return plan
  }

  private func bound(_ query: RealmQuery.Query, _ table: Table) throws -> QueryPlan {
    var plan = try query.bind(table, in: table.group, names: core.names())
    plan.options = .ignoresCancellation
    return plan
  }

  func evaluate(_ step: RealmQuery.Query) throws -> Contents {
    guard let target else { return .values(try arrangeValues(step)) }
    guard target.hasTable else { return .nothing }
    let plan = try plan()
    let source = try planSource()
    return .keys(try Metering.query { try plan.keys(source) })
  }

  /// The number of elements without finding out which they are, where that is cheaper.
  func quickCount() throws -> Int? {
    guard let target, target.hasTable, isOfTable, !isInvalidated else { return nil }
    let plan = try plan()
    guard plan.onlySorts else { return nil }
    return try Metering.query { try plan.count(.table) }
  }

  /// Whether there are no elements, found out without knowing all of them.
  func isEmpty() throws -> Bool {
    guard try canAskTable() else { return try firstOfCollection() == nil && count() == 0 }
    let plan = try plan()
    return try Metering.query { try plan.isEmpty() }
  }

  /// The first element; nil if there is none. Found without the others once in a version: whoever asks again and again is better off with all of them.
  func first() throws -> Value? {
    guard !core.isFrozen, try canAskTable(), beginSeekingFirst() else {
      if let first = try firstOfCollection() { return first }
      return try count() == 0 ? nil : value(at: 0)
    }
    let plan = try plan()
    let first = try Metering.query { try plan.first() }
    if first == nil { adopt(.nothing) }
    return first.map { .link($0) }
  }

  /// The first of the objects in a collection that satisfy conditions, if it is one of the first few, which are asked one by one.
  private func firstOfCollection() throws -> Value? {
    guard let target, target.hasTable, step != nil, let collection = root.plainCollection, collection.kind != .dictionary, !isInvalidated else {
      return nil
    }
    _ = try core.group()
    guard presentContents == nil else { return nil }
    let plan = try plan()
    guard plan.keepsOrder else { return nil }
    return try Metering.query {
      for index in 0..<min(32, try collection.count()) {
        if case .link(let key) = try collection.value(at: index), try plan.matches(key) { return .link(key) }
      }
      return nil
    }
  }

  /// Whether what is asked can be asked of the class's table, as long as the elements are not known.
  private func canAskTable() throws -> Bool {
    try core.verifyThread()
    try requireValid()
    guard let target, target.hasTable, step != nil, isOfTable, !isInvalidated else { return false }
    // Beginning to read moves the stamp.
    _ = try core.group()
    return presentContents == nil
  }

  /// An aggregate of a property, which has the function.
  /// - Returns: nil if no value takes part.
  func aggregate(_ function: AggregateFunction, slot: Int) throws -> Value? {
    try core.verifyThread()
    try requireValid()
    guard let target, target.hasTable else { return nil }
    let table = try target.table(core)
    let property = PropertyAggregate(table, try table.column(target.columns[slot]))
    let result: (value: Value, count: Int)
    // Of all objects their leaves are read, also when it is known which they are.
    if isOfTable, !isInvalidated, presentContents == nil || plainTable != nil {
      let plan = try plan()
      result = try plan.compute(function, property)
    } else {
      let keys = try keys().filter { !$0.isNull }
      result = try property.compute(function, over: .keys(keys))
    }
    return result.count == 0 ? nil : result.value
  }

  /// What evaluates groups of these objects, and over what.
  func planForGroups() throws -> (plan: QueryPlan, source: QueryPlan.Source) {
    if isOfTable, !isInvalidated { return (try plan(), .table) }
    guard let target else { throw RealmFailure.misuse("Only objects can be grouped") }
    // The objects that are there, without conditions.
    return (try bound(.all, target.table(core)), .keys(try keys().filter { !$0.isNull }))
  }

  /// Whether all objects of the class are asked, and not those of a collection.
  private var isOfTable: Bool { if case .table = root.source { true } else { false } }

  private func planSource() throws -> QueryPlan.Source { isOfTable ? .table : .keys(try root.keys()) }

  private func arrangeValues(_ step: RealmQuery.Query) throws -> [Value] {
    guard case .results(let base) = source else { return [] }
    let values = try base.values()
    return try arrangedPositions(values, step).map { values[$0] }
  }

  /// Where in the collection the elements are that these results of values show.
  func valuePositions() throws -> [Int] {
    guard let step, case .results(let base) = source else { return Array(0..<(try values().count)) }
    let positions = try base.valuePositions()
    return try arrangedPositions(base.values(), step).map { positions[$0] }
  }

  /// What a step keeps of some values, in its order.
  private func arrangedPositions(_ values: [Value], _ step: RealmQuery.Query) throws -> [Int] {
    var kept = Array(values.indices)
    let elementOrder = try baseCollection?.reading().elementOrder ?? .natural
    func order(isAscending: Bool = true) throws -> [Int] {
      try kept.map { values[$0] }.sortedPositions(by: elementOrder, isAscending: isAscending, cancellation)
    }
    for descriptor in step.descriptors {
      switch descriptor {
      case .sort(let keys):
        let isAscending = keys.first?.isAscending ?? true
        kept = try order(isAscending: isAscending).map { kept[$0] }
      case .distinct:
        let order = try order()
        var first: [Int] = []
        for (place, index) in order.enumerated()
        where place == 0 || elementOrder.compare(values[kept[order[place - 1]]], values[kept[index]]) != 0 {
          first.append(index)
        }
        kept = first.sorted().map { kept[$0] }
      case .limit(let count): kept = Array(kept.prefix(count))
      }
    }
    return kept
  }
}
