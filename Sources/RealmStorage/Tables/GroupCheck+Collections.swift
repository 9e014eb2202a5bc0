// Lists, sets, dictionaries and Mixed leaves with what is nested in them. F3.15, F6.

extension Verifier {
  /// Twice the limit of the format (F2.6); beyond it the walk stops.
  private static let nestingLimit = 200

  /// The list, set or dictionary of one object.
  func verifyCollection(_ column: ColumnDescription, _ ref: Ref, checksOrder: Bool) throws(StorageError) {
    if column.isDictionary { return try dictionary(ref, hasIntegerKeys: column.hasIntegerKeys, nesting: 0) }
    let kind = column.elementKind
    let isText = column.type == .string || column.type == .binary || column.type == .mixed
    var order: AscendingCheck?
    // Before format 24 strings, binaries and Mixed had another order (F11).
    if column.isSet && checksOrder && (format >= 24 || !isText) {
      order = AscendingCheck(toleratesNaN: column.type == .float || column.type == .double)
    }
    var hasUnresolved = false
    var isOrderBroken = false
    _ = try bplusTree(ref, "\(column.isSet ? "set" : "list") elements") { (leafRef) throws(StorageError) in
      if kind == .mixed {
        return try mixedLeaf(leafRef, "elements", nesting: 0, rows: nil) { value in
          if order?.accepts(value) == false { isOrderBroken = true }
        }
      }
      let reader = try leaf(leafRef, kind, "elements")
      if (kind == .int || kind == .nullableInt) && order == nil { return reader.count }
      for index in 0..<reader.count {
        let value = try reader.value(index)
        if order?.accepts(value) == false { isOrderBroken = true }
        switch value {
        case .link(let key):
          hasUnresolved = hasUnresolved || key.isUnresolved
          addLink(column.oppositeTable, target: key.rawValue, origin: objectKey ?? -1)
        case .null where column.type == .link: addLink(column.oppositeTable, target: -1, origin: objectKey ?? -1)
        case .typedLink(let link): addLink(link.table, target: link.key.rawValue, origin: objectKey ?? -1)
        case .timestamp(let date): verifyTimestamp(date, nil)
        default: break
        }
      }
      return reader.count
    }
    if isOrderBroken { fail("the set is not strictly ascending") }
    if column.type == .link, try space.node(at: ref).header.hasContext != hasUnresolved {
      fail("the context flag of \(ref) is \(!hasUnresolved), unresolved links are \(hasUnresolved ? "there" : "not there")")
    }
  }

  /// F6.4; a small cluster tree below format 23 (F11).
  func dictionary(_ ref: Ref, hasIntegerKeys: Bool, nesting: Int) throws(StorageError) {
    if format < 23 {
      if hasIntegerKeys { fail("the dictionary \(ref) has Int keys, which format \(format) does not have") }
      return try legacyDictionary(ref, nesting: nesting)
    }
    let node = try claimRefs(ref, "dictionary")
    guard node.count == 2 else { throw node.broken("a dictionary has 2 slots, this one has \(node.count)") }
    depth += 1
    defer { depth -= 1 }
    var order = AscendingCheck(toleratesNaN: false)
    var isOrderBroken = false
    let keyCount = try bplusTree(node.child(0), "dictionary keys") { (leafRef) throws(StorageError) in
      let reader = try leaf(leafRef, hasIntegerKeys ? .int : .string, "dictionary keys")
      for index in 0..<reader.count {
        let key = try reader.value(index)
        if case .null = key { isOrderBroken = true }
        if !order.accepts(key) { isOrderBroken = true }
      }
      return reader.count
    }.count
    if isOrderBroken { fail("the keys of the dictionary \(ref) are not strictly ascending") }
    let valueCount = try bplusTree(node.child(1), "dictionary values") { (leafRef) throws(StorageError) in
      try mixedLeaf(leafRef, "dictionary values", nesting: nesting, rows: nil) { _ in }
    }.count
    guard keyCount == valueCount else { throw node.broken("a dictionary with \(keyCount) keys and \(valueCount) values") }
  }

  private func legacyDictionary(_ ref: Ref, nesting: Int) throws(StorageError) {
    var previous: UInt64?
    var known: Set<[UInt8]> = []
    _ = try clusterTree(ref, "dictionary", previous: &previous) { (node, rows) throws(StorageError) in
      let keys = try leaf(node.child(1), .string, "dictionary keys")
      let values = try mixedLeaf(node.child(2), "dictionary values", nesting: nesting, rows: nil) { _ in }
      guard keys.count == rows.count, values == rows.count else {
        throw node.broken("a dictionary cluster with \(rows.count) hashes, \(keys.count) keys and \(values) values")
      }
      for index in 0..<keys.count {
        guard case .string(let key) = try keys.value(index) else { throw node.broken("a dictionary key is null") }
        if !known.insert(key).inserted { fail("the dictionary \(ref) holds the same key twice") }
      }
    }
  }

  /// Claims and checks a Mixed leaf and everything nested in it, and takes note of its links.
  /// - Parameters:
  ///   - rows: the objects that the values belong to, if the leaf is a column of a cluster.
  ///   - visit: called with every value of this leaf.
  /// - Returns: the number of values.
  func mixedLeaf(
    _ ref: Ref, _ role: @autoclosure () -> String, nesting: Int, rows: ClusterRows?, visit: (Value) -> Void
  ) throws(StorageError) -> Int {
    let parts = try MixedParts(self, ref, role())
    let reader = try MixedLeaf(space, ref)
    let count = parts.composite.count
    if let rows, rows.count != count { throw parts.composite.broken("\(count) values for \(rows.count) objects") }
    try spend(count, parts.composite)
    var usage = parts.usage()
    for index in 0..<count {
      if let rows { objectKey = rows.key(index) }
      try usage.use(parts.composite.element(unchecked: index), index)
      let value = try reader.value(index)
      visit(value)
      switch value {
      case .typedLink(let link): addLink(link.table, target: link.key.rawValue, origin: objectKey ?? -1)
      case .timestamp(let date): verifyTimestamp(date, nil)
      case .list(let list):
        try nested(parts, index, nesting)
        if list.isNull { break }
        depth += 1
        defer { depth -= 1 }
        _ = try bplusTree(list, "nested list") { (leafRef) throws(StorageError) in
          try mixedLeaf(leafRef, "nested list", nesting: nesting + 1, rows: nil) { _ in }
        }
      case .dictionary(let dictionary):
        try nested(parts, index, nesting)
        if dictionary.isNull { break }
        depth += 1
        defer { depth -= 1 }
        try self.dictionary(dictionary, hasIntegerKeys: false, nesting: nesting + 1)
      default: break
      }
    }
    if let unused = usage.unused { fail("payload \(unused) of the Mixed leaf \(ref) has entries that no value uses") }
    if rows != nil { objectKey = nil }
    return count
  }

  private func nested(_ parts: MixedParts, _ index: Int, _ nesting: Int) throws(StorageError) {
    guard nesting < Verifier.nestingLimit else { throw parts.composite.broken("collections are nested more than \(nesting) levels deep") }
    if parts.identity(index) == 0 { fail("the nested collection at \(index) of the Mixed leaf \(parts.ref) has no key") }
  }
}

/// The six children of a Mixed leaf, claimed.
struct MixedParts {
  let ref: Ref
  let composite: Node
  private let ints: Node?
  private let pairs: Node?
  private let stringCount: Int
  private let refs: Node?
  private let keys: Node?

  init(_ verifier: Verifier, _ ref: Ref, _ role: @autoclosure () -> String) throws(StorageError) {
    self.ref = ref
    let node = try verifier.claimRefs(ref, role())
    guard node.count >= 4, node.count <= 6 else { throw node.broken("a Mixed leaf has 4 to 6 slots, this one has \(node.count)") }
    verifier.depth += 1
    defer { verifier.depth -= 1 }
    composite = try verifier.claimIntegers(node.child(0), role() + " composite")
    ints = try node.child(1).isNull ? nil : verifier.claimIntegers(node.child(1), role() + " ints")
    pairs = try node.child(2).isNull ? nil : verifier.claimIntegers(node.child(2), role() + " pairs")
    stringCount = try node.child(3).isNull ? 0 : verifier.leaf(node.child(3), .string, role() + " strings").count
    refs = try node.child(4).isNull ? nil : verifier.claimRefs(node.child(4), role() + " refs")
    keys = try node.child(5).isNull ? nil : verifier.claimIntegers(node.child(5), role() + " keys")
    if let pairs, pairs.count & 1 == 1 { throw pairs.broken("an odd number of entries in the pairs of a Mixed leaf") }
    guard let keys else { return }
    if keys.count > composite.count { verifier.fail("the Mixed leaf \(ref) has \(keys.count) keys for \(composite.count) values") }
    if keys.count > 0 && keys.count < composite.count {
      verifier.note("the Mixed leaf \(ref) has \(keys.count) keys for \(composite.count) values")
    }
    var seen: Set<Int64> = []
    for index in 0..<min(keys.count, composite.count) {
      let key = keys.element(unchecked: index)
      if key != 0 && !seen.insert(key).inserted { verifier.fail("two nested collections of the Mixed leaf \(ref) have the same key") }
    }
  }

  /// 0 if the value has none.
  func identity(_ index: Int) -> Int64 {
    guard let keys, index < keys.count else { return 0 }
    return keys.element(unchecked: index)
  }

  /// Which payload entries are used: each exactly once (F3.15).
  struct Usage {
    fileprivate let sizes: [Int]
    fileprivate var used: [[Bool]]
    fileprivate var counts = [0, 0, 0, 0]
    fileprivate let composite: Node

    mutating func use(_ element: Int64, _ index: Int) throws(StorageError) {
      let slot = Int(element >> 5 & 7)
      if element == 0 || slot == 0 { return }
      let entry = element >> 8
      guard slot <= 4, entry >= 0, entry < Int64(sizes[slot - 1]) else {
        throw composite.broken("value \(index) points to entry \(entry) of payload \(slot)")
      }
      guard Int(entry) < used[slot - 1].count, !used[slot - 1][Int(entry)] else {
        throw composite.broken("value \(index) shares entry \(entry) of payload \(slot) or points behind the last one in use")
      }
      used[slot - 1][Int(entry)] = true
      counts[slot - 1] += 1
    }
    /// The first payload with entries left over.
    var unused: Int? { (0..<4).first { counts[$0] != sizes[$0] }.map { $0 + 1 } }
  }

  func usage() -> Usage {
    let sizes = [ints?.count ?? 0, (pairs?.count ?? 0) / 2, stringCount, refs?.count ?? 0]
    // A payload with more entries than values is wrong in any case, so no more need to be remembered.
    return Usage(sizes: sizes, used: sizes.map { [Bool](repeating: false, count: min($0, composite.count)) }, composite: composite)
  }
}
