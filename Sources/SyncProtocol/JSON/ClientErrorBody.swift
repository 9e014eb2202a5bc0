/// The body of a JSON_ERROR of a client, which could not integrate what it has got (P5.8).
package struct ClientErrorBody: Equatable, Sendable {
  package var message: String

  package init(message: String) { self.message = message }

  package var text: String { JSONValue.object([JSONValue.Member("message", .string(message))]).text }

  package init(parsing body: String) throws(ProtocolError) {
    guard let message = try JSONValue(parsing: body, message: "json_error", field: "error")["message"]?.string else {
      throw ProtocolError(message: "json_error", field: "message", offset: 0, reason: .malformedJSON)
    }
    self.message = message
  }
}
