extension FullTextIndex {
  /// The rules of ``IndexCheck``, and that exactly the tokens of the given texts lead to their objects.
  /// - Throws: `.corruptNode` that names the first broken rule.
  package static func check(
    _ space: NodeSpace, _ root: Ref, expected: some Sequence<(ObjectKey, [UInt8]?)>, fanOut: Int = IndexLimits.fanOut
  ) throws(StorageError) {
    var texts: [ObjectKey: Value] = [:]
    for (key, text) in expected { texts[key] = text.map(Value.string) ?? .null }
    try Checker.first(space, root) { (checker) throws(StorageError) in
      var check = IndexCheck(checker, .words, KnownObjects(values: texts))
      (check.fanOut, check.isStrict) = (fanOut, true)
      try check.run(root)
      var entries = IndexEntries()
      for case (let key, .string(let text)) in texts { entries.add(words: Set(Tokenizer.tokens(of: text)), of: key, checker.seed) }
      check.compare(with: entries)
    }
  }
}
