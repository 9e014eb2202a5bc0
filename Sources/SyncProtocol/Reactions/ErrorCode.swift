/// What went wrong, as a number on the wire (P8.1).
///
/// Source: the table of realm-core `src/realm/sync/protocol.hpp` and what its clients were seen to do. A wrong one makes SDKs tell their app something
/// else, or end its process.
package enum ErrorCode: Int32, Sendable, CaseIterable {
  case connectionClosed = 100
  case otherError = 101
  case unknownMessage = 102
  case badSyntax = 103
  case limitsExceeded = 104
  case wrongProtocolVersion = 105
  case badSessionIdent = 106
  case reuseOfSessionIdent = 107
  case boundInOtherSession = 108
  case badMessageOrder = 109
  case badDecompression = 110
  case badChangesetHeaderSyntax = 111
  case badChangesetSize = 112
  case switchToFlexibleSync = 113
  case switchToPartitionSync = 114
  case sessionClosed = 200
  case otherSessionError = 201
  case tokenExpired = 202
  case badAuthentication = 203
  case illegalRealmPath = 204
  case noSuchRealm = 205
  case permissionDenied = 206
  case badServerFileIdent = 207
  case badClientFileIdent = 208
  case badServerVersion = 209
  case badClientVersion = 210
  case divergingHistories = 211
  case badChangeset = 212
  case partialSyncDisabled = 214
  case unsupportedSessionFeature = 215
  case badOriginFileIdent = 216
  case badClientFile = 217
  case serverFileDeleted = 218
  case clientFileBlacklisted = 219
  case userBlacklisted = 220
  case transactBeforeUpload = 221
  case clientFileExpired = 222
  case userMismatch = 223
  case tooManySessions = 224
  case invalidSchemaChange = 225
  case badQuery = 226
  case objectAlreadyExists = 227
  case serverPermissionsChanged = 228
  case initialSyncNotCompleted = 229
  case writeNotAllowed = 230
  case compensatingWrite = 231
  case migrateToFlexibleSync = 232
  case badProgress = 233
  case revertToPartitionSync = 234
  case badSchemaVersion = 235
  case schemaVersionChanged = 236

  /// About one session. Others are about the whole connection; a message that mixes them up is a violation.
  package var isOfSession: Bool { rawValue >= 200 }

  /// Clients of other makers end their process when they get one of these.
  package var endsClients: Bool { sdkError == nil }

  /// What an app sees; nil for what must never be sent.
  package var sdkError: SDKError? {
    switch self {
    case .connectionClosed, .sessionClosed, .initialSyncNotCompleted: .connectionClosed
    case .otherError, .badDecompression, .otherSessionError: .runtimeError
    case .unknownMessage, .badSyntax, .wrongProtocolVersion, .badSessionIdent, .reuseOfSessionIdent, .boundInOtherSession, .badMessageOrder,
      .badChangesetHeaderSyntax, .badChangesetSize, .badOriginFileIdent, .badProgress:
      .syncProtocolInvariantFailed
    case .switchToFlexibleSync, .switchToPartitionSync, .migrateToFlexibleSync, .revertToPartitionSync: .wrongSyncType
    case .illegalRealmPath: .badSyncPartitionValue
    case .permissionDenied: .syncPermissionDenied
    case .badClientFileIdent, .badServerVersion, .badClientVersion, .divergingHistories, .badClientFile, .clientFileExpired:
      .syncClientResetRequired
    case .badChangeset: .badChangeset
    case .userMismatch: .syncUserMismatch
    case .invalidSchemaChange: .invalidSchemaChange
    case .badQuery: .invalidSubscriptionQuery
    case .objectAlreadyExists: .objectAlreadyExists
    case .serverPermissionsChanged: .syncServerPermissionsChanged
    case .writeNotAllowed: .syncWriteNotAllowed
    case .compensatingWrite: .syncCompensatingWrite
    case .badSchemaVersion, .schemaVersionChanged: .syncSchemaMigrationError
    case .limitsExceeded, .tokenExpired, .badAuthentication, .noSuchRealm, .badServerFileIdent, .partialSyncDisabled, .unsupportedSessionFeature,
      .serverFileDeleted, .clientFileBlacklisted, .userBlacklisted, .transactBeforeUpload, .tooManySessions:
      nil
    }
  }

  /// What clients are asked to do.
  package var usualAction: ErrorAction {
    switch self {
    case .connectionClosed, .sessionClosed, .initialSyncNotCompleted: .transient
    case .switchToFlexibleSync, .switchToPartitionSync, .illegalRealmPath, .permissionDenied, .badChangeset, .userMismatch, .invalidSchemaChange,
      .badQuery, .badSchemaVersion:
      .applicationBug
    case .badClientFileIdent, .badServerVersion, .badClientVersion, .divergingHistories, .badClientFile, .clientFileExpired, .objectAlreadyExists,
      .serverPermissionsChanged, .writeNotAllowed:
      .clientReset
    case .compensatingWrite: .warning
    case .migrateToFlexibleSync: .migrateToFlexibleSync
    case .revertToPartitionSync: .revertToPartitionSync
    case .schemaVersionChanged: .migrateSchema
    default: .protocolViolation
    }
  }
}

/// What apps call an error, by the names of the SDKs.
package enum SDKError: String, Sendable {
  case connectionClosed = "ConnectionClosed"
  case runtimeError = "RuntimeError"
  case syncProtocolInvariantFailed = "SyncProtocolInvariantFailed"
  case wrongSyncType = "WrongSyncType"
  case badSyncPartitionValue = "BadSyncPartitionValue"
  case syncPermissionDenied = "SyncPermissionDenied"
  case syncClientResetRequired = "SyncClientResetRequired"
  case badChangeset = "BadChangeset"
  case syncUserMismatch = "SyncUserMismatch"
  case invalidSchemaChange = "InvalidSchemaChange"
  case invalidSubscriptionQuery = "InvalidSubscriptionQuery"
  case objectAlreadyExists = "ObjectAlreadyExists"
  case syncServerPermissionsChanged = "SyncServerPermissionsChanged"
  case syncWriteNotAllowed = "SyncWriteNotAllowed"
  case syncCompensatingWrite = "SyncCompensatingWrite"
  case syncSchemaMigrationError = "SyncSchemaMigrationError"
  case unknownError = "UnknownError"
  case authError = "AuthError"
  case syncConnectFailed = "SyncConnectFailed"
  case syncConnectTimeout = "SyncConnectTimeout"
  case tlsHandshakeFailed = "TlsHandshakeFailed"
  case limitExceeded = "LimitExceeded"
  case syncProtocolNegotiationFailed = "SyncProtocolNegotiationFailed"
}
