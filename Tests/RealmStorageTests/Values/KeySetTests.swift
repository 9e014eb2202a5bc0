import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// A set of keys is the same set however its keys lie.
@Suite(.mustEnd) struct KeySetTests {
  private static let spans: [ClosedRange<Int64>] = [
    0...40, 0...5000, 1_000_000...1_003_000, -300...300, 0...1_000_000_000, Int64.min...Int64.max,
  ]

  private func key(_ random: inout SeededGenerator, _ span: ClosedRange<Int64>) -> ObjectKey {
    // Half of them close together, whatever the span.
    ObjectKey(
      Bool.random(using: &random)
        ? Int64.random(in: span, using: &random) : min(span.lowerBound + Int64.random(in: 0...400, using: &random), span.upperBound))
  }

  private func expectEqual(_ set: KeySet, _ model: Set<ObjectKey>, _ note: Comment) {
    #expect(set.count == model.count, note)
    #expect(set.isEmpty == model.isEmpty, note)
    #expect(set.ascending() == model.sorted(), note)
    var gone: Set<ObjectKey> = []
    set.forEach { gone.insert($0) }
    #expect(gone == model, note)
  }

  @Test(arguments: spans.indices) func everyOperationDoesWhatThatOfAHashedSetDoes(_ number: Int) {
    let span = Self.spans[number]
    var random = SeededGenerator(seed: testSeed &+ UInt64(number))
    for round in 0..<trials(full: 40, tenth: 6) {
      let note: Comment = "round \(round), seed \(testSeed)"
      var (set, model) = (KeySet(), Set<ObjectKey>())
      for step in 0..<3000 {
        let key = key(&random, span)
        if Int.random(in: 0..<10, using: &random) < 7 {
          #expect(set.insert(key) == model.insert(key).inserted, note)
        } else {
          #expect(set.remove(key) == (model.remove(key) != nil), note)
        }
        let other = self.key(&random, span)
        #expect(set.contains(other) == model.contains(other), note)
        if step % 700 == 0 { expectEqual(set, model, note) }
      }
      expectEqual(set, model, note)
    }
  }

  @Test func unionsHaveTheKeysOfBoth() {
    var random = SeededGenerator(seed: testSeed)
    for round in 0..<trials(full: 400, tenth: 60) {
      let (a, b) = (Self.spans.randomElement(using: &random)!, Self.spans.randomElement(using: &random)!)
      let models = [a, b].map { span in
        let count = Int.random(in: 0...2000, using: &random)
        return Set((0..<count).map { _ in key(&random, span) })
      }
      var set = KeySet(models[0])
      set.formUnion(KeySet(models[1]))
      expectEqual(set, models[0].union(models[1]), "round \(round), seed \(testSeed)")
      expectEqual(KeySet(models[1]).union(KeySet(models[0])), models[0].union(models[1]), "round \(round), seed \(testSeed)")
    }
  }

  @Test func positionsAreThoseOfTheElementsThatAreInIt() {
    var random = SeededGenerator(seed: testSeed)
    for span in Self.spans {
      let keys = (0..<1500).map { _ in key(&random, span) }
      let model = Set((0..<700).map { _ in key(&random, span) }).union(keys.prefix(200))
      var positions = [7]
      KeySet(model).appendPositions(in: keys, from: 1000, to: &positions)
      #expect(positions == [7] + keys.indices.filter { model.contains(keys[$0]) }.map { $0 + 1000 }, "seed \(testSeed)")
    }
  }
}
