/// What a server has to say for the log of a client (P5.10).
package struct LogBody: Equatable, Sendable {
  package var level: String?
  package var text: String?
  /// By which the server finds a request again.
  package var requestIdent: String?

  package init(level: String?, text: String?, requestIdent: String?) {
    (self.level, self.text, self.requestIdent) = (level, text, requestIdent)
  }

  package var body: String {
    var members: [JSONValue.Member] = []
    if let requestIdent { members.append(JSONValue.Member("co_id", .string(requestIdent))) }
    if let level { members.append(JSONValue.Member("level", .string(level))) }
    if let text { members.append(JSONValue.Member("msg", .string(text))) }
    return JSONValue.object(members).text
  }

  /// Missing keys are fine, malformed JSON is not.
  package init(parsing body: String) throws(ProtocolError) {
    let json = try JSONValue(parsing: body, message: "log_message", field: "message")
    guard case .object = json else { throw ProtocolError(message: "log_message", field: "message", offset: 0, reason: .malformedJSON) }
    (level, text, requestIdent) = (json["level"]?.string, json["msg"]?.string, json["co_id"]?.string)
  }
}
