import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// Walks of an index in the order of its values against a plain filter.
@Suite struct IndexRangeTests {
  private struct Kind: Sendable, CustomTestStringConvertible {
    let name: String
    var isText = true
    let make: @Sendable (inout SeededGenerator) -> [UInt8]?
    var testDescription: String { name }

    func value(_ bytes: [UInt8]?) -> Value {
      guard let bytes else { return .null }
      if isText { return .string(bytes) }
      func number(_ part: ArraySlice<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
      if bytes.count == 12 { return .objectID(ObjectID(high: number(bytes[0..<8]), low: UInt32(number(bytes[8...])))) }
      return .uuid(UUIDBytes(high: number(bytes[0..<8]), low: number(bytes[8...])))
    }
  }

  private static let kinds: [Kind] = [
    // The filler, its neighbours, NUL and bytes whose keys are negative, in every length around the four bytes of a key.
    Kind(name: "texts of awkward bytes") { random in
      let alphabet: [UInt8] = [0, 0x57, 0x58, 0x59, 0x61, 0x80, 0xFF]
      let count = Int.random(in: 0...10, using: &random)
      return count == 10 ? nil : (0..<count).map { _ in alphabet.randomElement(using: &random)! }
    },
    Kind(name: "texts of fillers") { random in (0..<Int.random(in: 0...9, using: &random)).map { _ in Bool.random(using: &random) ? 0x58 : 0 } },
    Kind(name: "words") { random in
      (0..<Int.random(in: 1...6, using: &random)).map { _ in UInt8.random(in: 0x61...0x7A, using: &random) }
    },
    Kind(name: "long texts") { random in
      let length = [0, 3, 4, 199, 200, 201, 204].randomElement(using: &random)!
      return [UInt8](repeating: 0x61, count: length)
        + (0..<Int.random(in: 0...5, using: &random)).map { _ in UInt8.random(in: 0x57...0x62, using: &random) }
    },
    // Null and zero have the same keys on every level.
    Kind(name: "object IDs, zero and null among them", isText: false) { random in
      switch Int.random(in: 0..<8, using: &random) {
      case 0: nil
      case 1: [UInt8](repeating: 0, count: 12)
      default: (0..<12).map { $0 < 10 ? 0 : UInt8.random(in: 0...2, using: &random) }
      }
    },
    Kind(name: "UUIDs, zero and null among them", isText: false) { random in
      switch Int.random(in: 0..<8, using: &random) {
      case 0: nil
      case 1: [UInt8](repeating: 0, count: 16)
      default: (0..<16).map { $0 == 15 ? UInt8.random(in: 0...9, using: &random) : 0 }
      }
    },
    Kind(name: "object IDs", isText: false) { random in
      (0..<12).map { $0 % 4 == 0 ? [0, 0x7F, 0x80, 0xFF].randomElement(using: &random)! : $0 == 11 ? UInt8.random(in: 0...9, using: &random) : 0x58 }
    },
    Kind(name: "UUIDs", isText: false) { random in
      (0..<16).map { $0 % 5 == 0 ? [0, 0x7F, 0x80, 0xFF].randomElement(using: &random)! : $0 == 15 ? UInt8.random(in: 0...9, using: &random) : 0 }
    },
  ]

  @Test(arguments: kinds, [4, 1000]) private func aWalkFindsWhatAFilterFinds(_ kind: Kind, fanOut: Int) throws {
    let seed = testSeed
    var random = SeededGenerator(seed: seed)
    let test = try TestScratch()
    let (scratch, space) = (test.scratch, test.scratch.space)
    var table = ValueTable()
    var bytes: [ObjectKey: [UInt8]] = [:]
    var index = try SearchIndex.create(scratch, fanOut: fanOut)
    for number in 0..<900 {
      let key = ObjectKey(Int64(number) * 3)
      let text = kind.make(&random)
      bytes[key] = text
      table.values[key] = kind.value(text)
      try index.insert(scratch, key, kind.value(text), table)
    }
    let present = bytes.keys.sorted().compactMap { bytes[$0] }
    for _ in 0..<trials(full: 800, tenth: 80) {
      func bound() -> IndexRange.Bound? {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: nil
        case 1...3: present.randomElement(using: &random).map { .init($0, isIncluded: Bool.random(using: &random)) }
        default: kind.make(&random).map { .init($0, isIncluded: Bool.random(using: &random)) }
        }
      }
      var range = IndexRange(low: bound(), high: bound())
      if range.low == nil && range.high == nil { continue }
      if kind.isText, Int.random(in: 0..<3, using: &random) == 0, let text = range.low?.bytes, !text.isEmpty {
        let prefix = Array(text.prefix(Int.random(in: 1...text.count, using: &random)))
        range = IndexRange(prefix: prefix)
        #expect(present.allSatisfy { $0.starts(with: prefix) == range.contains($0) })
      }
      let expected = bytes.filter { range.contains($0.value) }.keys.sorted()
      let found = try SearchIndex.objects(space, index.root, in: range, limit: .max, isText: kind.isText, table)
      #expect(found == expected, "\(range), seed \(seed)")
      // A limit is a limit: the answer is right or there is none.
      if let few = try SearchIndex.objects(space, index.root, in: range, limit: 100, isText: kind.isText, table) {
        #expect(few == expected && few.count <= 100)
      }
    }
  }

  @Test func boundsMeet() {
    let a = IndexRange(low: .init([1], isIncluded: true), high: .init([9], isIncluded: true))
    let b = IndexRange(low: .init([1], isIncluded: false), high: .init([9, 1], isIncluded: true))
    #expect(a.intersection(b) == IndexRange(low: .init([1], isIncluded: false), high: .init([9], isIncluded: true)))
    #expect(IndexRange(prefix: [1, 0xFF]).high == .init([2], isIncluded: false))
    #expect(IndexRange(prefix: [0xFF, 0xFF]).high == nil)
  }
}
