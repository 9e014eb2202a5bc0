/// What the sessions of a connection synchronise. The two never share a connection (P1).
package enum SyncMode: Sendable, CaseIterable {
  /// One realm per partition value, which every client holds as a whole: PBS.
  case partition
  /// One realm per app, of which a client holds what its subscriptions ask for: FLX.
  case flexible
}
