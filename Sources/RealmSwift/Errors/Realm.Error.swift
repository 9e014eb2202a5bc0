public import Foundation

extension Realm {
  /// A failure of the outside world: files, space, permissions, damage, or a schema that does not fit.
  ///
  /// `catch Realm.Error.fileNotFound` and `Realm.Error(.fileNotFound)` both work. Two errors are equal if their codes are.
  public struct Error: Swift.Error, CustomNSError, LocalizedError, Equatable, CustomStringConvertible {
    public static let errorDomain = "io.realm"

    private let content: NSError

    public enum Code: Int, Sendable {
      /// Everything that has no code of its own.
      case fail = 1
      /// An error of file access that has no code of its own.
      case fileAccess = 2
      case filePermissionDenied = 3
      case fileExists = 4
      case fileNotFound = 5
      /// The file has an older format, and the way it was opened forbids the upgrade.
      case fileFormatUpgradeRequired = 6
      /// Another process uses the file with a version that cannot share it.
      case incompatibleLockFile = 8
      /// No room to map the file.
      case addressSpaceExhausted = 9
      /// The schema differs from the one in the file, so that a migration is needed.
      case schemaMismatch = 10
      /// The file is in use and cannot be deleted or replaced.
      case alreadyOpen = 12
      case invalidInput = 13
      case outOfDiskSpace = 14
      /// The file is open elsewhere in a different mode.
      case incompatibleSession = 15
      case unsupportedFileFormatVersion = 16
      case multipleSyncAgents = 17
      case subscriptionFailed = 18
      case fileOperationFailed = 19
      /// The file is damaged, encrypted with another key, or no database.
      case invalidDatabase = 20
      case incompatibleHistories = 21
      case noSubscriptionForWrite = 22
    }

    public init(_ code: Code, userInfo: [String: Any] = [:]) {
      content = NSError(domain: Self.errorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// - Parameters:
    ///   - path: of the file, where one is to blame.
    ///   - name: of the engine's error, such as "FileNotFound".
    package init(_ code: Code, description: String, path: String? = nil, name: String? = nil) {
      var userInfo: [String: Any] = [NSLocalizedDescriptionKey: description, "Error Code": NSNumber(value: code.rawValue)]
      if let path { userInfo["NSFilePath"] = path }
      if let name { userInfo["Error Name"] = name }
      self.init(code, userInfo: userInfo)
    }

    public var code: Code { Code(rawValue: content.code) ?? .fail }
    public var errorCode: Int { content.code }
    public var userInfo: [String: Any] { content.userInfo }
    public var errorUserInfo: [String: Any] { content.userInfo }
    public var errorDescription: String? { localizedDescription }

    /// The text of the failure, complete.
    public var localizedDescription: String {
      content.userInfo[NSLocalizedDescriptionKey] as? String
        ?? "The operation couldn't be completed. (\(Self.errorDomain) error \(content.code).)"
    }

    /// The file that is to blame, if one is.
    public var fileURL: URL? { (content.userInfo["NSFilePath"] as? String).map { URL(fileURLWithPath: $0) } }

    public var description: String { "Error Domain=\(Self.errorDomain) Code=\(content.code) \"\(localizedDescription)\"" }

    /// `fail`, with the description "Call failed".
    public static let callFailed = Error(.fail, description: "Call failed")

    public static func == (lhs: Error, rhs: Error) -> Bool { lhs.content.code == rhs.content.code }
  }
}

extension Realm.Error {
  public static let fail = Code.fail
  public static let fileAccess = Code.fileAccess
  public static let filePermissionDenied = Code.filePermissionDenied
  public static let fileExists = Code.fileExists
  public static let fileNotFound = Code.fileNotFound
  public static let fileFormatUpgradeRequired = Code.fileFormatUpgradeRequired
  public static let incompatibleLockFile = Code.incompatibleLockFile
  public static let addressSpaceExhausted = Code.addressSpaceExhausted
  public static let schemaMismatch = Code.schemaMismatch
  public static let alreadyOpen = Code.alreadyOpen
  public static let invalidInput = Code.invalidInput
  public static let outOfDiskSpace = Code.outOfDiskSpace
  public static let incompatibleSession = Code.incompatibleSession
  public static let unsupportedFileFormatVersion = Code.unsupportedFileFormatVersion
  public static let multipleSyncAgents = Code.multipleSyncAgents
  public static let subscriptionFailed = Code.subscriptionFailed
  public static let fileOperationFailed = Code.fileOperationFailed
  public static let invalidDatabase = Code.invalidDatabase
  public static let incompatibleHistories = Code.incompatibleHistories
  public static let noSubscriptionForWrite = Code.noSubscriptionForWrite
}

/// True if domain and code are the same, whatever the types of the errors.
public func == (lhs: any Error, rhs: any Error) -> Bool {
  let (left, right) = (lhs as NSError, rhs as NSError)
  return left.domain == right.domain && left.code == right.code
}

extension Realm.Error.Code {
  /// Lets a code stand as a pattern: `catch Realm.Error.fileNotFound`.
  public static func ~= (code: Realm.Error.Code, error: any Swift.Error) -> Bool { (error as? Realm.Error)?.code == code }
}
