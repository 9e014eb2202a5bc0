import Foundation
import Randomness
import RealmQuery
import RealmStorage
import TestSupport
import Testing

@testable import RealmSwift

/// Going from the sections of one version to those of another, beside dividing anew.
@Suite(.mustEnd) struct SectionEditTests {
  private struct Element: Hashable {
    let number: Int
    var key: Int
  }

  private func index(_ elements: [Element]) -> SectionIndex<Int> {
    elements.reduce(into: SectionIndex()) { $0.append($1.key) }
  }

  private func changes(from old: [Element], to new: [Element], modified: Set<Int>) -> PositionChanges {
    func keys(_ elements: [Element]) -> [ObjectKey] { elements.map { ObjectKey(Int64($0.number)) } }
    var changes = KeyDifference.positions(from: keys(old), to: keys(new)) { modified.contains(Int($0.rawValue)) }
    changes.modify(new: new.indices.filter { modified.contains(new[$0].number) })
    return changes
  }

  /// Elements whose order follows their keys, as long as nobody moves one.
  private func random(_ random: inout some RandomNumberGenerator, _ count: Int, keys: Int) -> [Element] {
    let order = (0..<keys).shuffled(using: &random)
    return (0..<count).map { Element(number: $0, key: Int.random(in: 0..<keys, using: &random)) }
      .sorted { (order[$0.key], $0.number) < (order[$1.key], $1.number) }
  }

  private func edited(_ old: [Element], _ modified: inout Set<Int>, keys: Int, _ random: inout some RandomNumberGenerator) -> [Element] {
    var new = old
    for step in 0..<Int.random(in: 1...4, using: &random) {
      let place = Int.random(in: 0...new.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        // Beside a neighbour, with its key or another one.
        let neighbour = place > 0 ? new[place - 1].key : 0
        new.insert(
          Element(number: 1000 + step, key: Bool.random(using: &random) ? neighbour : Int.random(in: 0..<keys + 2, using: &random)), at: place)
      case 1 where place < new.count: new.remove(at: place)
      case 2 where place < new.count:
        modified.insert(new[place].number)
        new[place].key = Int.random(in: 0..<keys + 2, using: &random)
      case 3 where place < new.count: modified.insert(new[place].number)
      case 4 where place < new.count:
        var element = new.remove(at: place)
        let target = Int.random(in: 0...new.count, using: &random)
        if target > 0 { element.key = new[target - 1].key }
        modified.insert(element.number)
        new.insert(element, at: target)
      default: break
      }
    }
    return new
  }

  @Test func sectionsThatChangePlacesKeepTheirElements() throws {
    func elements(_ numbersAndKeys: [(Int, Int)]) -> [Element] { numbersAndKeys.map { Element(number: $0, key: $1) } }
    let old = elements([(0, 5), (1, 0), (2, 0), (3, 1)])
    let new = elements([(3, 1), (4, 1), (2, 0), (0, 5)])
    let identities = SectionEdit<Int>.Identities(
      before: { ObjectKey(Int64(old[$0].number)) }, after: { ObjectKey(Int64(new[$0].number)) }, isChanged: { _ in false })
    let edit = try #require(
      try SectionEdit(index(old), changes(from: old, to: new, modified: []), identities) { new[$0].key })
    let section = edit.changes(of: 5)
    #expect(section.isEmpty, "\(section)")
    check(edit.changes(of: nil), old, new, [], "fixed")
  }

  @Test func editsGiveWhatDividingAnewGives() throws {
    let seed = testSeed
    var random = SeededGenerator(seed: seed)
    var editCount = 0
    for round in 0..<trials(full: 200_000, tenth: 4_000) {
      let keys = Int.random(in: 1...6, using: &random)
      let old = self.random(&random, Int.random(in: 0...20, using: &random), keys: keys)
      var modified: Set<Int> = []
      let new = edited(old, &modified, keys: keys, &random)
      let (before, after) = (index(old), index(new))
      var asked: Set<Int> = []
      let identities = SectionEdit<Int>.Identities(
        before: { ObjectKey(Int64(old[$0].number)) }, after: { ObjectKey(Int64(new[$0].number)) }, isChanged: { modified.contains(Int($0.rawValue)) })
      let changes = changes(from: old, to: new, modified: modified)
      let edit = try SectionEdit(before, changes, identities) { position in
        asked.insert(position)
        return new[position].key
      }
      guard let edit else { continue }
      editCount += 1
      let context: Comment = "seed \(seed), round \(round): \(old), \(new)"
      #expect(edit.new.keys == after.keys && edit.new.elementCount == new.count, context)
      #expect(after.starts != nil && edit.new.starts == after.starts, context)
      for key in after.keys { #expect(edit.new.positions(of: key) == after.positions(of: key), context) }
      #expect(asked == Set(changes.insertions + changes.newModifications), context)
      check(edit.changes(of: nil), old, new, modified, context)
      for key in Set(before.keys + after.keys) {
        let changes = try #require(alone(edit.changes(of: key), before.number(of: key), after.number(of: key)), context)
        check(changes, old.filter { $0.key == key }, new.filter { $0.key == key }, modified, context)
      }
    }
    #expect(editCount > trials(full: 1000, tenth: 1000) / 2)
  }

  /// The changes of one section as if there were no other; nil if another one is named in them.
  private func alone(_ changes: SectionChanges, _ before: Int?, _ after: Int?) -> SectionChanges? {
    let old = (changes.deletions + changes.modifications).map(\.section) + changes.deletedSections
    let new = changes.insertions.map(\.section) + changes.insertedSections
    guard old.allSatisfy({ $0 == before }), new.allSatisfy({ $0 == after }) else { return nil }
    var result = SectionChanges()
    result.deletions = changes.deletions.map { (0, $0.item) }
    result.insertions = changes.insertions.map { (0, $0.item) }
    result.modifications = changes.modifications.map { (0, $0.item) }
    (result.deletedSections, result.insertedSections) = (changes.deletedSections.map { _ in 0 }, changes.insertedSections.map { _ in 0 })
    return result
  }

  /// Applying the changes to what was gives what is, and they name nothing else.
  private func check(_ changes: SectionChanges, _ old: [Element], _ new: [Element], _ modified: Set<Int>, _ context: Comment) {
    let (before, after) = (index(old), index(new))
    func items(_ index: SectionIndex<Int>, _ elements: [Element]) -> [[Element]] { index.keys.map { index.positions(of: $0).map { elements[$0] } } }
    let (oldItems, newItems) = (items(before, old), items(after, new))
    let stays = (
      oldItems.indices.filter { !changes.deletedSections.contains($0) }, newItems.indices.filter { !changes.insertedSections.contains($0) }
    )
    #expect(stays.0.map { before.keys[$0] } == stays.1.map { after.keys[$0] }, context)
    let named = changes.deletions + changes.modifications
    #expect(named.allSatisfy { stays.0.contains($0.section) }, context)
    func places(_ places: [SectionChanges.Place], _ section: Int) -> [Int] { places.filter { $0.section == section }.map(\.item) }
    for section in changes.insertedSections { #expect(places(changes.insertions, section) == Array(newItems[section].indices), context) }
    for (was, isNow) in zip(stays.0, stays.1) {
      let (deleted, inserted) = (places(changes.deletions, was), places(changes.insertions, isNow))
      let kept = oldItems[was].indices.filter { !deleted.contains($0) }.map { oldItems[was][$0].number }
      #expect(kept == newItems[isNow].indices.filter { !inserted.contains($0) }.map { newItems[isNow][$0].number }, context)
      let named = places(changes.modifications, was).map { oldItems[was][$0].number }
      #expect(named == kept.filter(modified.contains), context)
      if oldItems[was].map(\.number) == newItems[isNow].map(\.number) { #expect(deleted.isEmpty && inserted.isEmpty, context) }
    }
  }
}
