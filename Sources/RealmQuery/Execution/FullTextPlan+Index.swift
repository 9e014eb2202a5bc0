import RealmStorage

extension FullTextPlan {
  func indexSelection(_ table: Table, _ cancellation: Cancellation?) throws(StorageError) -> IndexSelection? {
    if search.hasOnlyExclusions { return nil }
    let keys = try matchingKeys(table, cancellation)
    return IndexSelection(text: column.text, estimate: keys.count, isExact: true) { _ in keys }
  }

  /// The objects of `target` whose text satisfies the search, ascending.
  func matchingKeys(_ target: Table, _ cancellation: Cancellation?) throws(StorageError) -> [ObjectKey] {
    if search.matchesNothing { return [] }
    var found: [ObjectKey]?
    func narrow(_ keys: [ObjectKey]) throws(StorageError) {
      let keys = try keys.sortedUnique(cancellation)
      if let known = found { found = try known.filtered(by: keys, keepsCommon: true, cancellation) } else { found = keys }
    }
    for word in search.words { try narrow(target.fullTextObjects(column.key, token: word, cancellation)) }
    for prefix in search.prefixes { try narrow(target.fullTextObjects(column.key, prefix: prefix, cancellation)) }
    var result: [ObjectKey]
    if let found { result = found } else { result = try TableScan(target, .always, cancellation).keys().array() }
    for word in search.excluded {
      let keys = try target.fullTextObjects(column.key, token: word, cancellation).sortedUnique(cancellation)
      result = try result.filtered(by: keys, keepsCommon: false, cancellation)
    }
    return result
  }
}

extension [ObjectKey] {
  /// The keys that `other` has too, or those that it lacks; both ascend.
  fileprivate func filtered(by other: [ObjectKey], keepsCommon: Bool, _ cancellation: Cancellation?) throws(StorageError) -> [ObjectKey] {
    var result: [ObjectKey] = []
    var next = 0
    for begin in stride(from: 0, to: count, by: Cancellation.blockSize) {
      let block = try cancellation.block(begin, count)
      for key in self[block] {
        while next < other.count && other[next] < key { next += 1 }
        if (next < other.count && other[next] == key) == keepsCommon { result.append(key) }
      }
    }
    return result
  }
}

extension FullTextSearch {
  fileprivate var hasOnlyExclusions: Bool { words.isEmpty && prefixes.isEmpty && !matchesNothing }
}
