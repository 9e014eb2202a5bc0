import Foundation

@testable import RealmStorage

/// A group that consists of integer trees only, in the place of the tables: enough for transactions.
enum Numbers {
  /// Replaces the numbers: one array per list, hung into the tables slot.
  static func write(_ transaction: WriteTransaction, _ lists: [[Int64]]) throws {
    let scratch = transaction.scratch
    try scratch.makeWritable(&transaction.topRef)
    let old = try scratch.space.refs(at: transaction.topRef).child(1)
    try scratch.freeTree(old)
    let tables = try scratch.createRefs(count: lists.count)
    for (index, list) in lists.enumerated() { scratch.setChild(tables, index, try scratch.createIntegers(list)) }
    scratch.setChild(transaction.topRef, 1, tables)
  }

  /// Replaces one list.
  static func replace(_ transaction: WriteTransaction, _ index: Int, _ list: [Int64]) throws {
    let scratch = transaction.scratch
    try scratch.makeWritable(&transaction.topRef)
    var tables = try scratch.space.refs(at: transaction.topRef).child(1)
    try scratch.makeWritable(&tables)
    try scratch.freeTree(scratch.space.refs(at: tables).child(index))
    scratch.setChild(tables, index, try scratch.createIntegers(list))
    scratch.setChild(transaction.topRef, 1, tables)
  }

  static func read(_ space: NodeSpace, _ top: Ref) throws -> [[Int64]] {
    if top.isNull { return [] }
    let tables = try space.refs(at: space.refs(at: top).child(1))
    return try (0..<tables.count).map { index in
      let list = try space.integers(at: tables.child(index))
      return (0..<list.count).map { list.element(unchecked: $0) }
    }
  }
  static func read(_ database: Database, version: UInt64? = nil) throws -> [[Int64]] {
    let read = try database.beginRead(.live, version: version)
    defer { read.end() }
    return try Numbers.read(read.space, read.topRef)
  }
}

extension WriteTransaction {
  /// Copies every node of the tables to scratch, so that the commit writes all of them anew.
  func touchEverything() throws {
    try scratch.makeWritable(&topRef)
    for slot in 0..<2 {
      var child = try scratch.space.refs(at: topRef).child(slot)
      try touch(&child)
      scratch.setChild(topRef, slot, child)
    }
  }
  private func touch(_ ref: inout Ref) throws {
    try scratch.makeWritable(&ref)
    let node = try scratch.space.node(at: ref)
    guard node.header.hasRefs else { return }
    for index in 0..<node.count {
      let element = node.element(unchecked: index)
      if element & 1 != 0 || element == 0 { continue }
      var child = Ref(element: element)
      try touch(&child)
      scratch.setChild(ref, index, child)
    }
  }
}

/// Every byte of the file belongs to one node of the newest version or to one free chunk (F8.3), in our own reading.
func spaceViolation(_ database: Database) throws -> String? {
  let read = try database.beginRead(.live)
  defer { read.end() }
  if read.topRef.isNull { return nil }
  var blocks = try FreeSpace(read.space, top: read.topRef, logicalByteCount: read.byteCount, path: "").entries.map { ($0.position, $0.byteCount) }
  func walk(_ ref: Ref) throws {
    let node = try read.space.node(at: ref)
    blocks.append((ref.byteOffset, UInt64(node.byteCount)))
    guard node.header.hasRefs else { return }
    for index in 0..<node.count {
      let element = node.element(unchecked: index)
      if element & 1 == 0 && element != 0 { try walk(Ref(element: element)) }
    }
  }
  try walk(read.topRef)
  var position: UInt64 = 24
  for (start, count) in blocks.sorted(by: { $0.0 < $1.0 }) {
    if start != position { return "\(start) follows \(position)" }
    position += count
  }
  return position == read.byteCount ? nil : "\(position) bytes are accounted for, the logical size is \(read.byteCount)"
}
