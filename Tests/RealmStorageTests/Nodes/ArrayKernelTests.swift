import Randomness
import TestSupport
import Testing
@testable import RealmStorage

@Suite(.mustEnd) struct ArrayKernelTests {
  @Test(arguments: 1...20) func splicingIsWhatSingleStepsAre(_ number: UInt64) {
    let seed = testSeed &+ number
    var random = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      var numbers = (0..<Int.random(in: 0..<60, using: &random)).map { _ in UInt32.random(in: 0..<1000, using: &random) }
      let share = Int.random(in: 0...10, using: &random)
      let removed = numbers.indices.filter { _ in Int.random(in: 0..<10, using: &random) < share }
      let inserted = (0..<Int.random(in: 0..<20, using: &random)).map { _ in
        (index: Int.random(in: 0...numbers.count, using: &random), element: UInt32.random(in: 1000..<2000, using: &random))
      }.sorted { $0.index < $1.index }
      var expected: [UInt32] = []
      for index in 0...numbers.count {
        expected += inserted.filter { $0.index == index }.map(\.element)
        if index < numbers.count && !removed.contains(index) { expected.append(numbers[index]) }
      }
      numbers.splice(removing: removed, inserting: inserted)
      #expect(numbers == expected, "seed \(seed)")
    }
  }

  @Test(arguments: [0, 1, 15, 16, 17, 100, 1023, 1024, 1025, 3000]) func searchesFindTheFirst(_ count: Int) {
    var random = SeededGenerator(test: UInt64(count))
    let numbers = (0..<count).map { _ in UInt32.random(in: 0..<500, using: &random) * 8 }
    for bound in stride(from: UInt32(0), to: 4100, by: 40) {
      let smallest = numbers.filter { $0 >= bound }.min()
      #expect(numbers.placeOfSmallest(atLeast: bound) == smallest.flatMap { numbers.firstIndex(of: $0) })
      #expect(numbers.firstPlace(of: bound) == numbers.firstIndex(of: bound))
    }
    #expect(numbers.union == numbers.reduce(0, |))
  }

  @Test(arguments: [0, 1, 15, 16, 17, 100, 1025]) func theSmallestIsFoundAmongNumbersOfAllSizes(_ count: Int) {
    var random = SeededGenerator(test: UInt64(count))
    let numbers: [UInt32] = (0..<count).map { _ in UInt32.random(in: 0..<UInt32.max, using: &random) >> UInt32.random(in: 0..<32, using: &random) }
    let edges: [UInt32] = [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0x8000_0001, 0xFFFF_FFFE, 0xFFFF_FFFF]
    for bound in numbers.prefix(100) + edges {
      let smallest = numbers.filter { $0 >= bound }.min()
      #expect(numbers.placeOfSmallest(atLeast: bound) == smallest.flatMap { numbers.firstIndex(of: $0) }, "\(bound)")
    }
  }

  /// As many bits as the widest number needs, from each place on, and not what a node has kept of elements that are gone.
  @Test(arguments: [0, 1, 2, 4, 7, 15, 31, 63]) func nodesFindTheFirstEqualNumber(_ bits: Int) throws {
    let test = try TestScratch()
    var random = SeededGenerator(test: UInt64(bits))
    let largest = Int64(bitPattern: 1 << UInt64(bits) &- 1)
    for count in [0, 1, 3, 8, 17, 63, 64, 65, 130, 1000] {
      var numbers = (0..<count).map { _ in
        // Few different ones, at both ends of what fits.
        let low = Int64(random.below(4)) & largest
        let number = random.below(2) == 0 ? low : largest - low
        return bits >= 7 && random.below(2) == 0 ? ~number : number
      }
      var ref = try test.scratch.createIntegers(numbers)
      for _ in 0..<min(count, 3) {
        numbers.removeLast()
        try test.scratch.remove(&ref, numbers.count)
      }
      let node = try test.space.integers(at: ref)
      let wanted = Set(numbers).union([0, 1, -1, 3, 16, 127, -128, 40_000, .max, .min])
      for start in [0, 1, 2, 5, 31, 32, 33, 64, 127, count / 2, numbers.count - 1, numbers.count] where start >= 0 && start <= numbers.count {
        for number in wanted {
          #expect(node.firstIndex(of: number, from: start) == numbers[start...].firstIndex(of: number), "\(number) from \(start) of \(count)")
        }
      }
    }
  }
}
