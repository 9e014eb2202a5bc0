extension Database {
  /// Opens a file for reading without ever changing it: unwritable files and directories, files in use, older formats. What
  /// tools promise their users by it: Documentation/CommandLine.md.
  ///
  /// Whoever has the file open is joined. If nobody has and the file is in order, this is the session's initiator, which cuts and converts
  /// nothing. A file that needs an initiator's repairs is read while everybody else is kept out, since later joiners would rely on them.
  /// Where no lock file can be made the file is read without one.
  /// - Parameter leavesNoFiles: A file without a lock file, which nobody has open, is read without making one; whoever opens it meanwhile does
  ///   not know of this reader, which has to look for a lock file when it is done.
  /// - Throws: like `open`; `.fileInUse` if others keep opening and closing the file.
  package static func openForInspection(
    path name: String, options given: DatabaseOptions = DatabaseOptions(), leavesNoFiles: Bool = false
  ) throws(StorageError) -> Database {
    let path = FileCalls.realPath(name)
    var options = given
    options.encryptionKey = given.encryptionKey?.copy()
    options.mayCreate = false
    options.acceptsAnyHistory = true
    options.mayUpgrade = true
    options.makesBackup = false
    options.emptiesInvalidFile = false
    options.seedPath = nil
    // A file that does not exist, or is no realm file, leaves no lock file behind.
    var needsRepair = try FileOpening.needsRepair(path: path, options: options)
    if leavesNoFiles, !FileCalls.exists(RealmPaths(path).lock) {
      return try openWithoutSession(path: path, options: options, exclusiveLock: nil)
    }
    do throws(StorageError) {
      for round in 0..<10 {
        if round > 0 { needsRepair = try FileOpening.needsRepair(path: path, options: options) }
        if let database = try inspect(path, options, needsRepair: needsRepair) { return database }
        sleepMilliseconds(.random(in: 1..<20))
      }
    } catch {
      switch error {
      case .permissionDenied, .directoryNotFound, .outOfDiskSpace:
        return try openWithoutSession(path: path, options: options, exclusiveLock: nil)
      case .io(_, RealmPaths(path).lock, _), .io(_, RealmPaths(path).management, _):
        return try openWithoutSession(path: path, options: options, exclusiveLock: nil)
      default: throw error
      }
    }
    throw .fileInUse(path: path)
  }

  /// - Returns: nil if another participant came or went in between.
  private static func inspect(_ path: String, _ options: DatabaseOptions, needsRepair: Bool) throws(StorageError) -> Database? {
    if needsRepair, let lock = try ExclusiveLock(RealmPaths(path)) {
      return try openWithoutSession(path: path, options: options, exclusiveLock: lock)
    }
    var sessionOptions = SessionOptions(hasKey: options.encryptionKey != nil, announcesCommits: false)
    if let agreed = LockFileAgreement.read(RealmPaths(path)) {
      (sessionOptions.durability, sessionOptions.historyType, sessionOptions.historySchema) = (agreed.durability, agreed.type, agreed.schema)
    } else if needsRepair {
      return nil
    } else {
      (sessionOptions.historyType, sessionOptions.historySchema) = try FileOpening.historyOptions(path: path, options: options)
    }
    var result: FileOpening.Result?
    do throws(StorageError) {
      let session = try Session.join(path: path, options: sessionOptions) { (isInitiator) throws(StorageError) in
        // Its last user left after we looked, maybe without the repairs that the file needs.
        if isInitiator, try FileOpening.needsRepair(path: path, options: options) { throw .fileInUse(path: path) }
        let opening = FileOpening(path: path, options: options, mayRepair: false, readsTop: isInitiator, mode: .readOnly, isShared: true)
        let file = try opening.run()
        result = file
        return file.attached
      }
      let file = result!
      file.storage.setMarks(session.pageMarks)
      let generation = Generation(
        mapping: file.mapping, storage: file.storage, participation: Participation(session: session, deletesFile: false))
      return Database(path: path, options: options, generation: generation, byteCount: file.byteCount, onlyPin: nil)
    } catch {
      switch error {
      // The lock file says what we asked for, so that it is the file itself that is another one than that of the others, or has another name.
      case .incompatibleSession where LockFileAgreement.read(RealmPaths(path))?.isMet(by: sessionOptions) == true: throw error
      case .incompatibleSession, .fileInUse: return nil
      default: throw error
      }
    }
  }
}

/// What the participants of a session agreed on, read from its lock file without joining.
struct LockFileAgreement {
  let durability: SessionOptions.Durability
  let type: SessionOptions.HistoryType
  let schema: UInt16

  func isMet(by options: SessionOptions) -> Bool {
    (durability, type, schema) == (options.durability, options.historyType, options.historySchema)
  }

  /// - Returns: nil if nobody has the database open, as far as that can be seen.
  static func read(_ paths: RealmPaths) -> LockFileAgreement? {
    guard let storage = try? FileStorage(path: paths.lock, mode: .readOnly),
      let bytes = try? storage.read(LockFileLayout.Fixed.byteCount, at: 0), bytes.count == LockFileLayout.Fixed.byteCount
    else { return nil }
    func half(_ offset: Int) -> UInt16 { UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8 }
    let participants = UInt32(half(LockFileLayout.Fixed.participantCount)) | UInt32(half(LockFileLayout.Fixed.participantCount + 2)) << 16
    guard bytes[LockFileLayout.Fixed.initComplete] == 1, participants > 0,
      let durability = SessionOptions.Durability(rawValue: half(LockFileLayout.Fixed.durability)),
      let type = SessionOptions.HistoryType(rawValue: bytes[LockFileLayout.Fixed.historyType])
    else { return nil }
    // Left behind by a session whose processes died: its lock is free.
    if let lock = try? ExclusiveLock(paths, mayCreate: false) {
      withExtendedLifetime(lock) {}
      return nil
    }
    return LockFileAgreement(durability: durability, type: type, schema: half(LockFileLayout.Fixed.historySchema))
  }
}
