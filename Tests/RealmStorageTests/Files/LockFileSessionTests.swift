import Foundation
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

@testable import RealmStorage

@Suite(.mustEnd) struct LockFileSessionTests {
  let site = LockFileSite()

  @Test func participantsAreCountedInAndOut() throws {
    let first = try site.join()
    let second = try site.join()
    #expect(first.isInitiator && !second.isInitiator && first.participantCount == 2)
    var ends = 0
    #expect(!first.leave { ends += 1 })
    #expect(second.participantCount == 1)
    #expect(second.leave { ends += 1 })
    #expect(ends == 1)
    #expect(!second.leave { ends += 1 }, "leaving twice does nothing")
    #expect(ends == 1 && second.newestVersion == 0 && second.participantCount == 0)
    #expect(throws: StorageError.transactionEnded) { try second.pin(.live) }
    #expect(throws: StorageError.transactionEnded) { try second.lockForWriting() }
  }

  /// A child process that another thread is starting has copies of all descriptors for a moment. Here a copy takes its part.
  @Test func locksAreGivenUpAlthoughAChildHasTheDescriptor() throws {
    func copy() -> Int32 {
      for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
        let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)
        if target == RealmPaths(site.path).lock, let descriptor = Int32(name) { return dup(descriptor) }
      }
      return -1
    }
    var copies: [Int32] = []
    defer { for descriptor in copies { close(descriptor) } }
    func isFree() throws -> Bool { try Session.withExclusiveLock(path: site.path) { copies.append(copy()) } }
    var lock = try ExclusiveLock(RealmPaths(site.path))
    copies.append(copy())
    #expect(try !isFree())
    lock = nil
    #expect(try isFree() && isFree())
    #expect(throws: StorageError.transactionEnded) {
      _ = try Session.join(path: site.path, options: SessionOptions()) { (_) throws(StorageError) -> AttachedFile in
        copies.append(copy())
        throw .transactionEnded
      }
    }
    #expect(try isFree())
    let session = try site.join()
    copies.append(copy())
    #expect(try !isFree())
    #expect(session.leave {})
    #expect(try isFree())
    #expect(copies.allSatisfy { $0 >= 0 } && copies.count >= 6 && lock == nil)
  }

  @Test func aForgottenSessionLeavesOnItsOwn() throws {
    let first = try site.join()
    var second: Session? = try site.join()
    try second?.lockForWriting()
    _ = try second?.pin(.live)
    second = nil
    #expect(first.participantCount == 1)
    #expect(try site.slot(0).live == 0)
    #expect(try first.lockForWriting() == .clean)
    first.leave()
  }

  @Test func countsInTheFileAreThoseOfParticipantsNotOfPins() throws {
    let first = try site.join()
    let second = try site.join()
    let pins = try (0..<3).map { _ in try first.pin(.live) }
    let frozen = try first.pin(.frozen, same: pins[0])
    let foreign = try second.pin(.live)
    #expect(try site.slot(0) == (1, 2, 1))
    pins.dropLast().forEach(first.unpin)
    second.unpin(foreign)
    #expect(try site.slot(0) == (1, 1, 1))
    first.unpin(pins[2])
    first.unpin(frozen)
    #expect(try site.slot(0) == (1, 0, 0))
    _ = try second.pin(.live)
    second.leave()
    #expect(try site.slot(0) == (1, 0, 0), "who leaves gives everything back")
    first.leave()
  }

  @Test func aClaimThatWasGivenUpIsNotMistakenForWhatTookItsSlot() throws {
    let session = try site.join()
    let old = try session.pin(.live)
    session.unpin(old)
    var held: [Pin] = []
    for _ in 0..<64 where held.last?.slot != old.slot || held.isEmpty {
      try session.commit()
      held.append(try session.pin(.live))
    }
    #expect(held.last?.slot == old.slot && held.last?.version != old.version)
    #expect(throws: StorageError.versionNotAvailable(version: old.version)) { try session.pin(.live, same: old) }
    held.forEach(session.unpin)
    session.leave()
  }

  @Test func onlyTheNewestOrAHeldVersionCanBePinned() throws {
    let writer = try site.join()
    let reader = try site.join()
    let frozen = try reader.pin(.frozen)
    try writer.commit()
    #expect(reader.newestVersion == 2)
    #expect(throws: StorageError.versionNotAvailable(version: 1)) { try reader.pin(.live, version: 1) }
    #expect(throws: StorageError.versionNotAvailable(version: 1)) { try writer.pin(.live, same: frozen) }
    #expect(throws: StorageError.versionNotAvailable(version: 9)) { try reader.pin(.live, version: 9) }
    #expect(throws: StorageError.versionNotAvailable(version: 0)) { try reader.pin(.live, version: 0) }
    let again = try writer.pin(.frozen, version: 1)
    #expect(again.version == 1 && again.byteCount == 24 && again.topRef == .null)
    let newest = try reader.pin(.live)
    #expect(newest.version == 2 && newest.byteCount == 4112 && newest.topRef == Ref(16))
    #expect(try writer.pin(.live, version: 2).version == 2)
    reader.unpin(frozen)
    writer.unpin(again)
    try writer.commit()
    #expect(throws: StorageError.versionNotAvailable(version: 1)) { try reader.pin(.frozen, version: 1) }
    #expect(try writer.pin(.live, same: newest).version == 2)
    reader.leave()
    writer.leave()
  }

  @Test func aPurgeKeepsWhatIsHeldAndTheNewest() throws {
    let writer = try site.join()
    let reader = try site.join()
    try writer.commit()
    let frozen = try reader.pin(.frozen)
    try writer.commit()
    try writer.commit()
    let live = try reader.pin(.live)
    for _ in 0..<3 { try writer.commit() }
    try writer.lockForWriting()
    let base = try writer.pin(.live)
    let before = try writer.purge()
    #expect(before.reachable.map(\.version) == [2, 4, 7] && before.oldestReachable == 2 && before.oldestLive == 4)
    #expect(before.anyNewUnreachable, "version 6 went away")
    #expect(try !writer.purge().anyNewUnreachable)
    writer.unpin(base)
    #expect(try writer.purge().reachable.last?.version == 7, "the newest stays even when nobody holds it")
    reader.unpin(frozen)
    reader.unpin(live)
    let after = try writer.purge()
    #expect(after.reachable.map(\.version) == [7] && after.oldestReachable == 7 && after.oldestLive == 7)
    #expect(!after.anyNewUnreachable, "nothing newer than the oldest went away")
    writer.unlockAfterWriting()
    try writer.commit()
    #expect(writer.numberOfVersions == 2 && reader.numberOfVersions == 2)
    #expect(try writer.listedSnapshots().map(\.version) == [7, 8])
    reader.leave()
    writer.leave()
  }

  @Test func aFullLockKeepsEverythingSince() throws {
    let writer = try site.join()
    try writer.commit()
    let full = try #require(LockFileLayout.native).firstSlot + 40 + 32
    try site.overwrite([1, 0, 0, 0], at: full)
    for _ in 0..<3 { try writer.commit() }
    try writer.lockForWriting()
    let result = try writer.purge()
    #expect(result.reachable.map(\.version) == [2, 3, 4, 5] && result.oldestLive == 2)
    writer.leave()
  }

  @Test func theListGrowsUnderTheEyesOfAnotherParticipant() throws {
    let reader = try site.join()
    let writer = try site.join()
    let layout = try #require(LockFileLayout.native)
    var pins: [Pin] = []
    for version in 1...100 as ClosedRange<UInt64> {
      let pin = try reader.pin(.live)
      #expect(pin.version == version && pin.slot == version - 1)
      pins.append(pin)
      try writer.commit()
    }
    #expect(try site.bytes().count == layout.byteCount(entries: 128))
    #expect(try site.word(layout.versionList) == 128 && writer.numberOfVersions == 101)
    #expect(try writer.listedSnapshots().map(\.version) == Array(1...101))
    let old = try writer.pin(.live, version: 40)
    #expect(old.topRef == Ref(320) && old.byteCount == 4096 + 320)
    pins.forEach(reader.unpin)
    try writer.commit()
    #expect(try writer.listedSnapshots().map(\.version) == [40, 101, 102])
    writer.unpin(old)
    try writer.commit()
    #expect(try writer.listedSnapshots().map(\.version) == [102, 103])
    #expect(try writer.pin(.live).slot == 1, "the lowest free slot is used again")
    writer.leave()
    reader.leave()
  }

  @Test func anUnfinishedPublicationIsForgottenByThePurge() throws {
    let session = try site.join()
    let layout = try #require(LockFileLayout.native)
    try site.overwrite([1, 0, 0, 0], at: layout.versionList + 4)
    try site.overwrite([9], at: layout.firstSlot + 40)
    try session.commit()
    #expect(try session.listedSnapshots().map(\.version) == [1, 2])
    #expect(try site.word(layout.versionList + 4) == 1 && site.word(layout.versionList + 8) == 1)
    session.leave()
  }

  @Test func aDamagedSlotCannotBePinned() throws {
    let session = try site.join(version: 3, byteCount: 4096, topRef: Ref(64))
    let slot = try #require(LockFileLayout.native).firstSlot
    for (bytes, offset) in [([65], 16), ([0, 0x20], 16), ([0], 0)] as [([UInt8], Int)] {
      let original = Array(try site.bytes()[slot..<slot + 24])
      try site.overwrite(bytes, at: slot + offset)
      #expect(throws: StorageError.self) { try session.pin(.live) }
      try site.overwrite(original, at: slot)
    }
    #expect(try session.pin(.live).topRef == Ref(64))
    session.leave()
  }

  @Test func theListStartsOverAfterCompaction() throws {
    let session = try site.join()
    for _ in 0..<3 { try session.commit() }
    try session.withControlLock { () throws(StorageError) in
      #expect(session.participantCount == 1)
      try session.resetVersionList(version: 4, byteCount: 128, topRef: Ref(32))
    }
    #expect(session.newestVersion == 4 && session.numberOfVersions == 1)
    #expect(try session.listedSnapshots() == [ListedSnapshot(version: 4, byteCount: 128, topRef: Ref(32))])
    #expect(try site.long(16) == 4)
    session.leave()
  }

  @Test func theCriticalFlagRefusesWritersOnly() throws {
    let session = try site.join()
    let other = try site.join()
    try session.lockForWriting()
    session.markCriticalPhase()
    session.unlockAfterWriting()
    for participant in [session, other] {
      #expect(throws: StorageError.sessionRestartRequired(path: site.path)) { try participant.lockForWriting() }
      #expect(throws: StorageError.sessionRestartRequired(path: site.path)) { try participant.tryLockForWriting() }
      #expect(try participant.pin(.frozen).version == 1)
    }
    other.leave()
    session.leave()
    let next = try site.join()
    #expect(try next.tryLockForWriting() == .clean)
    next.leave()
  }

  @Test func theWriteMutexIsExclusiveAndCanBeReleasedAnywhere() async throws {
    let first = try site.join()
    let second = try site.join()
    try first.lockForWriting()
    #expect(first.isLockedForWriting)
    #expect(try first.tryLockForWriting() == nil)
    #expect(try second.tryLockForWriting() == nil)
    await Task.detached { first.unlockAfterWriting() }.value
    #expect(try second.lockForWriting() == .clean)
    #expect(try first.tryLockForWriting() == nil)
    second.unlockAfterWriting()
    #expect(try second.tryLockForWriting() == .clean, "one's own release is waited for")
    second.leave()
    #expect(try first.lockForWriting() == .clean)
    first.leave()
  }

  @Test func aWriterThatStaysOnItsThreadLocksDirectly() throws {
    let first = try site.join()
    let second = try site.join()
    #expect(try first.lockForWriting(staysOnThread: true) == .clean)
    let owner = try site.word(try #require(LockFileLayout.native).writeMutex) & 0x3FFF_FFFF
    let thread = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self").split(separator: "/").last
    #expect(thread.map(String.init) == String(owner))
    #expect(try first.tryLockForWriting(staysOnThread: true) == nil)
    #expect(try second.tryLockForWriting(staysOnThread: true) == nil)
    let waiter = LockingWaiter(first)
    waiter.start()
    try first.publishNext()
    first.unlockAfterWriting()
    #expect(waiter.versionAfterLocking() == 2)
    #expect(try second.lockForWriting(staysOnThread: true) == .clean)
    second.markCriticalPhase()
    second.leave()
    #expect(throws: StorageError.sessionRestartRequired(path: site.path)) { try first.lockForWriting(staysOnThread: true) }
    #expect(throws: StorageError.sessionRestartRequired(path: site.path)) { try first.tryLockForWriting(staysOnThread: true) }
    first.leave()
  }

  @Test func manyThreadsCommitOneAfterTheOther() throws {
    let sessions = try (0..<2).map { _ in try site.join() }
    let failures = Atomic<Int>(0)
    let threadCount = 4
    let commitCount = 50
    DispatchQueue.concurrentPerform(iterations: threadCount) { index in
      for _ in 0..<commitCount {
        do {
          let pin = try sessions[index % 2].pin(.live)
          try sessions[index % 2].commit(staysOnThread: index < 2)
          if sessions[index % 2].newestVersion <= pin.version { failures.add(1, ordering: .relaxed) }
          sessions[index % 2].unpin(pin)
        } catch { failures.add(1, ordering: .relaxed) }
      }
    }
    #expect(failures.load(ordering: .relaxed) == 0)
    #expect(sessions[0].newestVersion == UInt64(1 + threadCount * commitCount))
    try sessions[0].commit()
    #expect(try sessions[0].listedSnapshots().count == 2, "nothing is pinned any more")
    sessions.forEach { $0.leave() }
  }

  @Test func pinsFromManyThreadsBalance() throws {
    let session = try site.join()
    let wrong = Atomic<Int>(0)
    DispatchQueue.concurrentPerform(iterations: 4) { index in
      var last: UInt64 = 0
      for round in 0..<20_000 {
        guard let pin = try? session.pin(round % 3 == 0 ? .frozen : .live) else {
          wrong.add(1, ordering: .relaxed)
          continue
        }
        if pin.version < last || pin.topRef.byteOffset != (pin.version == 1 ? 0 : 8 * pin.version) { wrong.add(1, ordering: .relaxed) }
        last = pin.version
        session.unpin(pin)
        if index == 0, round % 100 == 0 { do { try session.commit() } catch { wrong.add(1, ordering: .relaxed) } }
      }
    }
    #expect(wrong.load(ordering: .relaxed) == 0)
    try session.commit()
    for index in 0..<32 { #expect(try site.slot(index).live == 0 && site.slot(index).frozen == 0) }
    session.leave()
  }

  @Test func aCommitWakesWatchersOfTheNote() throws {
    let watcher = try #require(try NoteFIFO(path: site.path + ".note"))
    func unread() -> Int {
      var count: Int32 = 0
      _ = ioctl(watcher.descriptor, UInt(FIONREAD), &count)
      return Int(count)
    }
    let session = try site.join()
    #expect(unread() == 0)
    for _ in 0..<3 {
      try session.commit()
      #expect(unread() == 1, "one byte stays, however many commits")
    }
    var byte: UInt8 = 1
    #expect(read(watcher.descriptor, &byte, 1) == 1 && byte == 0)
    session.leave()
  }

  @Test func aForeignThreadThatWaitsForACommitIsWoken() throws {
    let session = try site.join()
    let layout = try #require(LockFileLayout.native)
    let waiter = ForeignWaiter(lockPath: site.lockPath, mutex: layout.controlMutex, condition: layout.newCommitAvailable)
    waiter.start()
    // It waits as soon as the variable counts a waiter.
    #expect(try waitUntil { try site.word(layout.newCommitAvailable + 36) != 1 })
    try session.commit()
    #expect(waiter.result() == 0)
    #expect(try site.word(layout.newCommitAvailable + 36) == 1)
    session.leave()
  }
}

/// A thread that takes the write mutex after somebody else.
// SAFETY: the thread writes before it signals `done`, the test reads after it waited for that.
private final class LockingWaiter: @unchecked Sendable {
  private let session: Session
  private let done = DispatchSemaphore(value: 0)
  private var version: UInt64 = 0

  init(_ session: Session) { self.session = session }

  func start() {
    Thread.detachNewThread { [self] in
      if (try? session.lockForWriting()) != nil {
        version = session.newestVersion
        session.unlockAfterWriting()
      }
      done.signal()
    }
  }

  func versionAfterLocking() -> UInt64 {
    done.wait()
    return version
  }
}

/// A thread that waits for a commit with a mapping of its own, as other engines do.
// SAFETY: the thread writes before it signals `done`, the test reads after it waited for that.
private final class ForeignWaiter: @unchecked Sendable {
  private let base: UnsafeMutableRawPointer
  private let mutex: Int
  private let condition: Int
  private let done = DispatchSemaphore(value: 0)
  private var code: Int32 = -1

  init(lockPath: String, mutex: Int, condition: Int) {
    let descriptor = open(lockPath, O_RDWR)
    base = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
    close(descriptor)
    (self.mutex, self.condition) = (mutex, condition)
  }

  func start() {
    Thread.detachNewThread { [self] in
      let control = base.advanced(by: mutex).bindMemory(to: pthread_mutex_t.self, capacity: 1)
      let variable = base.advanced(by: condition).bindMemory(to: pthread_cond_t.self, capacity: 1)
      var deadline = timespec()
      clock_gettime(CLOCK_REALTIME, &deadline)
      deadline.tv_sec += 20
      pthread_mutex_lock(control)
      code = pthread_cond_timedwait(variable, control, &deadline)
      pthread_mutex_unlock(control)
      done.signal()
    }
  }

  /// 0 when it was woken, ETIMEDOUT otherwise.
  func result() -> Int32 {
    done.wait()
    return code
  }
}
