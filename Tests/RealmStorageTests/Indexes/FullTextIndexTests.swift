import Randomness
import TestSupport
import Testing

@testable import RealmStorage

@Suite struct FullTextIndexTests {
  private let words = ["a", "book", "books", "booking", "bookings", "boo", "b", "naïve", "Øre", "Straße", "zeta", "1234", "12345678", "123456789"]

  @Test(arguments: [4, 1000]) func wordsLeadToTheirTexts(fanOut: Int) throws {
    let seed = testSeed
    var random = SeededGenerator(seed: seed)
    let test = try TestScratch()
    let (scratch, space) = (test.scratch, test.scratch.space)
    var texts: [ObjectKey: [UInt8]?] = [:]
    var index = try FullTextIndex.create(scratch, fanOut: fanOut)
    func text(_ random: inout SeededGenerator) -> [UInt8]? {
      if Int.random(in: 0..<10, using: &random) == 0 { return nil }
      let chosen = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        Bool.random(using: &random) ? words.randomElement(using: &random)! : "w\(Int.random(in: 0..<2000, using: &random))"
      }
      return Array(chosen.joined(separator: " ").utf8)
    }
    for step in 0..<3000 {
      let key = ObjectKey(Int64.random(in: 0..<800, using: &random))
      if let old = texts[key] {
        if Bool.random(using: &random) {
          try index.remove(scratch, key, old)
          texts[key] = nil
        } else {
          let new = text(&random)
          try index.replace(scratch, key, old, with: new)
          texts[key] = .some(new)
        }
      } else {
        let new = text(&random)
        try index.insert(scratch, key, new)
        texts[key] = .some(new)
      }
      if step % 500 == 499 {
        try FullTextIndex.check(space, index.root, expected: texts.map { ($0.key, $0.value) }, fanOut: fanOut)
        try verifySearches(index, texts, space, "seed \(seed), step \(step)")
      }
    }
    for (key, text) in texts { try index.remove(scratch, key, text) }
    try FullTextIndex.check(space, index.root, expected: [], fanOut: fanOut)
    #expect(try IndexNode(space, index.root).node.count == 1)
  }

  private func verifySearches(_ index: FullTextIndex, _ texts: [ObjectKey: [UInt8]?], _ space: NodeSpace, _ place: String) throws {
    for word in words + ["w1", "w19", "absent", "bookingsx"] {
      let token = Tokenizer.tokens(of: Array(word.utf8))[0]
      let having = texts.filter { Tokenizer.tokens(of: $0.value ?? []).contains(token) }.keys.sorted()
      #expect(try FullTextIndex.find(space, index.root, token: token) == having, "\(place), \(word)")
      for count in 0...min(token.count, 5) {
        let prefix = Array(token.prefix(count))
        let beginning = texts.filter { Tokenizer.tokens(of: $0.value ?? []).contains { $0.starts(with: prefix) } }.keys.sorted()
        #expect(try FullTextIndex.find(space, index.root, prefix: prefix) == beginning, "\(place), \(prefix)")
      }
    }
  }

  @Test func aWordIsSpelledOutToItsEnd() throws {
    let test = try TestScratch()
    var index = try FullTextIndex.create(test.scratch)
    try index.insert(test.scratch, ObjectKey(3), Array("Abcdefghijkl m".utf8))
    var (level, keys) = (index.root, [Int32]())
    while true {
      let node = try IndexNode(test.scratch.space, level)
      keys.append(node.keys.int32(unchecked: 0))
      if node.entry(0).object != nil { break }
      level = node.entry(0).ref
    }
    #expect(keys == [0x6162_6364, 0x6566_6768, 0x696A_6B6C])
  }

  @Test func aWordAndALongerOneShareAPath() throws {
    let test = try TestScratch()
    var index = try FullTextIndex.create(test.scratch)
    try index.insert(test.scratch, ObjectKey(1), Array("book".utf8))
    try index.insert(test.scratch, ObjectKey(2), Array("books".utf8))
    let entry = try IndexLevel.entry(test.scratch.space, index.root, key: 0x626F_6F6B)
    let below = try IndexNode(test.scratch.space, entry.ref)
    #expect(below.keys.int32(unchecked: 0) == 0x5800_0000 && below.keys.int32(unchecked: 1) == 0x7358_0000)
  }
}
