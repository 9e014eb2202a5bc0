import CLMDB
import EngineWorkloads

/// LMDB: one integer key leads to one packed record; read through the mapping, synced on commit (its default).
final class LMDBPeer: Peer {
  static let name = "LMDB"
  static func files(_ path: String) -> [String] { [path, path + "-lock"] }

  private let environment: OpaquePointer
  private var people: MDB_dbi = 0
  /// A second tree for the index of names: name → keys.
  private var names: MDB_dbi = 0

  /// The packed record: score, created, department, age, name.
  private static let ageOffset = 13
  private static let nameOffset = 14
  private static let integerKey = UInt32(0x08)
  private static let sortedDuplicates = UInt32(0x04)
  private static let fixedDuplicates = UInt32(0x10)
  private static let create = UInt32(0x40000)
  private static let noSubdirectory = UInt32(0x4000)
  private static let readOnly = UInt32(0x20000)

  init(path: String) throws {
    environment = try Self.open(path)
    try write { transaction in
      try check(mdb_dbi_open(transaction, "people", Self.integerKey | Self.create, &people), "dbi_open")
      try check(mdb_dbi_open(transaction, "names", Self.sortedDuplicates | Self.fixedDuplicates | Self.create, &names), "dbi_open")
    }
  }

  private static func open(_ path: String) throws -> OpaquePointer {
    var handle: OpaquePointer?
    guard mdb_env_create(&handle) == 0, let handle else { throw PeerError("mdb_env_create") }
    mdb_env_set_mapsize(handle, 4 << 30)
    mdb_env_set_maxdbs(handle, 2)
    let code = mdb_env_open(handle, path, noSubdirectory, 0o600)
    guard code == 0 else { throw PeerError("mdb_env_open \(path): \(String(cString: mdb_strerror(code)))") }
    return handle
  }

  func insert(_ rows: People) throws {
    var record = [UInt8](repeating: 0, count: 64)
    try write { transaction in
      for row in 0..<rows.count {
        let name = rows.nameRange(row)
        try record.withUnsafeMutableBytes { bytes in
          bytes.storeBytes(of: rows.scores[row].bitPattern, toByteOffset: 0, as: UInt64.self)
          bytes.storeBytes(of: Int32(truncatingIfNeeded: rows.created[row]), toByteOffset: 8, as: Int32.self)
          bytes[12] = UInt8(truncatingIfNeeded: rows.departments[row])
          bytes[Self.ageOffset] = UInt8(truncatingIfNeeded: rows.ages[row])
          rows.names.withUnsafeBytes { names in
            UnsafeMutableRawBufferPointer(rebasing: bytes[Self.nameOffset...]).copyMemory(from: UnsafeRawBufferPointer(rebasing: names[name]))
          }
          var key = rows.keys[row]
          try put(transaction, people, &key, UnsafeMutableRawBufferPointer(rebasing: bytes[..<(Self.nameOffset + name.count)]))
        }
      }
    }
  }

  func sumOfAges(_ keys: [Int64]) throws -> Int64 {
    var sum: Int64 = 0
    try read { transaction in
      for key in keys {
        var key = key
        let record = try withUnsafeMutableBytes(of: &key) { bytes in
          var name = MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
          var value = MDB_val()
          try check(mdb_get(transaction, people, &name, &value), "get")
          return value
        }
        sum += Int64(record.mv_data.load(fromByteOffset: Self.ageOffset, as: UInt8.self))
      }
    }
    return sum
  }

  func beginAndEndReads(_ count: Int) throws {
    try read { transaction in
      for _ in 0..<count {
        mdb_txn_reset(transaction)
        try check(mdb_txn_renew(transaction), "txn_renew")
      }
    }
  }

  func sumOfAllAges() throws -> Int64 {
    var sum: Int64 = 0
    try forEach { sum += Int64($1.mv_data.load(fromByteOffset: Self.ageOffset, as: UInt8.self)) }
    return sum
  }

  func update(_ keys: [Int64], ages: [Int64]) throws {
    var record = [UInt8](repeating: 0, count: 64)
    try write { transaction in
      for index in keys.indices {
        var key = keys[index]
        try withUnsafeMutableBytes(of: &key) { bytes in
          var name = MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
          var value = MDB_val()
          try check(mdb_get(transaction, people, &name, &value), "get")
          try record.withUnsafeMutableBytes { copy in
            copy.copyMemory(from: UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size))
            copy[Self.ageOffset] = UInt8(truncatingIfNeeded: ages[index])
            value.mv_data = copy.baseAddress
            try check(mdb_put(transaction, people, &name, &value, 0), "put")
          }
        }
      }
    }
  }

  func delete(_ keys: [Int64]) throws {
    try write { transaction in
      for key in keys {
        var key = key
        try withUnsafeMutableBytes(of: &key) { bytes in
          var name = MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
          try check(mdb_del(transaction, people, &name, nil), "del")
        }
      }
    }
  }

  func createNameIndex() throws {
    var entries: [(name: [UInt8], key: Int64)] = []
    try forEach { key, value in
      let name = UnsafeRawBufferPointer(start: value.mv_data, count: value.mv_size)[Self.nameOffset...]
      entries.append((Array(name), key.mv_data.load(as: Int64.self)))
    }
    try write { transaction in
      for var entry in entries {
        try entry.name.withUnsafeMutableBytes { name in
          var text = MDB_val(mv_size: name.count, mv_data: name.baseAddress)
          try withUnsafeMutableBytes(of: &entry.key) { key in
            var value = MDB_val(mv_size: 8, mv_data: key.baseAddress)
            try check(mdb_put(transaction, names, &text, &value, 0), "put")
          }
        }
      }
    }
  }

  func count(name: [UInt8]) throws -> Int {
    var count = 0
    try read { transaction in
      var cursor: OpaquePointer?
      try check(mdb_cursor_open(transaction, names, &cursor), "cursor_open")
      defer { mdb_cursor_close(cursor) }
      var bytes = name
      try bytes.withUnsafeMutableBytes { buffer in
        var text = MDB_val(mv_size: buffer.count, mv_data: buffer.baseAddress)
        var value = MDB_val()
        if mdb_cursor_get(cursor, &text, &value, MDB_SET) == MDB_NOTFOUND { return }
        try check(mdb_cursor_count(cursor, &count), "cursor_count")
      }
    }
    return count
  }

  func count() throws -> Int {
    var status = MDB_stat()
    try read { transaction in try check(mdb_stat(transaction, people, &status), "stat") }
    return status.ms_entries
  }

  func close() throws { mdb_env_close(environment) }

  // MARK: Transactions

  private func read(_ body: (OpaquePointer) throws -> Void) throws {
    var transaction: OpaquePointer?
    try check(mdb_txn_begin(environment, nil, Self.readOnly, &transaction), "txn_begin")
    defer { mdb_txn_abort(transaction) }
    try body(transaction!)
  }

  private func write(_ body: (OpaquePointer) throws -> Void) throws {
    var transaction: OpaquePointer?
    try check(mdb_txn_begin(environment, nil, 0, &transaction), "txn_begin")
    do { try body(transaction!) } catch {
      mdb_txn_abort(transaction)
      throw error
    }
    try check(mdb_txn_commit(transaction), "txn_commit")
  }

  private func put(_ transaction: OpaquePointer, _ tree: MDB_dbi, _ key: inout Int64, _ value: UnsafeMutableRawBufferPointer) throws {
    try withUnsafeMutableBytes(of: &key) { bytes in
      var name = MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
      var record = MDB_val(mv_size: value.count, mv_data: value.baseAddress)
      try check(mdb_put(transaction, tree, &name, &record, 0), "put")
    }
  }

  private func forEach(_ body: (MDB_val, MDB_val) -> Void) throws {
    try read { transaction in
      var cursor: OpaquePointer?
      try check(mdb_cursor_open(transaction, people, &cursor), "cursor_open")
      defer { mdb_cursor_close(cursor) }
      var (key, value) = (MDB_val(), MDB_val())
      while mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0 { body(key, value) }
    }
  }

  private func check(_ code: Int32, _ operation: String) throws {
    if code != 0 { throw PeerError("LMDB, \(operation): \(String(cString: mdb_strerror(code)))") }
  }
}

extension LMDBPeer {
  /// Opens an existing database, reads one property and closes it.
  static func openReadClose(_ path: String, key: Int64) throws -> Int64 {
    let environment = try open(path)
    defer { mdb_env_close(environment) }
    var transaction: OpaquePointer?
    guard mdb_txn_begin(environment, nil, readOnly, &transaction) == 0 else { throw PeerError("mdb_txn_begin") }
    defer { mdb_txn_abort(transaction) }
    var tree: MDB_dbi = 0
    guard mdb_dbi_open(transaction, "people", integerKey, &tree) == 0 else { throw PeerError("mdb_dbi_open") }
    var key = key
    return try withUnsafeMutableBytes(of: &key) { bytes in
      var name = MDB_val(mv_size: 8, mv_data: bytes.baseAddress)
      var value = MDB_val()
      guard mdb_get(transaction, tree, &name, &value) == 0 else { throw PeerError("mdb_get") }
      return Int64(value.mv_data.load(fromByteOffset: ageOffset, as: UInt8.self))
    }
  }
}
