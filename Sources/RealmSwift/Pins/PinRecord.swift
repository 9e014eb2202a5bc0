import RealmStorage
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What one realm or reference keeps readable now. Its owner tells it of every change; anybody may look.
final class PinRecord: Sendable {
  typealias Holder = Realm.PinnedVersion.Holder

  let confinement: Realm.PinnedVersion.Confinement
  private let registry: PinRegistry
  private let number: UInt64
  /// 0 while nothing is held.
  private let version = Atomic<UInt64>(0)
  private let holder: Atomic<UInt8>
  /// Nanoseconds of the coarse clock.
  private let start = Atomic<UInt64>(0)

  fileprivate init(_ registry: PinRegistry, number: UInt64, confinement: Realm.PinnedVersion.Confinement) {
    self.registry = registry
    self.number = number
    self.confinement = confinement
    holder = Atomic(Holder.realm.rawValue)
  }
  deinit { registry.remove(number) }

  /// Costs about ten nanoseconds when something changes.
  /// - Parameter new: nil when nothing is held any more.
  func note(_ new: UInt64?, _ newHolder: Holder) {
    let new = new ?? 0
    if version.load(ordering: .relaxed) == new, holder.load(ordering: .relaxed) == newHolder.rawValue { return }
    holder.store(newHolder.rawValue, ordering: .relaxed)
    start.store(CoarseClock.now, ordering: .relaxed)
    version.store(new, ordering: .releasing)
  }

  /// Nil while nothing is held. Of two changes at the same time parts may be mixed.
  func read(at now: UInt64) -> (version: UInt64, holder: Holder, age: Duration)? {
    let version = version.load(ordering: .acquiring)
    guard version > 0, let holder = Holder(rawValue: holder.load(ordering: .relaxed)) else { return nil }
    let start = start.load(ordering: .relaxed)
    return (version, holder, .nanoseconds(Int64(now > start ? now - start : 0)))
  }
}

/// The records of all realms of one file in this process.
final class PinRegistry: Sendable {
  private struct Weak: Sendable { weak let record: PinRecord? }
  private struct State {
    var records: [UInt64: Weak] = [:]
    var lastNumber: UInt64 = 0
  }
  private let state = Locked(State())

  /// A new record, listed as long as it lives.
  func record(_ confinement: Confinement) -> PinRecord {
    let description = Realm.PinnedVersion.Confinement(confinement)
    let number = state.withLock {
      $0.lastNumber += 1
      return $0.lastNumber
    }
    let record = PinRecord(self, number: number, confinement: description)
    state.withLock { $0.records[number] = Weak(record: record) }
    return record
  }

  fileprivate func remove(_ number: UInt64) {
    _ = state.withLock { $0.records.removeValue(forKey: number) }
  }

  /// In the order in which they were made.
  var all: [PinRecord] {
    // Released outside of the lock, which they take when they go.
    let records = state.withLock { state in state.records.sorted { $0.key < $1.key }.map(\.value.record) }
    return records.compactMap { $0 }
  }
}

/// Time in steps of a few milliseconds, for five nanoseconds a look.
enum CoarseClock {
  static var now: UInt64 {
    var time = timespec()
    #if canImport(Glibc) || canImport(Musl)
      _ = unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    #else
      _ = unsafe clock_gettime(CLOCK_MONOTONIC_RAW_APPROX, &time)
    #endif
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
