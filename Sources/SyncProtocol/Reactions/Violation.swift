/// Something that a peer must not say, or not now: the end of the connection.
package struct Violation: Error, Equatable, Sendable, CustomStringConvertible {
  /// What a server tells its client; a client only closes.
  package let code: ErrorCode
  /// For developers.
  package let description: String

  package init(_ code: ErrorCode, _ description: String) { (self.code, self.description) = (code, description) }

  init(_ error: ProtocolError) { self.init(error.code, error.description) }
}
