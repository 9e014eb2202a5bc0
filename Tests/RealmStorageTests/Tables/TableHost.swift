import Foundation
import TestSupport
import Testing

@testable import RealmStorage

/// Where a model test's group lives.
final class TableHost {
  private(set) var group: Group
  private let kind: Kind
  private let directory = TestDirectory()
  private var path: String { directory.file() }
  private var scratch: TestScratch?
  private var database: Database?
  private var transaction: WriteTransaction?
  private var commitCount = 0

  enum Kind {
    /// Laid out as a file in streaming form and read back at every commit: no free lists, no log.
    case image
    /// A real file, closed and opened again now and then.
    case database
  }

  /// - Parameter original: a file to start with a copy of.
  init(_ kind: Kind, copyOf original: String? = nil) throws {
    self.kind = kind
    let path = directory.file()
    if let original { try FileManager.default.copyItem(atPath: original, toPath: path) }
    switch kind {
    case .image:
      let top = try original == nil ? Ref.null : FileContents.top(path)
      let scratch = try TestScratch(original == nil ? [] : [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
      self.scratch = scratch
      group = try Group(writing: scratch.scratch, top: top)
    case .database:
      let database = try TableHost.open(path)
      let transaction = try database.beginWrite()
      (self.database, self.transaction) = (database, transaction)
      group = try Group(writing: transaction.scratch, top: transaction.topRef)
    }
  }

  deinit {
    transaction?.cancel()
    database?.close()
  }

  private static func open(_ path: String) throws -> Database {
    var options = DatabaseOptions()
    options.durability = .unsafe
    return try Database.open(path: path, options: options)
  }

  /// - Returns: whether what the group says was compared with the file.
  func commit(independently: Bool, _ context: String) throws {
    commitCount += 1
    switch kind {
    case .image:
      let layout = try RealmImage(group)
      _ = try directory.write(layout.bytes, as: "test.realm")
      try expectSound(path, independently: independently, context)
      let scratch = try TestScratch(layout.bytes)
      self.scratch = scratch
      group = try Group(writing: scratch.scratch, top: layout.top)
    case .database:
      guard let transaction else { return }
      transaction.topRef = try group.finishedTop()
      try transaction.commit(log: group.log.bytes)
      if commitCount % 3 == 0 {
        database?.close()
        database = try TableHost.open(path)
      }
      try expectSound(path, independently: independently, context)
      try begin()
    }
  }

  private func begin() throws {
    guard let next = try database?.beginWrite() else { return }
    transaction = next
    group = try Group(writing: next.scratch, top: next.topRef)
  }

  /// Forgets what is done by a body. Nothing happens where there is no transaction.
  func takingBack(_ body: () throws -> Void) throws {
    guard let transaction else { return }
    let savepoint = try transaction.savepoint(group)
    try body()
    group = try transaction.rollBack(group, to: savepoint)
  }

  /// Forgets what was done since the last commit.
  func cancel() throws {
    guard kind == .database else { return }
    transaction?.cancel()
    try begin()
  }
}
