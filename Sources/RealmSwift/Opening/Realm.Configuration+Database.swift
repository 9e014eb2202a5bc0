import Foundation
import RealmStorage

extension Realm.Configuration {
  /// How the engine opens the file.
  func databaseOptions() throws -> DatabaseOptions {
    var options = DatabaseOptions()
    options.isImmutable = readOnly
    options.mayUpgrade = !readOnly
    options.durability = inMemoryIdentifier == nil ? .full : .memoryOnly
    options.seedPath = seedFilePath?.path
    options.encryptionKey = try effectiveKey?.engineKey()
    return options
  }

  /// The key, unless the environment says that keys are to be ignored.
  var effectiveKey: Data? { Self.ignoresKeys ? nil : encryptionKey }
  private static let ignoresKeys = ProcessInfo.processInfo.environment["REALM_DISABLE_ENCRYPTION"] != nil
}
