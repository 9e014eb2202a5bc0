import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// A column as a dictionary.
struct ValueTable: IndexValueSource {
  var values: [ObjectKey: Value] = [:]
  var valuesShareBytes = false
  func value(of key: ObjectKey) throws(StorageError) -> Value {
    guard let value = values[key] else { throw .noSuchObject(key: key) }
    return value
  }
}

/// What the model files equal values under: type and bytes.
private func modelKey(_ value: Value) -> String { identity(value) }

private struct Kind: Sendable, CustomTestStringConvertible {
  let name: String
  var isMixed = false
  var isInteger = false
  let make: @Sendable (inout SeededGenerator) -> Value
  var testDescription: String { name }
}

private let deepPrefix = [UInt8](repeating: 0x61, count: 203)

private let kinds: [Kind] = [
  Kind(name: "ints of one level", isInteger: true) { .int(Int64.random(in: -3000...3000, using: &$0)) },
  Kind(name: "ints with equal low bits, and null", isInteger: true) { random in
    if Int.random(in: 0..<20, using: &random) == 0 { return .null }
    return .int(Int64.random(in: -2...2, using: &random) << 32 | Int64.random(in: 0...3, using: &random))
  },
  Kind(name: "bools", isInteger: true) { .bool(Bool.random(using: &$0)) },
  Kind(name: "short strings") { random in
    let count = Int.random(in: 0...9, using: &random)
    let alphabet: [UInt8] = [0, 0x58, 0x61, 0xFF]
    return count == 9 ? .null : .string((0..<count).map { _ in alphabet.randomElement(using: &random)! })
  },
  Kind(name: "strings with a long common prefix") { random in
    let length = [3, 100, 195, 199, 200, 201, 203].randomElement(using: &random)!
    let tail = (0..<Int.random(in: 0...6, using: &random)).map { _ in UInt8.random(in: 0x61...0x63, using: &random) }
    return .string(deepPrefix.prefix(length) + tail)
  },
  Kind(name: "timestamps") { random in
    let seconds = Int64.random(in: 0...9, using: &random), nanoseconds = Int32.random(in: 0...9, using: &random)
    return .timestamp(Timestamp(seconds: seconds, nanoseconds: nanoseconds))
  },
  Kind(name: "object IDs") { random in
    .objectID(ObjectID(high: 0x6500_0000_0000_0000 | UInt64.random(in: 0...3, using: &random), low: UInt32.random(in: 0...300, using: &random)))
  },
  Kind(name: "UUIDs") { .uuid(UUIDBytes(high: UInt64.random(in: 0...1, using: &$0) << 63, low: UInt64.random(in: 0...90, using: &$0))) },
  Kind(name: "mixed", isMixed: true) { random in
    let number = Int.random(in: 0...3, using: &random)
    switch Int.random(in: 0..<11, using: &random) {
    case 0: return .null
    case 1: return .int(Int64(number))
    case 2: return .double(Double(number))
    case 3: return .float(Float(number) + 0.5)
    case 4: return .decimal(Decimal128(Double(number) + 0.25))
    case 5: return .string([0x61, UInt8(number)])
    case 6: return .binary([0x61, UInt8(number)])
    case 7: return .bool(number == 1)
    case 8: return .typedLink(ObjectLink(table: TableKey(rawValue: 1), key: ObjectKey(Int64(number) - 3)))
    case 9: return number == 0 ? .list(.null) : .dictionary(.null)
    default: return .double(Double(number) + 0.125)
    }
  },
]

@Suite struct SearchIndexTests {
  @Test(arguments: kinds, [4, 1000]) private func anIndexFindsWhatADictionaryFinds(_ kind: Kind, fanOut: Int) throws {
    let seed = testSeed
    var random = SeededGenerator(seed: seed)
    let test = try TestScratch()
    let (scratch, space) = (test.scratch, test.scratch.space)
    var table = ValueTable(valuesShareBytes: kind.isMixed)
    var model: [ObjectKey] = []
    var index = try SearchIndex.create(scratch, fanOut: fanOut)
    for step in 0..<4000 {
      let isGrowing = (step / 1000) % 2 == 0
      if model.isEmpty || Int.random(in: 0..<10, using: &random) < (isGrowing ? 8 : 3) {
        let key = ObjectKey(Bool.random(using: &random) ? Int64(step) : Int64.random(in: 0...Int64.max, using: &random))
        if table.values[key] != nil { continue }
        let value = kind.make(&random)
        if kind.isInteger && Bool.random(using: &random) {
          try index.insert(scratch, key, integer: IntegerProbe(of: key, ValueTable(values: [key: value])).value, table)
        } else {
          try index.insert(scratch, key, value, table)
        }
        table.values[key] = value
        model.append(key)
      } else {
        let key = model.remove(at: Int.random(in: 0..<model.count, using: &random))
        let value = table.values.removeValue(forKey: key)!
        if kind.isInteger && Bool.random(using: &random) {
          try index.remove(scratch, key, integer: IntegerProbe(of: key, ValueTable(values: [key: value])).value, table)
        } else {
          try index.remove(scratch, key, value, table)
        }
      }
      if step % 250 == 249 { try verify(index, kind, table, fanOut: fanOut, space, "seed \(seed), step \(step)") }
    }
    for key in model {
      let value = table.values.removeValue(forKey: key)!
      try index.remove(scratch, key, value, table)
    }
    try SearchIndex.check(space, index.root, expected: [], fanOut: fanOut)
    let empty = try IndexNode(space, index.root)
    #expect(empty.node.count == 1 && !empty.isInner && empty.keys.header.widthIndex == 6)
  }

  private func verify(_ index: SearchIndex, _ kind: Kind, _ table: ValueTable, fanOut: Int, _ space: NodeSpace, _ place: String) throws {
    try SearchIndex.check(space, index.root, expected: table.values.map { ($0.key, $0.value) }, fanOut: fanOut)
    var groups: [String: (value: Value, keys: Set<ObjectKey>)] = [:]
    for (key, value) in table.values { groups[modelKey(value), default: (value, [])].keys.insert(key) }
    for group in groups.values {
      var expected = group.keys
      if kind.isMixed {
        for other in groups.values where IndexBytes(other.value) == IndexBytes(group.value) && Value.compare(other.value, group.value) == 0 {
          expected.formUnion(other.keys)
        }
      }
      var found: [ObjectKey] = []
      try SearchIndex.forEach(space, index.root, group.value, table) {
        found.append($0); return true
      }
      #expect(found.count == expected.count && Set(found) == expected, "\(place): \(group.value)")
      #expect(try SearchIndex.count(space, index.root, group.value, table) == expected.count, "\(place)")
      #expect(try SearchIndex.first(space, index.root, group.value, table) == found.first, "\(place)")
      if !kind.isMixed { #expect(found == found.sorted(), "\(place)") }
      if kind.isInteger {
        let integer = try IntegerProbe(of: found[0], table).value
        #expect(try SearchIndex.first(space, index.root, integer: integer, table) == found[0], "\(place)")
        #expect(try SearchIndex.count(space, index.root, integer: integer, table) == expected.count, "\(place)")
      }
    }
  }

  @Test func keysAreFoundInArraysOfEveryShape() throws {
    let test = try TestScratch()
    var random = SeededGenerator(test: 11)
    for count in 0...70 {
      for bound in [80, 100_000, Int32.max] {
        var keys = Set<Int32>()
        while keys.count < count { keys.insert(Int32.random(in: -bound...bound, using: &random)) }
        if count > 30 && bound == .max { keys.formUnion([.min, .max]) }
        let sorted = keys.sorted()
        var array = try test.scratch.createIntegers(widthIndex: 6)
        try test.scratch.insert(&array, 0, contentsOf: sorted.map(Int64.init))
        let node = try test.scratch.space.integers(at: array)
        for key in sorted.flatMap({ [$0, $0 &- 1, $0 &+ 1] }) + [.min, 0, .max] {
          let expected = sorted.count { $0 < key }
          #expect(node.countBelow(int32: key) == expected)
          #expect(
            node.countBelow(int32: key, first: .random(in: .min ... .max, using: &random), last: .random(in: .min ... .max, using: &random))
              == expected)
        }
      }
    }
  }

  @Test func absentValuesAreNotFoundBehindASharedPrefix() throws {
    let test = try TestScratch()
    var table = ValueTable()
    var index = try SearchIndex.create(test.scratch)
    table.values[ObjectKey(7)] = Value("kitty")
    try index.insert(test.scratch, ObjectKey(7), Value("kitty"), table)
    #expect(try SearchIndex.first(test.scratch.space, index.root, Value("kitten"), table) == nil)
    #expect(try SearchIndex.first(test.scratch.space, index.root, Value("kitty"), table) == ObjectKey(7))
    #expect(try SearchIndex.count(test.scratch.space, index.root, .null, table) == 0)
  }

  @Test func sequentialAndDescendingIntsMakeASoundTree() throws {
    let test = try TestScratch()
    var table = ValueTable()
    var index = try SearchIndex.create(test.scratch)
    for value in 0..<20_000 as Range<Int64> {
      try index.insert(test.scratch, ObjectKey(value), integer: value, table)
      table.values[ObjectKey(value)] = .int(value)
    }
    try SearchIndex.check(test.scratch.space, index.root, expected: table.values.map { ($0.key, $0.value) })
    for value in 0..<20_000 as Range<Int64> {
      #expect(try SearchIndex.first(test.scratch.space, index.root, integer: value, table) == ObjectKey(value))
    }
    for value in (5..<20_000 as Range<Int64>).reversed() {
      try index.remove(test.scratch, ObjectKey(value), integer: value, table)
      table.values[ObjectKey(value)] = nil
    }
    try SearchIndex.check(test.scratch.space, index.root, expected: table.values.map { ($0.key, $0.value) })
  }

  @Test func ascendingKeysLeaveFullNodesBehind() throws {
    let test = try TestScratch()
    var table = ValueTable()
    var index = try SearchIndex.create(test.scratch)
    for number in 0..<3500 as Range<UInt64> {
      let value = Value.objectID(ObjectID(high: number << 32, low: 0))
      try index.insert(test.scratch, ObjectKey(Int64(number)), value, table)
      table.values[ObjectKey(Int64(number))] = value
    }
    try SearchIndex.check(test.scratch.space, index.root, expected: table.values.map { ($0.key, $0.value) })
    let root = try IndexNode(test.scratch.space, index.root)
    let counts = try (0..<root.count).map { try IndexNode(test.scratch.space, root.child($0)).count }
    #expect(counts == [Int](repeating: IndexLimits.leafFanOut, count: 13) + [3500 - 13 * IndexLimits.leafFanOut])
  }

  @Test func thousandsOfEqualValuesShareAList() throws {
    let test = try TestScratch()
    let space = test.scratch.space
    var random = SeededGenerator(test: 5)
    var table = ValueTable()
    var index = try SearchIndex.create(test.scratch)
    for key in (0..<6000 as Range<Int64>).shuffled(using: &random).map(ObjectKey.init) {
      let value = Value(key.rawValue % 3 == 0 ? "same" : "some")
      try index.insert(test.scratch, key, value, table)
      table.values[key] = value
    }
    try SearchIndex.check(space, index.root, expected: table.values.map { ($0.key, $0.value) })
    #expect(try SearchIndex.count(space, index.root, Value("same"), table) == 2000)
    for key in table.values.keys.shuffled(using: &random) where key != ObjectKey(4) {
      try index.remove(test.scratch, key, table.values[key]!, table)
      table.values[key] = nil
    }
    try SearchIndex.check(space, index.root, expected: table.values.map { ($0.key, $0.value) })
    // A list stays a list when one entry is left.
    let entry = try IndexLevel.entry(space, index.root, key: IndexKey.key(ofBytes: Array("some".utf8), offset: 0))
    #expect(entry.object == nil)
    #expect(try SearchIndex.first(space, index.root, Value("some"), table) == ObjectKey(4))
  }

  @Test func anObjectCannotBeFiledTwiceNorWithdrawnUnfiled() throws {
    let test = try TestScratch()
    var table = ValueTable()
    var index = try SearchIndex.create(test.scratch)
    for key in [1, 2] as [Int64] {
      #expect(throws: StorageError.self) { try index.remove(test.scratch, ObjectKey(key), integer: 9, table) }
      try index.insert(test.scratch, ObjectKey(key), integer: 9, table)
      table.values[ObjectKey(key)] = .int(9)
      #expect(throws: StorageError.self) { try index.insert(test.scratch, ObjectKey(key), integer: 9, table) }
    }
    #expect(throws: StorageError.self) { try index.insert(test.scratch, ObjectKey(3), .link(ObjectKey(1)), table) }
  }

  @Test func aListInAnOlderOrderIsReadAndShrunk() throws {
    let test = try TestScratch()
    let space = test.scratch.space
    let values = ["c", "a", "b"].map { Value.string(deepPrefix + [0x61] + Array($0.utf8)) }
    var table = ValueTable()
    for (key, value) in values.enumerated() { table.values[ObjectKey(Int64(key))] = value }
    var list = try test.scratch.createIntegers([0, 1, 2])
    for _ in 0...50 { list = try IndexLevel.create(test.scratch, key: 0x6161_6161, IndexEntry(list)) }
    var index = SearchIndex(root: list)
    #expect(throws: StorageError.self) { try SearchIndex.check(space, index.root, expected: table.values.map { ($0.key, $0.value) }) }
    try SearchIndex.check(space, index.root, expected: table.values.map { ($0.key, $0.value) }, allowsOlderOrder: true)
    for key in [0, 2, 1] as [Int64] {
      let value = table.values[ObjectKey(key)]!
      #expect(try SearchIndex.first(space, index.root, value, table) == ObjectKey(key))
      try index.remove(test.scratch, ObjectKey(key), value, table)
      #expect(try SearchIndex.first(space, index.root, value, table) == nil)
    }
    try SearchIndex.check(space, index.root, expected: [])
  }
}
