import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// Indexes that the original engine wrote.
@Suite struct IndexFixtureTests {
  @Test(arguments: [
    "realm-core/index_small", "realm-core/indexes_all", "realm-core/enumerated", "realm-core/fulltext", "realm-core/os_basic",
    "realm-core/os_migrated", "realm-core/stream_nohist", "realm-core/stream_then_commits",
  ]) func indexesOfTheOriginalAreReadAndChanged(_ name: String) throws {
    let fixture = try IndexedFixture(name)
    let test = try TestScratch(fixture.image)
    let space = test.scratch.space
    var columns = 0
    for table in try GroupDescription(space: space, top: fixture.top).allTables(space: space) {
      for column in table.columns where !column.indexRef.isNull && !column.isCollection {
        let values = fixture.values(table: String(decoding: table.name, as: UTF8.self), column: String(decoding: column.name, as: UTF8.self))
        if column.attributes.contains(.fullTextIndexed) {
          try verifyFullText(test.scratch, column.indexRef, values)
        } else {
          try verify(test.scratch, column, values)
        }
        columns += 1
      }
    }
    #expect(columns > 0)
  }

  private func verify(_ scratch: Scratch, _ column: ColumnDescription, _ values: [ObjectKey: Value]) throws {
    let space = scratch.space
    var table = ValueTable(values: values, valuesShareBytes: column.type == .mixed)
    let expected = values.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
    try SearchIndex.check(space, column.indexRef, expected: expected)
    var total = 0
    for (key, value) in expected {
      // Each group of equal values once, from its first object.
      let first = try #require(try SearchIndex.first(space, column.indexRef, value, table))
      #expect(Value.compare(values[first]!, value) == 0)
      guard first == key else { continue }
      var found: [ObjectKey] = []
      try SearchIndex.forEach(space, column.indexRef, value, table) {
        found.append($0); return true
      }
      for other in found { #expect(Value.compare(values[other]!, value) == 0) }
      #expect(try SearchIndex.count(space, column.indexRef, value, table) == found.count)
      total += found.count
    }
    #expect(total == values.count)
    var index = SearchIndex(root: column.indexRef)
    for (key, value) in expected where key.rawValue % 3 != 0 {
      table.values[key] = nil
      try index.remove(scratch, key, value, table)
    }
    try SearchIndex.check(space, index.root, expected: table.values.map { ($0.key, $0.value) })
    for (key, value) in expected where key.rawValue % 3 != 0 {
      try index.insert(scratch, key, value, table)
      table.values[key] = value
    }
    try SearchIndex.check(space, index.root, expected: expected)
    try SearchIndex.check(space, column.indexRef, expected: expected)
  }

  private func verifyFullText(_ scratch: Scratch, _ root: Ref, _ values: [ObjectKey: Value]) throws {
    let space = scratch.space
    let expected = values.map { (key, value) -> (ObjectKey, [UInt8]?) in
      if case .string(let text) = value { (key, text) } else { (key, nil) }
    }.sorted { $0.0 < $1.0 }
    try FullTextIndex.check(space, root, expected: expected)
    var index = FullTextIndex(root: root)
    for (key, text) in expected where key.rawValue % 2 == 0 { try index.remove(scratch, key, text) }
    try FullTextIndex.check(space, index.root, expected: expected.filter { $0.0.rawValue % 2 != 0 })
    for (key, text) in expected where key.rawValue % 2 == 0 { try index.insert(scratch, key, text) }
    try FullTextIndex.check(space, index.root, expected: expected)
  }

  @Test func forgedNodesAreRefusedNotFollowed() throws {
    let fixture = try IndexedFixture("realm-core/indexes_all")
    let seed = testSeed
    var random = SeededGenerator(seed: seed)
    let whole = try TestScratch(fixture.image)
    let group = try GroupDescription(space: whole.scratch.space, top: fixture.top)
    let table = try group.allTables(space: whole.scratch.space)[0]
    let column = table.columns.first { $0.name == Array("any".utf8) }!
    let values = fixture.values(table: String(decoding: table.name, as: UTF8.self), column: "any")
    let source = ValueTable(values: values, valuesShareBytes: true)
    let nodes = try reachable(whole.scratch.space, column.indexRef)
    for round in 0..<30 {
      var image = fixture.image
      for _ in 0..<3 {
        let node = nodes.randomElement(using: &random)!
        image[Int(node.ref.byteOffset) + Int.random(in: 4..<node.byteCount, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let test = try TestScratch(image)
      var index = SearchIndex(root: column.indexRef)
      var failures = 0
      for (key, value) in values.sorted(by: { $0.key < $1.key }) {
        do { _ = try SearchIndex.count(test.scratch.space, column.indexRef, value, source) } catch { failures += 1 }
        do { try index.remove(test.scratch, key, value, source) } catch { failures += 1 }
      }
      #expect(failures <= values.count * 2, "seed \(seed), round \(round)")
    }
  }

  private func reachable(_ space: NodeSpace, _ ref: Ref) throws -> [Node] {
    let node = try space.node(at: ref)
    var result = [node]
    if node.header.hasRefs {
      for index in 0..<node.count {
        let element = node.element(unchecked: index)
        if element != 0 && element & 1 == 0 { result += try reachable(space, Ref(element: element)) }
      }
    }
    return result
  }
}
