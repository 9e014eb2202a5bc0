import RealmStorage

extension FormatBinder {
  /// Resolves the key path on one side of a comparison and checks how collections are used in it (Q16.3, rules 1, 3, 9, 10).
  mutating func formatPath(_ operand: Operand, in table: Table) throws(QueryError) -> FormatPath {
    switch operand {
    case .subquery(let subquery):
      guard try walk(subquery.path, in: table, suffix: "").hasCollection else {
        throw .predicate("Aggregate operations can only be used on key paths that include an collection property", at: subquery.path.offset)
      }
      let bound = try bind(subquery, in: table)
      return FormatPath(operand: bound, type: .int, typeName: "int", allowsNull: false, text: bound.text, isSubquery: true)
    case .property(let property): return try formatProperty(property, in: table)
    case .aggregate(let aggregate): return try formatAggregate(aggregate, in: table)
    case .arithmetic, .constant, .list: throw .expressions()
    }
  }

  private mutating func formatProperty(_ property: PropertyOperand, in table: Table) throws(QueryError) -> FormatPath {
    let offset = property.path.offset
    let text = property.path.formatText
    if property.operation != nil {
      let walked = try walk(property.path, in: table, suffix: ".@count")
      guard walked.endsAtCollection else {
        throw .predicate("Invalid keypath '\(text).@count': collection operation '@count' must be applied to a collection", at: offset)
      }
      let bound = try bind(PropertyOperand(property.path, nil, .count), in: table)
      return FormatPath(operand: bound, type: .int, typeName: walked.typeName, allowsNull: false, text: "@count", operation: .count)
    }
    let walked = try walk(property.path, in: table, suffix: "")
    if property.path.steps.last == .keys {
      let bound = try bind(PropertyOperand(property.path), in: table)
      return FormatPath(operand: bound, type: .string, typeName: "string", allowsNull: true, text: text, operation: .allKeys)
    }
    if case .element? = property.path.steps.last {
      // What is behind a key or position may be anything.
      let bound = try bind(PropertyOperand(property.path), in: table)
      return FormatPath(operand: bound, type: .mixed, typeName: "mixed", allowsNull: true, text: text)
    }
    if walked.hasCollection && property.quantifier == nil {
      throw .predicate("Key paths that include a collection property must use aggregate operations", at: offset)
    }
    if !walked.hasCollection && property.quantifier != nil && walked.type != .mixed {
      throw .predicate("Aggregate operations can only be used on key paths that include an collection property", at: offset)
    }
    var bound = try bind(PropertyOperand(property.path), in: table)
    if walked.endsAtCollection, case .path(var path) = bound.plan, case .links = path.terminal {
      // Null values of a dictionary are values like others.
      path.countsNullEntries = true
      bound.plan = .path(path)
    }
    // The values of a dictionary are stored as Mixed, and have the type of the property.
    return FormatPath(
      operand: bound, type: walked.type ?? bound.type, typeName: (walked.type ?? bound.type).formatName, allowsNull: walked.allowsNull,
      text: walked.name, className: walked.target?.className, endsAtCollection: walked.endsAtCollection, hasManyOwners: walked.hasManyOwners,
      linkTypeName: walked.typeName)
  }

  private mutating func formatAggregate(_ aggregate: AggregateOperand, in table: Table) throws(QueryError) -> FormatPath {
    let name = "@\(aggregate.function.rawValue)"
    let suffix = ".\(name)\(aggregate.property.map { "." + $0 } ?? "")"
    let walked = try walk(aggregate.path, in: table, suffix: suffix)
    let text = aggregate.path.formatText
    func invalid(_ reason: String) -> QueryError { .predicate("Invalid keypath '\(text)\(suffix)': \(reason)", at: aggregate.path.offset) }
    guard walked.endsAtCollection else { throw invalid("collection operation '\(name)' must be applied to a collection") }
    let valueType: ValueType
    if let property = aggregate.property {
      guard let target = walked.target else { throw invalid("\(name) on a collection of values must appear at the end of a keypath.") }
      let stored = scope.names.target(ofProperty: property, in: target.className) ?? property
      guard let column = target.publicColumns.first(where: { $0.text == stored }) else {
        if stored.hasPrefix("@links.") { throw invalid("\(name) must be followed by a numeric property.") }
        throw invalid("Property '\(property)' not found in object of type '\(target.className)'")
      }
      valueType = ValueType(column)
      guard !column.isCollection, valueType.isNumeric || valueType == .timestamp || valueType == .mixed else {
        throw invalid("\(name) must be followed by a numeric property.")
      }
    } else {
      guard walked.target == nil else { throw invalid("\(name) on a collection of objects cannot appear at the end of a keypath.") }
      valueType = walked.type ?? .mixed
      guard valueType.isNumeric || valueType == .timestamp || valueType == .mixed else {
        throw invalid("\(name) can only be applied to a collection of numeric values.")
      }
    }
    // Sums of dates are refused once the value that they are compared with has been looked at.
    let isDateTotal = valueType == .timestamp && (aggregate.function == .sum || aggregate.function == .average)
    let bound = try bind(.aggregate(isDateTotal ? AggregateOperand(aggregate.path, .min, of: aggregate.property) : aggregate), in: table, hint: nil)
    return FormatPath(
      operand: bound, type: valueType, typeName: valueType.formatName, allowsNull: aggregate.function != .sum, text: name,
      operation: .aggregate(aggregate.function))
  }

  /// What a walk along a key path found.
  private struct Walk {
    var table: Table
    var hasCollection = false
    /// The last property is a collection.
    var endsAtCollection = false
    /// Some property before the last one is a collection.
    var hasManyOwners = false
    var isBacklink = false
    /// Of the last property, as written.
    var name = ""
    /// Null values may occur at the end.
    var allowsNull = false
    /// Of the values at the end.
    var type: ValueType?
    /// The class at the end, of paths that end at objects.
    var target: Table?

    var typeName: String { isBacklink ? "linking objects" : type?.formatName ?? "mixed" }

    mutating func enter(isCollection: Bool, isBacklink: Bool = false) {
      hasManyOwners = hasCollection
      hasCollection = hasCollection || isCollection
      endsAtCollection = isCollection
      self.isBacklink = isBacklink
    }
  }

  /// - Parameter suffix: the operation that follows the path.
  private mutating func walk(_ path: QueryPath, in table: Table, suffix: String) throws(QueryError) -> Walk {
    let text = path.formatText + suffix
    func invalid(_ reason: String) -> QueryError { .predicate("Invalid keypath '\(text)': \(reason)", at: path.offset) }
    var walk = Walk(table: table)
    var rest = path.steps[...]
    if case .name(let name)? = rest.first, scope.variables.last?.name == name {
      rest = rest.dropFirst()
      if rest.isEmpty { throw .expressions(at: path.offset) }
    }
    var substitutions = 0
    var alias: String?
    while let step = rest.first {
      rest = rest.dropFirst()
      switch step {
      case .name(let name):
        walk.name = alias ?? name
        if let target = scope.names.target(ofProperty: name, in: walk.table.className), substitutions < 50 {
          substitutions += 1
          rest = QueryPath.steps(of: target)[...] + rest
          alias = alias ?? name
          continue
        }
        alias = nil
        guard let column = walk.table.publicColumns.first(where: { $0.text == name }) else {
          throw invalid("Property '\(name)' not found in object of type '\(walk.table.className)'")
        }
        if column.type == .link {
          walk.target = try storage { () throws(StorageError) in try scope.group.table(column.oppositeTable) }
          walk.enter(isCollection: column.isCollection)
          if column.isDictionary, case .element? = rest.first {
            try checkKey(rest, name)
            rest = rest.dropFirst()
          } else if column.isDictionary, rest.first == .values {
            rest = rest.dropFirst()
          } else if column.isDictionary, case .keys? = rest.first {
            (walk.type, walk.target) = (.string, nil)
            return walk
          }
          walk.table = walk.target ?? walk.table
          (walk.type, walk.allowsNull) = (.link(column.oppositeTable), !column.isCollection)
          continue
        }
        walk.enter(isCollection: column.isCollection)
        try finish(&walk, column, rest, isFollowed: !suffix.isEmpty, invalid, path.offset)
        return walk
      case .backlink(let origin, _):
        guard let found = try originTable(origin) else {
          throw invalid("Property '@links.\(origin)' not found in object of type '\(walk.table.className)'")
        }
        (walk.name, alias) = (alias ?? walk.name, nil)
        walk.enter(isCollection: true, isBacklink: true)
        (walk.table, walk.target, walk.type, walk.allowsNull) = (found, found, .link(found.key), false)
      case .element: throw invalid("only dictionaries and realm `Any` support subscript predicates.")
      case .keys: throw invalid("@allKeys must follow a dictionary property.")
      case .values: throw invalid("@allValues must follow a dictionary property.")
      case .allBacklinks, .argument: throw invalid("unsupported")
      }
    }
    return walk
  }

  private func originTable(_ origin: String) throws(QueryError) -> Table? {
    let className = scope.names.target(ofClass: origin) ?? origin
    return try storage { () throws(StorageError) in try scope.group.table(named: "class_" + className) }
  }

  /// A property that holds values ends the path.
  private func finish(
    _ walk: inout Walk, _ column: ColumnDescription, _ steps: ArraySlice<QueryPath.Step>, isFollowed: Bool, _ invalid: (String) -> QueryError,
    _ offset: Int?
  ) throws(QueryError) {
    var rest = steps
    walk.target = nil
    walk.type = ValueType(column)
    walk.allowsNull = column.isNullable || column.type == .mixed
    let name = "\(walk.table.className).\(column.text)"
    if column.isCollection {
      switch rest.first {
      case .keys where column.isDictionary:
        (walk.type, walk.allowsNull) = (.string, true)
        return
      case .values where column.isDictionary: rest = rest.dropFirst()
      case .element where column.isDictionary:
        try checkKey(rest, column.text)
        // What lies under a key may be missing.
        walk.allowsNull = true
        rest = rest.dropFirst()
        if column.type == .mixed { return }
        if !rest.isEmpty {
          throw .exception(
            "Invalid subscript size", "Invalid subscript size '\(rest.count + 1)': nested dictionaries queries are only allowed in mixed properties.",
            at: offset)
        }
        return
      case .element where column.type != .mixed: throw invalid("only dictionaries and realm `Any` support subscript predicates.")
      case .keys: throw invalid("@allKeys must follow a dictionary property.")
      case .values: throw invalid("@allValues must follow a dictionary property.")
      default: break
      }
      if !rest.isEmpty {
        let kind = column.isList ? "List" : column.isSet ? "MutableSet" : "Map"
        throw invalid("\(kind) property \(name) can only be followed by a collection operation.")
      }
      return
    }
    if rest.isEmpty && isFollowed { throw invalid("Property '\(name)' is not a link or collection and can only appear at the end of a keypath.") }
    guard let step = rest.first, column.type != .mixed else { return }
    switch step {
    case .element: throw invalid("only dictionaries and realm `Any` support subscript predicates.")
    case .keys: throw invalid("@allKeys must follow a dictionary property.")
    case .values: throw invalid("@allValues must follow a dictionary property.")
    default: throw invalid("Property '\(name)' is not a link or collection and can only appear at the end of a keypath.")
    }
  }

  /// Only strings are keys of a dictionary.
  private func checkKey(_ rest: ArraySlice<QueryPath.Step>, _ name: String) throws(QueryError) {
    guard case .element(.key)? = rest.first else {
      throw .exception(
        "Invalid subscript type", "Invalid subscript type '\(name)'; only string keys are allowed as subscripts in dictionary queries.")
    }
  }
}

extension QueryPath {
  /// As a format writes it.
  fileprivate var formatText: String {
    var result = ""
    for step in steps {
      let part: String
      switch step {
      case .name(let name): part = name
      case .keys: part = "@allKeys"
      case .values: part = "@allValues"
      case .element(.key(let key)):
        result += "['\(String(decoding: key, as: UTF8.self))']"
        continue
      case .element(.index(let index)):
        result += "[\(index)]"
        continue
      case .element:
        result += "[%K]"
        continue
      default: part = QueryPath([step]).text
      }
      result += result.isEmpty ? part : "." + part
    }
    return result
  }
}
