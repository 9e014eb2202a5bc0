import ChangesetModel
import Changesets
import Randomness
import TestSupport
import Testing

@testable import Merge

/// What has to hold for the merge of any two histories.
@Suite struct MergePropertyTests {
  private static let pairCount = isFullRun ? 2_000_000 : 4_000

  @Test func bothOrdersLeadToTheSameRealm() {
    check { pair in
      var (ours, theirs) = (pair.ours, pair.theirs)
      try Merge.merge(&ours, &theirs)
      let (first, second) = (try pair.realm(pair.ours + theirs), try pair.realm(pair.theirs + ours))
      return first == second ? nil : "the two orders lead to different realms"
    }
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
  private func check(_ number: UInt64 = 0, _ property: (MergePair) throws -> String?) {
    var seeds = SeededGenerator(test: number)
    for _ in 0..<Self.pairCount {
      let seed = seeds.next()
      let pair = MergePair(seed)
      guard MergePair.problem(property, pair) != nil else { continue }
      let smallest = pair.shrunk { MergePair.problem(property, $0) != nil }
      Issue.record("seed \(seed): \(MergePair.problem(property, smallest) ?? "")\n\(smallest)")
      return
    }
  }
}
