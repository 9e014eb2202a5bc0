import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// What a log says of a collection, followed by positions, beside a model that keeps every element.
@Suite(.mustEnd) struct ElementChangesTests {
  private struct Element: Equatable {
    /// Nil for new ones.
    var old: Int?
    var isModified = false
  }

  /// A collection, what is done to it, and the same as it is followed.
  private struct Driver {
    let oldCount: Int
    var elements: [Element]
    var changes = ElementChanges()
    var hasMoved = false

    init(count: Int) { (oldCount, elements) = (count, (0..<count).map { Element(old: $0) }) }

    mutating func step(_ random: inout SeededGenerator, movesToo: Bool) {
      let place = Int.random(in: 0...elements.count, using: &random)
      let action = Int.random(in: 0..<(movesToo ? 10 : 9), using: &random)
      if elements.isEmpty || place == elements.count || action < 3 {
        changes.insert(at: place)
        return elements.insert(Element(old: nil), at: place)
      }
      switch action {
      case 3..<7:
        changes.set(at: place)
        elements[place].isModified = true
      case 7..<9:
        changes.erase(at: place)
        elements.remove(at: place)
      default:
        let target = Int.random(in: 0..<elements.count, using: &random)
        changes.move(from: place, to: target)
        elements.insert(elements.remove(at: place), at: target)
        hasMoved = true
      }
    }

    /// - Returns: what is wrong with the outcome.
    func fault() -> String? {
      let found = changes.positions(oldCount: oldCount)
      if found.oldCount != oldCount || found.newCount != elements.count { return "counts" }
      let lists = [found.deletions, found.insertions, found.modifications, found.newModifications]
      if lists.contains(where: { $0 != Array(Set($0)).sorted() }) { return "order" }
      let (gone, come) = (Set(found.deletions), Set(found.insertions))
      let before = (0..<oldCount).filter { !gone.contains($0) }
      let after = elements.indices.filter { !come.contains($0) }
      // What stays is the same, in the same order.
      if before != after.compactMap({ elements[$0].old }) { return "what stays" }
      let modified = after.filter { elements[$0].isModified }
      if found.newModifications != modified { return "modified" }
      if found.modifications != modified.compactMap({ elements[$0].old }) { return "modified, before" }
      let kept = Set(elements.compactMap(\.old))
      if hasMoved { return nil }
      // Nothing else is named.
      if found.deletions != (0..<oldCount).filter({ !kept.contains($0) }) { return "deletions" }
      return found.insertions != elements.indices.filter { elements[$0].old == nil } ? "insertions" : nil
    }
  }

  @Test(arguments: [false, true]) func positionsAreThoseOfAModel(movesToo: Bool) {
    var random = SeededGenerator(seed: testSeed)
    for round in 0..<trials(full: 600, tenth: 80) {
      var driver = Driver(count: Int.random(in: 0...60, using: &random))
      for _ in 0..<Int.random(in: 1...60, using: &random) { driver.step(&random, movesToo: movesToo) }
      #expect(driver.fault() == nil, "round \(round), seed \(testSeed)")
    }
  }

  /// So many pieces that they are found by blocks.
  @Test(arguments: [false, true]) func manyScatteredChangesAreFollowed(movesToo: Bool) {
    var random = SeededGenerator(seed: testSeed)
    var driver = Driver(count: 20_000)
    for step in 1...4000 {
      driver.step(&random, movesToo: movesToo)
      if step % 1000 == 0 { #expect(driver.fault() == nil, "step \(step), seed \(testSeed)") }
    }
    driver.changes.clear()
    driver.elements = []
    for _ in 0..<700 { driver.step(&random, movesToo: false) }
    #expect(driver.fault() == nil, "after clearing, seed \(testSeed)")
  }

  /// Damaged logs name elements that are not there.
  @Test func whatIsNotThereIsNotChanged() {
    var changes = ElementChanges()
    changes.clear()
    changes.set(at: 3)
    changes.erase(at: 0)
    changes.move(from: 5, to: 1)
    #expect(changes.positions(oldCount: 2).deletions == [0, 1])
    #expect(changes.positions(oldCount: 2).newCount == 0)
  }
}
