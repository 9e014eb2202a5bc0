/// What a server asks a client to do after an error (P8.2).
package enum ErrorAction: String, Sendable, CaseIterable {
  case transient = "Transient"
  case warning = "Warning"
  case applicationBug = "ApplicationBug"
  case protocolViolation = "ProtocolViolation"
  case clientReset = "ClientReset"
  case clientResetNoRecovery = "ClientResetNoRecovery"
  case deleteRealm = "DeleteRealm"
  case migrateToFlexibleSync = "MigrateToFLX"
  case revertToPartitionSync = "RevertToPBS"
  case migrateSchema = "MigrateSchema"
  case refreshUser = "RefreshUser"
  case refreshLocation = "RefreshLocation"
  case logOutUser = "LogOutUser"
}
