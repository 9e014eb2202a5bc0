import Foundation
import RealmQuery
import RealmStorage

/// Format strings and `NSPredicate`s as queries.
enum PredicateInput {
  static func query(_ format: String, _ arguments: [Any?]) throws(RealmFailure) -> RealmQuery.Query {
    throw .misuse("not yet")
  }
  static func query(_ predicate: NSPredicate) throws(RealmFailure) -> RealmQuery.Query {
    throw .misuse("not yet")
  }
}
