import Foundation
import RealmStorage
import RealmSwift
import TestSupport
import Testing

/// In processes of their own, as the logger is shared.
@Suite(.mustEnd) struct LogTests {
  let directory = TestDirectory()

  @Test(.endsProcesses) func aLogThatCannotBeWrittenEndsNoProgram() async {
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      let full = open("/dev/full", O_WRONLY)
      guard full >= 0, dup2(full, STDERR_FILENO) == STDERR_FILENO else { return }
      Logger.shared.level = .all
      _ = try Realm(configuration: TestDirectory.configuration(in: path, [NoteV1.self]), queue: nil)
    }
  }

  @Test(.endsProcesses) func whatAProgramPrintsGoesIntoNoFileWhenItWasStartedWithoutStandardStreams() async {
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      let configuration = TestDirectory.configuration(in: path, [NoteV1.self])
      for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] { close(stream) }
      let realm = try Realm(configuration: configuration, queue: nil)
      for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
        var status = stat()
        let isFile = fstat(stream, &status) == 0 && [S_IFREG, S_IFIFO].contains(status.st_mode & S_IFMT)
        if isFile { exit(1) }
        _ = write(stream, "what a program prints\n", 22)
      }
      try realm.write { realm.add(NoteV1(value: ["title": "x"])) }
    }
  }

  @Test(.endsProcesses) func onlyTheTokenOfARealmIsToBeHeldOnTo() async {
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      let lines = Locked<[String]>([])
      Logger.shared = Logger(level: .warn) { _, text in lines.withLock { $0.append(text) } }
      let queue = DispatchQueue(label: "observing")
      try queue.sync {
        let realm = try Realm(configuration: TestDirectory.configuration(in: path, [NoteV1.self]), queue: queue)
        let note = try realm.write { realm.create(NoteV1.self, value: ["title": "x"]) }
        _ = realm.objects(NoteV1.self).observe { _ in }
        _ = note.observe { (_: ObjectChange<NoteV1>) in }
        try #require(lines.withLock { $0 } == [])
        _ = realm.observe { _, _ in }
      }
      try #require(lines.withLock { $0.count } == 1)
      try #require(lines.withLock { $0[0] }.contains("NotificationToken released without unregistering a notification"))
    }
  }

  @Test(.endsProcesses) func openingCompactingAndMigratingAreReported() async {
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      let lines = Locked<[(LogLevel, String)]>([])
      Logger.shared = Logger(level: .all) { level, text in lines.withLock { $0.append((level, text)) } }
      func seen(_ level: LogLevel, _ pattern: String) -> Bool {
        lines.withLock { lines in
          lines.contains { line in line.0 == level && line.1.range(of: pattern, options: .regularExpression) != nil }
        }
      }
      var configuration = TestDirectory.configuration(in: path, [NoteV1.self])
      do {
        let realm = try Realm(configuration: configuration, queue: nil)
        try realm.write { for _ in 0..<3000 { realm.add(NoteV1(value: ["title": String(repeating: "x", count: 100)])) } }
        try realm.write { realm.deleteAll() }
      }
      #expect(seen(.detail, "^DB: [0-9]+ Thread [0-9]+: Open file: .*/test.realm$"))
      #expect(seen(.trace, "^DB: "))
      #expect(seen(.debug, "^Creating schema version 0 in mode 'Automatic'$"))
      #expect(seen(.debug, "^Migration did run in [0-9]+ us \\([0-9]+ changes\\)$"))
      configuration = TestDirectory.configuration(in: path, [NoteV2.self])
      configuration.schemaVersion = 3
      configuration.shouldCompactOnLaunch = { _, _ in true }
      configuration.migrationBlock = { _, _ in }
      do { _ = try Realm(configuration: configuration, queue: nil) }
      #expect(seen(.info, "^DB: [0-9]+ Thread [0-9]+: DB compacted from: [0-9]+ to [0-9]+ in [0-9]+ us$"))
      #expect(seen(.debug, "^Migrating from schema version 0 to 3 in mode 'Automatic'$"))
      #expect(seen(.debug, "^Calling migration function$"))
      let count = lines.withLock { $0.count }
      Logger.shared.level = .off
      do { _ = try Realm(configuration: configuration, queue: nil) }
      #expect(lines.withLock { $0.count } == count)
    }
  }
}
