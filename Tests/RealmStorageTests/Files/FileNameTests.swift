import Foundation
import TestSupport
import Testing

@testable import RealmStorage

/// One file that is reached by several names.
@Suite(.mustEnd) struct FileNameTests {
  let directory = TestDirectory()
  var path: String { directory.file("a.realm") }
  var other: String { directory.file("b.realm") }

  private func commit(_ database: Database, _ name: String) throws {
    let transaction = try database.beginWrite()
    let group = try transaction.openGroup()
    try group.addTable(name)
    try transaction.commit(group)
  }

  private func expectRefusal(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) {
    do {
      _ = try Database.open(path: name)
      Issue.record("opened", sourceLocation: sourceLocation)
    } catch {
      if case .incompatibleSession = error { return }
      Issue.record(error, sourceLocation: sourceLocation)
    }
  }

  @Test func aSymbolicLinkLeadsToTheLockFileOfItsFile() throws {
    let database = try Database.open(path: path)
    try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: "a.realm")
    let linked = try Database.open(path: other)
    #expect(linked.path == FileCalls.realPath(path))
    try commit(linked, "class_A")
    #expect(try database.read { (group) throws(StorageError) in try group.table(named: Array("class_A".utf8)) != nil })
    #expect(!FileManager.default.fileExists(atPath: other + ".lock"))
  }

  @Test func aLinkToAFileThatIsNotThereMakesThatFile() throws {
    try FileManager.default.createSymbolicLink(atPath: directory.file("c.realm"), withDestinationPath: "b.realm")
    try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: path)
    let database = try Database.open(path: directory.file("c.realm"))
    #expect(database.path == FileCalls.realPath(path))
    #expect(FileManager.default.fileExists(atPath: path + ".lock"))
    #expect(!FileManager.default.fileExists(atPath: other + ".lock"))
  }

  @Test func linksInACircleAreAnError() throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "b.realm")
    try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: "a.realm")
    #expect(throws: StorageError.self) { try Database.open(path: path) }
  }

  @Test func compactionThroughALinkKeepsTheLink() throws {
    try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: "a.realm")
    let database = try Database.open(path: other)
    try commit(database, "class_A")
    #expect(try database.compact())
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: other) == "a.realm")
    try commit(database, "class_B")
    #expect(try Database.open(path: path).read { (group) throws(StorageError) in try group.table(named: Array("class_B".utf8)) != nil })
  }

  @Test func theFilesOfALinkAreDeletedWhereTheyLie() throws {
    try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: "a.realm")
    _ = try Database.open(path: path)
    #expect(try Database.deleteFiles(path: other))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test(arguments: [false, true]) func aHardLinkIsRefusedWhileTheFileIsOpenByAnotherName(isEncrypted: Bool) throws {
    var options = DatabaseOptions()
    if isEncrypted { options.encryptionKey = try EncryptionKey(Array(repeating: 7, count: 64)) }
    func open(_ name: String) throws -> Database { try Database.open(path: name, options: options) }
    var database: Database? = try open(path)
    try FileManager.default.linkItem(atPath: path, toPath: other)
    #expect(throws: StorageError.self) { try open(other) }
    try commit(try #require(database), "class_A")
    // The same name can be opened as often as before.
    _ = try open(path)
    database = nil
    database = try open(other)
    #expect(throws: StorageError.self) { try open(path) }
    try commit(try #require(database), "class_B")
    database = nil
    #expect(try open(path).read { (group) throws(StorageError) in try group.tableKeys().count } == 2)
  }

  @Test func aFileWhoseLockFileWasDeletedIsRefusedWhileItIsInUse() throws {
    var database: Database? = try Database.open(path: path)
    try FileManager.default.removeItem(atPath: path + ".lock")
    expectRefusal(path)
    try commit(try #require(database), "class_A")
    database = nil
    _ = try Database.open(path: path)
  }

  @Test func aCompactedFileIsStillRefusedByAnotherName() throws {
    let database = try Database.open(path: path)
    try commit(database, "class_A")
    #expect(try database.compact())
    try FileManager.default.linkItem(atPath: path, toPath: other)
    expectRefusal(other)
    try commit(database, "class_B")
  }

  /// The lock file says of the file that is open where its newest version lies: in the other one lies something else there, or nothing.
  @Test(arguments: [false, true]) func aFilePutInThePlaceOfAnOpenOneIsRefusedUntilThatIsClosed(isCompacted: Bool) throws {
    var database: Database? = try Database.open(path: path)
    try commit(try #require(database), "class_A")
    try FileManager.default.copyItem(atPath: path, toPath: other)
    if isCompacted { #expect(try database?.compact() == true) }
    try commit(try #require(database), "class_B")
    try FileCalls.rename(other, to: path)
    expectRefusal(path)
    // Who only looks is told the same, at once: the others cannot change what is wrong by coming and going.
    do {
      _ = try Database.openForInspection(path: path)
      Issue.record("opened for inspection")
    } catch {
      if case .incompatibleSession = error {} else { Issue.record(error) }
    }
    try commit(try #require(database), "class_C")
    database = nil
    let restored = try Database.open(path: path)
    #expect(try restored.read { (group) throws(StorageError) in try group.tableKeys().count } == 1)
    try commit(restored, "class_D")
  }
}
