// Lists, sets, dictionaries and Mixed leaves with what is nested in them. F3.15, F6.

extension GroupCheck {
  /// Twice the limit of the format (F2.6); beyond it the walk stops.
  private static let nestingLimit = 200

  /// The list, set or dictionary of one object:
  ///  1. the rules of its trees and leaves;  2. the elements of a set and the keys of a dictionary ascend strictly;
  ///  3. the root of a list of links has the context flag exactly if some target is unresolved;  4. dates are canonical;
  ///  5. a dictionary has as many keys as values;  6. a nested collection has a key, which no other one in its tree has;
  ///  7. null is only where it is allowed, and the values of a dictionary are of its type.
  func checkCollection(_ column: ColumnDescription, _ ref: Ref, checksOrder: Bool) throws(StorageError) {
    if column.isDictionary { return try dictionary(ref, of: column, nesting: 0) }
    let kind = column.elementKind
    let isText = column.type == .string || column.type == .binary || column.type == .mixed
    var order: AscendingCheck?
    // Before format 24 strings, binaries and Mixed had another order (F11).
    if column.isSet && checksOrder && (checker.format >= 24 || !isText) {
      order = AscendingCheck(ElementOrder(column.type, isSet: true))
    }
    var (hasUnresolved, hasStrayNull) = (false, false)
    var isOrderBroken = false
    var identities: Set<Int64> = []
    let tree = BPlusTreeCheck(checker, "\(column.isSet ? "set" : "list") elements", kind) { [self] (leafRef) throws(StorageError) in
      if kind == .mixed {
        return try mixedLeaf(leafRef, "elements", nesting: 0, identities: &identities) { value in
          if order?.accepts(value) == false { isOrderBroken = true }
        }
      }
      let reader = try Leaf.check(checker, leafRef, kind, "elements")
      if (kind == .int || kind == .nullableInt) && order == nil { return reader.count }
      for index in 0..<reader.count {
        let value = try reader.value(index)
        if order?.accepts(value) == false { isOrderBroken = true }
        switch value {
        case .link(let key):
          hasUnresolved = hasUnresolved || key.isUnresolved
          addLink(column.oppositeTable, target: key.rawValue, origin: checker.place.object ?? -1)
        case .null where column.type == .link: addLink(column.oppositeTable, target: -1, origin: checker.place.object ?? -1)
        case .null where !column.isNullable && column.type != .mixed: hasStrayNull = true
        case .typedLink(let link): addLink(link.table, target: link.key.rawValue, origin: checker.place.object ?? -1)
        case .timestamp(let date): checkTimestamp(date, nil)
        default: break
        }
      }
      return reader.count
    }
    _ = try tree.run(ref)
    if isOrderBroken { checker.fail("the set is not strictly ascending") }
    if hasStrayNull { checker.fail("null in a collection whose elements are not nullable") }
    // Nodes that are not covered may hold unresolved links, too.
    if column.type == .link && checker.coversEverything, try checker.space.node(at: ref).header.hasContext != hasUnresolved {
      checker.fail("the context flag of \(ref) is \(!hasUnresolved), unresolved links are \(hasUnresolved ? "there" : "not there")")
    }
  }

  /// F6.4; a small cluster tree below format 23 (F11).
  /// - Parameter column: whose values they are; nil for those of a nested one, which may be anything.
  func dictionary(_ ref: Ref, of column: ColumnDescription?, nesting: Int) throws(StorageError) {
    if !checker.covers(ref) { return }
    let hasIntegerKeys = column?.hasIntegerKeys ?? false
    if checker.format < 23 {
      if hasIntegerKeys { checker.fail("the dictionary \(ref) has Int keys, which format \(checker.format) does not have") }
      return try legacyDictionary(ref, nesting: nesting)
    }
    let node = try checker.claimRefs(ref, "dictionary")
    guard node.count == 2 else { throw node.broken("a dictionary has 2 slots, this one has \(node.count)") }
    checker.depth += 1
    defer { checker.depth -= 1 }
    var order = AscendingCheck()
    var isOrderBroken = false
    let keyKind: LeafKind = hasIntegerKeys ? .int : .string
    let keyCount = try BPlusTreeCheck(checker, "dictionary keys", keyKind) { [checker] (leafRef) throws(StorageError) in
      let reader = try Leaf.check(checker, leafRef, keyKind, "dictionary keys")
      for index in 0..<reader.count {
        let key = try reader.value(index)
        if case .null = key { isOrderBroken = true }
        if !order.accepts(key) { isOrderBroken = true }
      }
      return reader.count
    }.run(node.child(DictionarySlot.keys))
    if isOrderBroken { checker.fail("the keys of the dictionary \(ref) are not strictly ascending") }
    var stranger: Value?
    var identities: Set<Int64> = []
    let valueCount = try BPlusTreeCheck(checker, "dictionary values", .mixed) { [self] (leafRef) throws(StorageError) in
      try mixedLeaf(leafRef, "dictionary values", nesting: nesting, identities: &identities) { value in
        if let column, stranger == nil, !Self.isValue(value, of: column) { stranger = value }
      }
    }.run(node.child(DictionarySlot.values))
    if let stranger { checker.fail("the dictionary \(ref) holds \(stranger), which is no value of its property") }
    guard keyCount == valueCount else { throw node.broken("a dictionary with \(keyCount) keys and \(valueCount) values") }
  }

  /// All values are Mixed ones, and a link names its table.
  private static func isValue(_ value: Value, of column: ColumnDescription) -> Bool {
    switch (value, column.type) {
    case (.null, .link), (.null, .mixed): true
    case (.typedLink(let link), .link): link.table == column.oppositeTable
    case (.link, .link): false
    default: value.fits(column)
    }
  }

  private func legacyDictionary(_ ref: Ref, nesting: Int) throws(StorageError) {
    var known: Set<[UInt8]> = []
    var tree = ClusterTreeCheck(checker, "dictionary") { [self] (node, rows) throws(StorageError) in
      let keys = try Leaf.check(checker, node.child(LegacyDictionarySlot.keys), .string, "dictionary keys")
      let values = try mixedLeaf(node.child(LegacyDictionarySlot.values), "dictionary values", nesting: nesting, rows: nil)
      guard keys.count == rows.count, values == rows.count else {
        throw node.broken("a dictionary cluster with \(rows.count) hashes, \(keys.count) keys and \(values) values")
      }
      for index in 0..<keys.count {
        guard case .string(let key) = try keys.value(index) else { throw node.broken("a dictionary key is null") }
        if !known.insert(key).inserted { checker.fail("the dictionary \(ref) holds the same key twice") }
      }
    }
    _ = try tree.run(ref)
  }

  /// Claims and checks a Mixed leaf of a B+ tree and everything nested in it, and takes note of its links.
  /// - Parameters:
  ///   - identities: of the leaves before it, and then of this one, too.
  ///   - visit: called with every value of this leaf.
  /// - Returns: the number of values.
  private func mixedLeaf(
    _ ref: Ref, _ role: @autoclosure () -> String, nesting: Int, identities: inout Set<Int64>, visit: (Value) -> Void
  ) throws(StorageError) -> Int {
    let parts = try MixedParts(checker, ref, role())
    parts.checkIdentities(checker, among: &identities)
    return try mixedLeaf(parts, nesting: nesting, rows: nil, visit: visit)
  }

  /// The same for a Mixed leaf of a cluster.
  /// - Parameter rows: the objects that the values belong to, if the leaf is a column of a table.
  func mixedLeaf(_ ref: Ref, _ role: @autoclosure () -> String, nesting: Int, rows: ClusterRows?) throws(StorageError) -> Int {
    try mixedLeaf(MixedParts(checker, ref, role()), nesting: nesting, rows: rows) { _ in }
  }

  private func mixedLeaf(_ parts: MixedParts, nesting: Int, rows: ClusterRows?, visit: (Value) -> Void) throws(StorageError) -> Int {
    let ref = parts.ref
    let reader = try MixedLeaf(checker.space, ref)
    let count = parts.composite.count
    if let rows, rows.count != count { throw parts.composite.broken("\(count) values for \(rows.count) objects") }
    try checker.spend(count, parts.composite)
    var usage = parts.usage()
    for index in 0..<count {
      if let rows { checker.place.object = rows.key(index) }
      try usage.use(parts.composite.element(unchecked: index), index)
      let value = try reader.value(index)
      visit(value)
      switch value {
      case .typedLink(let link): addLink(link.table, target: link.key.rawValue, origin: checker.place.object ?? -1)
      case .timestamp(let date): checkTimestamp(date, nil)
      case .list(let list):
        try nested(parts, index, nesting)
        if list.isNull { break }
        checker.depth += 1
        defer { checker.depth -= 1 }
        var identities: Set<Int64> = []
        let tree = BPlusTreeCheck(checker, "nested list", .mixed) { [self] (leafRef) throws(StorageError) in
          try mixedLeaf(leafRef, "nested list", nesting: nesting + 1, identities: &identities) { _ in }
        }
        _ = try tree.run(list)
      case .dictionary(let dictionary):
        try nested(parts, index, nesting)
        if dictionary.isNull { break }
        checker.depth += 1
        defer { checker.depth -= 1 }
        try self.dictionary(dictionary, of: nil, nesting: nesting + 1)
      default: break
      }
    }
    if let unused = usage.unused { checker.fail("payload \(unused) of the Mixed leaf \(ref) has entries that no value uses") }
    if rows != nil { checker.place.object = nil }
    return count
  }

  private func nested(_ parts: MixedParts, _ index: Int, _ nesting: Int) throws(StorageError) {
    guard nesting < GroupCheck.nestingLimit else { throw parts.composite.broken("collections are nested more than \(nesting) levels deep") }
    if parts.identity(index) == 0 { checker.fail("the nested collection at \(index) of the Mixed leaf \(parts.ref) has no key") }
  }
}

/// Places in a cluster of a dictionary of older formats (F11): behind the hashes that are its keys.
private enum LegacyDictionarySlot {
  static let keys = 1
  static let values = 2
}
