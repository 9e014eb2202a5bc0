import RealmStorage

/// What decides about the elements of results: while nothing of it changes they are the same ones in the same order.
struct ContentsDependencies {
  var tables: Set<TableKey> = []
  /// Of whatever table of these; nil are all.
  var columns: Set<ColumnKey>? = []
}
