import Changesets
import Foundation

/// The cases of one file of `Tests/Fixtures/changesets`: recorded changesets, or bytes with what the reference's parser makes of them.
struct ChangesetVectors {
  private let cases: [[String: Any]]
  private let setups: [String: [String: Any]]

  /// Nil for another kind of file.
  init?(_ data: Data) {
    guard let document = try? JSONSerialization.jsonObject(with: data) as? [String: Any], let cases = document["cases"] as? [[String: Any]]
    else { return nil }
    self.cases = cases
    setups = document["setups"] as? [String: [String: Any]] ?? [:]
  }

  /// A name for every case that has bytes, and what is wrong with it.
  func results() -> [(String, String?)] {
    var results: [(String, String?)] = []
    for one in cases {
      let name = one["id"] as? String ?? "without a name"
      if let changeset = one["changeset"] as? [String: Any] {
        results.append((name, Self.recorded(changeset)))
      } else if let reference = one["reference"] as? String {
        results.append((name, Self.parsed(one, isAccepted: reference == "accepts")))
      }
    }
    for (name, setup) in setups.sorted(by: { $0.key < $1.key }) {
      for (number, digits) in (setup["changesets"] as? [String] ?? []).enumerated() {
        results.append(("\(name)/\(number)", Self.recorded(["hex": digits])))
      }
    }
    return results
  }

  /// What differs from a changeset that the reference recorded.
  private static func recorded(_ expected: [String: Any]) -> String? {
    guard let digits = expected["hex"] as? String, let bytes = HexadecimalBytes.bytes(digits) else { return "has no bytes" }
    let changeset: Changeset
    do { changeset = try Changeset(parsing: bytes) } catch { return "\(error)" }
    if changeset.encoded(.asRecorded) != bytes { return "encodes to \(HexadecimalBytes.digits(changeset.encoded(.asRecorded)))" }
    if expected["instructions"] != nil {
      let canonical = expected["reencoded_hex"] as? String ?? digits
      if HexadecimalBytes.digits(changeset.encoded()) != canonical {
        return "encodes to \(HexadecimalBytes.digits(changeset.encoded())), expected \(canonical)"
      }
      return difference(changeset.json(), expected)
    }
    return nil
  }

  /// What differs from the reference's reaction to bytes.
  private static func parsed(_ one: [String: Any], isAccepted: Bool) -> String? {
    guard let digits = one["hex"] as? String, let bytes = HexadecimalBytes.bytes(digits) else { return "has no bytes" }
    do {
      let encoded = HexadecimalBytes.digits(try Changeset(parsing: bytes, .reference).encoded())
      if !isAccepted { return "is accepted" }
      return encoded == one["reencoded_hex"] as? String ? strictly(bytes, one["recommended"] as? String) : "encodes to \(encoded)"
    } catch {
      return isAccepted ? "is refused: \(error)" : nil
    }
  }

  /// Whether bytes from the network are refused as recommended.
  private static func strictly(_ bytes: [UInt8], _ recommended: String?) -> String? {
    let isRefused = (try? Changeset(parsing: bytes)) == nil
    let whenParsing = recommended?.hasPrefix("reject") == true && recommended != "reject when applied"
    return isRefused == whenParsing ? nil : "is \(isRefused ? "" : "not ")refused from the network"
  }

  private static func difference(_ json: String, _ expected: [String: Any]) -> String? {
    guard let document = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any] else { return "its JSON cannot be read: \(json)" }
    for part in ["strings", "instructions"] {
      guard let actual = sorted(document[part]), let wanted = sorted(expected[part]), actual == wanted else { return "its \(part) differ: \(json)" }
    }
    return nil
  }

  /// Text that is equal for equal values; unlike equality of numbers it tells true from 1.
  private static func sorted(_ value: Any?) -> Data? {
    value.flatMap { try? JSONSerialization.data(withJSONObject: $0, options: .sortedKeys) }
  }
}
