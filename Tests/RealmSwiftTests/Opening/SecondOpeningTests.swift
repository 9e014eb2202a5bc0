import Foundation
import RealmStorage
import TestSupport
import Testing

@testable import RealmSwift

/// Openings of a file that is open, and such as change nothing.
@Suite(.mustEnd) struct SecondOpeningTests {
  let directory = TestDirectory()

  /// Realms in memory have names that are never used again, as those have that search unmanaged lists.
  @Test func pathsThatNobodyUsesAreForgotten() throws {
    let realm = try Realm(configuration: directory.configuration([Extra.self]))
    for _ in 0..<2000 { #expect(!OpenFiles.isOpen(directory.file(UUID().uuidString))) }
    #expect(OpenFiles.count < 1500)
    #expect(try Realm(configuration: directory.configuration([Extra.self])) == realm)
  }

  @Test func aHookThatDeclinesCommitsNothing() throws {
    var configuration = directory.configuration([Extra.self])
    do {
      let realm = try Realm(configuration: configuration)
      try realm.write { realm.add(Extra()) }
    }
    let before = try Data(contentsOf: directory.fileURL())
    configuration.shouldCompactOnLaunch = { total, used in
      #expect(used > 0 && used < total)
      return false
    }
    for _ in 0..<3 {
      let realm = try Realm(configuration: configuration)
      #expect(realm.objects(Extra.self).count == 1)
    }
    #expect(try Data(contentsOf: directory.fileURL()) == before)
  }

  @Test(.endsProcesses) func otherClassesAreTold() async {
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      let lines = Lines()
      Logger.shared = Logger(level: .warn) { _, line in lines.all.withLock { $0.append(line) } }
      let realm = try Realm(configuration: TestDirectory.configuration(in: path, [Extra.self]), queue: nil)
      for _ in 0..<2 {
        let again = try Realm(configuration: TestDirectory.configuration(in: path, [Extra.self, NoteV1.self]), queue: nil)
        #expect(again == realm && again.schema.objectSchema.map(\.className) == ["Extra"])
      }
      let seen = lines.all.withLock { $0 }
      #expect(seen.count == 1 && seen.first?.hasSuffix("Not available: Note") == true, "\(seen)")
      // Less than what is there is nothing to speak of.
      _ = try Realm(configuration: TestDirectory.configuration(in: path, [Extra.self]), queue: nil)
      #expect(lines.all.withLock { $0.count } == 1)
    }
  }
}

private final class Lines: Sendable { let all = Locked<[String]>([]) }
