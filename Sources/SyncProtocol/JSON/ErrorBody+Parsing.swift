import Changesets

extension ErrorBody {
  /// Every key that has to be there is, and has its type: else the client takes the whole message for a violation (P5.8). Others are passed over.
  /// - Parameter code: of the message; some ask for more keys.
  package init(parsing body: String, code: Int32) throws(ProtocolError) {
    let members = ErrorMembers(try JSONValue(parsing: body, message: "json_error", field: "error"))
    (message, action, logURL) = (try members.string("message"), try members.string("action"), try members.string("logURL"))
    (tryAgain, shouldClientReset) = (try members.bool("tryAgain"), try members.bool("shouldClientReset"))
    isRecoveryModeDisabled = try members.bool("isRecoveryModeDisabled")
    if members.has("backoffIntervalSec") {
      backOff = BackOff(
        seconds: try members.int32("backoffIntervalSec"), longestSeconds: try members.int32("backoffMaxDelaySec"),
        multiplier: try members.int32("backoffMultiplier"))
    }
    if members.has("rejectedUpdates") { rejection = try members.rejection() }
    switch ErrorCode(rawValue: code) {
    case .compensatingWrite:
      // What would be held back until then would be held back for ever.
      guard rejection?.serverVersion != nil else { throw members.error("compensatingWriteServerVersion") }
    case .migrateToFlexibleSync:
      let query = try members.string("partitionQuery")
      guard !query.isEmpty else { throw members.error("partitionQuery") }
      partitionQuery = query
    case .schemaVersionChanged: previousSchemaVersion = try members.unsigned("previousSchemaVersion")
    default: break
    }
  }
}

/// The keys of the body of a JSON_ERROR.
private struct ErrorMembers {
  private let json: JSONValue

  init(_ json: JSONValue) { self.json = json }

  func error(_ name: String) -> ProtocolError { ProtocolError(message: "json_error", field: name, offset: 0, reason: .malformedJSON) }

  func has(_ name: String) -> Bool { json[name] != nil }

  private func required<Value>(_ value: Value?, _ name: String) throws(ProtocolError) -> Value {
    guard let value else { throw error(name) }
    return value
  }

  func string(_ name: String) throws(ProtocolError) -> String { try required(json[name]?.string, name) }
  func bool(_ name: String) throws(ProtocolError) -> Bool { try required(json[name]?.bool, name) }
  func unsigned(_ name: String) throws(ProtocolError) -> UInt64 { try required(json[name]?.unsigned, name) }
  func int32(_ name: String) throws(ProtocolError) -> Int32 { try required(json[name]?.unsigned.flatMap { Int32(exactly: $0) }, name) }

  func rejection() throws(ProtocolError) -> ErrorBody.Rejection {
    var updates: [ErrorBody.Rejection.Update] = []
    for update in try required(json["rejectedUpdates"]?.array, "rejectedUpdates") {
      let members = Self(update)
      let key = Base64.bytes(try members.string("pk")).flatMap { DetachedKey(parsing: $0) }
      updates.append(
        ErrorBody.Rejection.Update(
          reason: try members.string("reason"), table: try members.string("table"), key: try required(key, "pk")))
    }
    let version = has("compensatingWriteServerVersion") ? try unsigned("compensatingWriteServerVersion") : nil
    return ErrorBody.Rejection(serverVersion: version, clientVersion: try unsigned("rejectedClientVersion"), updates: updates)
  }
}
