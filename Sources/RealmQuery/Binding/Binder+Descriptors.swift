import RealmStorage

extension Binder {
  /// Merges sorts that follow each other: the later one is primary (Q13).
  mutating func bind(_ descriptors: [Descriptor], in table: Table) throws(QueryError) -> [OrderStage] {
    var stages: [OrderStage] = []
    // Unknown names anywhere are reported before properties that cannot be sorted by.
    var unsuitable: QueryError?
    func bind(_ path: QueryPath, _ isAscending: Bool, _ clause: String, to columns: inout [SortPath]) throws(QueryError) {
      do throws(QueryError) { columns.append(try bindSortKey(path, isAscending: isAscending, clause, in: table)) } catch {
        guard case .invalid(.invalidSortDescriptor, _, _) = error else { throw error }
        unsuitable = unsuitable ?? error
      }
    }
    for descriptor in descriptors {
      switch descriptor {
      case .sort(let keys):
        var columns: [SortPath] = []
        for key in keys { try bind(key.path, key.isAscending, "sort", to: &columns) }
        if case .sort(let earlier)? = stages.last {
          stages[stages.count - 1] = .sort(columns + earlier)
        } else {
          stages.append(.sort(columns))
        }
      case .distinct(let paths):
        var columns: [SortPath] = []
        for path in paths { try bind(path, true, "distinct", to: &columns) }
        stages.append(.distinct(columns))
      case .limit(let count): stages.append(.limit(count))
      }
    }
    scope.fault = scope.fault ?? unsuitable
    return stages
  }

  private func bindSortKey(
    _ path: QueryPath, isAscending: Bool, _ clause: String, in table: Table
  ) throws(QueryError) -> SortPath {
    let offset = path.offset
    func missing(_ name: String, in table: Table) -> QueryError { missingSortKey(name, clause, in: table, at: offset) }
    func invalid(_ message: String) -> QueryError { .invalid(.invalidSortDescriptor, message: message, offset: offset) }
    var hops: [Hop] = []
    var current = table
    var rest = try sortSteps(path)[...]
    var substitutions = 0
    while let step = rest.first {
      rest = rest.dropFirst()
      guard case .name(let name) = step else { throw missing(QueryPath([step]).text, in: current) }
      if let target = scope.names.target(ofProperty: name, in: current.className), substitutions < 50 {
        substitutions += 1
        rest = QueryPath.steps(of: target)[...] + rest
        continue
      }
      guard let column = current.publicColumns.first(where: { $0.text == name }) else { throw missing(name, in: current) }
      if column.type == .link {
        guard !rest.isEmpty else {
          guard !column.isCollection else { throw invalid("Cannot sort on a collection property") }
          return SortPath(chain: HopChain(hops: hops), column: column, entry: nil, isAscending: isAscending, group: scope.group)
        }
        var kind = Hop.Kind.link(column)
        if column.isCollection {
          guard column.isDictionary, let key = entryKey(rest) else {
            throw try notLink(rest, clause, in: try storage { () throws(StorageError) in try scope.group.table(column.oppositeTable) }, at: offset)
          }
          if rest.count == 1 {
            return SortPath(
              chain: HopChain(hops: hops), column: column, entry: MixedPath(group: scope.group, steps: [.key(key)]), isAscending: isAscending,
              group: scope.group)
          }
          kind = .collection(column, .key(key))
          rest = rest.dropFirst()
        }
        let target = try storage { () throws(StorageError) in try scope.group.table(column.oppositeTable) }
        hops.append(Hop(kind: kind, origin: current, target: target))
        current = target
        continue
      }
      if !rest.isEmpty && !column.isDictionary && (column.type != .mixed || column.isCollection) {
        throw try notLink(rest, clause, in: current, at: offset)
      }
      let entry = try sortEntry(column, rest, invalid)
      return SortPath(chain: HopChain(hops: hops), column: column, entry: entry, isAscending: isAscending, group: scope.group)
    }
    throw missing("", in: current)
  }

  private func missingSortKey(_ name: String, _ clause: String, in table: Table, at offset: Int?) -> QueryError {
    .query("No property '\(name)' found on object type '\(table.className)' specified in '\(clause)' clause", at: offset)
  }

  /// The fault of a path that leads on behind what is no single link. What else is wrong with the rest of it is told first.
  private func notLink(
    _ rest: ArraySlice<QueryPath.Step>, _ clause: String, in table: Table, at offset: Int?
  ) throws(QueryError) -> QueryError {
    let impossible = QueryError.invalid(.invalidSortDescriptor, message: "All but last property must be a link", offset: offset)
    var current = table
    var last: ColumnDescription?
    for step in rest {
      let name = entryKey([step]).map { String(decoding: $0, as: UTF8.self) } ?? QueryPath([step]).text
      if name == "[]" { return impossible }
      guard let column = current.publicColumns.first(where: { $0.text == name }) else {
        return missingSortKey(scope.names.target(ofProperty: name, in: current.className) ?? name, clause, in: current, at: offset)
      }
      if column.type == .link { current = try storage { () throws(StorageError) in try scope.group.table(column.oppositeTable) } }
      last = column
    }
    guard last?.isCollection == true else { return impossible }
    return .invalid(.invalidSortDescriptor, message: "Cannot sort on a collection property", offset: offset)
  }

  private func entryKey(_ rest: ArraySlice<QueryPath.Step>) -> [UInt8]? {
    switch rest.first {
    case .name(let name): Array(name.utf8)
    case .element(let element): if case .key(let key)? = try? elementSelector(element, nil) { key } else { nil }
    default: nil
    }
  }

  private func sortSteps(_ path: QueryPath) throws(QueryError) -> [QueryPath.Step] {
    guard case .argument(let index)? = path.steps.first else { return path.steps }
    guard path.steps.count == 1, case .value(.string(let text)) = try scope.arguments.at(index, path.offset) else {
      throw .query("Key path argument cannot be mixed with other elements", at: path.offset)
    }
    return QueryPath.steps(of: String(decoding: text, as: UTF8.self))
  }

  /// What follows a property: the key of a dictionary, or steps into a Mixed value.
  private func sortEntry(
    _ column: ColumnDescription, _ rest: ArraySlice<QueryPath.Step>, _ invalid: (String) -> QueryError
  ) throws(QueryError) -> MixedPath? {
    if rest.isEmpty {
      if column.isCollection { throw invalid("Cannot sort on a collection property") }
      return nil
    }
    var steps: [MixedStep] = []
    for step in rest {
      switch step {
      case .name(let name): steps.append(.key(Array(name.utf8)))
      case .element(let element):
        switch try elementSelector(element, nil) {
        case .key(let key): steps.append(.key(key))
        case .index(let index) where !column.isDictionary: steps.append(.index(index))
        case .first where !column.isDictionary: steps.append(.first)
        case .last where !column.isDictionary: steps.append(.last)
        default: throw invalid("Cannot sort on an element of '\(column.text)'")
        }
      default: throw invalid("Cannot sort on an element of '\(column.text)'")
      }
    }
    return MixedPath(group: scope.group, steps: steps[...])
  }
}
