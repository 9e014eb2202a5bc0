import EngineWorkloads

/// An engine under measurement: one open database with the table of people in it.
///
/// All engines commit durably, one transaction for each call that writes. Every reading call returns what it read, so that nothing is
/// optimised away and the answers can be compared.
protocol Peer: AnyObject {
  static var name: String { get }
  /// Names of the files that belong to the database at `path`.
  static func files(_ path: String) -> [String]

  /// Opens the database, creates it with its schema if it does not exist.
  init(path: String) throws
  /// All rows in one transaction.
  func insert(_ people: People) throws
  /// The sum of the ages of the people with these keys, read in one transaction.
  func sumOfAges(_ keys: [Int64]) throws -> Int64
  /// Begins and ends `count` read transactions.
  func beginAndEndReads(_ count: Int) throws
  /// The sum of all ages.
  func sumOfAllAges() throws -> Int64
  /// New ages for the people with these keys, in one transaction.
  func update(_ keys: [Int64], ages: [Int64]) throws
  /// Deletes the people with these keys in one transaction.
  func delete(_ keys: [Int64]) throws
  func createNameIndex() throws
  /// The number of people with a name, by the index if there is one.
  func count(name: [UInt8]) throws -> Int
  func count() throws -> Int
  func close() throws
}

struct PeerError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
