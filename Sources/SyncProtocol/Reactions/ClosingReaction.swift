/// What a client does when it has no connection any more, or gets none.
package struct ClosingReaction: Equatable, Sendable {
  /// When to try again.
  package enum Retry: Equatable, Sendable {
    /// At once, when what is fetched before is there.
    case afterFetching
    /// After the usual wait.
    case afterBackOff
    /// Not by itself.
    case never
    /// The connection is not over: nothing happens until the transport ends.
    case notOver
  }

  /// What is fetched over HTTP before the next attempt.
  package enum Fetch: Equatable, Sendable {
    case nothing
    /// A new access token.
    case token
    /// Where to synchronise, then a new access token.
    case locationAndToken
  }

  /// What the app is told, and whether that is the end of it.
  package struct Report: Equatable, Sendable {
    package var error: SDKError
    package var isFatal: Bool

    package init(_ error: SDKError, isFatal: Bool) { (self.error, self.isFatal) = (error, isFatal) }
  }

  package var retry: Retry
  package var fetch = Fetch.nothing
  package var report: Report?
  package var logsOut = false
  /// All sessions need a client reset.
  package var resets = false

  package init(retry: Retry, fetch: Fetch = .nothing, report: Report? = nil, logsOut: Bool = false, resets: Bool = false) {
    (self.retry, self.fetch, self.report, self.logsOut, self.resets) = (retry, fetch, report, logsOut, resets)
  }

  /// To the code in the frame that ends a WebSocket (P8.3).
  package init(closeCode: UInt16) {
    switch closeCode {
    case 1000: self.init(retry: .notOver)
    case 1006, 4001: self.init(retry: .afterFetching, fetch: .token)
    case 1009: self.init(retry: .afterBackOff, report: Report(.limitExceeded, isFatal: false), resets: true)
    case 1011: self.init(retry: .afterBackOff, report: Report(.connectionClosed, isFatal: false))
    case 1015: self.init(retry: .afterBackOff, report: Report(.tlsHandshakeFailed, isFatal: false))
    case 4002: self.init(retry: .never, report: Report(.authError, isFatal: true), logsOut: true)
    case 4003: self.init(retry: .afterFetching, fetch: .locationAndToken)
    default: self.init(retry: .afterBackOff, report: Report(.syncProtocolInvariantFailed, isFatal: false))
    }
  }

  /// To an answer other than 101 to the request for a WebSocket (P2.4).
  /// - Parameter isConfirmed: a location answer of this process has said where to synchronise.
  package init(status: Int, routeIsConfirmed isConfirmed: Bool) {
    switch status {
    case 401: self.init(retry: .afterFetching, fetch: .token)
    case 403: self.init(retry: .never, report: Report(.authError, isFatal: true), logsOut: true)
    case 301, 308: self.init(retry: .afterFetching, fetch: .locationAndToken)
    case 300..<400: self.init(retry: .afterBackOff, report: Report(.connectionClosed, isFatal: false))
    case 500..<600: self.init(retry: .afterBackOff, report: Report(.connectionClosed, isFatal: false))
    default:
      // Fatal in name: clients try again all the same.
      self.init(
        retry: isConfirmed ? .afterBackOff : .afterFetching, fetch: isConfirmed ? .nothing : .locationAndToken,
        report: isConfirmed ? Report(.syncConnectFailed, isFatal: true) : nil)
    }
  }

  /// To a transport that ends without a word, or never begins.
  package enum TransportFailure: Equatable, Sendable {
    case unreachable
    case tls
    /// A server that sheds its clients politely.
    case ended
    case timedOut
  }

  /// To the end of a transport (P2.4, P8.3).
  package init(_ failure: TransportFailure, routeIsConfirmed isConfirmed: Bool) {
    switch failure {
    case .ended: self.init(retry: .afterBackOff)
    case .tls: self.init(retry: .afterBackOff, report: Report(.tlsHandshakeFailed, isFatal: false))
    case .unreachable, .timedOut:
      let error: SDKError = failure == .timedOut ? .syncConnectTimeout : .syncConnectFailed
      self.init(
        retry: isConfirmed ? .afterBackOff : .afterFetching, fetch: isConfirmed ? .nothing : .locationAndToken,
        report: Report(error, isFatal: false))
    }
  }
}
