import Foundation
import RealmStorage
import RealmSwift
import TestSupport
import Testing

/// Giving space back while the realm is open.
@Suite(.mustEnd) struct SpaceTests {
  let directory = TestDirectory()

  /// A file of which most is free, but not so much that it shrinks by itself.
  private func makeHoled(_ configuration: Realm.Configuration) throws {
    try otherThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { for index in 0..<400 { realm.add(Extra(value: ["text": String(repeating: "\(index % 10)", count: 4000)])) } }
      try realm.write { realm.delete(realm.objects(Extra.self).filter { $0.text < "5" }) }
    }
  }

  @Test func releasingUnusedSpaceMakesTheFileShorterAndChangesNothing() throws {
    let configuration = directory.configuration([Extra.self])
    try makeHoled(configuration)
    let realm = try Realm(configuration: configuration)
    let results = realm.objects(Extra.self)
    let first = try #require(results.first)
    let texts = Array(results.map(\.text))
    let before = try directory.byteCount("test.realm")
    let released = try realm.releaseUnusedSpace()
    let after = try directory.byteCount("test.realm")
    #expect(released == before - after && released > before / 3)
    // Nothing was invalidated.
    #expect(Array(results.map(\.text)) == texts && first.text == texts[0])
    #expect(try realm.releaseUnusedSpace() == 0)
    #expect(try directory.byteCount("test.realm") == after)
  }

  /// The end of an encrypted file is cut off by the next session.
  @Test func anEncryptedFileIsShorterWhenItIsOpenedAgain() throws {
    var configuration = directory.configuration([Extra.self])
    configuration.encryptionKey = Data((0..<64).map { UInt8($0) })
    try makeHoled(configuration)
    let before = try directory.byteCount("test.realm")
    _ = try otherThread { [configuration] in try Realm(configuration: configuration).releaseUnusedSpace() }
    let realm = try Realm(configuration: configuration)
    #expect(realm.objects(Extra.self).count == 200)
    #expect(try directory.byteCount("test.realm") < before * 2 / 3)
  }

  @Test func aRealmInMemoryCanReleaseItsSpaceToo() throws {
    let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "space-\(UUID())", objectTypes: [Extra.self]))
    try realm.write { for _ in 0..<400 { realm.add(Extra(value: ["text": String(repeating: "x", count: 4000)])) } }
    try realm.write { realm.delete(realm.objects(Extra.self)) }
    #expect(try realm.releaseUnusedSpace() > 1_000_000)
    #expect(realm.objects(Extra.self).isEmpty)
  }

  @Test func whatAnOlderVersionNeedsStays() throws {
    let configuration = directory.configuration([Extra.self])
    try makeHoled(configuration)
    let realm = try Realm(configuration: configuration)
    let frozen = realm.objects(Extra.self).freeze()
    let texts = Array(frozen.map(\.text))
    try realm.write { realm.delete(realm.objects(Extra.self)) }
    try realm.releaseUnusedSpace()
    #expect(Array(frozen.map(\.text)) == texts)
    #expect(try directory.byteCount("test.realm") > 200 * 4000)
  }

  @Test func aRealmThatWaitsForItsAsynchronousWriteDoesNotWaitForItself() async throws {
    let configuration = directory.configuration([Extra.self])
    try makeHoled(configuration)
    let queue = DispatchQueue(label: "org.example.space")
    let hasWritten: Bool = await withCheckedContinuation { continuation in
      queue.async {
        let realm = try! Realm(configuration: configuration, queue: queue)
        realm.writeAsync({ realm.add(Extra(value: ["text": "last"])) }) { error in
          continuation.resume(returning: error == nil && realm.objects(Extra.self).contains { $0.text == "last" })
        }
        // Time for the write to get its turn; whether it did or not, the call must not wait for it.
        letPass(milliseconds: 20)
        #expect(throws: Never.self) { try realm.releaseUnusedSpace() }
      }
    }
    #expect(hasWritten)
  }

  @Test func itIsRefusedWhereNothingMayBeWritten() throws {
    let configuration = directory.configuration([Extra.self])
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.add(Extra()) }
    #expect(throws: Realm.Error.self) { try realm.freeze().releaseUnusedSpace() }
    realm.beginWrite()
    #expect(throws: Realm.Error.self) { try realm.releaseUnusedSpace() }
    realm.cancelWrite()
    #expect(throws: Never.self) { try realm.releaseUnusedSpace() }
  }
}
