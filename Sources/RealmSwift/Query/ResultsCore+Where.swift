import RealmQuery

extension ResultsCore {
  /// What a typed query asks of these results.
  func query(_ node: QueryNode) throws -> RealmQuery.Query { try QueryTree.query(node, core, className: className) }

  func requireObjects(_ word: String) throws {
    if target == nil { throw RealmFailure.misuse("Querying is currently only implemented for \(word) of Realm Objects") }
  }
}
