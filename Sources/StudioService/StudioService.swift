import RealmInspection
import RealmQuery
import RealmStorage

/// What Realm Studio shows of a realm file and does to it, without any network: requests in, answers out.
///
/// Any thread. A request that reads sees one version of the file as a whole; one that changes something is one transaction.
public final class StudioService: Sendable {
  /// As it was given.
  public let path: String
  /// Whether the user asked for a file that cannot be changed here.
  public let isReadOnly: Bool
  private let file: Locked<LiveFile?>
  let undo = UndoHistory()
  let jobs = JobList()
  let map = FileMapCache()
  private let listeners = Locked<[UInt64: @Sendable ([UInt8]) -> Void]>([:])
  private let key = Locked<EncryptionKey?>(nil)

  /// Opens the file; one that needs a key which was not given is opened by a request.
  /// - Parameter keyFile: the path of a file with the key: 64 bytes, or 128 hexadecimal digits.
  /// - Throws: an error whose description is one line for the user.
  public init(path: String, keyFile: String? = nil, isReadOnly: Bool = false) throws {
    (self.path, self.isReadOnly) = (path, isReadOnly)
    file = Locked(nil)
    guard FileCalls.exists(path) else { throw StudioRefusal("\(path): no such file; check the path") }
    do throws(StorageError) {
      if let keyFile { try unlock(EncryptionKey.inFile(keyFile)) } else if FileKind(path) != .encrypted { try open(nil) }
    } catch { throw StudioRefusal(Diagnostics.message(error, path: path)) }
  }

  deinit { close() }

  /// To be called before anything is opened: nothing that a program writes to standard output or error, with which it was perhaps not started,
  /// goes into a file or to a browser.
  public static func reserveStandardStreams() { StandardStreams.reserve() }

  /// Lets go of the file; nothing is answered afterwards.
  public func close() {
    jobs.cancelAll()
    letGo()
  }

  /// Closes the file.
  func letGo() {
    let file = file.withLock { file in
      let old = file
      file = nil
      return old
    }
    file?.close()
  }

  // MARK: Listening

  /// Calls `body` with each change as JSON, on any thread, until the number that this returns is given to ``endListening(_:)``.
  public func listen(_ body: @escaping @Sendable ([UInt8]) -> Void) -> UInt64 {
    listeners.withLock { listeners in
      let number = (listeners.keys.max() ?? 0) + 1
      listeners[number] = body
      return number
    }
  }

  /// Ends what ``listen(_:)`` began.
  public func endListening(_ number: UInt64) { listeners.withLock { $0[number] = nil } }

  func tell(_ event: StudioJSON) {
    let bytes = event.bytes
    for listener in listeners.withLock({ Array($0.values) }) { listener(bytes) }
  }

  // MARK: The file

  /// The open file.
  func live() throws(StudioProblem) -> LiveFile {
    if let file = file.withLock({ $0 }) { return file }
    throw StudioProblem("The file is encrypted; give its key first.", status: 423)
  }

  var isLocked: Bool { file.withLock { $0 == nil } }
  var encryptionKey: EncryptionKey? { key.withLock { $0 } }

  func unlock(_ key: EncryptionKey) throws(StorageError) {
    try open(key)
    self.key.withLock { $0 = key }
  }

  /// Opens the file anew, as after an upgrade.
  func reopen() throws(StorageError) {
    letGo()
    try open(encryptionKey)
  }

  private func open(_ key: EncryptionKey?) throws(StorageError) {
    let disk = try FileStorage(path: path, mode: .readOnly)
    let header = try FileHeader.read(from: key.map { EncryptedStorage(disk, key: $0) } ?? disk)
    guard header.selectedTopRef.isNull || OpenFile.readableFormats.contains(header.selectedFormat) else {
      throw .unsupportedVersion(path: path, version: Int(header.selectedFormat))
    }
    let needsUpgrade = !header.selectedTopRef.isNull && header.selectedFormat != FileHeader.currentFormat
    let tell: @Sendable (StudioJSON) -> Void = { [weak self] in self?.tell($0) }
    var reason: String?
    var live: LiveFile?
    if !isReadOnly && !needsUpgrade {
      do throws(StorageError) {
        let database = try Database.open(path: path, options: jobs.options(path, key: key))
        live = try LiveFile(database, isWritable: true, readOnlyReason: nil, needsUpgrade: false, tell: tell)
      } catch {
        guard case .permissionDenied = error else { throw error }
        reason = Diagnostics.message(error, path: path)
      }
    }
    if live == nil {
      var options = DatabaseOptions()
      options.encryptionKey = key
      let database = try Database.openForInspection(path: path, options: options)
      live = try LiveFile(database, isWritable: false, readOnlyReason: reason, needsUpgrade: needsUpgrade, tell: tell)
    }
    file.withLock { $0 = live }
    live?.watch()
  }
}

/// Why a file cannot be shown at all.
struct StudioRefusal: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
