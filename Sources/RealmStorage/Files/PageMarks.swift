#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How the writer of an encrypted file tells other processes that a page is being written. E8.2.
///
/// Two words of the lock file; without it (`nil`) nobody can tell.
package struct PageMarks: Sendable {
  private let file: LockFile

  init(_ file: LockFile) { self.file = file }

  private var pageOffset: Int { file.layout.versionList - 16 }
  private var counterOffset: Int { file.layout.versionList - 8 }

  /// Runs `body`, which writes pages from `page` on, with the marks that make readers try again. For the holder of the write mutex.
  func around(page: Int, _ body: () throws(StorageError) -> Void) throws(StorageError) {
    file.storeOrdered(UInt64(page * CipherLayout.pageByteCount) + 1, at: pageOffset)
    file.storeOrdered(file.long(counterOffset) &+ 1, at: counterOffset)
    defer {
      file.storeOrdered(file.long(counterOffset) &+ 1, at: counterOffset)
      file.storeOrdered(0, at: pageOffset)
    }
    try body()
  }

  /// Nobody else is in the session, nor in the middle of joining it, which happens under the control mutex. Not to be called with that held.
  func isAlone() -> Bool {
    do throws(StorageError) { try file.lock(file.controlMutex) } catch { return false }
    defer { file.controlMutex.unlock() }
    return file.word(LockFileLayout.Fixed.participantCount) <= 1
  }

  struct Look: Equatable, Sendable {
    let isWriting: Bool
    let counter: UInt64
  }
  func look() -> Look {
    let offset = file.loadOrdered(pageOffset)
    return Look(isWriting: offset != 0, counter: file.loadOrdered(counterOffset))
  }
}

/// Decides how often a page that makes no sense is read again, since another process may be writing it.
struct PageReadPatience {
  private let marks: PageMarks?
  private var before: PageMarks.Look?
  private var attempts = 0
  private var unchanged = 0
  private var last: PageEntry?
  private var lastMAC = PageSlot.none

  private static let attemptLimit = 20
  /// After as many equal results in a row nobody is writing, whatever a dead writer's mark says.
  private static let equalAttemptLimit = 5

  init(_ marks: PageMarks?) {
    self.marks = marks
    before = marks?.look()
  }

  /// Called after a reading with metadata that is no older than this object.
  mutating func tryAgain(_ entry: PageEntry, mac: PageSlot) -> Bool {
    attempts += 1
    unchanged = last == entry && lastMAC.hasMAC(of: mac) ? unchanged + 1 : 1
    (last, lastMAC) = (entry, mac)
    if let look = marks?.look() {
      if !look.isWriting && look == before { return false }
      before = look
    }
    guard attempts < Self.attemptLimit, unchanged < Self.equalAttemptLimit else { return false }
    if attempts < 3 { sched_yield() } else { sleepMilliseconds(attempts) }
    return true
  }
}
