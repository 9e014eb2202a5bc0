#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the fast path of a property read compares: shared by a realm and all its objects, so that neither has to be retained for it.
struct AccessState {
  /// Counts everything that may move nodes or change what is visible: begin, advance, end, rollback, and each mutation.
  var stamp: UInt64
  /// The thread that was last seen to be the right one; 0 is none.
  var thread: UInt
  /// What accessors made now remember.
  var epoch = ObjectEpoch()
}

/// The memory of one `AccessState`, at an address that does not change.
@safe final class AccessCell {
  // SAFETY: allocated once, freed in `deinit`; objects that keep the address keep the realm that owns the cell, too.
  let state: UnsafeMutablePointer<AccessState>

  init() {
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: AccessState(stamp: 1, thread: 0))
  }
  deinit { unsafe state.deallocate() }

  // SAFETY: never written; no thread has the number 0, so nobody ever finds it to be right.
  /// That of objects whose reads all take the long way.
  nonisolated(unsafe) static let neverCurrent = AccessCell()

  var stamp: UInt64 {
    @inline(__always) get { unsafe state.pointee.stamp }
    @inline(__always) set { unsafe state.pointee.stamp = newValue }
  }
  var epoch: ObjectEpoch {
    @inline(__always) get { unsafe state.pointee.epoch }
    @inline(__always) set { unsafe state.pointee.epoch = newValue }
  }
  var thread: UInt {
    @inline(__always) get { unsafe state.pointee.thread }
    @inline(__always) set { unsafe state.pointee.thread = newValue }
  }
}

/// The calling thread's number, never 0.
@inline(__always) func currentThread() -> UInt {
  #if canImport(Glibc)
    return pthread_self()
  #else
    return unsafe UInt(bitPattern: pthread_self())
  #endif
}
