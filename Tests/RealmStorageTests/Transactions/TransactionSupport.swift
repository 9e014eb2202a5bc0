import Foundation
import TestSupport
import Testing

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

  /// A number, and a list that holds nothing else: one without the other is a commit in parts. 0 in a fresh file.
  static func counter(_ database: Database) throws -> Int64 {
    let lists = try read(database)
    if lists.isEmpty { return 0 }
    #expect(lists[1].allSatisfy { $0 == lists[0][0] })
    return lists[0][0]
  }

  /// Commits the next number.
  static func raise(_ database: Database) throws {
    let transaction = try database.beginWrite()
    let next = (try read(transaction.space, transaction.topRef).first?.first ?? 0) + 1
    try write(transaction, [[next], Array(repeating: next, count: 250)])
    try transaction.commit(log: [2])
  }

  /// Checks that a file, as a power cut left it, opens with the numbers of one of some versions and without lost space.
  /// - Parameter commits: and that a commit leaves them as they are.
  static func check(_ image: [UInt8], in directory: TestDirectory, isOneOf models: [[[Int64]]], commits: Bool, _ context: String) throws {
    let path = try directory.write(image)
    var options = DatabaseOptions()
    options.durability = .unsafe
    options.announcesCommits = false
    do {
      let database = try Database.open(path: path, options: options)
      #expect(models.contains(try read(database)), "\(context)")
      #expect(try spaceViolation(database) == nil, "\(context)")
      if commits {
        try database.beginWrite(staysOnThread: true).commit()
        #expect(models.contains(try read(database)), "\(context), after one more commit")
      }
    } catch {
      Issue.record("\(context): \(error)")
    }
    _ = try Database.deleteFiles(path: path)
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
