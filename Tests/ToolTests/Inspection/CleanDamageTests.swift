import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmStorage
@testable import regnum_fuzz

/// What verification calls sound can be read and changed.
@Suite struct CleanDamageTests {
  /// Bytes to replace in `dict_intkeys.realm`: other forms that the format allows or that nobody looks at, and damage.
  private static let changes: [(what: String, offset: Int, bytes: [UInt8])] = [
    ("five slots in a Mixed leaf", 0x148 + 7, [5]),
    ("four slots in a Mixed leaf", 0x148 + 7, [4]),
    ("no history type", 0x268 + 4 * 7, [0, 0, 0, 0]),
    ("no history schema version", 0x268 + 4 * 9, [0, 0, 0, 0]),
    ("no file identifier", 0x268 + 4 * 10, [0, 0, 0, 0]),
    ("no history", 0x268 + 4 * 8, [0, 0, 0, 0]),
    ("no lengths in the free list", 0x268 + 4 * 4, [0, 0, 0, 0]),
    ("no versions in the free list", 0x268 + 4 * 5, [0, 0, 0, 0]),
    ("no table key", 0x1b8 + 8 + 2 * 3, [0, 0]),
    ("no content version", 0x1b8 + 8 + 2 * 6, [0, 0]),
    ("no object sequence", 0x1b8 + 8 + 2 * 9, [0, 0]),
    ("no flags", 0x1b8 + 8 + 2 * 12, [0, 0]),
  ]

  @Test(arguments: changes.indices)
  func aFileThatVerifiesCleanCanBeChanged(_ number: Int) throws {
    let change = Self.changes[number]
    var bytes = try Fixture(name: "realm-core/dict_intkeys.realm").bytes
    bytes.replaceSubrange(change.offset..<change.offset + change.bytes.count, with: change.bytes)
    let directory = TestDirectory()
    var trial = Trial(path: try directory.write(bytes, as: "changed.realm"), usesSession: true, isThorough: true)
    try trial.read()
    guard trial.verdict == .clean else { return }
    for number in 0..<40 as Range<UInt64> {
      _ = try directory.write(bytes, as: "changed.realm")
      var random = SeededGenerator(test: number)
      do { try trial.write(&random) } catch let contradiction as Contradiction {
        Issue.record("\(change.what), seed \(testSeed), number \(number): \(contradiction.what)")
      }
    }
  }
}
