import ChangesetModel
import Changesets
import Foundation
import Merge

/// The vectors of one file of `Tests/Fixtures/merge`: what several peers changed at the same time, what a merge makes of each pair of them, and what a server
/// keeps when they upload one after the other.
struct MergeVectors {
  private let vectors: [[String: Any]]
  private let bases: [String: ModelRealm]

  struct Failure: Error { let text: String }

  /// Nil for another kind of file.
  /// - Parameter bases: what the scenarios of the directory start from.
  init?(_ data: Data, bases: [String: ModelRealm]) {
    guard let document = try? JSONSerialization.jsonObject(with: data) as? [String: Any], let vectors = document["vectors"] as? [[String: Any]]
    else { return nil }
    (self.vectors, self.bases) = (vectors, bases)
  }

  /// The realms that scenarios start from, by name; each is what its own changesets make, or this throws.
  static func bases(_ data: Data) throws -> [String: ModelRealm] {
    guard let document = try? JSONSerialization.jsonObject(with: data) as? [String: Any], let bases = document["bases"] as? [String: [String: Any]]
    else { throw Failure(text: "is no file of bases") }
    return try bases.mapValues { base in
      var realm = ModelRealm()
      for one in base["changesets"] as? [[String: Any]] ?? [] { try realm.apply(try changeset(one, file: 1).changeset) }
      let state = (base["state"] as? [String: Any] ?? [:]).mapValues(ModelDump.text(ofRecorded:))
      if ModelDump(realm: realm).classes != state { throw Failure(text: "a base is not what its changesets make") }
      return realm
    }
  }

  /// A name for each vector, and what is wrong with it.
  func results() -> [(String, String?)] {
    vectors.map { vector in
      let name = vector["id"] as? String ?? "without a name"
      do {
        guard vector["transformed"] != nil || vector["server_history"] != nil else { throw Failure(text: "says nothing about a merge") }
        try Self.checkTransformed(vector)
        try checkServer(vector)
        return (name, nil)
      } catch { return (name, (error as? Failure)?.text ?? "\(error)") }
    }
  }

  // MARK: Pairs

  private static func checkTransformed(_ vector: [String: Any]) throws {
    guard let transformed = vector["transformed"] as? [String: Any] else { return }
    for (own, other) in [("A", "B"), ("B", "A")] {
      guard let expected = transformed["local_" + own] as? [String: [String]] else { throw Failure(text: "has no result for side \(own)") }
      var (ours, theirs) = (try changesets(vector, own), try changesets(vector, other))
      try Merge.merge(&ours, &theirs)
      try compare(ours, expected[own], "side \(own), being ours")
      try compare(theirs, expected[other], "side \(other), being theirs")
    }
  }

  private static func compare(_ actual: [OriginatedChangeset], _ expected: [String]?, _ what: String) throws {
    let actual = actual.map { HexadecimalBytes.digits($0.changeset.encoded()) }
    if actual != expected { throw Failure(text: "\(what), becomes \(actual), expected \(expected ?? [])") }
  }

  private static func changesets(_ vector: [String: Any], _ side: String) throws -> [OriginatedChangeset] {
    if let list = vector[side] as? [[String: Any]] { return try list.map { try changeset($0, file: integer($0["file"])) } }
    return try uploads(vector, side).map { $0.changeset }
  }

  private static func changeset(_ value: [String: Any], file: Int) throws -> OriginatedChangeset {
    guard let bytes = (value["hex"] as? String).flatMap(HexadecimalBytes.bytes) else { throw Failure(text: "has a changeset without bytes") }
    return OriginatedChangeset(try Changeset(parsing: bytes, .reference), timestamp: Int64(try integer(value["timestamp"])), file: UInt64(file))
  }

  private static func integer(_ value: Any?) throws -> Int {
    guard let number = value as? NSNumber else { throw Failure(text: "lacks a number") }
    return number.intValue
  }

  // MARK: A server

  private struct Upload {
    var changeset: OriginatedChangeset
    /// What the client had seen of the server.
    let seenVersion: Int
  }

  /// What the server keeps of an upload.
  private struct Entry {
    let version: Int
    let original: OriginatedChangeset
    /// As each client needs it that has not seen it yet.
    var reciprocals: [UInt64: OriginatedChangeset] = [:]
  }

  private static func uploads(_ vector: [String: Any], _ peer: String) throws -> [Upload] {
    guard let peers = vector["peers"] as? [String: [String: Any]], let one = peers[peer], let list = one["changesets"] as? [[String: Any]] else {
      throw Failure(text: "has no peer \(peer)")
    }
    let file = try integer(one["file_ident"])
    return try list.map { Upload(changeset: try changeset($0, file: file), seenVersion: (try? integer($0["server_version"])) ?? 0) }
  }

  /// Each upload is merged with what the server has got from others since the version that the client had seen.
  private func checkServer(_ vector: [String: Any]) throws {
    guard let expected = vector["server_history"] as? [[String: Any]], let order = vector["sync_order"] as? [String] else { return }
    var entries: [Entry] = []
    let base = (try expected.first.map { try Self.integer($0["version"]) } ?? 1) - 1
    do { for peer in order { for upload in try Self.uploads(vector, peer) { try Self.integrate(upload, &entries, base) } } } catch let error
      as MergeError
    {
      // The client was refused, and nothing came after that.
      if vector["error"] == nil { throw error }
    }
    for (position, wanted) in expected.enumerated() {
      guard position < entries.count else { throw Failure(text: "the server has \(entries.count) changesets, expected \(expected.count)") }
      let actual = HexadecimalBytes.digits(entries[position].original.changeset.encoded())
      let digits = wanted["hex"] as? String ?? ""
      if actual != digits { throw Failure(text: "version \(entries[position].version) of the server is \(actual), expected \(digits)") }
    }
    // Where the original has stopped, a changeset of ours that cannot be applied may follow.
    if entries.count > expected.count, vector["error"] == nil {
      throw Failure(text: "the server has \(entries.count) changesets, expected \(expected.count)")
    }
    try checkState(vector, entries.prefix(expected.count).map { $0.original.changeset })
  }

  private static func integrate(_ upload: Upload, _ entries: inout [Entry], _ base: Int) throws {
    let file = upload.changeset.file
    let concurrent = entries.indices.filter { entries[$0].version > upload.seenVersion && entries[$0].original.file != file }
    var ours = concurrent.map { entries[$0].reciprocals[file] ?? entries[$0].original }
    var theirs = [upload.changeset]
    try Merge.merge(&ours, &theirs)
    for (position, changeset) in zip(concurrent, ours) { entries[position].reciprocals[file] = changeset }
    entries.append(Entry(version: base + entries.count + 1, original: theirs[0]))
  }

  // MARK: Objects

  /// The server's changesets lead to the recorded objects, and so does either order of two peers.
  private func checkState(_ vector: [String: Any], _ history: [Changeset]) throws {
    guard let name = vector["base"] as? String, let base = bases[name] else { throw Failure(text: "starts from an unknown base") }
    guard let final = vector["final"] as? [String: Any] else { return }
    try compare(try Self.state(base, history), final, base, "the server's changesets")
    guard (vector["sync_order"] as? [String])?.count == 2 else { return }
    for (first, second) in [("A", "B"), ("B", "A")] {
      let (own, others) = (try Self.changesets(vector, first), try Self.changesets(vector, second))
      var (ours, theirs) = (own, others)
      try Merge.merge(&ours, &theirs)
      try compare(try Self.state(base, (own + theirs).map(\.changeset)), final, base, "\(first) before \(second)")
    }
  }

  private static func state(_ base: ModelRealm, _ changesets: [Changeset]) throws -> ModelRealm {
    var realm = base
    for changeset in changesets { try realm.apply(changeset) }
    return realm
  }

  private func compare(_ realm: ModelRealm, _ final: [String: Any], _ base: ModelRealm, _ what: String) throws {
    var expected = ModelDump(realm: base).classes
    for name in final["removed_classes"] as? [String] ?? [] { expected[name] = nil }
    for (name, state) in final["changed_classes"] as? [String: Any] ?? [:] { expected[name] = ModelDump.text(ofRecorded: state) }
    let actual = ModelDump(realm: realm).classes
    for name in Set(actual.keys).union(expected.keys).sorted() where actual[name] != expected[name] {
      throw Failure(text: "\(what) lead to \(name) \(actual[name] ?? "not being there"), expected \(expected[name] ?? "it not to be there")")
    }
  }
}
