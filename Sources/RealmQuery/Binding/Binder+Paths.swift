import RealmStorage

/// What a path leads to.
struct ResolvedPath {
  let start: Table
  var hops: [Hop] = []
  /// The table that `column` belongs to, or to whose objects the last hop leads.
  var table: Table
  /// Nil if the path ends at the links of the last hop.
  var column: ColumnDescription?
  /// The last property's name as it was written, perhaps an alias.
  fileprivate(set) var identifier = ""
  /// Of a collection of values.
  var selector: ElementSelector?
  var steps: [MixedStep] = []
  /// `.length` of the elements.
  var isLength = false
  var isBacklinkCount = false
  var text = ""

  init(_ table: Table) {
    start = table
    self.table = table
  }

  /// Ends at a property with one value, which no collection leads to.
  var isSingleValue: Bool {
    guard let column, !column.isCollection, steps.isEmpty else { return false }
    return HopChain(hops: hops).isToOne
  }

  fileprivate mutating func append(name: String) { text += text.isEmpty ? name : "." + name }

  /// The last hop leads to a dictionary of which no key was given yet.
  fileprivate var awaitsKey: Bool {
    if column == nil, let hop = hops.last, case .collection(let column, .all) = hop.kind { column.isDictionary } else { false }
  }
  fileprivate mutating func select(_ selector: ElementSelector) {
    guard let hop = hops.last, case .collection(let column, _) = hop.kind else { return }
    hops[hops.count - 1] = Hop(kind: .collection(column, selector), origin: hop.origin, target: hop.target)
    text += selector.text
  }
}

extension Binder {
  /// Follows a path from a table (Q3.1).
  mutating func resolve(_ path: QueryPath, in table: Table) throws(QueryError) -> ResolvedPath {
    var result = ResolvedPath(table)
    var rest = try expandArgument(path)[...]
    if case .name(let name)? = rest.first, let variable = scope.variables.last, variable.name == name {
      rest = rest.dropFirst()
      guard !rest.isEmpty else { throw .query("The subquery variable '\(name)' is not a value", at: path.offset) }
    }
    var substitutions = 0
    var alias: String?
    while let step = rest.first {
      rest = rest.dropFirst()
      if case .name(let name) = step, let target = scope.names.target(ofProperty: name, in: result.table.className) {
        substitutions += 1
        if substitutions >= 50 {
          throw .invalid(
            .exception(name: "none"),
            message: "Substitution loop detected while processing '\(name)' -> '\(target)' found in type '\(result.table.className)'",
            offset: path.offset)
        }
        rest = QueryPath.steps(of: target)[...] + rest
        alias = alias ?? name
        continue
      }
      if case .name(let name) = step { result.identifier = alias ?? name }
      alias = nil
      try advance(&result, step, &rest, path.offset)
      if result.column != nil || result.isBacklinkCount { break }
    }
    guard result.column != nil || !result.hops.isEmpty || result.isBacklinkCount else { throw noProperty("", result.table, path.offset) }
    try finish(&result, rest, path.offset)
    return result
  }

  private func expandArgument(_ path: QueryPath) throws(QueryError) -> [QueryPath.Step] {
    guard case .argument(let index)? = path.steps.first else { return path.steps }
    guard path.steps.count == 1 else { throw .query("Key path argument cannot be mixed with other elements", at: path.offset) }
    switch try scope.arguments.at(index, path.offset) {
    case .value(.string(let text)): return QueryPath.steps(of: String(decoding: text, as: UTF8.self))
    case .value(.null), .list: throw .argument("Null or list cannot be used for parameter '$K\(index)'", at: path.offset)
    case .value(let value):
      throw .argument("Invalid index type for '$K\(index)'. Expected a string, but found type '\(value.typeName)'", at: path.offset)
    case .geo, .detachedObject: throw .argument("Invalid index type for '$K\(index)'. Expected a string", at: path.offset)
    }
  }

  func noProperty(_ name: String, _ table: Table, _ offset: Int?) -> QueryError {
    .query("'\(table.className)' has no property '\(name)'", at: offset)
  }

  /// One step before the path has come to a value.
  private mutating func advance(
    _ result: inout ResolvedPath, _ step: QueryPath.Step, _ rest: inout ArraySlice<QueryPath.Step>, _ offset: Int?
  ) throws(QueryError) {
    switch step {
    case .name(let name):
      if name.isEmpty && !rest.isEmpty { return }
      if let column = result.table.publicColumns.first(where: { $0.name == Array(name.utf8) }) {
        try enter(&result, column, name, &rest, offset)
      } else if result.awaitsKey {
        result.select(.key(Array(name.utf8)))
      } else {
        throw noProperty(name, result.table, offset)
      }
    case .backlink(let origin, let property): try enterBacklink(&result, origin, property, &rest, offset)
    case .allBacklinks:
      result.isBacklinkCount = true
      result.append(name: "@links")
    case .keys, .values:
      guard result.awaitsKey, let hop = result.hops.last, case .collection(let column, _) = hop.kind else {
        throw step == .values ? .query("@values only allowed on dictionaries", at: offset) : noProperty("@keys", result.table, offset)
      }
      if step == .values { return }
      result.hops.removeLast()
      (result.table, result.column, result.selector) = (hop.origin, column, .keys)
      result.text += ".@keys"
    case .element(let element): try enterElement(&result, element, &rest, offset)
    case .argument: throw .query("Key path argument cannot be mixed with other elements", at: offset)
    }
  }

  private func enter(
    _ result: inout ResolvedPath, _ column: ColumnDescription, _ name: String, _ rest: inout ArraySlice<QueryPath.Step>, _ offset: Int?
  ) throws(QueryError) {
    result.append(name: name)
    guard column.type == .link else {
      result.column = column
      return
    }
    let origin = result.table
    let target = try storage { () throws(StorageError) in try scope.group.table(column.oppositeTable) }
    let kind: Hop.Kind = column.isCollection ? .collection(column, .all) : .link(column)
    result.hops.append(Hop(kind: kind, origin: origin, target: target))
    result.table = target
    guard case .element(let element)? = rest.first else { return }
    switch try elementSelector(element, offset) {
    case .all where column.isCollection:
      rest = rest.dropFirst()
    case .key(let key) where column.isDictionary:
      result.select(.key(key))
      rest = rest.dropFirst()
    case let selector where selector.isPosition && column.isList:
      rest = rest.dropFirst()
      guard !rest.isEmpty else {
        throw .query("Property '\(target.className).' does not support index '\(selector.indexName)'", at: offset)
      }
      result.select(selector)
    default: break
    }
  }

  /// A subscript that does not belong to a collection before it.
  private func enterElement(
    _ result: inout ResolvedPath, _ element: QueryPath.Element, _ rest: inout ArraySlice<QueryPath.Step>, _ offset: Int?
  ) throws(QueryError) {
    switch try elementSelector(element, offset) {
    case .key(let key):
      let name = String(decoding: key, as: UTF8.self)
      if result.awaitsKey { return result.select(.key(key)) }
      guard let column = result.table.publicColumns.first(where: { $0.name == key }) else { throw noProperty(name, result.table, offset) }
      try enter(&result, column, name, &rest, offset)
    case .all where result.hops.last.map({ !$0.isToOne }) ?? false: break
    case let selector: throw .query("[\(selector.indexName)] not expected", at: offset)
    }
  }

  private func enterBacklink(
    _ result: inout ResolvedPath, _ originName: String, _ property: String, _ rest: inout ArraySlice<QueryPath.Step>, _ offset: Int?
  ) throws(QueryError) {
    let target = result.table
    let className = scope.names.target(ofClass: originName) ?? originName
    let found = try storage { () throws(StorageError) in try scope.group.table(named: "class_" + className) }
    let storedName = found.flatMap { scope.names.target(ofProperty: property, in: $0.className) } ?? property
    let column = found?.publicColumns.first { $0.name == Array(storedName.utf8) }
    guard let found, let column, column.type == .link && column.oppositeTable == target.key || column.type == .mixed else {
      throw .query("No property '\(property)' found in type '\(originName)' which links to type '\(target.className)'", at: offset)
    }
    let backlinks = target.backlinkColumns.first { $0.oppositeTable == found.key && $0.oppositeColumn == column.key }
    result.hops.append(Hop(kind: .backlink(backlinks?.key), origin: target, target: found))
    result.table = found
    result.append(name: "@links.\(className).\(storedName)")
  }

  func elementSelector(_ element: QueryPath.Element, _ offset: Int?) throws(QueryError) -> ElementSelector {
    switch element {
    case .index(let index): return .index(index)
    case .first: return .first
    case .last: return .last
    case .all: return .all
    case .key(let key): return .key(key)
    case .argument(let index): return try scope.arguments.selector(index, offset)
    }
  }

  // MARK: Behind a property

  /// Subscripts, keys and `length`.
  private func finish(_ result: inout ResolvedPath, _ rest: ArraySlice<QueryPath.Step>, _ offset: Int?) throws(QueryError) {
    guard let column = result.column else { return }
    guard result.selector != .keys else {
      if let step = rest.first { throw try noElement(result, step, offset) }
      return
    }
    if !column.isCollection {
      guard column.type == .mixed || rest.isEmpty else { throw try noElement(result, rest[rest.startIndex], offset) }
      return try appendSteps(&result, rest, offset)
    }
    var rest = rest
    if column.isDictionary {
      try selectEntry(&result, column, &rest, offset)
    } else {
      try selectElement(&result, column, &rest, offset)
    }
    if rest.isEmpty { return }
    guard result.selector != .keys else { throw try noElement(result, rest[rest.startIndex], offset) }
    guard column.type == .mixed || column.isDictionary else { throw .query("Only Property of type 'any' can have nested collections", at: offset) }
    try appendSteps(&result, rest, offset)
  }

  private func selectEntry(
    _ result: inout ResolvedPath, _ column: ColumnDescription, _ rest: inout ArraySlice<QueryPath.Step>, _ offset: Int?
  ) throws(QueryError) {
    if case .values? = rest.first { rest = rest.dropFirst() }
    guard let step = rest.first else {
      result.text += "[*]"
      return
    }
    rest = rest.dropFirst()
    switch step {
    case .name("@keys"), .keys: result.selector = .keys
    case .name(let name): result.selector = .key(Array(name.utf8))
    case .element(let element):
      switch try elementSelector(element, offset) {
      case .key(let key) where key == Array("@keys".utf8): result.selector = .keys
      case .key(let key): result.selector = .key(key)
      case .all: result.selector = .all
      default: throw try noElement(result, step, offset)
      }
    default: throw try noElement(result, step, offset)
    }
    result.text += result.selector?.text ?? ""
  }

  private func selectElement(
    _ result: inout ResolvedPath, _ column: ColumnDescription, _ rest: inout ArraySlice<QueryPath.Step>, _ offset: Int?
  ) throws(QueryError) {
    guard let step = rest.first else { return }
    switch step {
    case .name(let name) where rest.count == 1 && name.lowercased() == "length" && column.hasLengths:
      result.isLength = true
      result.text += ".\(name)"
    case .element(let element):
      let selector = try elementSelector(element, offset)
      if case .key = selector { throw try noElement(result, step, offset) }
      guard column.isList else { throw try noElement(result, step, offset) }
      result.selector = selector
      // All elements of a list are the list, except that messages about lists of Mixed print it.
      if !selector.isAll || column.type == .mixed { result.text += selector.text }
    default: throw try noElement(result, step, offset)
    }
    rest = rest.dropFirst()
  }

  private func appendSteps(_ result: inout ResolvedPath, _ rest: ArraySlice<QueryPath.Step>, _ offset: Int?) throws(QueryError) {
    for step in rest {
      let mixed: MixedStep
      switch step {
      case .name(let name): mixed = .key(Array(name.utf8))
      case .keys: mixed = .keys
      case .values: mixed = .key(Array("@values".utf8))
      case .element(let element):
        switch try elementSelector(element, offset) {
        case .key(let key): mixed = key == Array("@keys".utf8) ? .keys : .key(key)
        case .index(let index): mixed = .index(index)
        case .first: mixed = .first
        case .last: mixed = .last
        case .all: mixed = .all
        case .keys: mixed = .keys
        }
      default: throw .query("Property '\(result.table.className).\(result.text)' cannot be followed by a backlink", at: offset)
      }
      result.steps.append(mixed)
      result.text += mixed.text
    }
  }

  /// What may not follow a property.
  private func noElement(_ result: ResolvedPath, _ step: QueryPath.Step, _ offset: Int?) throws(QueryError) -> QueryError {
    let owner = "Property '\(result.table.className).\(result.identifier)'"
    let name: String
    switch step {
    case .name(let text): name = text
    case .keys: name = "@keys"
    case .values: name = "@values"
    case .element(let element):
      switch try elementSelector(element, offset) {
      case .key(let key): name = String(decoding: key, as: UTF8.self)
      case let selector: return .query("\(owner) does not support index '\(selector.indexName)'", at: offset)
      }
    default: name = "@links"
    }
    return .query("\(owner) has no property '\(name)'", at: offset)
  }
}

extension ColumnDescription {
  /// The elements have a length in bytes.
  fileprivate var hasLengths: Bool { type == .string || type == .binary || type == .mixed }
}
