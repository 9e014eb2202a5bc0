import Randomness
import TestSupport
import Testing

@testable import RealmStorage

@Suite struct RadixSortTests {
  @Test func numbersAreSortedAsByComparing() {
    var random = SeededGenerator(seed: testSeed)
    for count in [0, 1, 1023, 1024, 5000] {
      for mask in [0xFF, 0xFF_FF00_0000, .max] as [UInt64] {
        let numbers = (0..<count).map { _ in random.next() & mask }
        var sorted = numbers
        radixSort(&sorted)
        #expect(sorted == numbers.sorted(), "\(count) numbers, seed \(testSeed)")
        radixSort(&sorted)
        #expect(sorted == numbers.sorted(), "\(count) sorted numbers, seed \(testSeed)")
      }
    }
  }

  @Test func positionsThatAscendAlreadyKeepTheirOrder() {
    var random = SeededGenerator(seed: testSeed)
    for count in [10, 1024, 70_000] {
      let numbers = (0..<count).map { UInt64(random.below(300)) << 32 | UInt64($0) }
      var sorted = numbers
      radixSort(&sorted, fromBit: 32)
      #expect(sorted == numbers.sorted(), "\(count) numbers, seed \(testSeed)")
    }
  }
}
