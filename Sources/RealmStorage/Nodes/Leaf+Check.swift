// Leaves: which nodes they own, and what their values must be. F3.

extension Verifier {
  /// Runs `body` one level deeper in the tree.
  func below<T>(_ body: () throws(StorageError) -> T) throws(StorageError) -> T {
    depth += 1
    defer { depth -= 1 }
    return try body()
  }

  /// Claims a leaf of values and all its nodes and checks its layout. Mixed leaves have their own way: `mixedLeaf`.
  /// - Parameter rows: the objects that the values belong to, if the leaf is a column of a cluster.
  func leaf(
    _ ref: Ref, _ kind: LeafKind, _ role: @autoclosure () -> String, rows: ClusterRows? = nil, enumKeys: Ref = .null
  ) throws(StorageError) -> LeafReader {
    let node = try claim(ref, role())
    switch kind {
    case .string:
      if node.header.hasRefs { try claimBlobs(node, role()) }
    case .binary:
      guard node.header.hasRefs else { throw node.broken("\(role()) is no binary leaf") }
      try claimBlobs(node, role())
    case .timestamp:
      guard node.header.hasRefs, node.count == 2 else { throw node.broken("\(role()) is no leaf of dates") }
      try below { () throws(StorageError) in
        _ = try claimIntegers(node.child(0), role() + " seconds")
        _ = try claimIntegers(node.child(1), role() + " nanoseconds")
      }
    default:
      guard !node.header.hasRefs else { throw node.broken("\(role()) has the refs flag") }
    }
    let reader = try LeafReader(space, ref, kind, enumKeys: enumKeys)
    if let rows, rows.count != reader.count { throw node.broken("\(reader.count) values for \(rows.count) objects") }
    try spend(reader.count, node)
    switch kind {
    case .string: try StringLeaf.check(space, ref, expectedCount: reader.count, enumKeys: enumKeys)
    case .binary: try BinaryLeaf.check(space, ref, expectedCount: reader.count)
    default: break
    }
    return reader
  }

  /// - Returns: the number of values.
  func binaryLeaf(_ ref: Ref, _ role: @autoclosure () -> String) throws(StorageError) -> Int { try leaf(ref, .binary, role()).count }

  /// The distinct values of an enumerated column (F4.2): a string leaf of any length.
  func enumKeys(_ ref: Ref, _ role: String) throws(StorageError) { _ = try leaf(ref, .string, role) }

  /// Small and big blobs (F3.6-F3.8).
  func claimBlobs(_ node: Node, _ role: @autoclosure () -> String) throws(StorageError) {
    depth += 1
    defer { depth -= 1 }
    guard node.header.hasContext else {
      guard node.count == 3 else { throw node.broken("\(role()) has \(node.count) parts instead of offsets, bytes and nulls") }
      _ = try claimIntegers(node.child(0), role() + " offsets")
      try claimBlob(node.child(1), role() + " bytes")
      _ = try claimIntegers(node.child(2), role() + " nulls")
      return
    }
    try spend(node.count, node)
    for index in 0..<node.count {
      let ref = try node.child(index)
      if ref.isNull { continue }
      func label() -> String { role() + "[\(index)]" }
      guard reached.contains(ref), try space.node(at: ref).header.hasContext else {
        try claimBlob(ref, label())
        continue
      }
      let chunks = try claimRefs(ref, label())
      depth += 1
      defer { depth -= 1 }
      for chunk in 0..<chunks.count { try claimBlob(chunks.child(chunk), "chunk \(chunk) of " + label()) }
    }
  }

  private func claimBlob(_ ref: Ref, _ role: @autoclosure () -> String) throws(StorageError) {
    let node = try claim(ref, role())
    guard node.header.schemeBits == WidthScheme.blob.rawValue, !node.header.hasRefs else { throw node.broken("\(role()) is no blob") }
  }

  /// Null only where it is allowed, dates in canonical form (F3.16).
  func verifyScalars(_ reader: LeafReader, _ column: ColumnDescription, _ rows: ClusterRows) throws(StorageError) {
    defer { objectKey = nil }
    for row in 0..<reader.count {
      switch try reader.value(row) {
      case .null where !column.isNullable && column.type != .link && column.type != .typedLink:
        objectKey = rows.key(row)
        fail("null in a column that is not nullable")
      case .timestamp(let date): verifyTimestamp(date, rows.key(row))
      case .link(let key):
        addLink(column.oppositeTable, target: key.rawValue, origin: rows.key(row))
      case .typedLink(let link):
        addLink(link.table, target: link.key.rawValue, origin: rows.key(row))
      default: break
      }
    }
  }

  func verifyTimestamp(_ date: Timestamp, _ key: Int64?) {
    let (seconds, nanoseconds) = (date.seconds, date.nanoseconds)
    guard abs(Int64(nanoseconds)) > 999_999_999 || seconds > 0 && nanoseconds < 0 || seconds < 0 && nanoseconds > 0 else { return }
    let before = objectKey
    objectKey = key ?? before
    fail("the date (\(seconds), \(nanoseconds)) is not canonical")
    objectKey = before
  }

  func addLink(_ target: TableKey, target key: Int64, origin: Int64) {
    guard let linkOrigin else { return }
    ledger.addLink(
      LinkLedger.Column(targetTable: target, originTable: linkOrigin.table, originColumn: linkOrigin.column), target: key, origin: origin)
  }
}

/// Tells whether a sequence is strictly ascending in the order of F6.3.
struct AscendingCheck {
  private var previous: Value?
  /// NaN has no place in sets of Float and Double.
  let toleratesNaN: Bool

  init(toleratesNaN: Bool) { self.toleratesNaN = toleratesNaN }

  mutating func accepts(_ value: Value) -> Bool {
    defer { previous = value }
    guard let previous else { return true }
    if toleratesNaN && (AscendingCheck.isNaN(previous) || AscendingCheck.isNaN(value)) { return true }
    return Value.compare(previous, value) < 0
  }
  private static func isNaN(_ value: Value) -> Bool {
    switch value {
    case .float(let number): number.isNaN
    case .double(let number): number.isNaN
    default: false
    }
  }
}
