import ChangesetModel
import Changesets
import Foundation
import RealmStorage
import RealmSync
import SyncSimulation
import TestSupport
import Testing

/// Files that change at the same time and then synchronise, as the original's files did: afterwards all of them hold what its files held.
@Suite struct RecordedMergesTests {
  @Test(arguments: [
    "dictionaries", "embedded", "lists", "mixed-collections", "objects-links", "random", "scalars", "schema", "sets", "several-transactions",
    "three-clients",
  ])
  func filesBecomeEqual(_ group: String) throws {
    let bases = try RecordedOperation.document("merge/bases.json")["bases"] as? [String: [String: Any]] ?? [:]
    let vectors = try RecordedOperation.document("merge/\(group).json")["vectors"] as? [[String: Any]] ?? []
    #expect(!vectors.isEmpty)
    for vector in sample(vectors) {
      let name = vector["id"] as? String ?? "?"
      // These put a list where there is one. The original's engine keeps the elements, and its SDK removes them at once; our engine does both.
      if ["mixed/element-vs-newlist", "mixed/clear-vs-set-list"].contains(where: name.hasPrefix) { continue }
      guard let base = bases[vector["base"] as? String ?? ""] else {
        Issue.record("\(name) starts from an unknown base")
        continue
      }
      do { try Scenario(vector, base).run() } catch { Issue.record("\(name): \(error)") }
    }
  }
}

private final class Scenario {
  private let vector: [String: Any]
  private let base: [String: Any]
  private var server = ModelServer(salt: 77)
  private var peers: [String: Peer] = [:]

  private final class Peer {
    let file: SyncFile
    let clock: TestClock
    init() throws {
      let clock = TestClock()
      (file, self.clock) = (try SyncFile { clock.now }, clock)
    }
  }

  init(_ vector: [String: Any], _ base: [String: Any]) { (self.vector, self.base) = (vector, base) }

  func run() throws {
    let names = (vector["peers"] as? [String: Any] ?? [:]).keys.sorted()
    for name in names {
      let peer = try Peer()
      peers[name] = peer
      let ident = server.addFile(salt: 1000)
      try peer.file.database.setFileIdent(ident, salt: 1000)
    }
    guard let first = names.first else { return }
    try execute(base["transactions"], first)
    for name in names { try synchronise(name, uploadsFirst: true) }
    try synchronise(first, uploadsFirst: true)
    let start = Int(server.version)
    for name in names { try execute((vector["peers"] as? [String: [String: Any]])?[name]?["transactions"], name) }
    let uploadsFirst = vector["upload_before_download"] as? Bool ?? false
    for name in vector["sync_order"] as? [String] ?? [] { try synchronise(name, uploadsFirst: uploadsFirst) }
    for name in names { try synchronise(name, uploadsFirst: uploadsFirst) }
    try check(names, start)
  }

  private func execute(_ transactions: Any?, _ name: String) throws {
    guard let peer = peers[name] else { return }
    for transaction in transactions as? [Any] ?? [] {
      let fields = transaction as? [String: Any]
      peer.clock.now = (fields?["timestamp"] as? NSNumber)?.uint64Value ?? 10
      try peer.file.write { try RecordedOperation.run(fields?["operations"] ?? transaction, in: $0) }
    }
  }

  private func synchronise(_ name: String, uploadsFirst: Bool) throws {
    guard let peer = peers[name] else { return }
    let database = peer.file.database
    if uploadsFirst { try upload(database) }
    try download(database)
    if !uploadsFirst {
      try upload(database)
      try download(database)
    }
  }

  private func upload(_ database: Database) throws {
    let status = try database.syncStatus()
    try server.integrate(database.upload(after: status.upload.clientVersion, byteLimit: .max), from: status.fileIdent)
  }

  private func download(_ database: Database) throws {
    let status = try database.syncStatus()
    let download = server.download(for: status.fileIdent, after: status.download.serverVersion)
    try database.integrate(download.changesets, progress: download.progress)
  }

  /// Every file holds what the original's changesets lead to, and the server's are the recorded ones.
  private func check(_ names: [String], _ start: Int) throws {
    let recorded = vector["server_history"] as? [[String: Any]] ?? []
    let actual = server.entries.dropFirst(start).map { $0.changeset.changeset.encoded() }
    let expected = recorded.map { RecordedOperation.hexadecimal($0["hex"] as? String ?? "") }
    var model = ModelRealm()
    for entry in server.entries.prefix(start) { try model.apply(entry.changeset.changeset) }
    for bytes in expected { try model.apply(Changeset(parsing: bytes, .reference)) }
    if Array(actual) != expected { throw RecordedOperation.Failure(text: "the server has \(actual), expected \(expected)") }
    for name in names {
      guard let database = peers[name]?.file.database else { continue }
      let state = try database.read { (group) throws(StorageError) in try ModelRealm(group) }
      if state != model { throw RecordedOperation.Failure(text: "file \(name) holds something else: \(state.difference(to: model))") }
      let snapshot = try database.snapshot()
      let found = Verification.run(snapshot.space, top: snapshot.topRef, format: 24)
      if !found.isClean { throw RecordedOperation.Failure(text: "file \(name) is damaged: \(found.violations)") }
    }
  }
}
