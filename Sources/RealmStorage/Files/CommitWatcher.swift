#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import Synchronization

/// Tells of commits to open files, of this process and of others: one thread waits for the FIFOs of all files. T5.6.
///
/// The thread starts with the first file that is watched and ends with the last. It sleeps in the kernel, uses no time while nobody
/// commits, and does not keep the process alive.
package enum CommitWatcher {
  /// A file that is watched as long as this lives. What it calls may be called once more while it is being released.
  package final class Watch: Sendable {
    private let loop: WatchLoop
    private let number: UInt64
    /// Open at least as long as the loop knows its descriptor.
    private let note: NoteFIFO

    fileprivate init(_ loop: WatchLoop, _ number: UInt64, _ note: NoteFIFO) {
      self.loop = loop
      self.number = number
      self.note = note
    }
    deinit { CommitWatcher.remove(number, note, from: loop) }
  }

  private struct State {
    var loop: WatchLoop?
    var count = 0
    var lastNumber: UInt64 = 0
  }
  private static let state = Locked(State())

  /// Calls `wake` on the watching thread after commits: at least once after the last one, maybe more often, maybe without any.
  /// - Parameter wake: must return at once and must not release the last reference to anything that is open.
  /// - Returns: nil where the operating system refuses a thread or a descriptor, or has no such way to wait.
  package static func watch(_ note: NoteFIFO, _ wake: @escaping @Sendable () -> Void) -> Watch? {
    state.withLock { state in
      guard let loop = state.loop ?? WatchLoop.started() else { return nil }
      state.lastNumber += 1
      guard loop.add(note.descriptor, state.lastNumber, wake) else {
        if state.count == 0 { loop.stop() }
        return nil
      }
      state.loop = loop
      state.count += 1
      return Watch(loop, state.lastNumber, note)
    }
  }

  private static func remove(_ number: UInt64, _ note: NoteFIFO, from loop: WatchLoop) {
    state.withLock { state in
      loop.remove(note.descriptor, number)
      state.count -= 1
      if state.count == 0 {
        state.loop = nil
        loop.stop()
      }
    }
  }
}

/// Reads the number of the newest version from a lock file, without taking part in its session: for code that must not keep a file open.
package final class VersionProbe: Sendable {
  private let descriptor: Int32

  package init?(lockFile path: String) {
    descriptor = FileCalls.openFile(path, O_RDONLY)
    if descriptor < 0 { return nil }
  }
  deinit { close(descriptor) }

  /// Nil if the file is shorter: its session has ended. A mapping would be no safe way to look.
  package var newestVersion: UInt64? {
    var version: UInt64 = 0
    return unsafe pread(descriptor, &version, 8, off_t(LockFileLayout.Fixed.latestVersion)) == 8 ? version : nil
  }
}

#if canImport(Glibc) || canImport(Musl)
  /// What the thread waits for.
  private final class WatchLoop: Sendable {
    private let poll: EventPoll
    private let wakes = Locked<[UInt64: @Sendable () -> Void]>([:])
    private let isStopping = Atomic<Bool>(false)

    private init(_ poll: EventPoll) { self.poll = poll }

    static func started() -> WatchLoop? {
      guard let poll = EventPoll() else { return nil }
      let loop = WatchLoop(poll)
      guard let thread = try? SystemThread({ loop.run() }) else { return nil }
      thread.detach()
      return loop
    }

    func add(_ descriptor: Int32, _ number: UInt64, _ wake: @escaping @Sendable () -> Void) -> Bool {
      wakes.withLock { $0[number] = wake }
      // Tells of the byte that lies there already, too: commits made before count.
      if poll.add(descriptor, number) { return true }
      wakes.withLock { $0[number] = nil }
      return false
    }

    func remove(_ descriptor: Int32, _ number: UInt64) {
      poll.remove(descriptor)
      wakes.withLock { $0[number] = nil }
    }

    func stop() {
      isStopping.store(true, ordering: .sequentiallyConsistent)
      poll.interrupt()
    }

    private func run() {
      while !isStopping.load(ordering: .sequentiallyConsistent) {
        for number in poll.wait() {
          let wake = wakes.withLock { $0[number] }
          wake?()
        }
      }
    }
  }

  /// An epoll descriptor with an event descriptor to interrupt it. The C library's header for them is not part of the Glibc module.
  @safe private final class EventPoll: Sendable {
    // SAFETY: memory for events belongs to `wait`, which hands the kernel its true length; descriptors are closed in `deinit` only.
    private let descriptor: Int32
    private let interruption: Int32

    init?() {
      let descriptor = epollCreate(O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      let interruption = eventDescriptor(0, O_CLOEXEC | O_NONBLOCK)
      guard interruption >= 0 else {
        close(descriptor)
        return nil
      }
      (self.descriptor, self.interruption) = (descriptor, interruption)
      guard add(interruption, 0) else { return nil }
    }
    deinit {
      close(interruption)
      close(descriptor)
    }

    /// Waits edge-triggered: every write to the FIFO is told once, and nobody reads it.
    func add(_ watched: Int32, _ number: UInt64) -> Bool {
      unsafe withUnsafeTemporaryAllocation(byteCount: Event.byteCount, alignment: 8) { buffer in
        unsafe buffer.storeBytes(of: Event.readable | Event.edgeTriggered, as: UInt32.self)
        unsafe buffer.storeBytes(of: number, toByteOffset: Event.numberOffset, as: UInt64.self)
        return unsafe epollControl(descriptor, 1, watched, buffer.baseAddress) == 0
      }
    }
    func remove(_ watched: Int32) { _ = epollControl(descriptor, 2, watched, nil) }

    func interrupt() {
      var one: UInt64 = 1
      _ = unsafe write(interruption, &one, 8)
    }

    /// The numbers of what has happened; sleeps until there is something. 0 is the interruption.
    func wait() -> [UInt64] {
      let limit = 32
      return unsafe withUnsafeTemporaryAllocation(byteCount: limit * Event.byteCount, alignment: 8) { buffer in
        let count = unsafe epollWait(descriptor, buffer.baseAddress, Int32(limit), -1)
        var numbers: [UInt64] = []
        for index in 0..<Int(max(count, 0)) {
          numbers.append(unsafe buffer.loadUnaligned(fromByteOffset: index * Event.byteCount + Event.numberOffset, as: UInt64.self))
        }
        return numbers
      }
    }
  }

  /// `struct epoll_event`: packed on x86-64 only.
  private enum Event {
    #if arch(x86_64)
      static let byteCount = 12
      static let numberOffset = 4
    #else
      static let byteCount = 16
      static let numberOffset = 8
    #endif
    static let readable: UInt32 = 1
    static let edgeTriggered: UInt32 = 1 << 31
  }

  @_silgen_name("epoll_create1") private func epollCreate(_ flags: Int32) -> Int32
  @_silgen_name("epoll_ctl") private func epollControl(
    _ poll: Int32, _ operation: Int32, _ descriptor: Int32, _ event: UnsafeMutableRawPointer?
  ) -> Int32
  @_silgen_name("epoll_wait") private func epollWait(
    _ poll: Int32, _ events: UnsafeMutableRawPointer?, _ limit: Int32, _ milliseconds: Int32
  ) -> Int32
  @_silgen_name("eventfd") private func eventDescriptor(_ initial: UInt32, _ flags: Int32) -> Int32
#else
  /// Other systems wait in other ways; none is implemented.
  private final class WatchLoop: Sendable {
    static func started() -> WatchLoop? { nil }
    func add(_ descriptor: Int32, _ number: UInt64, _ wake: @escaping @Sendable () -> Void) -> Bool { false }
    func remove(_ descriptor: Int32, _ number: UInt64) {}
    func stop() {}
  }
#endif
