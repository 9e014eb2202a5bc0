import RealmStorage

extension Binder {
  /// - Parameter hint: the other side of the comparison, which decides the types of constants (Q4.1).
  mutating func bind(_ operand: Operand, in table: Table, hint: BoundOperand?) throws(QueryError) -> BoundOperand {
    switch operand {
    case .constant(let constant): return try bindConstant(constant, hint: hint)
    case .list(let list): return try bindList(list, hint: hint)
    case .property(let property): return try bind(property, in: table)
    case .aggregate(let aggregate): return try bind(aggregate, in: table)
    case .subquery(let subquery): return try bind(subquery, in: table)
    case .arithmetic(let left, let operation, let right): return try bindArithmetic(left, operation, right, in: table, hint: hint)
    }
  }

  // MARK: Properties

  mutating func bind(_ property: PropertyOperand, in table: Table) throws(QueryError) -> BoundOperand {
    if property.operation == nil, case .name(let name)? = property.path.steps.last, property.path.steps.count > 1, name.lowercased() == "length" {
      // Before it is asked whether there is a length.
      let owner = QueryPath(property.path.steps.dropLast(), offset: property.path.offset)
      let path = try resolve(owner, in: table)
      if path.column?.type != .mixed { try checkQuantifier(property.quantifier, path, owner.offset) }
    }
    let path = try resolve(property.path, in: table)
    try checkQuantifier(property.quantifier, path, property.path.offset)
    if path.isLength, property.operation != nil, let column = path.column {
      throw .query("Property '\(path.table.className).\(column.text)' has no property 'length'", at: property.path.offset)
    }
    switch property.operation {
    case nil: return try bindValue(path).quantified(property.quantifier)
    case .count, .size, .sizeSubscript: return try bindCount(path, property)
    case .type: return try bindType(path, property.quantifier, property.path.offset)
    }
  }

  /// Only paths that may lead to several values have a quantifier.
  private func checkQuantifier(_ quantifier: Quantifier?, _ path: ResolvedPath, _ offset: Int?) throws(QueryError) {
    guard let quantifier, path.isSingleValue else { return }
    throw .query("The keypath following '\(quantifier.keyword)' must contain a list", at: offset)
  }

  private func bindValue(_ path: ResolvedPath) throws(QueryError) -> BoundOperand {
    let chain = HopChain(hops: path.hops)
    if path.isBacklinkCount { return count(path, chain, .backlinkCount) }
    let isReachedByMany = !chain.isToOne
    guard let column = path.column else { return bindLinks(path, chain) }
    if column.isCollection {
      let selector = path.selector ?? .all
      var plan: PathPlan
      if path.steps.isEmpty {
        plan = PathPlan(chain: chain, terminal: .elements(column, selector), table: path.start)
      } else {
        let steps = MixedPath(group: scope.group, steps: path.steps[...])
        plan = PathPlan(chain: chain, terminal: .mixedElements(column, selector, steps), table: path.start)
      }
      if path.isLength { plan.transformation = .length }
      let type: ValueType = path.isLength ? .int : selector == .keys ? .string : column.isDictionary ? .mixed : ValueType(column)
      let isEntry: Bool = if case .key = selector { column.isDictionary && !path.steps.contains(.all) && !isReachedByMany } else { false }
      return BoundOperand(
        plan: .path(plan), type: type, isList: true, text: path.text, isIterable: selector != .keys,
        isValueCollection: selector != .keys && !path.isLength, isEntry: isEntry)
    }
    if !path.steps.isEmpty {
      let steps = MixedPath(group: scope.group, steps: path.steps[...])
      return BoundOperand(
        plan: .path(PathPlan(chain: chain, terminal: .mixed(column, steps), table: path.start)), type: .mixed, isList: true, text: path.text,
        isIterable: isReachedByMany)
    }
    let isOwn = chain.hops.isEmpty
    return BoundOperand(
      plan: isOwn ? .column(column) : .path(PathPlan(chain: chain, terminal: .value(column), table: path.start)), type: ValueType(column),
      isList: isReachedByMany, text: path.text, isIterable: isReachedByMany, isOwnColumn: isOwn, table: path.start)
  }

  /// A path that ends at links.
  private func bindLinks(_ path: ResolvedPath, _ hops: HopChain) -> BoundOperand {
    var chain = hops
    let last = chain.hops.removeLast()
    let isList = !hops.isToOne
    let plan = OperandPlan.path(PathPlan(chain: chain, terminal: .links(last), table: path.start))
    if case .collection(let column, let selector) = last.kind, column.isDictionary, !selector.isAll {
      // What is under one key is a value like those of other dictionaries.
      return BoundOperand(
        plan: plan, type: .mixed, isList: isList, text: path.text, isIterable: true, isValueCollection: true, isEntry: chain.isToOne,
        target: path.table)
    }
    return BoundOperand(
      plan: plan, type: .link(path.table.key), isList: isList, text: path.text, isIterable: isList, isLinkPath: true, isLinkCollection: isList,
      isOwnLink: chain.hops.isEmpty, target: path.table)
  }

  private func count(_ path: ResolvedPath, _ chain: HopChain, _ terminal: PathPlan.Terminal) -> BoundOperand {
    let isList: Bool =
      switch terminal {
      case .backlinkCount: false
      // None behind a null link.
      case .linkCount: !chain.hops.isEmpty
      default: !chain.isToOne
      }
    return BoundOperand(
      plan: .path(PathPlan(chain: chain, terminal: terminal, table: path.start)), type: .int, isList: isList,
      text: path.text + ".@count")
  }

  /// `@count` and `@size` (Q7.2). A quantifier before them says nothing: of several counts any may satisfy a comparison.
  private func bindCount(_ path: ResolvedPath, _ property: PropertyOperand) throws(QueryError) -> BoundOperand {
    let chain = HopChain(hops: path.hops)
    if path.isBacklinkCount { return count(path, chain, .backlinkCount) }
    guard let column = path.column else {
      if try bindValue(path).isValueCollection, let last = path.hops.last, case .collection(let column, _) = last.kind {
        var size = count(path, HopChain(hops: path.hops.dropLast()), .count(column))
        size.text = path.text + ".@size"
        return size
      }
      // One count for each object that the last hop starts from.
      return count(path, HopChain(hops: path.hops.dropLast()), .linkCount(path.hops[path.hops.count - 1]))
    }
    var operand = try bindValue(path).quantified(property.quantifier)
    if operand.isValueCollection {
      // The number of all elements, even where one of them is named.
      operand.plan = .path(PathPlan(chain: chain, terminal: .count(column), table: path.start))
      operand.isList = !chain.isToOne
    } else {
      switch operand.type {
      case .string where path.selector != .keys: operand.transform(.byteCount)
      case .binary: operand.transform(.byteCount)
      case .mixed: operand.transform(.size)
      default:
        throw .query(
          "Operation '\(property.operation?.keyword ?? "")' is not supported on property of type '\(operand.type.name)'", at: property.path.offset)
      }
    }
    return BoundOperand(plan: operand.plan, type: .int, isList: operand.isList, text: operand.text + ".@size", isEntry: operand.isEntry)
  }

  /// `@type` (Q10.1).
  private func bindType(_ path: ResolvedPath, _ quantifier: Quantifier?, _ offset: Int?) throws(QueryError) -> BoundOperand {
    let operand = try bindValue(path).quantified(quantifier)
    if operand.type == .mixed {
      var types = operand
      types.transform(.type)
      return BoundOperand(
        plan: types.plan, type: .typeAttribute, isList: operand.isList, quantifier: operand.quantifier, text: operand.text + ".@type",
        isEntry: operand.isEntry)
    }
    guard !operand.isValueCollection, path.selector != .keys, !path.isBacklinkCount, !path.isLength, let set = TypeSet(operand.type) else {
      throw .query("Operation '@type' is not supported on property of type '\(operand.type.name)'", at: offset)
    }
    // The type of such a property is a constant.
    return BoundOperand(plan: .constants([.int(Int64(set.rawValue))]), type: .typeAttribute, text: "\"\(set.name)\"")
  }

  // MARK: Aggregates

  private mutating func bind(_ aggregate: AggregateOperand, in table: Table) throws(QueryError) -> BoundOperand {
    let path = try resolve(aggregate.path, in: table)
    let (offset, name) = (aggregate.path.offset, "@\(aggregate.function.rawValue)")
    let isTotal = aggregate.function == .sum || aggregate.function == .average
    let chain = HopChain(hops: path.hops)
    let source: AggregatePlan.Source
    let type: ValueType
    if let property = aggregate.property {
      let links = try bindValue(path)
      guard links.isLinkPath else {
        let identifier = path.column == nil ? "" : path.identifier
        throw .query("Operation '.\(name)' cannot apply to property '\(identifier)' because it is not a list", at: offset)
      }
      let stored = scope.names.target(ofProperty: property, in: path.table.className) ?? property
      guard let column = path.table.publicColumns.first(where: { $0.name == Array(stored.utf8) }) else {
        throw .query("collection aggregate not supported for type 'unknown'", at: offset)
      }
      type = ValueType(column)
      switch type {
      case _ where column.isCollection: throw .query("collection aggregate not supported for type '\(type.name)'", at: offset)
      case .int, .float, .double, .decimal, .mixed: break
      case .timestamp:
        guard !isTotal else { throw .query("Cannot use aggregate '.\(name)' for this type of property", at: offset) }
      default: throw .query("collection aggregate not supported for type '\(type.name)'", at: offset)
      }
      source = .objects(chain, column)
    } else {
      guard let column = path.column, column.isCollection, path.selector == nil || path.selector == .all, path.steps.isEmpty, !path.isLength,
        column.isDictionary || ValueType(column).isNumeric || column.type == .mixed
          || column.type == .timestamp && aggregatesDates && !isTotal
      else { throw .query("Cannot use aggregate '.\(name)' for this type of property", at: offset) }
      // The least and greatest of a dictionary are taken as of Mixed values.
      type = column.isDictionary && !(isTotal && ValueType(column).isNumeric) ? .mixed : ValueType(column)
      source = .elements(chain, column)
    }
    let isList: Bool = if case .elements = source { !chain.isToOne } else { false }
    // Over the elements of a collection the result has their type to the checks, whatever it is computed in.
    let staticType: ValueType = if case .elements(_, let column) = source { ValueType(column) } else { Accumulator.type(aggregate.function, type) }
    let pathText = path.text.hasSuffix("[*]") && aggregate.property == nil ? String(path.text.dropLast(3)) : path.text
    return BoundOperand(
      plan: .aggregate(AggregatePlan(source: source, function: aggregate.function, type: type, space: scope.group.space)),
      type: staticType, isList: isList, text: "\(pathText).\(name)" + (aggregate.property.map { "." + $0 } ?? ""))
  }

  // MARK: Subqueries

  mutating func bind(_ subquery: SubqueryOperand, in table: Table) throws(QueryError) -> BoundOperand {
    let (chain, target, text) = try resolveCollection(subquery, in: table)
    if scope.variables.contains(where: { $0.name == subquery.variable && $0.table == target.key }) {
      throw .query(
        "Unable to create a subquery expression with variable '\(subquery.variable)' since an identical variable already exists in this context",
        at: subquery.path.offset)
    }
    scope.variables.append((subquery.variable, target.key))
    defer { scope.variables.removeLast() }
    let condition = try bind(subquery.condition, in: target)
    return BoundOperand(plan: .subquery(chain, condition), type: .int, text: "SUBQUERY(\(text), \(subquery.variable), …).@count")
  }

  private mutating func resolveCollection(
    _ subquery: SubqueryOperand, in table: Table
  ) throws(QueryError) -> (HopChain, Table, String) {
    let (offset, written) = (subquery.path.offset, try lastName(subquery.path))
    let path: ResolvedPath
    do throws(QueryError) { path = try resolve(subquery.path, in: table) } catch {
      guard subquery.path.steps.count == 1, case .invalid(.invalidQuery, _, _) = error, case .name? = subquery.path.steps.first else { throw error }
      throw .query("A subquery can not operate on a list of primitive values (property '\(written)')", at: offset)
    }
    if let column = path.column, column.isCollection && path.selector != .keys {
      throw .query("A subquery can not operate on a list of primitive values (property '\(written)')", at: offset)
    }
    guard path.column == nil, let last = path.hops.last else {
      let type = path.isBacklinkCount ? "int" : path.column.map { ValueType($0).name } ?? "unknown"
      throw .query("A subquery must operate on a list property, but '\(written)' is type '\(type)'", at: offset)
    }
    switch last.kind {
    case .backlink: break
    case .collection(let column, let selector) where allowsSubquery(over: column, selector): break
    default: throw .query("A subquery must operate on a list property, but '\(written)' is type 'link'", at: offset)
    }
    return (HopChain(hops: path.hops), path.table, path.text)
  }

  /// As refusals of subqueries name their path.
  private func lastName(_ path: QueryPath) throws(QueryError) -> String {
    guard case .element(let element)? = path.steps.last, case .key(let key) = try elementSelector(element, path.offset) else {
      return path.steps.last.map { QueryPath([$0]).text } ?? ""
    }
    return String(decoding: key, as: UTF8.self)
  }

  // MARK: Arithmetic

  private mutating func bindArithmetic(
    _ left: Operand, _ operation: ArithmeticOperator, _ right: Operand, in table: Table, hint: BoundOperand?
  ) throws(QueryError) -> BoundOperand {
    let a: BoundOperand
    let b: BoundOperand
    if left.isConstant && right.isConstant {
      b = try bind(right, in: table, hint: hint)
      a = try bind(left, in: table, hint: hint)
    } else if right.isConstant {
      a = try bind(left, in: table, hint: nil)
      b = try bind(right, in: table, hint: a)
    } else {
      b = try bind(right, in: table, hint: nil)
      a = try bind(left, in: table, hint: left.isConstant ? b : nil)
    }
    if left.isConstant, right.isConstant, case .constants(let x) = a.plan, case .constants(let y) = b.plan, !a.isList, !b.isList {
      // Known now; what is no number makes null.
      let result = Arithmetic.apply(operation, x[0], y[0])
      return BoundOperand(plan: .constants([result]), type: .mixed, text: result.argumentText)
    }
    for operand in [a, b] where !(operand.type.isNumeric || operand.type == .mixed) {
      throw .argument("Cannot perform '\(operation.rawValue)' operation on '\(a.text)' and '\(b.text)'")
    }
    // The left side decides the type of constants that the result meets, and the quantifier.
    return BoundOperand(
      plan: .arithmetic(operation, a.plan, b.plan), type: a.type, isList: a.isList || b.isList,
      quantifier: a.plan.isConstant ? b.quantifier : a.quantifier, text: "(\(a.text) \(operation.rawValue) \(b.text))",
      isEntry: (a.isEntry || b.isEntry) && (a.isEntry || !a.isList) && (b.isEntry || !b.isList),
      combinesLists: a.combinesLists || b.combinesLists || a.isList && b.isList)
  }
}

extension BoundOperand {
  fileprivate func quantified(_ quantifier: Quantifier?) -> BoundOperand {
    var result = self
    result.pathText = text
    guard let quantifier else { return result }
    result.quantifier = quantifier
    result.text = "\(quantifier.keyword) \(text)"
    return result
  }

  /// For operands with a property behind them.
  fileprivate mutating func transform(_ transformation: PathPlan.Transformation) {
    switch plan {
    case .column(let column):
      guard let table else { return }
      plan = .path(PathPlan(chain: HopChain(hops: []), terminal: .value(column), transformation: transformation, table: table))
    case .path(var path):
      path.transformation = transformation
      plan = .path(path)
    default: break
    }
    isOwnColumn = false
  }
}
