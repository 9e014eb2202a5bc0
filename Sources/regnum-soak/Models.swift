import RealmSwift

/// What everybody writes. The numbers of all parts add up to 0 in every version.
final class Part: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var number: Int
  @Persisted var group: Int
  @Persisted var text: String
  /// Raised by each transaction that changes the part.
  @Persisted var revision: Int
}

/// How many transactions a writer has committed.
final class Counter: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var count: Int
}

/// Parts in an order of their own.
final class Shelf: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var parts: List<Part>
}
