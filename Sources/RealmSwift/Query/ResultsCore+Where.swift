import RealmQuery
import RealmStorage

extension ResultsCore {
  /// What a typed query asks of these results.
  func query(_ node: QueryNode) throws -> RealmQuery.Query { try QueryTree.query(node, core, className: className) }

  /// - Throws: `RealmFailure` if the elements are values.
  func requireObjects() throws {
    guard target == nil else { return }
    var word = "arrays"
    if case .collection(let collection) = source {
      word =
        switch collection.kind {
        case .list: "arrays"
        case .set: "sets"
        case .dictionary: "dictionaries"
        }
    }
    throw RealmFailure.misuse("Querying is currently only implemented for \(word) of Realm Objects")
  }
}
