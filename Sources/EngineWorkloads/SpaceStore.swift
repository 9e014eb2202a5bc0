import RealmStorage

/// A database whose size is watched while it is filled, emptied and used: `space-benchmarks`.
///
/// Not thread-safe.
public final class SpaceStore {
  private let database: Database
  private var reader: Snapshot?
  private var state: UInt64 = 88_172_645_463_325_252
  private var nextID: Int64 = 0

  private static let item = "class_Item"

  /// Creates a database with its schema.
  public init(path: String) throws {
    database = try Database.open(path: path)
    try write { (group) throws(StorageError) in
      let table = try group.addTable(Self.item)
      try table.setPrimaryKey(table.addColumn(ColumnDefinition("id", .int)))
      try table.addColumn(ColumnDefinition("number", .int))
      try table.addColumn(ColumnDefinition("payload", .binary))
    }
  }

  /// Leaves the session; nothing may be in progress.
  public func close() {
    reader = nil
    database.close()
  }

  private func write(_ body: (Group) throws(StorageError) -> Void) throws(StorageError) {
    let transaction = try database.beginWrite(staysOnThread: true)
    let group = try transaction.openGroup()
    try body(group)
    try transaction.commit(group)
  }

  private func table(_ group: Group) throws(StorageError) -> Table {
    guard let table = try group.table(named: Self.item) else { throw .noSuchTable(name: Self.item) }
    return table
  }

  /// A number in no order that depends on nothing but the calls before.
  private func random() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  /// Adds items, each with a payload of so many bytes, in one transaction.
  public func fill(_ count: Int, byteCount: Int) throws {
    try write { (group) throws(StorageError) in
      let table = try table(group)
      let (number, payload) = (try table.column(named: "number").key, try table.column(named: "payload").key)
      for _ in 0..<count {
        let key = try table.createObject(primaryKey: nextID)
        nextID += 1
        try table.setInt(key, number, Int64(random() >> 40))
        try table.set(key, payload, .binary([UInt8](repeating: UInt8(truncatingIfNeeded: random()), count: byteCount)))
      }
    }
  }

  /// Removes all but every `kept`-th item in one transaction.
  public func thin(keepingEvery kept: Int) throws {
    try write { (group) throws(StorageError) in
      let table = try table(group)
      try table.remove(table.keys().enumerated().filter { $0.offset % kept != 0 }.map(\.element))
    }
  }

  /// Changes one number of one item.
  public func touch() throws {
    try write { (group) throws(StorageError) in
      let table = try table(group)
      let keys = try table.keys()
      try table.setInt(keys[Int(random() % UInt64(keys.count))], table.column(named: "number").key, Int64(random() >> 40))
    }
  }

  /// Reads the newest version from now on.
  public func pin() throws { reader = try database.snapshot() }
  /// Lets go of the version that `pin` holds.
  public func unpin() { reader = nil }

  /// - Returns: by how much the file became shorter.
  public func releaseUnusedSpace() throws -> UInt64 { try database.releaseUnusedSpace() }

  /// What the newest version says of the file.
  public struct Use {
    /// Of the file as the system sees it.
    public var fileByteCount: UInt64
    /// Up to the end of the newest version.
    public var logicalByteCount: UInt64
    /// What the newest version uses of that.
    public var usedByteCount: UInt64
    /// Contents are being moved towards the beginning, or the engine waits for readers to let go of the old places.
    public var isMoving: Bool
  }

  /// Asks the newest version.
  public func use() throws -> Use {
    let read = try database.beginRead()
    defer { read.end() }
    let description = try GroupDescription(space: read.space, top: read.topRef)
    let (total, used) = try database.spaceUse()
    return Use(
      fileByteCount: try database.fileByteCount(), logicalByteCount: total, usedByteCount: used, isMoving: description.evacuation != 0)
  }
}
