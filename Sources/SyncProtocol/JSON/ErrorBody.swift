package import Changesets

/// The body of a JSON_ERROR (P5.8).
package struct ErrorBody: Equatable, Sendable {
  /// For developers.
  package var message: String
  /// Whether to come back after a while.
  package var tryAgain: Bool
  /// May be empty.
  package var logURL = ""
  /// For clients below version 7, which know no actions.
  package var shouldClientReset = false
  /// A reset must not bring back local changes.
  package var isRecoveryModeDisabled = false
  /// A word that `ErrorAction` knows, or not.
  package var action: String
  package var backOff: BackOff?
  package var rejection: Rejection?
  /// Of `migrateToFlexibleSync`: what the partition becomes.
  package var partitionQuery: String?
  /// Of `schemaVersionChanged`.
  package var previousSchemaVersion: UInt64?

  /// How long to wait, other than usual.
  package struct BackOff: Equatable, Sendable {
    package var seconds: Int32
    package var longestSeconds: Int32
    package var multiplier: Int32

    package init(seconds: Int32, longestSeconds: Int32, multiplier: Int32) {
      (self.seconds, self.longestSeconds, self.multiplier) = (seconds, longestSeconds, multiplier)
    }
  }

  /// Changes that the server did not take.
  package struct Rejection: Equatable, Sendable {
    /// The version that makes up for them; nil where nothing has to be made up for.
    package var serverVersion: UInt64?
    package var clientVersion: UInt64
    package var updates: [Update]

    package init(serverVersion: UInt64?, clientVersion: UInt64, updates: [Update]) {
      (self.serverVersion, self.clientVersion, self.updates) = (serverVersion, clientVersion, updates)
    }

    /// An object, and why it cannot be changed.
    package struct Update: Equatable, Sendable {
      package var reason: String
      package var table: String
      package var key: DetachedKey

      package init(reason: String, table: String, key: DetachedKey) { (self.reason, self.table, self.key) = (reason, table, key) }
    }
  }

  package init(message: String, tryAgain: Bool, action: ErrorAction) {
    (self.message, self.tryAgain, self.action) = (message, tryAgain, action.rawValue)
  }

  /// As JSON, in the order in which servers write it.
  package var text: String {
    var members = [
      JSONValue.Member("message", .string(message)), JSONValue.Member("tryAgain", .bool(tryAgain)), JSONValue.Member("logURL", .string(logURL)),
      JSONValue.Member("shouldClientReset", .bool(shouldClientReset)), JSONValue.Member("isRecoveryModeDisabled", .bool(isRecoveryModeDisabled)),
      JSONValue.Member("action", .string(action)),
    ]
    if let backOff {
      members.append(JSONValue.Member("backoffIntervalSec", .integer(Int128(backOff.seconds))))
      members.append(JSONValue.Member("backoffMaxDelaySec", .integer(Int128(backOff.longestSeconds))))
      members.append(JSONValue.Member("backoffMultiplier", .integer(Int128(backOff.multiplier))))
    }
    if let rejection { members += Self.members(rejection) }
    if let partitionQuery { members.append(JSONValue.Member("partitionQuery", .string(partitionQuery))) }
    if let previousSchemaVersion { members.append(JSONValue.Member("previousSchemaVersion", .integer(Int128(previousSchemaVersion)))) }
    return JSONValue.object(members).text
  }

  private static func members(_ rejection: Rejection) -> [JSONValue.Member] {
    let updates = rejection.updates.map { update in
      JSONValue.object([
        JSONValue.Member("reason", .string(update.reason)), JSONValue.Member("table", .string(update.table)),
        JSONValue.Member("pk", .string(Base64.text(update.key.encoded))),
      ])
    }
    let version = rejection.serverVersion.map { [JSONValue.Member("compensatingWriteServerVersion", .integer(Int128($0)))] } ?? []
    return version + [
      JSONValue.Member("rejectedClientVersion", .integer(Int128(rejection.clientVersion))), JSONValue.Member("rejectedUpdates", .array(updates)),
    ]
  }
}
