public import Foundation

extension Realm {
  /// A failure of the outside world: files, space, permissions, damage, or a schema that does not fit.
  ///
  /// It is an `NSError`, so that every way to catch one works: `catch let error as NSError`, `catch let error as Realm.Error where
  /// error.code == .fileNotFound`, `catch Realm.Error.fileNotFound`. Two errors are equal as those of Foundation are: by domain, code and user info;
  /// as values of `any Error` they are by domain and code.
  public final class Error: NSError, CustomNSError, LocalizedError, @unchecked Sendable {
    // SAFETY: nothing is stored here, and an `NSError` does not change; subclasses have to say again what it says.

    /// The domain of these errors.
    public static let errorDomain = "io.realm"

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
    /// - Parameters:
    ///   - code: what has failed.
    ///   - userInfo: as in an `NSError`; the description under `NSLocalizedDescriptionKey`, the file under `NSFilePathErrorKey`.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
      super.init(domain: Self.errorDomain, code: code.rawValue, userInfo: userInfo)
    }

    /// - Parameters:
    ///   - path: of the file, where one is to blame.
    ///   - name: of the engine's error, such as "FileNotFound".
    ///   - systemCode: the `errno` of what the operating system refused.
    package convenience init(_ code: Code, description: String, path: String? = nil, name: String? = nil, systemCode: Int32? = nil) {
      var userInfo: [String: Any] = [NSLocalizedDescriptionKey: description, "Error Code": NSNumber(value: code.rawValue)]
      if let path { userInfo[NSFilePathErrorKey] = path }
      if let name { userInfo["Error Name"] = name }
      if let systemCode { userInfo[NSUnderlyingErrorKey] = NSError(domain: NSPOSIXErrorDomain, code: Int(systemCode)) }
      self.init(code, userInfo: userInfo)
    }

    /// Reads an error from an archive; nil if it holds none.
    public required init?(coder: NSCoder) { super.init(coder: coder) }

    /// Archives hold an `NSError`: the names of nested classes mean nothing to them.
    public override var classForCoder: AnyClass { NSError.self }

    /// The number of the code, as every `NSError` has it. `CustomNSError+Code.swift` has the code itself, which expressions without a type get.
    @_disfavoredOverload public override var code: Int { super.code }
    /// The number of the code.
    public var errorCode: Int { super.code }
    /// What is known about the failure: `userInfo` of the `NSError`.
    public var errorUserInfo: [String: Any] { userInfo }
    /// The text of the failure, complete: that is ``localizedDescription``.
    public var errorDescription: String? { localizedDescription }

    /// The text of the failure, complete.
    public override var localizedDescription: String {
      userInfo[NSLocalizedDescriptionKey] as? String ?? "The operation couldn\u{2019}t be completed. (\(domain) error \(errorCode).)"
    }

    /// The file that is to blame, if one is.
    public var fileURL: URL? { (userInfo[NSFilePathErrorKey] as? String).map { URL(fileURLWithPath: $0) } }

    /// Domain, code, text and user info, as Foundation writes errors on Apple platforms.
    public override var description: String {
      let text = "Error Domain=\(domain) Code=\(errorCode) \"\(localizedDescription)\""
      if userInfo.isEmpty { return text }
      return text + " UserInfo={" + userInfo.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: ", ") + "}"
    }

    /// Equal errors have equal ones. That of Foundation for Linux calls itself without end.
    public override var hash: Int { errorCode }

    /// `fail`, with the description "Call failed".
    public static let callFailed = Error(.fail, userInfo: [NSLocalizedDescriptionKey: "Call failed"])

    /// True if domain, code and user info are the same.
    public static func == (lhs: Error, rhs: Error) -> Bool { lhs.isEqual(rhs) }
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
@_disfavoredOverload public func == (lhs: any Error, rhs: any Error) -> Bool {
  lhs._code == rhs._code && lhs._domain == rhs._domain
}

extension Realm.Error.Code {
  /// Lets a code stand as a pattern: `catch Realm.Error.fileNotFound`.
  public static func ~= (code: Realm.Error.Code, error: any Swift.Error) -> Bool { (error as? Realm.Error)?.errorCode == code.rawValue }
}
