import Dispatch
import Foundation
import RealmStorage

/// Where a realm may be used.
enum Confinement: @unchecked Sendable {
  // SAFETY: dispatch queues are thread-safe by themselves.
  /// Immutable snapshots: anywhere.
  case none
  case thread(ThreadPlace)
  /// The main thread, the main queue and the main actor are one.
  case main
  case queue(DispatchQueue)
  case actor(ActorPlace)

  /// Equal keys share one instance of a realm.
  var key: ConfinementKey {
    switch self {
    case .none: .none
    case .thread(let place): .thread(place.identity)
    case .main: .main
    case .queue(let queue): .queue(QueueMark.number(queue))
    case .actor(let place): .object(place.identifier)
    }
  }

  /// The confinement of a realm that is opened here without further ado.
  static var current: Confinement { MainContext.isCurrent ? .main : .thread(.current) }

  static func queue(checked queue: DispatchQueue) throws -> Confinement {
    if MainContext.isMain(queue) { return .main }
    // Of other concurrent queues the system does not tell on Linux.
    if queue.label.hasPrefix("com.apple.root.") {
      throw RealmFailure.misuse("Invalid queue '\(queue.label)': Realms can only be confined to serial queues or the main queue.")
    }
    guard QueueMark.isCurrent(queue) else { throw RealmFailure.misuse("Realm opened from incorrect dispatch queue.") }
    return .queue(queue)
  }

  static func of(_ actor: any Actor) -> Confinement { actor === MainActor.shared ? .main : .actor(ActorPlace(actor)) }

  /// Who has to stay for the realm to get a turn.
  var actor: (any Actor)? { if case .actor(let place) = self { place.actor } else { nil } }

  /// What an actor's key stood for may be gone, and another actor have it now.
  var isThere: Bool { if case .actor(let place) = self { place.actor != nil } else { true } }

  /// What is said when something is used here that belongs elsewhere.
  var wrongPlace: String { "Realm accessed from incorrect thread. It is confined to \(name) and was used on \(Self.nameOfCurrent)." }

  /// Whether the calling code may use the realm; slow.
  func isCurrent() -> Bool {
    switch self {
    case .none: return true
    case .thread(let place): return place.identity == currentThread()
    case .main: return MainContext.isCurrent
    case .queue(let queue): return QueueMark.isCurrent(queue)
    case .actor(let place):
      // Of an actor that is gone only its own `deinit` has anything left.
      guard let actor = place.actor else { return true }
      if let isCurrent = CurrentExecutor.isCurrent(actor) { return isCurrent }
      // Stops, possibly with the runtime's text, if it is not so; there is no way to ask.
      actor.preconditionIsolated(wrongPlace)
      return true
    }
  }
}

extension ConfinementKey {
  /// Of the queue on which the calling code runs, if realms are confined to it.
  static var currentQueue: ConfinementKey? { QueueMark.currentNumber.map { .queue($0) } }
}

enum ConfinementKey: Hashable, Sendable {
  case none, main
  case thread(UInt)
  case queue(UInt64)
  case object(ObjectIdentifier)
}

/// The main thread, the main queue and the main actor, which on Linux need not be one thread.
enum MainContext {
  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()
  private static let isInitialThread: @Sendable () -> Bool = {
    #if canImport(Glibc) || canImport(Musl)
      return getpid() == Int32(syscallThreadIdentity())
    #else
      return Thread.isMainThread
    #endif
  }

  /// True on the process's initial thread and in whatever the main queue runs. `Thread.isMainThread` is wrong once an async `main` has
  /// suspended: the main queue is served by another thread then.
  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true || isInitialThread() }

  /// `DispatchQueue.main` is another object whenever it is asked for.
  static func isMain(_ queue: DispatchQueue) -> Bool { queue.getSpecific(key: key) == true }
}

/// A number that every queue of a realm carries, so that code can ask whether it runs there. Objects that stand for one queue share it.
private enum QueueMark {
  private static let key = DispatchSpecificKey<UInt64>()
  private static let lastNumber = Locked<UInt64>(0)

  static func number(_ queue: DispatchQueue) -> UInt64 {
    lastNumber.withLock { last in
      if let number = queue.getSpecific(key: key) { return number }
      last += 1
      queue.setSpecific(key: key, value: last)
      return last
    }
  }
  /// That of the queue which runs the calling code, if it has one.
  static var currentNumber: UInt64? { DispatchQueue.getSpecific(key: key) }
  static func isCurrent(_ queue: DispatchQueue) -> Bool {
    // First of all the queue has to have a number.
    let number = number(queue)
    return currentNumber == number
  }
}

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

#if canImport(Glibc) || canImport(Musl)
  /// The kernel's number of the calling thread; that of the initial thread is the process's.
  @_silgen_name("gettid") private func gettid() -> Int32
  private func syscallThreadIdentity() -> Int { Int(gettid()) }
#endif

/// The system's number of the calling thread, as tools show it.
func systemThreadNumber() -> Int {
  #if canImport(Glibc) || canImport(Musl)
    return Int(gettid())
  #else
    var number: UInt64 = 0
    unsafe pthread_threadid_np(nil, &number)
    return Int(number)
  #endif
}
