// What the public surface mentions although it belongs to sync, which this package does not have.

/// A connection to a server; there is none.
public enum SyncSession {
  /// How far a transfer has got.
  public struct Progress: Sendable {
    /// Bytes that have been transferred.
    public let transferredBytes: Int
    /// Bytes that there are to transfer.
    public let transferrableBytes: Int
    /// From 0 to 1; 1 if there is nothing to transfer.
    public var fractionTransferred: Double { transferrableBytes == 0 ? 1 : Double(transferredBytes) / Double(transferrableBytes) }
    /// Whether nothing is left to transfer.
    public var isTransferComplete: Bool { transferredBytes >= transferrableBytes }
    private init() { (transferredBytes, transferrableBytes) = (0, 0) }
  }
}

/// Records events; needs sync, so there is never one. What can be said to it is declared, so that code which says it compiles.
public struct Events: Sendable {
  private let never: Never

  /// Begins to record what is read and written.
  public func beginScope(activity: String) -> Scope { switch never {} }
  /// Records an event of the app's own.
  public func recordEvent(
    activity: String, eventType: String? = nil, data: String? = nil, completion: (((any Swift.Error)?) -> Void)? = nil
  ) { switch never {} }
  /// Replaces what is sent with every event.
  public func updateMetadata(_ newMetadata: [String: String]) { switch never {} }

  /// The events between its beginning and `commit`.
  public final class Scope {
    private init() {}
    /// Ends the scope and keeps its events.
    public func commit(completion: (((any Swift.Error)?) -> Void)? = nil) {}
    /// Ends the scope and drops its events.
    public func cancel() {}
    /// Whether the scope has neither been committed nor cancelled.
    public var isActive: Bool { false }
  }
}

/// A model that chooses itself what events show of it.
public protocol CustomEventRepresentable {
  /// What events show in place of the properties.
  func customEventRepresentation() -> String
}

/// The queries of a synced realm; no realm has one.
public struct SyncSubscriptionSet: Sendable {
  private init() {}
}

extension Realm {
  /// Nil: events are not recorded.
  public var events: Events? { nil }
  /// Stops: no realm is synced, so none has subscriptions.
  public var subscriptions: SyncSubscriptionSet { stop("This Realm was not configured with flexible sync") }
}
