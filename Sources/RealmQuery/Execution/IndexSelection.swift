import RealmStorage

/// Whether and how an index narrows a condition down to few objects.
package struct IndexSelection {
  /// Of the property or properties, for explanations.
  package let text: String
  /// How many objects come into question at most.
  let estimate: Int
  /// That is their number.
  var isCounted = false
  /// They are exactly the objects that satisfy the condition.
  let isExact: Bool
  /// Their keys, ascending, without repetition.
  let fetch: (Cancellation?) throws(StorageError) -> [ObjectKey]
}

extension IndexSelection {
  /// The objects with some values, if they are few: fewer than a sixteenth of the table's.
  ///
  /// Looks at the values scattered over the list, and at no more of them as soon as those show that they are too many.
  /// - Parameter value: by position; nil if no object can have it.
  static func values(
    _ count: Int, of column: ColumnDescription, in table: Table, objectCount: Int, isCounted: Bool, text: String? = nil,
    _ cancellation: Cancellation?, _ value: (Int) -> Value?
  ) throws(StorageError) -> IndexSelection? {
    let lookup = try table.indexLookup(column)
    var sampling = Sampling(of: count, below: (max(objectCount, 16) + 15) / 16)
    var found: [IndexMatches] = []
    while let position = sampling.next() {
      try cancellation?.check()
      guard let value = value(position) else { continue }
      let matches = try lookup.matches(value)
      if matches.count == 0 { continue }
      found.append(matches)
      guard sampling.add(matches.count) else { return nil }
    }
    return IndexSelection(text: text ?? column.text, estimate: sampling.total, isCounted: isCounted, isExact: true) {
      (cancellation) throws(StorageError) in
      var keys: [ObjectKey] = []
      for matches in found { try matches.append(to: &keys, lookup.space, cancellation) }
      return try keys.sortedUnique(cancellation)
    }
  }
}
