import Foundation
import RealmStorage

/// Carries an object or a collection from one thread, queue or actor to another: `Realm.resolve` makes the counterpart there.
///
/// Can be resolved once. Keeps the version of its origin until it is resolved or released.
public struct ThreadSafeReference<Confined: ThreadConfined>: Sendable {
  private let content: HandOverContent

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
    guard let taken else { throw RealmFailure.misuse("Can only resolve a thread safe reference once.") }
    // Another file has no such object.
    guard core.file.path == file.path else { return nil }
    try core.advance(toAtLeast: version, wasWriting: wasWriting)
    withExtendedLifetime(taken.pin) {}
    return try type.received(taken.value, in: core)
  }
}

/// A property whose managed value can be read on any thread: each read gives the counterpart in a realm of the calling thread.
@propertyWrapper public final class ThreadSafe<T: ThreadConfined>: @unchecked Sendable {
  // SAFETY: all state is touched under the lock.
  private let lock = NSLock()
  private var reference: ThreadSafeReference<T>?
  private var configuration: Realm.Configuration?

  /// - Parameter wrappedValue: must be managed.
  public init(wrappedValue: T?) { store(wrappedValue) }

  /// Nil if the object was deleted. Only managed values can be set.
  public var wrappedValue: T? {
    get {
      lock.withLock {
        guard let reference, let configuration else { return nil }
        do {
          let realm = try Realm(configuration: configuration)
          let value = realm.resolve(reference)
          self.reference = value.map { ThreadSafeReference(to: $0) }
          return value
        } catch { stop(error.localizedDescription) }
      }
    }
    set { lock.withLock { store(newValue) } }
  }

  private func store(_ value: T?) {
    guard let value else {
      reference = nil
      return
    }
    guard let realm = value.realm else { stop("Only managed objects may be wrapped as thread safe.") }
    reference = ThreadSafeReference(to: value)
    configuration = realm.configuration
  }
}
