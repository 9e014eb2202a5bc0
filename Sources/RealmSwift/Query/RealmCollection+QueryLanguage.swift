import RealmQuery

extension RealmCollection {
  /// The elements that satisfy a condition in the language of the engine, which says some things that formats of `filter` have no words for.
  /// - Throws: for a text that is wrong, or that names something that does not exist.
  package func filter(queryText: String) throws -> Results<Element> { Results(try managedResults.filtered(RealmQuery.Query(queryText))) }
}
