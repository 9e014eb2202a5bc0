import Foundation
import RealmSwift

/// An observer that keeps a copy by applying what it is told, and compares: a change that was missed, and one that was told without being there, both show.
///
/// Used where its collection is observed.
final class Follower {
  private struct Entry {
    let id: Int
    let revision: Int
  }
  private let name: String
  private let ledger: Ledger
  private var entries: [Entry] = []
  private var hasBegun = false

  init(_ name: String, _ ledger: Ledger) { (self.name, self.ledger) = (name, ledger) }

  private func read(_ parts: some Sequence<Part>) -> [Entry] { parts.map { Entry(id: $0.id, revision: $0.revision) } }

  func note<Parts: RealmCollection>(_ change: RealmCollectionChange<Parts>) where Parts.Element == Part {
    ledger.count("reports")
    switch change {
    case .initial(let parts):
      if hasBegun { ledger.violation("\(name): told of its beginning twice") }
      hasBegun = true
      entries = read(parts)
    case .update(let parts, let deletions, let insertions, let modifications):
      if let disorder = parts.realm?.disorder { ledger.violation("\(name): \(disorder)") }
      apply(deletions, insertions, modifications, read(parts))
    case .error(let error): ledger.violation("\(name): \(error)")
    }
  }

  private func apply(_ deletions: [Int], _ insertions: [Int], _ modifications: [Int], _ present: [Entry]) {
    let before = entries
    entries = present
    guard Set(deletions + modifications).allSatisfy(before.indices.contains), insertions.allSatisfy(present.indices.contains) else {
      return ledger.violation("\(name): positions out of range")
    }
    let (deleted, inserted, modified) = (Set(deletions), Set(insertions), Set(modifications))
    let stayed = before.indices.filter { !deleted.contains($0) }
    let kept = present.indices.filter { !inserted.contains($0) }
    guard stayed.map({ before[$0].id }) == kept.map({ present[$0].id }) else {
      return ledger.violation("\(name): applying the changes gives something else")
    }
    for (old, new) in zip(stayed, kept) {
      let isOther = before[old].revision != present[new].revision
      if isOther, !modified.contains(old) { ledger.violation("\(name): a change was missed") }
      if !isOther, modified.contains(old) { ledger.violation("\(name): a change was told that is none") }
    }
  }

  /// Compares after the realm has told everything.
  func compare(_ parts: some Sequence<Part>) {
    let present = read(parts)
    if !hasBegun { ledger.violation("\(name): nothing was ever told") }
    if present.map(\.id) != entries.map(\.id) || present.map(\.revision) != entries.map(\.revision) {
      ledger.violation("\(name): the last changes were not told")
    }
  }
}

/// The same for sections.
final class SectionFollower {
  private let ledger: Ledger
  private var sections: [(key: Int, ids: [Int])] = []

  init(_ ledger: Ledger) { self.ledger = ledger }

  private func read(_ sections: SectionedResults<Int, Part>) -> [(key: Int, ids: [Int])] { sections.map { ($0.key, $0.map(\.id)) } }

  func note(_ change: SectionedResultsChange<SectionedResults<Int, Part>>) {
    ledger.count("reports")
    switch change {
    case .initial(let present): sections = read(present)
    case .update(let present, let deletions, let insertions, _, let inserted, let deleted):
      let before = sections
      sections = read(present)
      let stayed = (before.indices.filter { !deleted.contains($0) }, sections.indices.filter { !inserted.contains($0) })
      guard stayed.0.map({ before[$0].key }) == stayed.1.map({ sections[$0].key }) else {
        return ledger.violation("sections: applying the changes gives other sections")
      }
      for (old, new) in zip(stayed.0, stayed.1) {
        let gone = Set(deletions.filter { $0[0] == old }.map { $0[1] })
        let come = Set(insertions.filter { $0[0] == new }.map { $0[1] })
        let left = before[old].ids.indices.filter { !gone.contains($0) }.map { before[old].ids[$0] }
        if left != sections[new].ids.indices.filter({ !come.contains($0) }).map({ sections[new].ids[$0] }) {
          ledger.violation("sections: applying the changes gives something else in a section")
        }
      }
    }
  }

  func compare(_ present: SectionedResults<Int, Part>) {
    let present = read(present)
    if present.map(\.key) != sections.map(\.key) || present.map(\.ids) != sections.map(\.ids) {
      ledger.violation("sections: the last changes were not told")
    }
  }
}
