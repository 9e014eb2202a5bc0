import Foundation
import RealmInspection
import RealmStorage

/// A side-car of `Tests/Fixtures/encrypted`: the key, what each page is, every row, and the errors of wrong keys. E12.
struct EncryptedSideCar {
  private let document: [String: Any]
  private let key: [UInt8]

  struct Malformed: Error {}

  /// Nil for a document without a key: the side-car of a plain file.
  init?(_ data: Data) {
    guard let document = try? JSONSerialization.jsonObject(with: data) as? [String: Any], let digits = document["key_hex"] as? String
    else { return nil }
    self.document = document
    key = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(digits.dropFirst($0).prefix(2), radix: 16)
    }
  }

  /// What the file at `path` has otherwise; nil if nothing.
  func difference(from path: String) throws -> String? {
    let key = try EncryptionKey(key)
    return try pages(path, key) ?? contents(path, key) ?? refusals(path)
  }

  // MARK: Pages

  private func pages(_ path: String, _ key: EncryptionKey) throws -> String? {
    let file = try FileStorage(path: path, mode: .readOnly)
    let storage = EncryptedStorage(file, key: key)
    guard let physical = document["physical_size"] as? NSNumber, let logical = document["data_size"] as? NSNumber,
      let expected = document["pages"] as? [String]
    else { throw Malformed() }
    if try file.byteCount() != physical.uint64Value { return "the file has \(try file.byteCount()) bytes, expected \(physical)" }
    if try storage.byteCount() != logical.uint64Value { return "\(try storage.byteCount()) bytes of plaintext, expected \(logical)" }
    if CipherLayout.physicalByteCount(plaintext: logical.uint64Value) < physical.uint64Value { return "the sizes do not fit each other" }
    var plaintext: [UInt8] = []
    for (number, words) in expected.enumerated() {
      let page = try storage.report(page: number)
      if "\(page.state) \(page.counter)" != words { return "page \(number) is \(page.state) \(page.counter), expected \(words)" }
      plaintext += page.plaintext ?? [UInt8](repeating: 0, count: CipherLayout.pageByteCount)
    }
    if plaintext.count != logical.intValue { return "\(plaintext.count) bytes of pages, expected \(logical)" }
    let digest = Conformance.digest(plaintext)
    return digest == document["plaintext_sha256"] as? String ? nil : "the plaintext has the digest \(digest)"
  }

  // MARK: Contents

  private func contents(_ path: String, _ key: EncryptionKey) throws -> String? {
    let file = try OpenFile(path: path, key: key)
    guard let header = document["header"] as? [String: Any], let tables = document["tables"] as? [String: [String: Any]],
      let snapshot = file.snapshot
    else { throw Malformed() }
    for (name, actual) in [
      ("select", UInt64(file.header.selectedSlot)), ("file_format", UInt64(file.format)), ("top_ref", file.top.byteOffset),
    ] {
      guard let expected = header[name] as? NSNumber else { throw Malformed() }
      if expected.uint64Value != actual { return "\(name) is \(actual), expected \(expected)" }
    }
    if header["streaming"] as? Bool != file.isStreaming { return "streaming form is \(file.isStreaming)" }
    for (name, actual) in [("snapshot_version", file.group?.version), ("history_type", file.group?.historyType)] {
      if let expected = document[name] as? NSNumber, expected.uint64Value != actual ?? 0 { return "\(name) is \(actual ?? 0)" }
    }
    let violations = file.verify().violations
    if let first = violations.first { return "\(violations.count) violations: \(first)" }
    if file.tables.count != tables.count { return "\(file.tables.count) tables, expected \(tables.count)" }
    if tables.isEmpty { return nil }
    let group = try snapshot.openGroup()
    for (name, expected) in tables {
      guard let table = try group.table(named: name) else { return "there is no table \(name)" }
      if let problem = try rows(table, expected) { return "\(name): \(problem)" }
    }
    return nil
  }

  private func rows(_ table: Table, _ expected: [String: Any]) throws -> String? {
    guard let columns = expected["columns"] as? [String: NSNumber], let rows = expected["rows"] as? [String: [String: Any]],
      let number = expected["table_key"] as? NSNumber, let count = expected["count"] as? NSNumber
    else { throw Malformed() }
    if number.uint32Value != table.key.rawValue { return "has the key \(table.key.rawValue), expected \(number)" }
    let keys = try table.keys()
    if keys.count != count.intValue || keys.count != rows.count { return "\(keys.count) objects, expected \(count)" }
    let present = table.publicColumns
    if present.count != columns.count { return "\(present.count) columns, expected \(columns.count)" }
    for column in present {
      let name = String(decoding: column.name, as: UTF8.self)
      if columns[name]?.int64Value != column.key.rawValue { return "column \(name) has the key \(column.key.rawValue)" }
    }
    for key in keys {
      guard let row = rows[String(key.rawValue)] else { return "object \(key.rawValue) is not expected" }
      for column in present {
        let name = String(decoding: column.name, as: UTF8.self)
        let value = try table.value(key, column.key)
        if !Self.isEqual(value, row[name]) { return "object \(key.rawValue), \(name): \(value), expected \(row[name] ?? "nothing")" }
      }
    }
    return nil
  }

  private static func isEqual(_ value: Value, _ expected: Any?) -> Bool {
    switch value {
    case .null: expected is NSNull
    case .int(let number): (expected as? NSNumber)?.int64Value == number
    case .double(let number): (expected as? NSNumber)?.doubleValue == number
    case .string(let bytes): (expected as? String).map { Array($0.utf8) } == bytes
    case .binary(let bytes): isEqual(bytes, expected as? [String: Any])
    default: false
    }
  }

  private static func isEqual(_ bytes: [UInt8], _ expected: [String: Any]?) -> Bool {
    if let hex = expected?["hex"] as? String { return hex == bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
    return (expected?["size"] as? NSNumber)?.intValue == bytes.count && expected?["sha256"] as? String == Conformance.digest(bytes)
  }

  // MARK: Wrong keys

  private func refusals(_ path: String) throws -> String? {
    guard let negative = document["negative"] as? [[String: String]] else { throw Malformed() }
    for example in negative {
      guard let kind = example["key"], let message = example["message"], let start = message.range(of: "': ") else { throw Malformed() }
      let expected = String(message[start.upperBound...])
      var keys: [EncryptionKey?] = []
      switch kind {
      case "no key": keys = [nil]
      case "one bit of the MAC half flipped": keys = try flipped(32..<64)
      case "one bit of the AES half flipped": keys = try flipped(0..<32)
      default: throw Malformed()
      }
      // Which bit it was is not said, but shows in the message where that prints plaintext.
      if try !keys.contains(where: { try refusal(path, $0)?.hasPrefix(expected) == true }) { return "\(kind): no error '\(expected)'" }
    }
    return nil
  }

  private func flipped(_ range: Range<Int>) throws -> [EncryptionKey] {
    try range.flatMap { index in
      try (0..<8).map { bit in
        var other = key
        other[index] ^= 1 << bit
        return try EncryptionKey(other)
      }
    }
  }

  /// The reason that the file is not opened for.
  private func refusal(_ path: String, _ key: EncryptionKey?) throws -> String? {
    do throws(StorageError) {
      _ = try OpenFile(path: path, key: key)
      return nil
    } catch {
      switch error {
      case .invalidDatabase(_, let reason): return reason
      default: throw error
      }
    }
  }
}
