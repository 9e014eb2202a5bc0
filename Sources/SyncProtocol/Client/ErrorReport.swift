/// What an app is told of an error.
package struct ErrorReport: Equatable, Sendable {
  /// The number on the wire, if it came from there.
  package var code: Int32?
  package var error: SDKError
  /// With the address of the server's log, if there is one.
  package var message: String
  /// Nothing goes on by itself.
  package var isFatal: Bool

  package init(code: Int32? = nil, _ error: SDKError, _ message: String, isFatal: Bool) {
    (self.code, self.error, self.message, self.isFatal) = (code, error, message, isFatal)
  }

  /// Of an error of the server's.
  init(code: Int32, _ body: ErrorBody, isFatal: Bool) {
    let message = body.logURL.isEmpty ? body.message : "\(body.message) Logs: \(body.logURL)"
    self.init(code: code, ErrorCode(rawValue: code)?.sdkError ?? .unknownError, message, isFatal: isFatal)
  }
}
