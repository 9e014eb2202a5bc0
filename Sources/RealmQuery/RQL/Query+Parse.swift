extension Query {
  /// Reads RQL (Q1, Q2).
  /// - Parameter acceptsISODates: `2020-01-31`, `2020-01-31T12:00:00Z` and `2020-01-31 12:00` are dates, which the original refuses, and
  ///   `2020/01/31`, which it divides, is refused where a date is asked for.
  /// - Throws: `.invalid(.syntaxError, …)` with the offset of the first token that does not fit; time is linear in the length of the text.
  package init(_ text: String, arguments: [QueryArgument] = [], acceptsISODates: Bool = false) throws(QueryError) {
    var parser = try Parser(text, arguments, acceptsISODates: acceptsISODates)
    self = try parser.query()
    self.acceptsISODates = acceptsISODates
  }
}
