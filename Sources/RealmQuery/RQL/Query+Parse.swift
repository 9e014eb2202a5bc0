extension Query {
  /// Reads RQL (Q1, Q2).
  /// - Throws: `.invalid(.syntaxError, …)` with the offset of the first token that does not fit; time is linear in the length of the text.
  package init(_ text: String, arguments: [QueryArgument] = []) throws(QueryError) {
    var parser = try Parser(text, arguments)
    self = try parser.query()
  }
}
