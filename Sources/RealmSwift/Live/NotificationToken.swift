import RealmStorage
import Synchronization

/// A registration for notifications; they stop when it is invalidated or released, on any thread. Tokens are equal if they are the same one.
public final class NotificationToken: Hashable, Sendable {
  private let state = Locked(State.waiting)
  let identifier: UInt64

  /// - SAFETY: the realm is compared, kept, and asked for its observers, which any thread may use; nothing else of it is touched here.
  private enum State: @unchecked Sendable {
    /// On its way to another queue or actor.
    case waiting
    /// The realm is kept alive: an observed realm stays open.
    case observing(RealmCore)
    case ended
  }
  private static let lastIdentifier = Atomic<UInt64>(0)

  /// Nil is without limit.
  let credit: ReportCredit?

  package init(credit: ReportCredit?) {
    self.credit = credit
    identifier = Self.newIdentifier()
  }

  /// A token of nothing, which is invalidated already: for what stands in for a realm in tests.
  public convenience init() {
    self.init(credit: nil)
    invalidate()
  }

  /// Whether both are the same registration.
  public static func == (a: NotificationToken, b: NotificationToken) -> Bool { a === b }
  /// Hashes the identity of the registration.
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }

  /// For an observation that nobody holds a token of.
  static func newIdentifier() -> UInt64 { lastIdentifier.wrappingAdd(1, ordering: .relaxed).newValue }

  deinit {
    // Those of collections and objects are let go of by whoever has seen enough.
    guard stop() == .realm else { return }
    Logger.shared.log(
      .warn, .notifications,
      "NotificationToken released without unregistering a notification. Hold on to the token returned from observe() and call "
        + "invalidate() when you no longer wish to receive Realm notifications.")
  }

  /// The notifications come from a realm from now on.
  /// - Returns: false if they were stopped already.
  func attach(_ core: RealmCore) -> Bool {
    state.withLock { state in
      guard case .waiting = state else { return false }
      state = .observing(core)
      return true
    }
  }

  /// Whether there is nothing to begin with any more.
  var hasEnded: Bool { state.withLock { if case .ended = $0 { true } else { false } } }

  /// Stops the notifications. One that is being delivered on another thread comes to its end.
  /// - Returns: whether anything was stopped.
  @discardableResult public func invalidate() -> Bool { stop() != nil }

  private enum Observed { case realm, other }

  /// - Returns: what was observed until now, if anything.
  private func stop() -> Observed? {
    // Let go of outside of the lock: the realm may end here.
    let before = state.withLock { state in
      defer { state = .ended }
      return state
    }
    switch before {
    case .waiting: return .other
    case .ended: return nil
    case .observing(let core):
      if core.observers.registry.remove(identifier) { return .realm }
      return core.liveObservers.registry.remove(identifier) ? .other : nil
    }
  }

  func isOf(_ core: RealmCore) -> Bool { state.withLock { if case .observing(core) = $0 { true } else { false } } }
}

extension RealmCore {
  fileprivate static func ~= (a: RealmCore, b: RealmCore) -> Bool { a === b }
}
