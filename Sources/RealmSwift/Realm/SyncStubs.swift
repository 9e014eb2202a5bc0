// What the public surface mentions although it belongs to sync, which this package does not have.

/// A connection to a server; there is none.
public enum SyncSession {
  /// How far a transfer has got.
  public struct Progress: Sendable {
    public let transferredBytes: Int
    public let transferrableBytes: Int
    public var fractionTransferred: Double { transferrableBytes == 0 ? 1 : Double(transferredBytes) / Double(transferrableBytes) }
    public var isTransferComplete: Bool { transferredBytes >= transferrableBytes }
    private init() { (transferredBytes, transferrableBytes) = (0, 0) }
  }
}

/// Records events; needs sync, so there is never one.
public struct Events: Sendable {
  private init() {}
}

/// The queries of a synced realm; no realm has one.
public struct SyncSubscriptionSet: Sendable {
  private init() {}
}

extension Realm {
  /// Nil: events are not recorded.
  public var events: Events? { nil }
  /// - Note: No realm is synced: a programming error.
  public var subscriptions: SyncSubscriptionSet { stop("This Realm was not configured with flexible sync") }
}
