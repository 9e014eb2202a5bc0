import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// Integers that are withdrawn leaf by leaf.
@Suite struct IndexRunTests {
  private struct Column: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable (inout SeededGenerator) -> Int64
  }

  private static let columns = [
    Column(testDescription: "alone under their keys") { .random(in: -3_000_000...3_000_000, using: &$0) },
    Column(testDescription: "some of them in lists") { .random(in: 0...3000, using: &$0) },
    Column(testDescription: "some of them on deeper levels") { random in
      let low = Int64.random(in: 0...2000, using: &random)
      return Int64.random(in: 0...4, using: &random) == 0 ? .random(in: 1...3, using: &random) << 32 | low : low
    },
    Column(testDescription: "of few values") { .random(in: -2...2, using: &$0) },
  ]

  @Test(arguments: columns, [4, 1000]) private func manyIntegersAreWithdrawnAsOneByOne(_ column: Column, fanOut: Int) throws {
    let seed = testSeed
    var random = SeededGenerator(seed: seed)
    let test = try TestScratch()
    let scratch = test.scratch
    var table = ValueTable()
    var (one, many) = (try SearchIndex.create(scratch, fanOut: fanOut), try SearchIndex.create(scratch, fanOut: fanOut))
    var values: [(value: Int64, object: ObjectKey)] = []
    for key in 0..<4000 as Range<Int64> {
      let value = column.make(&random)
      try one.insert(scratch, ObjectKey(key), integer: value, table)
      try many.insert(scratch, ObjectKey(key), integer: value, table)
      table.values[ObjectKey(key)] = .int(value)
      values.append((value, ObjectKey(key)))
    }
    // Few, most of the rest, and all.
    for part in [20, 2, 1] {
      values.shuffle(using: &random)
      let going = Array(values.suffix(values.count / part))
      values.removeLast(going.count)
      let sorted = Table.order(going.count) { IndexKey.sortable(ofInt: going[$0].value) }.map { going[$0] }
      for (value, object) in sorted { try one.remove(scratch, object, integer: value, table) }
      try many.remove(scratch, sorted: sorted, table)
      for (_, object) in going { table.values[object] = nil }
      try SearchIndex.check(scratch.space, many.root, expected: table.values.map { ($0.key, $0.value) }, fanOut: fanOut)
      #expect(try contents(scratch.space, many.root) == contents(scratch.space, one.root), "seed \(seed), a part of \(part)")
    }
  }

  /// Headers and elements of a tree of arrays, children in place of their refs.
  private func contents(_ space: NodeSpace, _ ref: Ref) throws -> String {
    let node = try space.node(at: ref)
    var text = "\(node.header.flags)/\(node.header.widthIndex)["
    for index in 0..<node.count {
      let element = node.element(unchecked: index)
      text += node.header.hasRefs && element & 1 == 0 && element != 0 ? try contents(space, Ref(element: element)) : "\(element) "
    }
    return text + "]"
  }

  @Test func aRunEndsBeforeTheLastEntryOfItsLeafAndAtWhatIsNotThere() throws {
    let test = try TestScratch()
    let scratch = test.scratch
    let table = ValueTable()
    var index = try SearchIndex.create(scratch)
    // The order of the keys on the first level is that of the values' lowest bytes.
    let objects = (0..<6 as Range<Int64>).map { (value: $0, object: ObjectKey(10 + $0)) }
    for (value, object) in objects { try index.insert(scratch, object, integer: value, table) }
    var rows: [Int] = []
    #expect(try IndexLevel.removeRun(scratch, index.root, [(7, ObjectKey(17))], from: 0, &rows) == 0)
    #expect(try IndexLevel.removeRun(scratch, index.root, [(2, ObjectKey(99))], from: 0, &rows) == 0)
    #expect(try IndexLevel.removeRun(scratch, index.root, [objects[1], objects[3], (4, ObjectKey(99))], from: 0, &rows) == 2)
    #expect(try IndexLevel.removeRun(scratch, index.root, objects, from: 4, &rows) == 5)
    try SearchIndex.check(scratch.space, index.root, expected: [objects[0], objects[2], objects[5]].map { ($0.object, .int($0.value)) })
    #expect(throws: StorageError.self) { try index.remove(scratch, sorted: [objects[0], objects[1]], table) }
  }
}
