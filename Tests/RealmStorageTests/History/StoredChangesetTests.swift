import Testing

@testable import RealmStorage

@Suite struct StoredChangesetTests {
  /// Whatever a damaged file holds is taken apart or refused.
  @Test func everyBeginningIsReadOrRefused() throws {
    for first in UInt8.min ... .max {
      for count in 0..<12 {
        let stored = [first] + [UInt8](repeating: 0, count: count)
        let changeset = try? StoredChangeset(stored)
        let width = Int(first & 0xF)
        if first >> 4 > 2 || width > 8 || width > count { #expect(changeset == nil, "\(stored)") }
        if let changeset { #expect(changeset.data.count == count - width, "\(stored)") }
      }
    }
  }

  @Test func aSizeOfNoBytesIsThatOfNothing() throws {
    #expect(try StoredChangeset([0]).byteCount == 0)
    #expect(try StoredChangeset([0]).data.isEmpty)
    #expect(throws: StorageError.self) { try StoredChangeset([0, 1]) }
  }
}
