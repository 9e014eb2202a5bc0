import Dispatch
import Foundation
import RealmSwift
import TestSupport
import Testing

@testable import RealmStorage

/// What the members of the API throw is a `Realm.Error`, and an `NSError` with all that belongs to it.
@Suite(.mustEnd) struct ThrownErrorTests {
  let directory = TestDirectory()

  /// Catches as most programs do.
  private func caught(_ body: () throws -> Void) -> NSError? {
    do { try body() } catch let error as NSError { return error }
    return nil
  }

  private func expect(
    _ code: Realm.Error.Code, name: String?, path: String? = nil, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
  ) throws {
    let caught = caught(body)
    let error = try #require(caught, sourceLocation: sourceLocation)
    #expect(error.domain == "io.realm" && error.code == code.rawValue, sourceLocation: sourceLocation)
    #expect((error as? Realm.Error)?.code == code, sourceLocation: sourceLocation)
    #expect(error.userInfo["Error Code"] as? Int == code.rawValue, sourceLocation: sourceLocation)
    #expect(error.userInfo["Error Name"] as? String == name, sourceLocation: sourceLocation)
    #expect(error.userInfo[NSLocalizedDescriptionKey] as? String == error.localizedDescription, sourceLocation: sourceLocation)
    if let path { #expect(error.userInfo[NSFilePathErrorKey] as? String == path, sourceLocation: sourceLocation) }
  }

  private func configuration(_ types: [ObjectBase.Type] = [NoteV1.self], _ change: (inout Realm.Configuration) -> Void = { _ in })
    -> Realm.Configuration
  {
    var configuration = directory.configuration(types)
    change(&configuration)
    return configuration
  }

  @Test func ofOpening() throws {
    let path = directory.fileURL().path
    var elsewhere = configuration()
    elsewhere.fileURL = directory.url.appendingPathComponent("none/a.realm")
    try expect(.fileNotFound, name: "FileNotFound", path: elsewhere.fileURL!.path + ".lock") { _ = try Realm(configuration: elsewhere) }
    try expect(.fileNotFound, name: "FileNotFound", path: path) { _ = try Realm(configuration: configuration { $0.readOnly = true }) }
    try expect(.fail, name: "InvalidEncryptionKey") { _ = try Realm(configuration: configuration { $0.encryptionKey = Data(count: 3) }) }
    try expect(.fail, name: nil) { _ = try Realm(configuration: configuration(), queue: DispatchQueue(label: "another")) }
    try Data([1, 2, 3]).write(to: directory.fileURL())
    try expect(.invalidDatabase, name: "InvalidDatabase", path: path) { _ = try Realm(configuration: configuration()) }
    try expect(.invalidDatabase, name: "InvalidDatabase", path: path) { _ = try Realm(fileURL: directory.fileURL()) }
    try expect(.invalidDatabase, name: "InvalidDatabase", path: path) { _ = try schemaVersionAtURL(directory.fileURL()) }
    try expect(.invalidDatabase, name: "InvalidDatabase", path: path) { try Realm.performMigration(for: configuration()) }
  }

  @Test func ofTransactionsThatCannotBegin() throws {
    let realm = try Realm(configuration: configuration())
    let lockFile = try FileHandle(forUpdating: directory.fileURL("test.realm.lock"))
    func sayThatACommitHasDied(_ flag: UInt8) throws {
      try lockFile.seek(toOffset: UInt64(LockFileLayout.Fixed.commitInCriticalPhase))
      try lockFile.write(contentsOf: [flag])
    }
    try sayThatACommitHasDied(1)
    try expect(.incompatibleSession, name: "IncompatibleSession", path: realm.configuration.fileURL?.path) { try realm.write {} }
    #expect(!realm.isInWriteTransaction)
    try sayThatACommitHasDied(0)
    try realm.write { realm.create(NoteV1.self) }
    #expect(realm.objects(NoteV1.self).count == 1)
  }

  @Test func ofCopiesOfADamagedFileNameThatFile() throws {
    let realm = try Realm(configuration: configuration())
    try realm.write { realm.create(NoteV1.self) }
    let file = try FileHandle(forUpdating: directory.fileURL())
    try file.seek(toOffset: 24)
    try file.write(contentsOf: Data(count: try directory.byteCount() - 24))
    try expect(.invalidDatabase, name: "InvalidDatabase", path: realm.configuration.fileURL?.path) {
      try realm.writeCopy(toFile: directory.fileURL("copy.realm"))
    }
    #expect(!FileManager.default.fileExists(atPath: directory.file("copy.realm")))
  }

  @Test func ofSchemas() throws {
    do { try Realm(configuration: configuration { $0.schemaVersion = 2 }).write {} }
    try expect(.schemaMismatch, name: "SchemaMismatch") { _ = try Realm(configuration: configuration([NoteV2.self]) { $0.schemaVersion = 2 }) }
    try expect(.fail, name: "InvalidSchemaVersion") { _ = try Realm(configuration: configuration { $0.schemaVersion = 1 }) }
    try expect(.fail, name: "InvalidSchemaVersion") {
      _ = try Realm(
        configuration: configuration {
          $0.readOnly = true
          $0.schemaVersion = 3
        })
    }
    try expect(.fail, name: "InvalidSchemaChange") {
      _ = try Realm(
        configuration: configuration([NoteV2.self]) {
          $0.readOnly = true
          $0.schemaVersion = 2
        })
    }
  }

  @Test func ofFilesThatAreOpen() throws {
    let realm = try Realm(configuration: configuration())
    let path = directory.fileURL().path
    try expect(.fail, name: "MismatchedConfig", path: path) { _ = try Realm(configuration: configuration { $0.encryptionKey = Data(count: 64) }) }
    try expect(.alreadyOpen, name: "DeleteOnOpenRealm", path: path) { try Realm.deleteFiles(for: configuration()) }
    try expect(.fileExists, name: "FileAlreadyExists", path: path) { try realm.writeCopy(toFile: directory.fileURL()) }
    try expect(.fail, name: "WrongTransactionState") { try realm.commitWrite() }
    try expect(.fail, name: "WrongTransactionState") { try realm.freeze().releaseUnusedSpace() }
    realm.beginWrite()
    try expect(.fail, name: "WrongTransactionState") { try realm.releaseUnusedSpace() }
    realm.cancelWrite()
    try expect(.fail, name: nil) { _ = try Realm.pinnedVersions(for: configuration { $0.fileURL = nil }) }
    try expect(.fail, name: nil) { _ = try Realm.deleteFiles(for: configuration { $0.fileURL = nil }) }
  }

  @Test func ofValues() throws {
    try expect(.invalidInput, name: nil) { _ = try ObjectId(string: "z") }
  }

  @Test func ofUserCodePassUnchanged() throws {
    struct Mine: Error { let number: Int }
    let realm = try Realm(configuration: configuration())
    #expect { try realm.write { throw Mine(number: 7) } } throws: { ($0 as? Mine)?.number == 7 }
    let own = Realm.Error(.fileAccess)
    #expect { try realm.write { throw own } } throws: { $0 as NSError === own }
    let cocoa = NSError(domain: "mine", code: 3)
    #expect { try realm.write { throw cocoa } } throws: { $0 as NSError === cocoa }
    #expect(!realm.isInWriteTransaction)
  }

  @MainActor @Test func ofAsynchronousWork() async throws {
    var missing = configuration()
    missing.fileURL = directory.url.appendingPathComponent("none/a.realm")
    do { _ = try await Realm(configuration: missing) } catch let error as NSError { #expect(error.domain == "io.realm" && error.code == 5) }
    do { _ = try await Realm(configuration: missing, actor: MainActor.shared) } catch let error as NSError { #expect(error.code == 5) }
    do { _ = try await Realm.open(configuration: missing) } catch let error as NSError { #expect(error.code == 5) }
    let opened: NSError? = await withCheckedContinuation { continuation in
      Realm.asyncOpen(configuration: missing) { result in
        do {
          _ = try result.get()
          continuation.resume(returning: nil)
        } catch let error as NSError { continuation.resume(returning: error) }
      }
    }
    #expect(opened?.code == 5)
    struct Mine: Error {}
    let realm = try await Realm(configuration: configuration())
    await #expect(throws: Mine.self) { try await realm.asyncWrite { throw Mine() } }
    let task = Task { @MainActor in try await realm.asyncWrite {} }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func ofLoadingOnAThread() async throws {
    let directory = directory
    do { try await loadHere(directory) } catch let error as NSError {
      #expect(error.localizedDescription == "load() can only be called on main thread or actor-isolated Realms")
    }
  }
}

private func open(_ directory: TestDirectory) throws -> Realm { try Realm(configuration: directory.configuration([NoteV1.self])) }

private func loadHere(_ directory: TestDirectory) async throws {
  let results = try open(directory).objects(NoteV1.self)
  try await results.load()
}
