import Randomness
import RealmStorage
import TestSupport
import Testing

@testable import RealmSwift

@Suite(.mustEnd) struct CancelledFloorsTests {
  private let tables = (0..<3).map { TableKey(slot: $0, tag: 0) }

  /// Beside a dictionary for each transaction, also when they are noted in another order than that of their numbers, or again.
  @Test(arguments: 0..<40) func objectsAreTakenThatAModelTakes(_ trial: Int) throws {
    var random = SeededGenerator(test: UInt64(trial))
    var (floors, model) = (CancelledFloors(), [UInt32: [TableKey: ObjectKey]]())
    var known = Dictionary(uniqueKeysWithValues: tables.map { ($0, ObjectKey(0)) })
    for step in 1...60 as ClosedRange<UInt32> {
      let table = tables.randomElement(using: &random)!
      switch Int.random(in: 0..<6, using: &random) {
      case 0: known[table] = ObjectKey((known[table]?.rawValue ?? 0) + .random(in: 0..<3, using: &random))
      case 1: known[table] = known[table] == nil ? ObjectKey(0) : nil
      default: break
      }
      if Bool.random(using: &random) { continue }
      let number = trial % 2 == 0 ? step : .random(in: 1...step, using: &random)
      floors.note(number, known)
      model[number] = known
      for number in 0...61 as ClosedRange<UInt32> {
        for table in tables {
          for key in 0..<12 as Range<Int64> {
            let expected = model[number].map { $0[table].map { ObjectKey(key) >= $0 } ?? true } ?? false
            let isTaken = floors.took(ObjectKey(key), in: table, madeIn: number)
            try #require(isTaken == expected, "trial \(trial), seed \(testSeed): key \(key) of \(table) in transaction \(number)")
          }
        }
      }
    }
  }

  /// A server that cancels for years does not grow by it.
  @Test func cancellingAgainAndAgainKeepsNothing() {
    var floors = CancelledFloors()
    let known = Dictionary(uniqueKeysWithValues: tables.map { ($0, ObjectKey(7)) })
    for number in 1...10_000 as ClosedRange<UInt32> { floors.note(number, known) }
    #expect(floors.stepCount == 1 + tables.count)
    #expect(floors.took(ObjectKey(7), in: tables[0], madeIn: 10_000) && !floors.took(ObjectKey(6), in: tables[0], madeIn: 10_000))
  }
}
