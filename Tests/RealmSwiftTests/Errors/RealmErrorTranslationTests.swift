import Foundation
import RealmStorage
import Testing

@testable import RealmSwift

private func translated(_ error: StorageError) -> Realm.Error { Realm.Error(error, path: "/d/default.realm") }

private func expect(
  _ error: StorageError, _ code: Realm.Error.Code, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  let result = translated(error)
  #expect(result.code == code, sourceLocation: sourceLocation)
  #expect(result.localizedDescription == text, sourceLocation: sourceLocation)
}

@Test func failuresOfTheSystemHaveTheDocumentedTexts() {
  expect(.fileNotFound(path: "/a"), .fileNotFound, "Failed to open Realm file at path '/a': No such file or directory")
  expect(
    .directoryNotFound(path: "/no/where/a.lock"), .fileNotFound,
    "Failed to open file at path '/no/where/a.lock': parent directory does not exist")
  expect(
    .directoryNotFound(path: "/dev/null/foo.lock"), .fileOperationFailed,
    "Failed to open file at path '/dev/null/foo.lock': parent path is not a directory")
  expect(
    .io(operation: "open", path: "/tmp", code: EISDIR), .fileOperationFailed, "Failed to open Realm file at path '/tmp': Is a directory")
  expect(.io(operation: "fdatasync", path: "/a", code: EIO), .fileOperationFailed, "fdatasync() failed: Input/output error")
  expect(
    .permissionDenied(path: "/a", writing: true), .filePermissionDenied,
    "Failed to open Realm file at path '/a': Permission denied. Please use a path where your app has read-write permissions.")
  expect(.fileExists(path: "/a"), .fileExists, "Failed to open file at path '/a': File exists")
  expect(
    .outOfDiskSpace(operation: "posix_fallocate()", path: "/a"), .outOfDiskSpace,
    "posix_fallocate() failed: No space left on device")
}

@Test func faultsOfTheFileHaveTheDocumentedTexts() {
  expect(
    .invalidDatabase(path: "/a", reason: "file is non-empty but too small (1 bytes) to be a valid Realm."), .invalidDatabase,
    "Failed to open Realm file at path '/a': file is non-empty but too small (1 bytes) to be a valid Realm.")
  expect(
    .unsupportedVersion(path: "/a", version: 99), .unsupportedFileFormatVersion,
    "Database has an unsupported version (99) and cannot be upgraded")
  expect(.formatUpgradeRequired(path: "/a", version: 23), .fileFormatUpgradeRequired, "Database upgrade required but prohibited.")
  expect(.incompatibleHistory(path: "/a", reason: "why"), .incompatibleHistories, "why")
  expect(.corruptNode(ref: Ref(64), reason: "why"), .invalidDatabase, "The Realm file is damaged at 0x40: why")
}

@Test func otherParticipantsAndStatesHaveTheDocumentedTexts() {
  expect(.incompatibleSession(path: "/a", reason: "Durability not consistent"), .incompatibleSession, "Durability not consistent")
  expect(
    .tooManyVersions(count: 3, limit: 2), .fail, "Number of active versions (3) in the Realm exceeded the limit of 2")
  let lockFile = translated(.incompatibleLockFile(path: "/a", reason: "the detail")).localizedDescription
  #expect(lockFile.hasPrefix("Realm file '/a' is currently open in another process which cannot share access with this process."))
  #expect(lockFile.hasSuffix("64-bit simulator. Underlying problem: the detail"))
}

@Test func textsNameClassesAndNotTheirTables() {
  let table = "class_Person"
  for error in [
    StorageError.noSuchTable(name: table), .noSuchColumn(table: table, name: "age"), .duplicatePrimaryKey(table: table), .duplicateName(name: table),
  ] {
    let text = ErrorBorder.text(of: error, path: "/a")
    #expect(text.contains("Person") && !text.contains("class_"), "\(text)")
  }
  #expect(!translated(.duplicatePrimaryKey(table: table)).localizedDescription.contains("class_"))
}

@Test func translatedErrorsNameTheFileAndTheEngineError() {
  let known = translated(.fileNotFound(path: "/a/b"))
  #expect(known.fileURL?.path == "/a/b" && known.userInfo["Error Name"] as? String == "FileNotFound")
  #expect(translated(.corruptNode(ref: Ref(8), reason: "x")).fileURL?.path == "/d/default.realm")
  for unplaced in [StorageError.outOfDiskSpace(operation: "write()", path: ""), .io(operation: "pthread_create", path: "", code: EAGAIN)] {
    #expect(translated(unplaced).fileURL?.path == "/d/default.realm")
  }
  let unread = translated(.invalidDatabase(path: "", reason: "why"))
  #expect(unread.fileURL?.path == "/d/default.realm")
  #expect(unread.localizedDescription == "Failed to open Realm file at path '/d/default.realm': why")
}
