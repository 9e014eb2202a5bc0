package import RealmStorage

/// A `.realm` file opened for looking, never for writing: one version of it, read together with whoever else uses the file.
///
/// The version stays as long as this object lives, and so must whatever reads through `space`.
package final class OpenFile {
  package let path: String
  package let header: FileHeader
  /// 0 in a database that was never committed to.
  package let format: Int
  package let fileByteCount: UInt64
  /// Nil in a database that was never committed to, and at depth `.header`.
  package let group: GroupDescription?
  /// Bounded by the logical size; by the end of the nodes when the file is too damaged for `Database`.
  package let space: NodeSpace
  package let tables: [TableDescription]
  /// The tables but for those that are only for synchronisation.
  package var classes: [TableDescription] { tables.filter { !SchemaNames.isInternal($0.name) } }
  package let top: Ref
  /// Nobody had the file open, and no lock file tells others of this reader.
  private let isUnannounced: Bool
  /// Keeps what `space` reads.
  private let access: Access

  private enum Access {
    case version(Database, Snapshot)
    /// A file that no engine opens; there is nobody to share it with.
    case damaged(Mapping)
  }

  package var isStreaming: Bool { header.isStreaming }
  /// For copies; nil for a file that no engine opens.
  package var snapshot: Snapshot? {
    if case .version(_, let snapshot) = access { return snapshot }
    return nil
  }

  /// Of a file that was opened for salvage, and of no other.
  package func mendedLeaves() -> MendedLeaves {
    guard case .damaged(let mapping) = access else { preconditionFailure("Only what was opened for salvage can be mended.") }
    return MendedLeaves(mapping, logicalByteCount: space.fileLimit)
  }

  /// How much of the group to decode while opening.
  package enum Depth: Sendable {
    /// Top array and tables; damage there is thrown.
    case schema
    /// Only the header, for checks that report damage themselves.
    case header
  }

  /// Formats that can be read (F11).
  package static let readableFormats: [UInt8] = [10, 11, 20, 21, 22, 23, 24]

  /// - Throws: see `Database.openForInspection`; `.unsupportedVersion` for formats that nobody reads any more.
  package convenience init(path: String, key: EncryptionKey? = nil, depth: Depth = .schema) throws(StorageError) {
    let isUnannounced = !FileCalls.exists(RealmPaths(FileCalls.realPath(path)).lock)
    let database: Database
    var options = DatabaseOptions()
    options.encryptionKey = key
    do throws(StorageError) { database = try Database.openForInspection(path: path, options: options, leavesNoFiles: true) } catch {
      // A check says more about a damaged top array than that it is damaged.
      guard depth == .header, error.isDamage else { throw error.sayingWhetherKeyIsRight(path: path, key: key) }
      do throws(StorageError) { try self.init(damaged: path, key: key) } catch { throw error.sayingWhetherKeyIsRight(path: path, key: key) }
      return
    }
    try self.init(database, depth: depth, isUnannounced: isUnannounced)
  }

  /// A version of an open database.
  /// - Parameter given: nil for the newest.
  package init(
    _ database: Database, at given: Snapshot? = nil, depth: Depth = .schema, isUnannounced: Bool = false
  ) throws(StorageError) {
    self.isUnannounced = isUnannounced
    path = database.path
    var header = try database.readHeader()
    var snapshot = if let given { given } else { try database.snapshot() }
    // Somebody may be upgrading the file at this moment.
    while given == nil {
      let next = try database.readHeader()
      if next.selectedFormat == header.selectedFormat { break }
      header = next
      snapshot = try database.snapshot()
    }
    self.header = header
    format = Int(header.selectedFormat)
    top = snapshot.topRef
    try OpenFile.checkFormat(header, path: path)
    fileByteCount = try database.fileByteCount()
    access = .version(database, snapshot)
    space = snapshot.space
    guard depth == .schema && !top.isNull else {
      (group, tables) = (nil, [])
      return
    }
    let group = try GroupDescription(space: space, top: top)
    self.group = group
    tables = try group.allTables(space: space)
  }

  /// Only the header is sound.
  private init(damaged path: String, key: EncryptionKey?) throws(StorageError) {
    let file = try FileStorage(path: path, mode: .readOnly)
    let storage: any Storage = if let key { EncryptedStorage(file, key: key, expectsWriters: false) } else { file }
    isUnannounced = true
    header = try FileHeader.read(from: storage)
    let byteCount = try storage.byteCount()
    fileByteCount = try file.byteCount()
    self.path = path
    format = Int(header.selectedFormat)
    top = header.selectedTopRef
    try OpenFile.checkFormat(header, path: path)
    let mapping = try Mapping(storage, byteCount: byteCount)
    access = .damaged(mapping)
    space = mapping.readerSpace(logicalByteCount: header.isStreaming ? byteCount - UInt64(FileHeader.footerByteCount) : byteCount)
    (group, tables) = (nil, [])
  }

  /// A file of which only parts may be readable: its tables are those that can be decoded.
  /// - Parameter onDamage: told of what cannot.
  /// - Throws: when no version of the file has a readable list of tables.
  package init(salvaging path: String, key: EncryptionKey?, onDamage: @escaping (String) -> Void) throws(StorageError) {
    let file = try FileStorage(path: path, mode: .readOnly)
    let storage: any Storage = if let key { EncryptedStorage(file, key: key, expectsWriters: false) } else { file }
    let byteCount = try storage.byteCount() & ~7
    let mapping = try Mapping(storage, byteCount: byteCount)
    let space = mapping.readerSpace(logicalByteCount: byteCount)
    let header = OpenFile.header(salvaging: storage, byteCount: byteCount, onDamage)
    let found = header == nil || header?.selectedTopRef.isNull == false ? SalvageSearch(space, header ?? FileHeader()).newest(onDamage) : nil
    // A sound header says so of a file that nobody ever committed to.
    guard found != nil || header?.selectedTopRef.isNull == true else {
      if key != nil { try OpenFile.checkKey(of: storage, path: path) } else if FileKind(path) == .encrypted { _ = try FileHeader.read(from: storage) }
      throw .invalidDatabase(path: path, reason: "no list of classes can be read in it")
    }
    let (top, group) = (found?.0 ?? .null, found?.1)
    var tables: [TableDescription] = []
    var taken = Set((0..<(group?.tableSlotCount ?? 0)).compactMap { slot in try? group?.tableName(slot) })
    for slot in 0..<(group?.tableSlotCount ?? 0) {
      guard let group, case .table = group.tableSlot(slot) else { continue }
      let name: [UInt8]
      do throws(StorageError) { name = try group.tableName(slot) } catch {
        name = DamagedNodes.name("class_Class", slot, &taken)
        onDamage("the name of a class, which is called '\(SchemaText.className(name))' now: \(error.damage)")
      }
      let phrase = TableName(name).phrase
      do throws(StorageError) {
        let table = try group.table(space: space, slot: slot, name: name) { what, error in onDamage("\(what) of the \(phrase): \(error.damage)") }
        if let table { tables.append(table) }
      } catch { onDamage("the \(phrase): \(error.damage)") }
    }
    tables = TableDescription.completingLinks(tables)
    let known = header ?? FileHeader()
    (self.path, self.header, self.top, self.space, self.tables) = (path, known, top, space, tables)
    (self.group, isUnannounced, access) = (group, true, .damaged(mapping))
    format = OpenFile.readableFormats.contains(known.selectedFormat) ? Int(known.selectedFormat) : Int(FileHeader.currentFormat)
    fileByteCount = try file.byteCount()
  }

  /// - Parameter byteCount: in whole words: a file that was cut off somewhere still says in its first bytes where its versions are.
  /// - Returns: nil if nothing of it is left.
  private static func header(salvaging storage: any Storage, byteCount: UInt64, _ onDamage: (String) -> Void) -> FileHeader? {
    do throws(StorageError) { return try FileHeader.read(from: storage) } catch { onDamage("the header: \(error.damage)") }
    do throws(StorageError) {
      let start = try storage.read(FileHeader.byteCount, at: 0)
      let header = try FileHeader(start: start, end: [], fileByteCount: byteCount, path: storage.path, hasKey: storage.encryptionKey != nil)
      return header.selectedTopRef.isNull ? nil : header
    } catch { return nil }
  }

  /// - Throws: what is wrong with the header, unless other pages can be read with the key.
  private static func checkKey(of storage: any Storage, path: String) throws(StorageError) {
    do throws(StorageError) { _ = try FileHeader.read(from: storage) } catch {
      let error = error.sayingWhetherKeyIsRight(path: path, key: storage.encryptionKey)
      if case .invalidDatabase(_, let reason) = error, reason.hasSuffix(StorageError.keyIsRight) { return }
      throw error
    }
  }

  private static func checkFormat(_ header: FileHeader, path: String) throws(StorageError) {
    let isUnused = header.selectedFormat == 0 && header.selectedTopRef.isNull
    guard readableFormats.contains(header.selectedFormat) || isUnused else {
      throw .unsupportedVersion(path: path, version: Int(header.selectedFormat))
    }
  }

  /// - Throws: `.noSuchTable`.
  package func table(named name: String) throws(StorageError) -> TableDescription {
    if let table = find(name) { return table }
    throw .noSuchTable(name: name)
  }

  /// The class of a name, or the table that is called so as a whole, such as `class_Dog` or `metadata`; as `Preparation` finds what is changed.
  package func find(_ name: String) -> TableDescription? { importTarget(name) ?? tables.first { $0.name.elementsEqual(name.utf8) } }

  /// The class that objects of an import go to, by no name but its own: another table is none.
  package func importTarget(_ className: String) -> TableDescription? { tables.first { $0.name.elementsEqual(("class_" + className).utf8) } }

  /// The oldest version that anybody reads now; nil for a file that no engine opens.
  package func oldestLiveVersion() throws(StorageError) -> UInt64? {
    if case .version(let database, _) = access { return try database.oldestLiveVersion() }
    return nil
  }

  /// Who holds which version now; empty for a file that no engine opens, or without a lock file.
  package func versionClaims() throws(StorageError) -> [VersionClaims] {
    if case .version(let database, _) = access { return try database.versionClaims() }
    return []
  }

  /// Participants of the session beside this one, those that died in it included.
  package var otherParticipantCount: Int {
    if case .version(let database, _) = access { return max(database.participantCount, 1) - 1 }
    return 0
  }

  /// Call when everything is read.
  /// - Throws: `.fileInUse` if somebody opened the file who could not know that it was being read: what was read may be wrong.
  package func checkUndisturbed() throws(StorageError) {
    if isUnannounced, FileCalls.exists(RealmPaths(FileCalls.realPath(path)).lock) { throw .fileInUse(path: path) }
  }

  /// Every structural invariant of the version.
  /// - Parameters: see `Verification.run`.
  package func verify(
    visitor: NodeVisitor? = nil, progress: ((_ done: Int, _ total: Int) -> Void)? = nil, isCancelled: (() -> Bool)? = nil
  ) -> Verification {
    Verification.run(
      space, top: top, format: format, isStreaming: isStreaming, visitor: visitor, progress: progress, isCancelled: isCancelled)
  }
}

extension StorageError {
  /// The file's nodes are at fault, not its header and not the world around it.
  fileprivate var isDamage: Bool {
    switch self {
    case .corruptNode, .invalidDatabase, .incompatibleHistory: true
    default: false
    }
  }
}
