import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmStorage

@Suite(.mustEnd) struct LockFileProcessTests {
  let site = LockFileSite()

  /// A child that has done `steps` and waits.
  private func waitingChild(_ steps: [String], answers: [String]) throws -> ChildProcess {
    let child = try ChildProcess.agent(["session", site.path, "join"] + steps + ["wait", "leave"])
    _ = try child.line()
    for answer in answers { #expect(try child.line() == answer) }
    #expect(try child.line() == "waiting")
    return child
  }

  @Test func anotherProcessJoinsReadsAndLeaves() throws {
    let session = try site.join()
    let child = try ChildProcess.agent("session", site.path, "join", "pin", "wait", "pin", "leave")
    #expect(try child.line() == "joined false 2")
    #expect(try child.line() == "pinned 1")
    #expect(try child.line() == "waiting")
    for _ in 0..<40 { try session.commit() }
    #expect(try session.listedSnapshots().map(\.version) == [1, 40, 41])
    child.say()
    #expect(try child.line() == "pinned 41")
    #expect(try child.line() == "leave")
    #expect(try child.waitForEnd() == 0)
    #expect(session.participantCount == 1)
    try session.commit()
    #expect(try session.listedSnapshots().map(\.version) == [41, 42])
    session.leave()
  }

  @Test func aWriterOfAnotherProcessExcludesOurs() throws {
    let session = try site.join()
    let child = try waitingChild(["lock"], answers: ["locked clean"])
    #expect(try session.tryLockForWriting() == nil)
    child.say()
    #expect(try child.line() == "leave")
    #expect(try session.lockForWriting() == .clean)
    session.leave()
  }

  @Test(arguments: [true, false]) func aKilledWriterLeavesTheMutexToTheNext(_ tries: Bool) throws {
    let session = try site.join()
    let child = try waitingChild(["pin", "lock"], answers: ["pinned 1", "locked clean"])
    child.killNow()
    let grant = tries ? try session.tryLockForWriting() : try session.lockForWriting()
    #expect(grant == .afterDeadOwner)
    try session.publishNext()
    session.unlockAfterWriting()
    #expect(try session.lockForWriting() == .clean)
    session.leave()
  }

  @Test func aKilledHolderWakesAWaitingWriter() throws {
    let session = try site.join()
    let child = try waitingChild(["lock"], answers: ["locked clean"])
    let waiter = try ChildProcess.agent("session", site.path, "join", "lock", "publish", "unlock", "leave")
    #expect(try waiter.line() == "joined false 3")
    let mutex = try #require(LockFileLayout.native).writeMutex
    #expect(try waitUntil { try site.word(mutex) & 0x8000_0000 != 0 })
    child.killNow()
    #expect(try waiter.line() == "locked dead")
    #expect(try waiter.line() == "published 2")
    #expect(try waiter.waitForEnd() == 0)
    #expect(session.newestVersion == 2)
    session.leave()
  }

  /// As when the waiter that was to be woken is killed after somebody else got the mutex: nothing says any more that others wait.
  @Test func aWriterWhoseWakeUpWasLostGetsTheMutexAnyway() throws {
    let session = try site.join()
    try session.lockForWriting()
    let waiter = try ChildProcess.agent("session", site.path, "join", "lock", "publish", "unlock", "leave")
    #expect(try waiter.line() == "joined false 2")
    let mutex = try #require(LockFileLayout.native).writeMutex
    #expect(try waitUntil { try site.word(mutex) & 0x8000_0000 != 0 })
    let owner = try site.word(mutex) & 0x3FFF_FFFF
    try site.overwrite((0..<4).map { UInt8(truncatingIfNeeded: owner >> (8 * $0)) }, at: mutex)
    session.unlockAfterWriting()
    #expect(try waiter.line(within: 20) == "locked clean")
    #expect(try waiter.line() == "published 2")
    #expect(try waiter.waitForEnd() == 0)
    session.leave()
  }

  @Test func aProcessKilledUnderTheControlMutexHangsNobody() throws {
    let session = try site.join()
    let child = try ChildProcess.agent("session", site.path, "join", "control-die")
    #expect(try child.line() == "joined false 2")
    #expect(try child.waitForEnd() == 128 + 9)
    // The sanity check of the joiner is the first to meet the dead owner.
    let joiner = try site.join()
    #expect(joiner.participantCount == 3)
    let other = try ChildProcess.agent("session", site.path, "join", "control-die")
    #expect(try other.waitForEnd() == 128 + 9)
    try session.commit()
    #expect(joiner.newestVersion == 2)
    joiner.leave()
    #expect(!session.leave(), "the dead are still counted")
  }

  @Test func theCriticalFlagOfADeadProcessRefusesWritersUntilTheSessionEnds() throws {
    let session = try site.join()
    let child = try waitingChild(["lock", "critical"], answers: ["locked clean", "critical"])
    child.killNow()
    #expect(throws: StorageError.sessionRestartRequired(path: site.path)) { try session.lockForWriting() }
    #expect(throws: StorageError.sessionRestartRequired(path: site.path)) { try session.tryLockForWriting() }
    let writer = try ChildProcess.agent("session", site.path, "join", "pin", "lock")
    #expect(try writer.line() == "joined false 3")
    #expect(try writer.line() == "pinned 1")
    #expect(try writer.line()?.hasPrefix("error sessionRestartRequired") == true)
    #expect(try writer.waitForEnd() == 2)
    session.leave()
    let next = try site.join()
    #expect(try next.lockForWriting() == .clean)
    next.leave()
  }

  @Test func theSnapshotOfADeadReaderStaysUntilTheSessionEnds() throws {
    let session = try site.join()
    try waitingChild(["pin", "pin-frozen"], answers: ["pinned 1", "pinned 1"]).killNow()
    for _ in 0..<5 { try session.commit() }
    #expect(try session.listedSnapshots().map(\.version) == [1, 5, 6])
    try session.lockForWriting()
    #expect(try session.purge().oldestLive == 1)
    session.leave()
    let next = try site.join(version: 6, byteCount: 4096, topRef: Ref(48))
    #expect(next.isInitiator && next.participantCount == 1)
    #expect(try next.listedSnapshots().map(\.version) == [6])
    next.leave()
  }

  @Test func aProcessKilledWhileItWaitsForACommitHangsNobody() throws {
    let session = try site.join()
    let layout = try #require(LockFileLayout.native)
    func waiter() throws -> ChildProcess {
      let before = try site.word(layout.newCommitAvailable + 36)
      let child = try ChildProcess.agent(
        "wait-for-commit", site.lockPath, "\(layout.controlMutex)", "\(layout.newCommitAvailable)")
      #expect(try child.line() == "waiting")
      #expect(try waitUntil { try site.word(layout.newCommitAvailable + 36) != before })
      return child
    }
    let live = try waiter()
    try session.commit()
    #expect(try live.line() == "woken")
    // The dead waiter stays in the variable: broadcasts that meet a live one hang from now on, ours on a thread of their own.
    try waiter().killNow()
    let others = try [waiter(), waiter()]
    for _ in 0..<5 { try session.commit() }
    let joiner = try site.join()
    try joiner.commit()
    #expect(session.newestVersion == 8)
    let foreign = try ChildProcess.agent("session", site.path, "join", "repeat", "20", "leave")
    _ = try foreign.line()
    #expect(try foreign.line() == "repeated 28")
    #expect(try foreign.waitForEnd() == 0)
    others.forEach { $0.killNow() }
    joiner.leave()
    #expect(session.leave())
  }

  @Test func processesTakeTurnsAtTheWriteMutex() throws {
    let session = try site.join()
    let children = try (0..<2).map { _ in try ChildProcess.agent("session", site.path, "join", "repeat", "200", "leave") }
    for _ in 0..<200 { try session.commit() }
    for child in children {
      _ = try child.line()
      #expect(try child.line()?.hasPrefix("repeated ") == true)
      #expect(try child.waitForEnd() == 0)
    }
    #expect(session.newestVersion == 601 && session.participantCount == 1)
    session.leave()
  }

  @Test func writersKilledAtRandomHangNobody() throws {
    let seed = testSeed
    var random = SeededGenerator(seed: seed)
    var session = try site.join()
    for round in 0..<12 {
      let victim = try ChildProcess.agent("session", site.path, "join", "repeat", "1000000")
      let other = try ChildProcess.agent("session", site.path, "join", "repeat", "100", "leave")
      _ = try victim.line()
      // Death may come at any moment of the victim's work.
      usleep(UInt32.random(in: 0..<16_000, using: &random))
      victim.killNow()
      _ = try other.line()
      let answer = try other.line() ?? "nothing"
      let wasTold = answer.hasPrefix("error sessionRestartRequired")
      #expect(wasTold || answer.hasPrefix("repeated "), "round \(round), seed \(seed): \(answer)")
      do {
        try session.commit()
        #expect(!wasTold, "round \(round), seed \(seed): only the other one was told")
      } catch StorageError.sessionRestartRequired {
        // The victim died at the one critical moment: everybody is told who writes after it, which the other one may not have. Nobody hangs.
        session.leave()
        session = try site.join()
      }
    }
    session.leave()
  }
}
