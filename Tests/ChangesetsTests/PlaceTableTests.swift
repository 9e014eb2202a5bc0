import Changesets
import Randomness
import TestSupport
import Testing

/// What finds names and objects by hashes.
@Suite struct PlaceTableTests {
  @Test func placesOfDifferentValuesAreFound() {
    var random = SeededGenerator(test: 3)
    var table = PlaceTable()
    var values: [UInt64] = []
    for _ in 0..<5000 {
      let value = UInt64(random.below(1000))
      // Few hashes, so that many places share one.
      let hash = SeededHash.of(value & 63, 0)
      #expect(table.first(hash) { values[$0] == value } == values.firstIndex(of: value))
      if values.contains(value) { continue }
      values.append(value)
      table.add(hash)
    }
    #expect(!table.isEmpty && values.count > 900)
  }

  /// Whoever makes keys chooses these numbers, and knows how they are put together.
  @Test(arguments: [0, 3 << 56, 4 << 56, UInt64.max])
  func numbersThatSomebodyChoosesDoNotCollide(_ fixed: UInt64) {
    #expect(Set((0..<10_000).map { SeededHash.of(fixed, $0) >> 32 }).count > 9_900)
    #expect(Set((0..<10_000).map { SeededHash.of($0, fixed) >> 32 }).count > 9_900)
    #expect(Set((0..<10_000).map { SeededHash.of(fixed ^ $0 << 32, fixed) >> 32 }).count > 9_900)
  }

  @Test func textsThatDifferAtOnePlaceDoNotCollide() {
    // Written out: as one expression it took the compiler a second.
    var texts: [[UInt8]] = []
    for place in 0..<100 {
      for byte in 1...100 as ClosedRange<UInt8> {
        texts.append([UInt8](repeating: 0, count: 100))
        texts[texts.count - 1][place] = byte
      }
    }
    #expect(Set(texts.map { SeededHash.of($0[...]) }).count == 10_000)
  }

  @Test func beginningsOfATextDoNotCollide() {
    let text = [UInt8](repeating: 0, count: 1000)
    #expect(Set((0..<1000).map { SeededHash.of(text[..<$0]) }).count == 1000)
  }
}
