import Foundation
import RealmInspection
import RealmStorage

/// A side-car of `Tests/Fixtures/history`: what the logs of one file hold.
struct HistorySideCar {
  private let document: [String: Any]
  private let changesets: [[String: Any]]

  struct Malformed: Error {}

  init(_ data: Data) throws {
    guard let document = try JSONSerialization.jsonObject(with: data) as? [String: Any],
      let changesets = document["changesets"] as? [[String: Any]]
    else { throw Malformed() }
    (self.document, self.changesets) = (document, changesets)
  }

  /// What the file at `path` has otherwise; nil if nothing.
  func difference(from path: String) throws -> String? {
    let file = try OpenFile(path: path)
    let entries = try HistoryEntries(file)
    for (name, actual) in [
      ("version", file.group?.version ?? 1), ("history_type", file.group?.historyType ?? 0),
      ("history_schema", file.group?.historySchemaVersion ?? 0), ("history_ref", file.group?.historyRef.byteOffset ?? 0),
      ("base_version", entries.baseVersion),
    ] {
      guard let expected = document[name] as? NSNumber else { throw Malformed() }
      if expected.uint64Value != actual { return "\(name) is \(actual), expected \(expected)" }
    }
    // Long histories show only their ends.
    if document["changesets_shown"] == nil && changesets.count != entries.count {
      return "\(entries.count) changesets, expected \(changesets.count)"
    }
    var wanted: [UInt64: [String: Any]] = [:]
    for changeset in changesets {
      guard let from = changeset["from"] as? NSNumber else { throw Malformed() }
      wanted[from.uint64Value] = changeset
    }
    var problem: String?
    var failure: (any Error)?
    try entries.forEach { (entry) throws(StorageError) in
      guard let expected = wanted.removeValue(forKey: entry.fromVersion) else {
        _ = try entry.instructions()
        return true
      }
      do { problem = try compare(entry, expected) } catch { failure = error }
      return problem == nil && failure == nil
    }
    if let failure { throw failure }
    if let problem { return problem }
    return wanted.isEmpty ? nil : "changesets from versions \(wanted.keys.sorted()) are missing"
  }

  private func compare(_ entry: HistoryEntries.Entry, _ expected: [String: Any]) throws -> String? {
    let name = "changeset \(entry.fromVersion) -> \(entry.toVersion)"
    guard let to = expected["to"] as? NSNumber, let size = expected["size"] as? NSNumber, let hex = expected["hex"] as? String,
      let instructions = expected["instructions"] as? [NSDictionary]
    else { throw Malformed() }
    if to.uint64Value != entry.toVersion { return "\(name): expected one to version \(to)" }
    if size.intValue != entry.bytes.count { return "\(name): \(entry.bytes.count) bytes, expected \(size)" }
    let text = entry.bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined(separator: " ")
    if text != hex { return "\(name): the bytes differ" }
    let decoded = try entry.instructions()
    if decoded.count != instructions.count { return "\(name): \(decoded.count) instructions, expected \(instructions.count)" }
    for (line, instruction) in zip(decoded, instructions) {
      guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary else { throw Malformed() }
      if !object.isEqual(instruction) { return "\(name): decoded \(line)" }
    }
    return nil
  }
}
