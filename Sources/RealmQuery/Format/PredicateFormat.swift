import RealmStorage

/// Cocoa's format strings, as `filter(_:)` takes them (Q16).
package enum PredicateFormat {
  /// - Parameters:
  ///   - arguments: what `%@`, `%K` and `%d` take, from left to right; a `%K` takes a string value.
  ///   - allowsSurplus: arguments that are left over are ignored, as by Cocoa; otherwise they are an error.
  ///   - ownValue: the property that `SELF`, alone, stands for, in questions about values.
  /// - Throws: `.invalid` with the exception's name as code and its text; names and types are checked when the query is bound.
  package static func parse(
    _ format: String, arguments: [QueryArgument], allowsSurplus: Bool = true, ownValue: String? = nil
  ) throws(QueryError) -> Query {
    var parser = FormatParser(format, arguments, ownValue: ownValue)
    let condition = try parser.whole()
    if !allowsSurplus { try parser.refuseSurplus() }
    return Query(condition, dialect: .format)
  }
}
