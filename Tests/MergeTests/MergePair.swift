import ChangesetModel
import Changesets
import Merge
import Randomness
import SyncSimulation

/// Two histories that start from one realm.
struct MergePair: CustomStringConvertible {
  private(set) var ours: [OriginatedChangeset]
  private(set) var theirs: [OriginatedChangeset]

  init(ours: [OriginatedChangeset], theirs: [OriginatedChangeset]) { (self.ours, self.theirs) = (ours, theirs) }

  init(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func history(_ file: UInt64) -> [OriginatedChangeset] {
      var history = RandomHistory(random.next(), file: file, from: RandomHistory.base)
      let made = history.changesets(transactions: 1 + random.below(3), changes: 1 + random.below(8))
      return made.map { OriginatedChangeset($0.changeset, timestamp: $0.timestamp, file: $0.file) }
    }
    ours = history(2)
    theirs = history(3)
  }

  /// What the changesets make of the realm that both histories start from.
  func realm(_ changesets: [OriginatedChangeset]) throws -> ModelRealm {
    var realm = RandomHistory.base
    for changeset in changesets { try realm.apply(changeset.changeset) }
    return realm
  }

  /// Both histories can have happened.
  private var isPossible: Bool { (try? realm(ours)) != nil && (try? realm(theirs)) != nil }

  static func problem(_ property: (Self) throws -> String?, _ pair: Self) -> String? {
    do { return try property(pair) } catch { return "\(error)" }
  }

  /// Leaves out one instruction after the other, as long as the pair is still wrong.
  func shrunk(_ isWrong: (Self) -> Bool) -> Self {
    var smallest = self
    var goesOn = true
    while goesOn {
      goesOn = false
      for candidate in smallest.smaller where candidate.isPossible && isWrong(candidate) {
        smallest = candidate
        goesOn = true
        break
      }
    }
    return smallest
  }

  private var smaller: [Self] {
    func without(_ path: WritableKeyPath<Self, [OriginatedChangeset]>) -> [Self] {
      self[keyPath: path].indices.flatMap { number in
        self[keyPath: path][number].changeset.instructions.indices.map { position in
          var copy = self
          var instructions = copy[keyPath: path][number].changeset.instructions
          instructions.remove(at: position)
          copy[keyPath: path][number].changeset.instructions = instructions
          return copy
        }
      }
    }
    return without(\.ours) + without(\.theirs)
  }

  /// Both files put a collection of one kind at a place, and one of them something else afterwards, which loses: where the collection is put anew
  /// it is empty. The rules of the original say so (Documentation/Sync/changesets.md, C8).
  var hasCollectionReplacedByWhatLoses: Bool {
    func updates(_ side: [OriginatedChangeset]) -> [(place: Substring, value: Substring, timestamp: Int64)] {
      side.flatMap { changeset in
        changeset.changeset.instructions.compactMap { instruction in
          let line = changeset.changeset.line(instruction)
          guard line.hasPrefix("Update "), let equals = line.firstRange(of: " = ") else { return nil }
          return (line[..<equals.lowerBound], line[equals.upperBound...].prefix { $0 != "," }, changeset.timestamp)
        }
      }
    }
    func isReplaced(_ side: [OriginatedChangeset], _ other: [OriginatedChangeset]) -> Bool {
      let (own, others) = (updates(side), updates(other))
      return own.indices.contains { first in
        own[first].value.hasPrefix("new ")
          && own[first...].contains { last in
            last.place == own[first].place && last.value != own[first].value
              && others.contains { $0.place == last.place && $0.value == own[first].value && $0.timestamp >= last.timestamp }
          }
      }
    }
    return isReplaced(ours, theirs) || isReplaced(theirs, ours)
  }

  var description: String {
    "ours:\n" + ours.map(\.lines).joined(separator: "\n") + "\ntheirs:\n" + theirs.map(\.lines).joined(separator: "\n")
  }
}

extension OriginatedChangeset {
  /// Its instructions as text.
  var lines: String { "  at \(timestamp), of file \(file):\n" + changeset.instructions.map { "    \(changeset.line($0))\n" }.joined() }
}
