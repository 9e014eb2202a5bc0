/// The body of a BIND in flexible synchronisation (P5.1).
package struct FlexibleBind: Equatable, Sendable {
  /// Why there is a session.
  package enum Reason: UInt64, Sendable {
    case normal = 0
    /// The download of a fresh copy, and the first session after the reset.
    case clientReset = 1
  }

  /// The body of the BIND of the partition that the file was migrated from.
  package var migratedPartition: String?
  /// 0 if the app never set one.
  package var schemaVersion: UInt64
  package var reason: Reason

  package init(migratedPartition: String? = nil, schemaVersion: UInt64 = 0, reason: Reason = .normal) {
    (self.migratedPartition, self.schemaVersion, self.reason) = (migratedPartition, schemaVersion, reason)
  }

  package var text: String {
    var members: [JSONValue.Member] = []
    if let migratedPartition { members.append(JSONValue.Member("migratedPartition", .string(migratedPartition))) }
    members.append(JSONValue.Member("schemaVersion", .integer(Int128(schemaVersion))))
    members.append(JSONValue.Member("sessionReason", .integer(Int128(reason.rawValue))))
    return JSONValue.object(members).text
  }

  /// Keys that are missing have their usual values, and others are passed over: each came with a version of the protocol (P2.3).
  package init(parsing text: String) throws(ProtocolError) {
    let json = try JSONValue(parsing: text, message: "bind", field: "body")
    func unsigned(_ name: String) throws(ProtocolError) -> UInt64 {
      guard let member = json[name] else { return 0 }
      guard let value = member.unsigned else { throw Self.error(name) }
      return value
    }
    guard case .object = json else { throw Self.error("body") }
    schemaVersion = try unsigned("schemaVersion")
    guard let reason = Reason(rawValue: try unsigned("sessionReason")) else { throw Self.error("sessionReason") }
    self.reason = reason
    guard let partition = json["migratedPartition"] else { return }
    guard let partition = partition.string else { throw Self.error("migratedPartition") }
    migratedPartition = partition
  }

  private static func error(_ field: String) -> ProtocolError { ProtocolError(message: "bind", field: field, offset: 0, reason: .malformedJSON) }
}
