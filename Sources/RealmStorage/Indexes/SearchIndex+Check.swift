extension SearchIndex {
  /// The rules of ``IndexCheck``, and that every expected object is there once.
  /// - Parameters:
  ///   - expected: every live object with its value.
  ///   - allowsOlderOrder: accepts lists of different values in another order, as upgraded files have them.
  /// - Throws: `.corruptNode` that names the first broken rule.
  package static func check(
    _ space: NodeSpace, _ root: Ref, expected: some Sequence<(ObjectKey, Value)>, allowsOlderOrder: Bool = false,
    fanOut: Int = IndexLimits.fanOut
  ) throws(StorageError) {
    let values = Dictionary(expected) { first, _ in first }
    try Checker.first(space, root) { (checker) throws(StorageError) in
      var check = IndexCheck(checker, .values, KnownObjects(values: values))
      (check.fanOut, check.isStrict) = (fanOut, !allowsOlderOrder)
      try check.run(root)
      var entries = IndexEntries()
      for key in values.keys { entries.add(key.rawValue, checker.seed) }
      check.compare(with: entries)
    }
  }
}
