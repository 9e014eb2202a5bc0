import Foundation
import RealmSwift
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What opening throws: codes and texts of S4.1.
@Suite(.mustEnd) struct OpeningErrorTests {
  let directory = TestDirectory()

  private func failure(_ configuration: Realm.Configuration) -> Realm.Error? {
    do {
      _ = try Realm(configuration: configuration)
      return nil
    } catch { return error as? Realm.Error }
  }
  private func opening(_ url: URL, readOnly: Bool = false) -> Realm.Error? {
    failure(Realm.Configuration(fileURL: url, readOnly: readOnly, objectTypes: [Dog.self, Person.self, Address.self]))
  }

  @Test func aMissingDirectoryIsNamed() {
    let url = directory.url.appendingPathComponent("none/test.realm")
    let error = opening(url)
    #expect(error?.code == .fileNotFound)
    #expect(error?.localizedDescription == "Failed to open file at path '\(url.path).lock': parent directory does not exist")
    #expect(error?.userInfo["Error Name"] as? String == "FileNotFound")
  }

  @Test func aParentThatIsAFileIsNamed() {
    let error = opening(URL(fileURLWithPath: "/dev/null/foo"))
    #expect(error?.code == .fileOperationFailed)
    #expect(error?.localizedDescription == "Failed to open file at path '/dev/null/foo.lock': parent path is not a directory")
  }

  @Test func aDirectoryIsNoRealm() throws {
    let url = directory.fileURL("folder.realm")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    let error = opening(url)
    #expect(error?.code == .fileOperationFailed)
    #expect(error?.localizedDescription == "Failed to open Realm file at path '\(url.path)': Is a directory")
    #expect(error?.fileURL?.path == url.path)
  }

  @Test func readOnlyNeedsAFile() {
    let error = opening(directory.fileURL(), readOnly: true)
    #expect(error?.code == .fileNotFound)
    #expect(error?.localizedDescription == "Failed to open Realm file at path '\(directory.fileURL().path)': No such file or directory")
    #expect((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) == [])
  }

  @Test func oneByteIsTooSmall() throws {
    try Data([1]).write(to: directory.fileURL())
    let error = opening(directory.fileURL())
    #expect(error?.code == .invalidDatabase)
    #expect(
      error?.localizedDescription == "Failed to open Realm file at path '\(directory.fileURL().path)': "
        + "file is non-empty but too small (1 bytes) to be a valid Realm.")
  }

  @Test func anotherKindOfFileIsRefused() throws {
    try Data(repeating: 0x2e, count: 4096).write(to: directory.fileURL())
    let error = opening(directory.fileURL())
    #expect(error?.code == .invalidDatabase)
    #expect(
      error?.localizedDescription == "Failed to open Realm file at path '\(directory.fileURL().path)': header has invalid mnemonic. The file is "
        + "either not a Realm file, is an encrypted Realm file but no encryption key was supplied, or is corrupted. "
        + "top_ref[0]: 2E2E2E2E2E2E2E2E, top_ref[1]: 2E2E2E2E2E2E2E2E, mnemonic: 2E 2E 2E 2E, fmt[0]: 46, fmt[1]: 46, flags: 2E")
  }

  @Test(.endsProcesses) func anUnwritableDirectoryIsRefused() async {
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      chmod(path, 0o555)
      // The superuser may write anywhere.
      if geteuid() == 0 { #expect(seteuid(65534) == 0) }
      #expect {
        _ = try Realm(configuration: TestDirectory.configuration(in: path), queue: nil)
      } throws: { error in
        let error = error as? Realm.Error
        return error?.code == .filePermissionDenied
          && error?.localizedDescription == "Failed to open Realm file at path '\(path)/test.realm': Permission denied. Please use a path "
            + "where your app has read-write permissions."
      }
    }
  }

  @Test(.needsOlderFormats, arguments: ["too_old_v2", "too_old_v2_small"]) func tooOldFormatsAreRefused(_ name: String) throws {
    let url = try directory.copyURL("older/\(name).realm")
    let error = failure(Realm.Configuration(fileURL: url, objectTypes: [Dog.self, Person.self, Address.self]))
    #expect(error?.code == .unsupportedFileFormatVersion)
    #expect(error?.localizedDescription == "Database has an unsupported version (2) and cannot be upgraded")
  }

  @Test(.needsOlderFormats) func readOnlyForbidsUpgrades() throws {
    let error = opening(try directory.copyURL("older/v22.realm"), readOnly: true)
    #expect(error?.code == .fileFormatUpgradeRequired)
    #expect(error?.localizedDescription == "Database upgrade required but prohibited.")
  }

  @Test func keysAreChecked() {
    var configuration = directory.configuration()
    configuration.encryptionKey = Data(count: 63)
    #expect(failure(configuration)?.localizedDescription == "Encryption key must be exactly 64 bytes long")
    configuration.encryptionKey = Data(count: 64)
    configuration.inMemoryIdentifier = "keyed-" + UUID().uuidString
    #expect(failure(configuration)?.code == .fail)
    #expect(failure(configuration)?.localizedDescription == "Encryption is not supported for in-memory realms")
  }

  @Test func combinationsThatCannotBeAreRefused() {
    var configuration = directory.configuration()
    configuration.readOnly = true
    configuration.deleteRealmIfMigrationNeeded = true
    #expect(failure(configuration)?.localizedDescription == "Cannot set `deleteRealmIfMigrationNeeded` when `readOnly` is set.")
    configuration.deleteRealmIfMigrationNeeded = false
    configuration.shouldCompactOnLaunch = { _, _ in true }
    #expect(failure(configuration)?.localizedDescription == "Cannot set `shouldCompactOnLaunch` when `readOnly` is set.")
    configuration = directory.configuration()
    configuration.schemaVersion = .max
    #expect(failure(configuration)?.localizedDescription == "Cannot set schema version to 18446744073709551615, which stands for files without one")
    configuration = directory.configuration()
    configuration.fileURL = nil
    #expect(failure(configuration)?.localizedDescription == "A Realm Configuration must specify a path or an in-memory identifier.")
    configuration = directory.configuration()
    configuration.eventConfiguration = EventConfiguration()
    #expect(failure(configuration)?.code == .fail)
  }

  @Test func codesMatchAsPatterns() {
    do {
      _ = try Realm(fileURL: directory.url.appendingPathComponent("none/a.realm"))
      Issue.record("opened")
    } catch Realm.Error.fileNotFound {
    } catch { Issue.record("\(error)") }
  }
}
