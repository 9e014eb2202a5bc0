package import RealmStorage

extension Query {
  /// Resolves names and checks types.
  /// - Parameters:
  ///   - table: whose objects are asked; belongs to `group`.
  ///   - names: aliases of properties and classes.
  /// - Throws: `.invalid` for everything that Q14 lists; nothing is read of any object.
  package func bind(_ table: Table, in group: Group, names: any NameMapping = StoredNames()) throws(QueryError) -> QueryPlan {
    var scope = BindingScope(group: group, names: names, arguments: arguments)
    scope.acceptsISODates = acceptsISODates
    scope.acceptsTopLevelPoints = acceptsTopLevelPoints
    var binder = dialect.binder(scope)
    let condition = try binder.bindQuery(condition, in: table)
    let stages = try binder.bind(descriptors, in: table)
    if let fault = binder.scope.fault { throw fault }
    return QueryPlan(table: table, condition: condition, stages: stages, query: self)
  }
}

extension Query.Dialect {
  fileprivate func binder(_ scope: BindingScope) -> any Binder {
    switch self {
    case .rql: RQLBinder(scope: scope)
    case .format: FormatBinder(scope: scope)
    }
  }
}
