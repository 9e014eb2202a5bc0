import Foundation
import RealmSwift
import TestSupport
import Testing

/// Seeds that are of no use.
@Suite(.mustEnd) struct SeedTests {
  let directory = TestDirectory()

  private func seed(key: Data? = nil) throws -> URL {
    let url = directory.fileURL("seed.realm")
    var configuration = Realm.Configuration(fileURL: url, encryptionKey: key, objectTypes: [Extra.self])
    configuration.encryptionKey = key
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write { for _ in 0..<1000 { realm.add(Extra(value: ["text": "some text"])) } }
    }
    return url
  }

  private func expectNothing(_ seed: URL, _ code: Realm.Error.Code, sourceLocation: SourceLocation = #_sourceLocation) throws {
    for isReadOnly in [false, true] {
      var configuration = directory.configuration([Extra.self])
      configuration.fileURL = directory.fileURL("new-\(isReadOnly).realm")
      configuration.seedFilePath = seed
      configuration.readOnly = isReadOnly
      do {
        _ = try Realm(configuration: configuration)
        Issue.record("opened", sourceLocation: sourceLocation)
      } catch let error as NSError { #expect((error as? Realm.Error)?.code == code, sourceLocation: sourceLocation) }
      #expect(!FileManager.default.fileExists(atPath: configuration.fileURL!.path), sourceLocation: sourceLocation)
    }
  }

  private func left() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.hasPrefix("new") }
  }

  @Test func oneThatIsNoRealmLeavesNothing() throws {
    let url = directory.fileURL("seed.realm")
    try Data(repeating: 7, count: 5000).write(to: url)
    try expectNothing(url, .invalidDatabase)
    #expect(try left() == [])
    try expectNothing(directory.fileURL("missing.realm"), .fileNotFound)
    #expect(try left() == [])
  }

  @Test func oneThatIsCutLeavesNothing() throws {
    let url = try seed()
    let bytes = try Data(contentsOf: url)
    try bytes.prefix(bytes.count / 2).write(to: url)
    try expectNothing(url, .invalidDatabase)
    #expect(try left() == [])
  }

  @Test func oneWithAnotherKeyLeavesNothing() throws {
    try expectNothing(seed(key: Data(repeating: 1, count: 64)), .invalidDatabase)
    #expect(try left() == [])
  }

  /// The damage is only found when the classes are looked for.
  @Test func oneThatIsDamagedInsideLeavesNothing() throws {
    let url = try seed()
    var bytes = try Data(contentsOf: url)
    // The top array stays, everything else but it and the header goes.
    let top = bytes.withUnsafeBytes { $0.load(fromByteOffset: $0[23] & 1 == 0 ? 0 : 8, as: UInt64.self) }
    for index in 24..<bytes.count where index < Int(top) || index >= Int(top) + 8 + 256 { bytes[index] = 0 }
    try bytes.write(to: url)
    try expectNothing(url, .invalidDatabase)
    var configuration = directory.configuration([Extra.self])
    configuration.seedFilePath = url
    do { _ = try Realm(configuration: configuration) } catch { #expect(error.localizedDescription.contains(url.path)) }
  }

  @Test func aSoundSeedIsUsedAfterADamagedOne() throws {
    let url = directory.fileURL("damaged.realm")
    try Data(repeating: 7, count: 5000).write(to: url)
    var configuration = directory.configuration([Extra.self])
    configuration.seedFilePath = url
    #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
    configuration.seedFilePath = try seed()
    #expect(try Realm(configuration: configuration).objects(Extra.self).count == 1000)
  }
}
