import CSQLite
import EngineWorkloads

/// SQLite through its C API: prepared statements, `INTEGER PRIMARY KEY`, write-ahead log with `synchronous=FULL` (a commit is on the
/// disk when it returns, as with the other engines), 64 MiB of page cache instead of the 2 MiB of the default.
final class SQLitePeer: Peer {
  static let name = "SQLite"
  static func files(_ path: String) -> [String] { [path, path + "-wal", path + "-shm"] }

  private let database: OpaquePointer

  init(path: String) throws {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK, let handle else { throw PeerError("sqlite3_open_v2 \(path)") }
    database = handle
    try execute("PRAGMA journal_mode=WAL")
    try execute("PRAGMA synchronous=FULL")
    try execute("PRAGMA cache_size=-65536")
    try execute("CREATE TABLE IF NOT EXISTS department (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    try execute(
      """
      CREATE TABLE IF NOT EXISTS person (
        id INTEGER PRIMARY KEY, age INTEGER NOT NULL, score REAL NOT NULL, name TEXT NOT NULL, created INTEGER NOT NULL,
        department INTEGER REFERENCES department(id))
      """)
    try execute("INSERT OR IGNORE INTO department SELECT value, 'department' FROM (\(Self.numbers))")
  }

  private static let numbers =
    "WITH RECURSIVE n(value) AS (SELECT 0 UNION ALL SELECT value + 1 FROM n WHERE value < \(People.departmentCount - 1)) SELECT value FROM n"

  func insert(_ people: People) throws {
    try execute("BEGIN IMMEDIATE")
    let statement = try prepare("INSERT INTO person VALUES (?, ?, ?, ?, ?, ?)")
    defer { sqlite3_finalize(statement) }
    try people.names.withUnsafeBytes { names in
      // SAFETY: bytes that SQLite reads as characters, inside this closure only.
      let text = names.baseAddress!.assumingMemoryBound(to: CChar.self)
      for row in 0..<people.count {
        sqlite3_bind_int64(statement, 1, people.keys[row])
        sqlite3_bind_int64(statement, 2, people.ages[row])
        sqlite3_bind_double(statement, 3, people.scores[row])
        // No destructor: the text outlives the step.
        sqlite3_bind_text(statement, 4, text + people.nameRange(row).lowerBound, Int32(People.nameByteCount), nil)
        sqlite3_bind_int64(statement, 5, people.created[row])
        sqlite3_bind_int64(statement, 6, people.departments[row])
        try run(statement)
      }
    }
    try execute("COMMIT")
  }

  func sumOfAges(_ keys: [Int64]) throws -> Int64 {
    try execute("BEGIN")
    let statement = try prepare("SELECT age FROM person WHERE id = ?")
    defer { sqlite3_finalize(statement) }
    var sum: Int64 = 0
    for key in keys {
      sqlite3_bind_int64(statement, 1, key)
      guard sqlite3_step(statement) == SQLITE_ROW else { throw failure("step") }
      sum += sqlite3_column_int64(statement, 0)
      sqlite3_reset(statement)
    }
    try execute("COMMIT")
    return sum
  }

  /// A deferred transaction has no snapshot before it reads something.
  func beginAndEndReads(_ count: Int) throws {
    let statements = [try prepare("BEGIN"), try prepare("SELECT 1 FROM department LIMIT 1"), try prepare("COMMIT")]
    defer { for statement in statements { sqlite3_finalize(statement) } }
    for _ in 0..<count {
      for statement in statements {
        sqlite3_step(statement)
        sqlite3_reset(statement)
      }
    }
  }

  func sumOfAllAges() throws -> Int64 { try integer("SELECT SUM(age) FROM person") }

  func update(_ keys: [Int64], ages: [Int64]) throws {
    try execute("BEGIN IMMEDIATE")
    let statement = try prepare("UPDATE person SET age = ? WHERE id = ?")
    defer { sqlite3_finalize(statement) }
    for index in keys.indices {
      sqlite3_bind_int64(statement, 1, ages[index])
      sqlite3_bind_int64(statement, 2, keys[index])
      try run(statement)
    }
    try execute("COMMIT")
  }

  func delete(_ keys: [Int64]) throws {
    try execute("BEGIN IMMEDIATE")
    let statement = try prepare("DELETE FROM person WHERE id = ?")
    defer { sqlite3_finalize(statement) }
    for key in keys {
      sqlite3_bind_int64(statement, 1, key)
      try run(statement)
    }
    try execute("COMMIT")
  }

  func createNameIndex() throws { try execute("CREATE INDEX person_name ON person(name)") }

  func count(name: [UInt8]) throws -> Int {
    try Int(integer("SELECT COUNT(*) FROM person WHERE name = '\(String(decoding: name, as: UTF8.self))'"))
  }
  func count() throws -> Int { try Int(integer("SELECT COUNT(*) FROM person")) }

  func close() throws {
    guard sqlite3_close(database) == SQLITE_OK else { throw failure("close") }
  }

  // MARK: Statements

  func prepare(_ text: String) throws -> OpaquePointer {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(database, text, -1, &statement, nil) == SQLITE_OK, let statement else { throw failure(text) }
    return statement
  }
  private func run(_ statement: OpaquePointer) throws {
    guard sqlite3_step(statement) == SQLITE_DONE else { throw failure("step") }
    sqlite3_reset(statement)
  }
  func execute(_ text: String) throws {
    guard sqlite3_exec(database, text, nil, nil, nil) == SQLITE_OK else { throw failure(text) }
  }
  private func integer(_ text: String) throws -> Int64 {
    let statement = try prepare(text)
    defer { sqlite3_finalize(statement) }
    guard sqlite3_step(statement) == SQLITE_ROW else { throw failure(text) }
    return sqlite3_column_int64(statement, 0)
  }
  private func failure(_ operation: String) -> PeerError { PeerError("SQLite, \(operation): \(String(cString: sqlite3_errmsg(database)))") }
}

extension SQLitePeer {
  /// Opens an existing database, reads one property and closes it: no pragma, no schema statement.
  static func openReadClose(_ path: String, key: Int64) throws -> Int64 {
    var handle: OpaquePointer?
    var statement: OpaquePointer?
    guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK,
      sqlite3_prepare_v2(handle, "SELECT age FROM person WHERE id = ?", -1, &statement, nil) == SQLITE_OK,
      sqlite3_bind_int64(statement, 1, key) == SQLITE_OK, sqlite3_step(statement) == SQLITE_ROW
    else { throw PeerError("SQLite cannot open and read \(path)") }
    let age = sqlite3_column_int64(statement, 0)
    sqlite3_finalize(statement)
    sqlite3_close(handle)
    return age
  }
}
