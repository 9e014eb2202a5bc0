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

  /// Of several processes that start with new classes, one makes the file anew and commits before another comes to delete the old one.
  @Test(arguments: [nil, Data(TestKey.bytes())]) func whatAnotherProcessHasMadeMeanwhileIsNotDeleted(_ key: Data?) throws {
    func configuration(_ types: [ObjectBase.Type], _ name: String) -> Realm.Configuration {
      Realm.Configuration(fileURL: directory.fileURL(name), encryptionKey: key, deleteRealmIfMigrationNeeded: true, objectTypes: types)
    }
    for (type, name) in [(NoteV1.self, "test.realm"), (NoteV2.self, "new.realm")] as [(Object.Type, String)] {
      try autoreleasepool {
        let realm = try Realm(configuration: configuration([type], name))
        try realm.write { _ = realm.dynamicCreate("Note", value: ["title": name]) }
      }
    }
    let wanted = configuration([NoteV2.self], "test.realm")
    let (path, options) = (directory.file(), try wanted.databaseOptions())
    let old = try Database.open(path: path, options: options)
    try FileCalls.rename(directory.file("new.realm"), to: path)
    let file = try SchemaInitialisation(wanted, wanted.customSchema!, path: path).run(old) { try Database.open(path: path, options: options) }
    let snapshot = try file.database.snapshot()
    #expect(try snapshot.openGroup().table(named: "class_Note")?.count() == 1)
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
