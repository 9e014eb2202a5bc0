import Merge
import TestSupport
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

  /// Each removal of a class is preceded by that of the property that the other side adds. Looking for it among all others would take minutes.
  @Test func manyClassesAreErasedToWhichManyPropertiesAreAdded() throws {
    let count = 40_000
    var ours = [changeset(2) { changeset in (0..<count).map { .eraseTable(changeset.intern("C\($0)")) } }]
    var theirs = [
      changeset(3) { changeset in
        (0..<count).map {
          let column = ColumnDefinition(
            type: .link, isNullable: true, collection: .single, target: changeset.intern("C\($0)"), keyType: nil)
          return .addColumn(changeset.intern("P"), field: changeset.intern("p\($0)"), column)
        }
      }
    ]
    #expect(try threadTime { try Merge.merge(&ours, &theirs) } < .seconds(60))
    #expect(theirs[0].changeset.instructions.isEmpty)
    let instructions = ours[0].changeset.instructions
    try #require(instructions.count == 2 * count)
    let isInOrder = (0..<count).allSatisfy { number in
      guard case .eraseColumn(_, let field) = instructions[2 * number], case .eraseTable(let table) = instructions[2 * number + 1] else {
        return false
      }
      return ours[0].changeset.text(field) == "p\(number)" && ours[0].changeset.text(table) == "C\(number)"
    }
    #expect(isInOrder)
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

  /// Sets compare numbers, not their bits, and so does the original's `same_payload`.
  @Test(arguments: [
    (Payload.double((0.0).bitPattern), Payload.double((-0.0).bitPattern)), (.float(Float(0).bitPattern), .float((-Float(0)).bitPattern)),
    (decimal(15, -1), decimal(1500, -3)), (decimal(0, 4), decimal(0, -3, isNegative: true)),
    (decimal(10, 0, isNegative: true), decimal(1, 1, isNegative: true)), (decimal(0, infinity), decimal(0, infinity)),
  ])
  func numbersThatAreOneToASetAreOneToMerges(_ one: Payload, _ other: Payload) throws {
    for (isLater, timestamp) in [(true, Int64(2)), (false, 0)] {
      var (ours, theirs) = ([setChange(2, at: timestamp) { .setInsert($0, one) }], [setChange(3) { .setErase($0, other) }])
      try Merge.merge(&ours, &theirs)
      #expect(ours[0].changeset.instructions.count == (isLater ? 1 : 0))
      #expect(theirs[0].changeset.instructions.count == (isLater ? 0 : 1))
    }
  }

  @Test(arguments: [
    (Payload.double((1.0).bitPattern), Payload.double((-1.0).bitPattern)), (decimal(15, -1), decimal(15, -2)),
    (decimal(15, -1), decimal(15, -1, isNegative: true)), (decimal(15, -1), decimal(0, infinity)),
    (decimal(0, infinity), decimal(0, infinity, isNegative: true)), (.int(1), .double((1.0).bitPattern)),
  ])
  func differentNumbersOfASetAreIndependent(_ one: Payload, _ other: Payload) throws {
    var (ours, theirs) = ([setChange(2) { .setInsert($0, one) }], [setChange(3) { .setErase($0, other) }])
    try Merge.merge(&ours, &theirs)
    #expect(ours[0].changeset.instructions.count == 1)
    #expect(theirs[0].changeset.instructions.count == 1)
  }

  private static let infinity: Int64 = 9184

  private static func decimal(_ coefficient: UInt128, _ exponent: Int64, isNegative: Bool = false) -> Payload {
    .decimal(DecimalBits(coefficient: coefficient, exponent: exponent, isNegative: isNegative))
  }

  private func setChange(_ file: UInt64, at timestamp: Int64 = 1, _ instruction: (Place) -> Instruction) -> OriginatedChangeset {
    changeset(file, at: timestamp) {
      [instruction(Place(object: ObjectAddress(table: $0.intern("P"), key: .int(1)), field: $0.intern("numbers"), path: .empty))]
    }
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
