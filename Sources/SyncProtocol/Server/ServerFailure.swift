/// An error that a server tells its client about one session, or about all of them.
package struct ServerFailure: Error, Equatable, Sendable {
  package let code: ErrorCode
  package let body: ErrorBody

  /// - Parameters:
  ///   - code: one that ends clients is replaced by the general one of its kind (P8.1).
  ///   - action: the usual one if nil.
  package init(_ code: ErrorCode, _ message: String, action: ErrorAction? = nil, tryAgain: Bool? = nil) {
    let sent: ErrorCode = code.endsClients ? (code.isOfSession ? .otherSessionError : .otherError) : code
    let action = action ?? sent.usualAction
    var body = ErrorBody(message: message, tryAgain: tryAgain ?? (action == .transient), action: action)
    body.shouldClientReset = action == .clientReset || action == .clientResetNoRecovery
    self.init(sent, body)
  }

  /// With everything that a body can say; what its code asks for has to be there.
  package init(_ code: ErrorCode, _ body: ErrorBody) { (self.code, self.body) = (code, body) }

  /// Whether the session goes on, and says UNBOUND at its end (P5.8).
  var keepsSession: Bool { code == .compensatingWrite || code == .schemaVersionChanged }

  /// - Parameter session: 0 for the connection.
  func message(session: UInt64) -> ServerMessage { .jsonError(session: session, code: code.rawValue, body: body.text) }
}
