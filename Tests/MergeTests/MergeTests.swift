import Merge
import Testing

@testable import Changesets

@Suite struct MergeTests {
  private func changeset(_ file: UInt64, at timestamp: Int64 = 1, _ make: (inout Changeset) -> [Instruction]) -> OriginatedChangeset {
    var changeset = Changeset()
    for instruction in make(&changeset) { changeset.append(instruction) }
    return OriginatedChangeset(changeset, timestamp: timestamp, file: file)
  }

  private func column(_ file: UInt64, _ type: ValueType) -> OriginatedChangeset {
    changeset(file) {
      let column = ColumnDefinition(type: type, isNullable: false, collection: .single, target: nil, keyType: nil)
      return [.eraseTable($0.intern("Old")), .addColumn($0.intern("P"), field: $0.intern("z"), column)]
    }
  }

  private func insertion(_ file: UInt64, size: UInt32) -> OriginatedChangeset {
    changeset(file) {
      let object = ObjectAddress(table: $0.intern("P"), key: .int(1))
      return [.arrayInsert(Place(object: object, field: $0.intern("li"), path: $0.add(path: [.index(0)])), .int(1), priorSize: size)]
    }
  }

  @Test func propertiesThatAreDefinedInTwoWaysAreNamed() {
    var (ours, theirs) = ([column(2, .int)], [column(3, .string)])
    let error = #expect(throws: MergeError.self) { try Merge.merge(&ours, &theirs) }
    #expect(error?.reason == .propertiesDiffer)
    #expect(
      error?.description == "instruction 1 of changeset 0 of ours and instruction 1 of changeset 0 of theirs define one property in two ways")
    // Nothing was changed.
    #expect(ours[0].changeset.encoded() == column(2, .int).changeset.encoded())
  }

  @Test func theSamePropertyIsAddedOnce() throws {
    var (ours, theirs) = ([column(2, .int)], [column(3, .int)])
    try Merge.merge(&ours, &theirs)
    #expect(ours[0].changeset.instructions.isEmpty)
    #expect(theirs[0].changeset.instructions.isEmpty)
  }

  @Test func listsOfDifferentSizesCannotBeMerged() {
    var (ours, theirs) = ([insertion(2, size: 3)], [insertion(3, size: 4)])
    #expect(throws: MergeError.self) { try Merge.merge(&ours, &theirs) }
  }

  @Test func ofTwoElementsAtOnePlaceThatOfTheSmallerFileComesFirst() throws {
    var (ours, theirs) = ([insertion(7, size: 3)], [insertion(3, size: 3)])
    try Merge.merge(&ours, &theirs)
    #expect(ours.map(\.lines) == ["  at 1, of file 7:\n    ArrayInsert P[1].li[1] = 1, size 4\n"])
    #expect(theirs.map(\.lines) == ["  at 1, of file 3:\n    ArrayInsert P[1].li[0] = 1, size 4\n"])
  }

  @Test func theSmallestPairThatShowsAnErrorIsFound() throws {
    var seed: UInt64 = 0
    func isWrong(_ pair: MergePair) -> Bool {
      (pair.ours + pair.theirs).contains { $0.changeset.instructions.contains { $0.code == .setErase } }
    }
    while !isWrong(MergePair(seed)) { seed += 1 }
    let smallest = MergePair(seed).shrunk(isWrong)
    #expect((smallest.ours + smallest.theirs).flatMap(\.changeset.instructions).count == 1)
  }
}
