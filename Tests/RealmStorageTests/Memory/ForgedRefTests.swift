import TestSupport
import Testing

@testable import RealmStorage

/// Refs of damaged files that happen to name memory of the running transaction.
@Suite(.mustEnd) struct ForgedRefTests {
  @Test func onlyNodesOfTheTransactionCanBeFreed() throws {
    let directory = TestDirectory()
    let database = try Database.open(path: directory.file())
    let transaction = try database.beginWrite()
    defer { transaction.cancel() }
    let scratch = transaction.scratch
    let node = try scratch.createIntegers(count: 100, value: 1 << 40)
    for offset in [8, 16, 4, 1 << 20, 1 << 30] as [UInt64] {
      #expect(throws: StorageError.self, "\(offset)") { try scratch.free(Ref(node.byteOffset + offset)) }
    }
    let zeros = try scratch.createIntegers(count: 100, widthIndex: 7)
    for offset in stride(from: 8, to: 800, by: 8) as StrideTo<UInt64> {
      #expect(throws: StorageError.self, "\(offset)") { try scratch.free(Ref(zeros.byteOffset + offset)) }
    }
    try scratch.free(zeros)
    try scratch.free(node)
  }
}
