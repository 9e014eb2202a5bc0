import ArgumentParser
import ChangesetModel
import Changesets
import Foundation
import Merge
import Randomness

extension Fuzz {
  /// Parses damaged changesets; whatever passes must encode, be described, and come out the same a second time. It is merged with one that passed before,
  /// and both are applied to a realm: an error is fine, a trap ends the process.
  func damageChangesets(of directory: String) throws {
    let samples = ChangesetSamples.load(directory)
    guard !samples.isEmpty else { throw ValidationError("\(directory) has no recorded changesets.") }
    let seed = seed ?? .random(in: 0 ... .max)
    print("seed \(seed): \(count) damaged changesets from \(samples.count) recorded ones")
    let budget = TimeBudget(seconds: seconds)
    var (tried, accepted): (UInt64, UInt64) = (0, 0)
    var neighbour = FuzzedNeighbour()
    for number in start..<start + count {
      // Reading the clock takes as long as a small changeset.
      if tried.isMultiple(of: 64), budget.isOver { break }
      tried += 1
      var random = SeededGenerator(seed: seed &+ number &* 0x9E37_79B9)
      let bytes = ChangesetSamples.damaged(samples, &random)
      guard let changeset = try? Changeset(parsing: bytes, number.isMultiple(of: 2) ? .reference : .strict) else { continue }
      accepted += 1
      if let problem = Self.contradiction(changeset) ?? neighbour.problem(with: changeset, random.next()) {
        print("input \(number): \(problem)")
        throw ExitCode(1)
      }
    }
    print(
      "\(tried) tried: \(tried - accepted) refused, \(accepted) accepted and encoded again, \(neighbour.mergedCount) of them merged with another one")
  }

  private static func contradiction(_ changeset: Changeset) -> String? {
    for instruction in changeset.instructions where changeset.line(instruction).isEmpty { return "an instruction without a text" }
    for order in [StringOrder.first, .asRecorded] {
      let bytes = changeset.encoded(order)
      do {
        let again = try Changeset(parsing: bytes, .reference)
        if again.encoded(order) != bytes { return "does not encode to the same bytes again" }
        if !again.instructions.isEmpty, again.json() != changeset.json() { return "is another one after encoding" }
      } catch {
        return "is refused after encoding: \(error)"
      }
    }
    return nil
  }
}

/// What damaged changesets are merged with, and applied to.
private struct FuzzedNeighbour {
  private var changeset = Changeset()
  private var realm = ModelRealm()
  private(set) var mergedCount = 0

  /// - Parameter choice: decides who is the later one, and whether this is the next neighbour.
  mutating func problem(with other: Changeset, _ choice: UInt64) -> String? {
    var ours = [OriginatedChangeset(changeset, timestamp: Int64(choice & 1), file: 2)]
    var theirs = [OriginatedChangeset(other, timestamp: Int64(choice >> 1 & 1), file: 3)]
    if (try? Merge.merge(&ours, &theirs)) != nil {
      mergedCount += 1
      for merged in [ours[0], theirs[0]] {
        let bytes = merged.changeset.encoded()
        guard let again = try? Changeset(parsing: bytes, .reference) else { return "is refused after a merge" }
        if again.encoded() != bytes { return "does not encode to the same bytes again after a merge" }
      }
    }
    // Objects come from somewhere: what cannot be applied as a whole is applied in part.
    try? realm.apply(other)
    try? realm.apply(theirs[0].changeset)
    if choice >> 2 & 3 == 0 { changeset = other }
    if choice >> 4 & 1023 == 0 { realm = ModelRealm() }
    return nil
  }
}

/// Recorded changesets, to be damaged.
private enum ChangesetSamples {
  /// The bytes of every string of digits in the JSON files of a directory.
  static func load(_ directory: String) -> [[UInt8]] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    var samples: [[UInt8]] = []
    for name in names.filter({ $0.hasSuffix(".json") }).sorted() {
      guard let data = FileManager.default.contents(atPath: directory + "/" + name),
        let document = try? JSONSerialization.jsonObject(with: data) as? [String: Any], let cases = document["cases"] as? [[String: Any]]
      else { continue }
      for one in cases {
        let changeset = one["changeset"] as? [String: Any] ?? one
        if let digits = changeset["hex"] as? String, !digits.isEmpty { samples.append(bytes(digits)) }
      }
    }
    return samples
  }

  private static func bytes(_ digits: String) -> [UInt8] {
    let digits = Array(digits.utf8)
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap { UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16) }
  }

  /// One to four damages of one sample.
  static func damaged(_ samples: [[UInt8]], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = samples[random.below(samples.count)]
    for _ in 0...random.below(4) where !bytes.isEmpty {
      let place = random.below(bytes.count)
      switch random.below(6) {
      case 0: bytes[place] ^= 1 << UInt8(random.below(8))
      case 1: bytes[place] = UInt8(truncatingIfNeeded: random.next())
      case 2: bytes.removeSubrange(place...)
      case 3: bytes.remove(at: place)
      case 4: bytes.insert([0, 0x3f, 0x40, 0x7f, 0x80, 0xff][random.below(6)], at: place)
      default:
        let other = samples[random.below(samples.count)]
        bytes.replaceSubrange(place..., with: other[random.below(other.count)...])
      }
    }
    return bytes
  }
}
