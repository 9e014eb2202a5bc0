public import Foundation

extension Realm {
  /// A failure of the outside world: files, space, permissions, damage, or a schema that does not fit.
  ///
  /// `catch Realm.Error.fileNotFound` and `Realm.Error(.fileNotFound)` both work. Two errors are equal if their codes are.
  public struct Error: Swift.Error, CustomNSError, LocalizedError, Equatable, CustomStringConvertible {
    /// The domain of these errors as `NSError`.
    public static let errorDomain = "io.realm"

    private let content: NSError

    /// Kinds of failure, with the numbers of the Objective-C SDK.
    public enum Code: Int, Sendable {
      /// Everything that has no code of its own.
      case fail = 1
      /// An error of file access that has no code of its own.
      case fileAccess = 2
      /// The system does not permit to read or write the file or its directory.
      case filePermissionDenied = 3
      /// A file is where a new one was to be written.
      case fileExists = 4
      /// The file, its directory or the seed does not exist.
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
      /// A value that cannot be understood, such as a wrong text for an `ObjectId`.
      case invalidInput = 13
      /// The disk is full. The last committed version is still there.
      case outOfDiskSpace = 14
      /// The file is open elsewhere in a different mode.
      case incompatibleSession = 15
      /// The format of the file is too old to be upgraded, or newer than this library.
      case unsupportedFileFormatVersion = 16
      /// Of sync; does not occur.
      case multipleSyncAgents = 17
      /// Of sync; does not occur.
      case subscriptionFailed = 18
      /// The system refused an operation on the file for a reason without a code of its own.
      case fileOperationFailed = 19
      /// The file is damaged, encrypted with another key, or no database.
      case invalidDatabase = 20
      /// The file keeps a history of another kind than it is opened for.
      case incompatibleHistories = 21
      /// Of sync; does not occur.
      case noSubscriptionForWrite = 22
    }

    /// An error with any contents, for tests and for code that reports failures as this library does.
    ///
    /// - Parameter userInfo: as in an `NSError`; the description under `NSLocalizedDescriptionKey`, the file under `NSFilePath`.
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

    /// What kind of failure it is.
    public var code: Code { Code(rawValue: content.code) ?? .fail }
    /// The number of the code.
    public var errorCode: Int { content.code }
    /// As in an `NSError`: the description, and where they are known the file (`NSFilePath`) and the engine's name of the error (`Error Name`).
    public var userInfo: [String: Any] { content.userInfo }
    /// The same as `userInfo`, for `NSError`.
    public var errorUserInfo: [String: Any] { content.userInfo }
    /// The same as `localizedDescription`.
    public var errorDescription: String? { localizedDescription }

    /// The text of the failure, complete.
    public var localizedDescription: String {
      content.userInfo[NSLocalizedDescriptionKey] as? String
        ?? "The operation couldn't be completed. (\(Self.errorDomain) error \(content.code).)"
    }

    /// The file that is to blame, if one is.
    public var fileURL: URL? { (content.userInfo["NSFilePath"] as? String).map { URL(fileURLWithPath: $0) } }

    /// Domain, code and text.
    public var description: String { "Error Domain=\(Self.errorDomain) Code=\(content.code) \"\(localizedDescription)\"" }

    /// `fail`, with the description "Call failed".
    public static let callFailed = Error(.fail, description: "Call failed")

    /// True if the codes are the same, whatever the texts.
    public static func == (lhs: Error, rhs: Error) -> Bool { lhs.content.code == rhs.content.code }
  }
}

extension Realm.Error {
  /// Everything that has no code of its own: an invalid schema, a lower schema version, settings that contradict an open instance, and more.
  public static let fail = Code.fail
  /// An error of file access that has no code of its own.
  public static let fileAccess = Code.fileAccess
  /// The system does not permit to read or write the file or its directory.
  public static let filePermissionDenied = Code.filePermissionDenied
  /// A file is where a new one was to be written.
  public static let fileExists = Code.fileExists
  /// The file, its directory or the seed does not exist.
  public static let fileNotFound = Code.fileNotFound
  /// The file has an older format, and the way it was opened forbids the upgrade.
  public static let fileFormatUpgradeRequired = Code.fileFormatUpgradeRequired
  /// Another process uses the file with a version that cannot share it.
  public static let incompatibleLockFile = Code.incompatibleLockFile
  /// There is no room to map the file.
  public static let addressSpaceExhausted = Code.addressSpaceExhausted
  /// The schema differs from the one in the file, so that a migration is needed.
  public static let schemaMismatch = Code.schemaMismatch
  /// The file is in use and cannot be deleted or replaced.
  public static let alreadyOpen = Code.alreadyOpen
  /// A value that cannot be understood, such as a wrong text for an `ObjectId`.
  public static let invalidInput = Code.invalidInput
  /// The disk is full. The last committed version is still there.
  public static let outOfDiskSpace = Code.outOfDiskSpace
  /// The file is open elsewhere in a different mode.
  public static let incompatibleSession = Code.incompatibleSession
  /// The format of the file is too old to be upgraded, or newer than this library.
  public static let unsupportedFileFormatVersion = Code.unsupportedFileFormatVersion
  /// Of sync; does not occur.
  public static let multipleSyncAgents = Code.multipleSyncAgents
  /// Of sync; does not occur.
  public static let subscriptionFailed = Code.subscriptionFailed
  /// The system refused an operation on the file for a reason without a code of its own.
  public static let fileOperationFailed = Code.fileOperationFailed
  /// The file is damaged, encrypted with another key or without one, or no database.
  public static let invalidDatabase = Code.invalidDatabase
  /// The file keeps a history of another kind than it is opened for.
  public static let incompatibleHistories = Code.incompatibleHistories
  /// Of sync; does not occur.
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
