import Foundation
import RealmStorage

/// Carries an object or a collection from one thread, queue or actor to another: `Realm.resolve` makes the counterpart there.
///
/// Can be resolved once. Keeps the version of its origin until it is resolved or released.
public struct ThreadSafeReference<Confined: ThreadConfined>: Sendable {
  private let content: HandOverContent

  /// Makes a reference to what another thread, queue or actor is to have a counterpart of. Stops on a wrong thread, and for what is gone.
  /// - Parameter threadConfined: must be managed. Frozen values need no reference.
  public init(to threadConfined: Confined) {
    content = orStop((threadConfined as? any HandOver)?.handOverCore) { try HandOverContent(threadConfined) }
  }

  /// Whether it was resolved already.
  public var isInvalidated: Bool { content.isSpent }

  func resolve(in core: RealmCore) throws -> Confined? {
    guard let type = Confined.self as? any HandOver.Type else { return nil }
    return try content.resolve(type, in: core) as? Confined
  }

  /// What `resolve` gives, as often as it is asked for.
  fileprivate func counterpart(in core: RealmCore) throws -> Confined? {
    guard let type = Confined.self as? any HandOver.Type else { return nil }
    return try content.counterpart(type, in: core) as? Confined
  }

  fileprivate func isSame(as other: Self) -> Bool { content === other.content }
}

private final class HandOverContent: Sendable {
  /// Keeps the file open.
  private let file: RealmFile
  private let version: UInt64
  private let wasWriting: Bool
  private let state: Locked<State?>

  private struct State {
    let value: HandedOver
    /// Nil when the reference was made inside a write transaction: the version that it is about does not exist yet.
    let pin: Snapshot?
    let record: PinRecord?
  }

  init(_ source: some ThreadConfined) throws {
    guard let source = source as? any HandOver else {
      throw RealmFailure.misuse("Illegal custom conformance to `ThreadConfined` by `\(type(of: source))`")
    }
    guard let core = source.handOverCore else {
      if source.isInvalidated { throw RealmFailure.misuse("Cannot construct reference to invalidated object") }
      throw RealmFailure.misuse("Cannot construct reference to unmanaged object, which can be passed across threads directly")
    }
    try core.verifyThread()
    if source.isInvalidated { throw RealmFailure.misuse("Cannot construct reference to invalidated object") }
    file = core.file
    let value = try source.handedOver()
    let pin = try core.pinned()
    wasWriting = pin == nil
    version = pin?.version ?? core.version ?? 0
    let record = pin.map { _ in core.file.pins.record(.none) }
    record?.note(pin?.version, core.isFrozen ? .frozenRealm : .threadSafeReference)
    state = Locked(State(value: value, pin: pin, record: record))
  }

  var isSpent: Bool { state.withLock { $0 == nil } }

  func resolve<Value: HandOver>(_ type: Value.Type, in core: RealmCore) throws -> Value? {
    try core.verifyThread()
    let taken = state.withLock { state in
      defer { state = nil }
      return state
    }
    return try receive(taken, type, in: core)
  }

  func counterpart<Value: HandOver>(_ type: Value.Type, in core: RealmCore) throws -> Value? {
    try core.verifyThread()
    return try receive(state.withLock { $0 }, type, in: core)
  }

  private func receive<Value: HandOver>(_ taken: State?, _ type: Value.Type, in core: RealmCore) throws -> Value? {
    guard let taken else { throw RealmFailure.misuse("Can only resolve a thread safe reference once.") }
    // Another file has no such object.
    guard core.file.path == file.path else { return nil }
    try core.advance(toAtLeast: version, wasWriting: wasWriting)
    withExtendedLifetime(taken.pin) {}
    return try type.received(taken.value, in: core)
  }
}

/// A property whose managed value can be read on any thread: each read gives the counterpart in a realm of the calling thread.
@propertyWrapper public final class ThreadSafe<T: ThreadConfined>: Sendable {
  private let state: Locked<State?>

  private struct State {
    let reference: ThreadSafeReference<T>
    let configuration: Realm.Configuration
  }

  /// Makes the wrapper of a property with its first value. Stops for what is not managed.
  /// - Parameter wrappedValue: an object or a collection; nil for none.
  public init(wrappedValue: T?) { state = Locked(Self.state(of: wrappedValue)) }

  /// Nil if the object, or the owner of the collection, was deleted. Only managed values can be set.
  public var wrappedValue: T? {
    get {
      guard let read = state.withLock({ $0 }) else { return nil }
      // Without the lock: a realm that comes to the version of the reference tells its observers, who may read the same property.
      do {
        let realm = try Realm(configuration: read.configuration)
        // A collection whose owner is gone has a counterpart, of which there can be no reference.
        let value = try read.reference.counterpart(in: realm.core).flatMap { $0.isInvalidated ? nil : $0 }
        // Lets go of the version that the reference kept.
        let renewed = value.map { State(reference: ThreadSafeReference(to: $0), configuration: read.configuration) }
        state.withLock { state in
          if let current = state, current.reference.isSame(as: read.reference) { state = renewed }
        }
        return value
      } catch { stop(error, nil) }
    }
    set {
      let new = Self.state(of: newValue)
      state.withLock { $0 = new }
    }
  }

  private static func state(of value: T?) -> State? {
    guard let value else { return nil }
    guard let realm = value.realm else { stop("Only managed objects may be wrapped as thread safe.") }
    return State(reference: ThreadSafeReference(to: value), configuration: realm.configuration)
  }
}
