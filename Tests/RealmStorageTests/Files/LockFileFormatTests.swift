import Foundation
import TestSupport
import Testing

@testable import RealmStorage

@Suite(.mustEnd) struct LockFileFormatTests {
  let site = LockFileSite()

  @Test func layoutsHaveTheOffsetsOfTheOtherEngines() {
    let x86 = LockFileLayout.glibcX86
    #expect([x86.writeMutex, x86.controlMutex, x86.versionListMutex] == [48, 88, 128] as [Int])
    #expect([x86.newCommitAvailable, x86.pickNextWriter, x86.versionList, x86.firstSlot] == [312, 360, 432, 448] as [Int])
    #expect([x86.byteCount, x86.byteCount(entries: 64), x86.byteCount(entries: 96)] == [1728, 3008, 4288] as [Int])
    let arm = LockFileLayout.glibcARM
    #expect([arm.writeMutex, arm.controlMutex, arm.versionListMutex] == [48, 96, 144] as [Int])
    #expect([arm.newCommitAvailable, arm.pickNextWriter, arm.versionList, arm.firstSlot, arm.byteCount] == [336, 384, 456, 472, 1752] as [Int])
  }

  #if arch(x86_64)
    @Test func aFreshFileHasTheBytesOfTheOtherEngines() throws {
      let session = try site.join()
      defer { session.leave() }
      var expected = [UInt8](repeating: 0, count: 1728)
      func put(_ bytes: [UInt8], at offset: Int) { expected.replaceSubrange(offset..<offset + bytes.count, with: bytes) }
      put([0x01, 0x28, 0x30, 0x00, 0x18, 0x02, 0x0e, 0x00, 0, 0, 0, 0, 0x01], at: 0)
      put([0x01], at: 0x10)
      put([0x01], at: 0x20)
      put([0x01], at: 0x2C)
      for mutex in [48, 88, 128] { put([0x90], at: mutex + 16) }
      // The C library's count, which stays 1 once a mutex has been used.
      for used in [88, 128] { put([0x01], at: used + 4) }
      for condition in [312, 360] { put([0x01], at: condition + 36) }
      put([0x20], at: 0x1B0)
      put([0x01], at: 0x1C0)
      put([0x18], at: 0x1C8)
      #expect(try site.bytes() == expected)
    }
  #endif

  @Test func filesBesideTheDatabaseGetTheirNamesAndKinds() throws {
    let session = try site.join()
    defer { session.leave() }
    var status = stat()
    #expect(stat(site.path + ".management", &status) == 0 && status.st_mode & S_IFMT == S_IFDIR)
    #expect(stat(site.path + ".note", &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    #expect(stat(site.path, &status) != 0, "the data file is the business of `attach`")
    let paths = RealmPaths("/d/a.realm")
    #expect(paths.backup(version: 23) == "/d/a.v23.backup.realm")
    #expect(paths.unfinishedBackup(version: 9) == "/d/a.v9.backup.realm.part")
    #expect(RealmPaths("/d/a").backup(version: 23) == "/d/a.v23.backup.realm")
    #expect(paths.temporaryCompaction == "/d/a.realm.tmp_compaction_space")
  }

  @Test(.needsPython) func theIndependentToolReadsTheSameState() throws {
    let session = try site.join(version: 7, byteCount: 8192, topRef: Ref(4096))
    defer { session.leave() }
    let (live, frozen) = (try session.pin(.live), try session.pin(.frozen))
    try session.commit()
    let run = try IndependentTools.run("realm_lock", site.lockPath, "--json")
    #expect(run.status == 0)
    let fields = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(fields["latest_version"] as? Int == 8 && fields["number_of_versions"] as? Int == 2)
    #expect(fields["participants"] as? Int == 1 && fields["durability"] as? String == "full")
    #expect(fields["history_type"] as? String == "in-realm" && fields["history_schema"] as? Int == 1)
    #expect(fields["commit_in_critical_phase"] as? Int == 0 && fields["next_ticket"] as? Int == 0)
    for name in ["control_mutex", "version_list_mutex"] {
      let mutex = try #require(fields[name] as? [String: Any])
      #expect(mutex["state"] as? String == "unlocked" && mutex["kind"] as? Int == 0x90)
    }
    let slots = try #require(fields["slots"] as? [[String: Any]])
    #expect(slots.map { $0["version"] as? Int } == [7, 8] && fields["newest"] as? Int == 1)
    #expect(slots[0]["live"] as? Int == 1 && slots[0]["frozen"] as? Int == 1 && slots[0]["top_ref"] as? Int == 4096)
    session.unpin(live)
    session.unpin(frozen)
  }

  @Test func aKeyShowsTheInitiatorsProcess() throws {
    let session = try site.join(SessionOptions(hasKey: true))
    defer { session.leave() }
    #expect(try site.long(24) == UInt64(getpid()))
  }

  @Test func aFileOfADeadSessionIsFormattedAgain() throws {
    let child = try ChildProcess.agent("session", site.path, "join", "pin", "lock", "publish", "critical", "wait")
    #expect(try child.line() == "joined true 1")
    #expect(try child.line() == "pinned 1")
    #expect(try child.line() == "locked clean")
    #expect(try child.line() == "published 2")
    #expect(try child.line() == "critical")
    #expect(try child.line() == "waiting")
    child.killNow()
    let session = try site.join(version: 2, byteCount: 4096, topRef: Ref(64))
    defer { session.leave() }
    #expect(session.isInitiator && session.participantCount == 1 && session.newestVersion == 2)
    #expect(try session.listedSnapshots() == [ListedSnapshot(version: 2, byteCount: 4096, topRef: Ref(64))])
    #expect(try session.lockForWriting() == .clean)
    session.unlockAfterWriting()
  }

  @Test func aFileThatWasNeverCompletedIsFormatted() throws {
    for bytes in [[], [UInt8](repeating: 0, count: 1728), [0, 40, 48], [1]] as [[UInt8]] {
      try Data(bytes).write(to: URL(fileURLWithPath: site.lockPath))
      let session = try site.join()
      #expect(session.isInitiator && session.newestVersion == 1)
      session.leave()
    }
  }

  @Test(
    arguments: [
      (2, [13], nil, "Version mismatch: SharedInfo version is 13 but should be 14."),
      (1, [41], nil, "Architecture mismatch: Mutex size is 41 but should be"),
      (2, [49], nil, "Architecture mismatch: Condition variable size is 49 but should be 48."),
      (0, [1], 1000, "Architecture mismatch: SharedInfo size is 1000 but should be"),
    ] as [(Int, [UInt8], Int?, String)])
  func anotherKindOfLockFileIsRefused(_ edit: (offset: Int, bytes: [UInt8], size: Int?, reason: String)) throws {
    let session = try site.join()
    defer { session.leave() }
    let original = try site.bytes()
    defer { try? site.overwrite(original, at: 0) }
    try site.overwrite(edit.bytes, at: edit.reason.hasPrefix("Version") ? 6 : edit.offset)
    if let size = edit.size { truncate(site.lockPath, off_t(size)) }
    let error = #expect(throws: StorageError.self) { try site.join() }
    guard case .incompatibleLockFile(_, let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.hasPrefix(edit.reason))
    try site.overwrite(original, at: 0)
    let again = try site.join()
    #expect(!again.isInitiator && again.participantCount == 2)
    again.leave()
  }

  @Test func aControlMutexOfAnotherLibraryIsRefused() throws {
    let session = try site.join()
    let kind = try #require(LockFileLayout.native).controlMutex + 16
    try site.overwrite([0xFF, 0xFF, 0, 0], at: kind)
    #expect(
      throws: StorageError.incompatibleLockFile(
        path: site.path, reason: "Control mutex is invalid. This suggests that incompatible pthread libraries are in use.")
    ) { try site.join() }
    try site.overwrite([0x90, 0, 0, 0], at: kind)
    session.leave()
  }

  @Test func aJoinerWantsWhatTheSessionIs() throws {
    let session = try site.join()
    defer { session.leave() }
    func refusal(_ options: SessionOptions) -> StorageError? { #expect(throws: StorageError.self) { try site.join(options) } }
    #expect(
      refusal(SessionOptions(durability: .memoryOnly)) == .incompatibleSession(path: site.path, reason: "Durability not consistent"))
    #expect(
      refusal(SessionOptions(historyType: .syncClient)) == .incompatibleSession(path: site.path, reason: "History type not consistent"))
    #expect(
      refusal(SessionOptions(historySchema: 2))
        == .incompatibleSession(path: site.path, reason: "History schema version not consistent"))
    try site.overwrite([23], at: 4)
    #expect(
      refusal(SessionOptions())
        == .incompatibleLockFile(path: site.path, reason: "Version mismatch: File format version is 23 but should be 24."))
    #expect(session.participantCount == 1)
  }

  @Test func aVersionListLongerThanTheFileIsRefused() throws {
    let session = try site.join()
    let entries = try #require(LockFileLayout.native).versionList
    try site.overwrite([33, 0, 0, 0], at: entries)
    let joiner = try site.join()
    #expect(throws: StorageError.self) { try joiner.pin(.live) }
    #expect(throws: StorageError.self) { try joiner.purge() }
    #expect(throws: StorageError.self) { try joiner.listedSnapshots() }
    #expect(joiner.newestVersion == 0)
    try site.overwrite([32, 0, 0, 0], at: entries)
    #expect(joiner.newestVersion == 1)
    joiner.leave()
    session.leave()
  }

  @Test func whatAttachThrowsLeavesTheSessionAsItWas() throws {
    #expect(throws: StorageError.readOnly(path: "x")) {
      try Session.join(path: site.path, options: SessionOptions()) { _ throws(StorageError) in throw .readOnly(path: "x") }
    }
    let session = try site.join()
    #expect(session.isInitiator)
    #expect(throws: StorageError.readOnly(path: "x")) {
      try Session.join(path: site.path, options: SessionOptions()) { (isInitiator) throws(StorageError) in
        #expect(!isInitiator)
        throw .readOnly(path: "x")
      }
    }
    #expect(session.participantCount == 1)
    #expect(session.leave())
  }

  @Test func aMissingDirectoryAndANoteThatIsNoFIFOAreReported() throws {
    #expect(throws: StorageError.directoryNotFound(path: site.path + "/x/b.realm.lock")) {
      try Session.join(path: site.path + "/x/b.realm", options: SessionOptions()) { _ throws(StorageError) in
        AttachedFile(version: 1, logicalByteCount: 24, topRef: .null)
      }
    }
    try Data().write(to: URL(fileURLWithPath: site.path + ".note"))
    #expect(throws: StorageError.fileExists(path: site.path + ".note")) { try site.join() }
    let session = try site.join(SessionOptions(announcesCommits: false))
    #expect(session.note == nil)
    session.leave()
  }

  @Test func exclusiveAccessIsForThoseWhoAreAlone() throws {
    var runs = 0
    func tryIt() throws -> Bool { try Session.withExclusiveLock(path: site.path) { () throws(StorageError) in runs += 1 } }
    #expect(try tryIt() && runs == 1)
    let session = try site.join()
    #expect(try !tryIt() && runs == 1)
    session.leave()
    #expect(try tryIt() && runs == 2)
    #expect(FileManager.default.fileExists(atPath: site.lockPath))
  }
}
