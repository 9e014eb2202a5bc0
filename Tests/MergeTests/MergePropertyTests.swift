import ChangesetModel
import Changesets
import Randomness
import TestSupport
import Testing

@testable import Merge

/// What has to hold for the merge of any two histories.
@Suite struct MergePropertyTests {
  private static let pairCount = trials(full: 2_000_000, tenth: 4_000)

  @Test func bothOrdersLeadToTheSameRealm() {
    check { pair in
      var (ours, theirs) = (pair.ours, pair.theirs)
      try Merge.merge(&ours, &theirs)
      let (first, second) = (try pair.realm(pair.ours + theirs), try pair.realm(pair.theirs + ours))
      return first == second ? nil : "the two orders lead to different realms"
    } isKnown: {
      $0.hasCollectionReplacedByWhatLoses
    }
  }

  /// Of such pairs there is about one in a million.
  @Test func aCollectionReplacedByWhatLosesIsKnownToLeadToDifferentRealms() throws {
    func changeset(_ timestamp: Int64, file: UInt64, _ make: (inout Changeset, Place) -> [Instruction]) -> OriginatedChangeset {
      var changeset = Changeset()
      let object = ObjectAddress(table: changeset.intern("P"), key: .int(9))
      changeset.instructions = make(&changeset, Place(object: object, field: changeset.intern("mx"), path: .empty))
      return OriginatedChangeset(changeset, timestamp: timestamp, file: file)
    }
    let first = changeset(1, file: 2) { changeset, place in
      let element = Place(object: place.object, field: place.field, path: changeset.add(path: [.index(0)]))
      return [.createObject(place.object), .update(place, .list, isDefault: false), .arrayInsert(element, .int(3), priorSize: 0)]
    }
    let replaced = changeset(2, file: 2) { [.update($1, .int(7), isDefault: false)] }
    let other = changeset(3, file: 3) { [.createObject($1.object), .update($1, .list, isDefault: false)] }
    let pair = MergePair(ours: [first, replaced], theirs: [other])
    #expect(pair.hasCollectionReplacedByWhatLoses && !MergePair(ours: [first], theirs: [other]).hasCollectionReplacedByWhatLoses)
    var (ours, theirs) = (pair.ours, pair.theirs)
    try Merge.merge(&ours, &theirs)
    #expect(try pair.realm(pair.ours + theirs) != pair.realm(pair.theirs + ours))
  }

  @Test func theResultDoesNotDependOnWhoseSideIsOurs() {
    check(1) { pair in
      var (ours, theirs) = (pair.ours, pair.theirs)
      try Merge.merge(&ours, &theirs)
      var (turnedTheirs, turnedOurs) = (pair.theirs, pair.ours)
      try Merge.merge(&turnedTheirs, &turnedOurs)
      return ours.map(\.lines) == turnedOurs.map(\.lines) && theirs.map(\.lines) == turnedTheirs.map(\.lines) ? nil : "the sides differ"
    }
  }

  @Test func mergingChangesetByChangesetIsTheSameAsMergingAllAtOnce() {
    check(2) { pair in
      var (ours, theirs) = (pair.ours, pair.theirs)
      try Merge.merge(&ours, &theirs)
      var singleOurs = pair.ours
      var singleTheirs: [OriginatedChangeset] = []
      for changeset in pair.theirs {
        var single = [changeset]
        try Merge.merge(&singleOurs, &single)
        singleTheirs += single
      }
      return ours.map(\.lines) == singleOurs.map(\.lines) && theirs.map(\.lines) == singleTheirs.map(\.lines) ? nil : "the steps differ"
    }
  }

  @Test func instructionsThatDoNotMeetHaveNoEffectOnEachOther() {
    check(3) { pair in
      var (ours, theirs) = (pair.ours, pair.theirs)
      try Merge.merge(&ours, &theirs)
      var (allOurs, allTheirs) = (pair.ours, pair.theirs)
      try Merge.mergeAll(&allOurs, &allTheirs)
      return ours.map(\.lines) == allOurs.map(\.lines) && theirs.map(\.lines) == allTheirs.map(\.lines) ? nil : "some have to meet that do not"
    }
  }

  @Test func whatIsEmptyStaysEmptyAndChangesNothing() {
    check(4) { pair in
      var empty = [OriginatedChangeset(Changeset(), timestamp: 3, file: 9)]
      var ours = pair.ours
      try Merge.merge(&ours, &empty)
      return empty[0].changeset.encoded().isEmpty && ours.map(\.lines) == pair.ours.map(\.lines) ? nil : "something changed"
    }
  }

  /// Runs a property on random pairs, and names the smallest one that it finds where it does not hold.
  /// - Parameter isKnown: of the smallest one, whether it is known that it does not.
  private func check(_ number: UInt64 = 0, _ property: (MergePair) throws -> String?, isKnown: (MergePair) -> Bool = { _ in false }) {
    var seeds = SeededGenerator(test: number)
    for _ in 0..<Self.pairCount {
      let seed = seeds.next()
      let pair = MergePair(seed)
      guard MergePair.problem(property, pair) != nil else { continue }
      let smallest = pair.shrunk { MergePair.problem(property, $0) != nil }
      if isKnown(smallest) { continue }
      Issue.record("seed \(seed): \(MergePair.problem(property, smallest) ?? "")\n\(smallest)")
      return
    }
  }
}
