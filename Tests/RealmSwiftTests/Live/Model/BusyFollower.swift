import RealmSwift

final class BusyItem: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var number: Int
  /// Another one with every change of the properties above.
  @Persisted var revision: Int
  @Persisted var others: List<BusyItem>
}

/// An observer that keeps a copy by applying what it is told.
final class BusyFollower {
  private struct Entry: Equatable, CustomStringConvertible {
    let id: Int
    var revision: Int?
    var description: String { "\(id)/\(revision.map { "\($0)" } ?? "?")" }
  }
  let name: String
  var token: NotificationToken?
  private let contents: () -> [BusyItem]
  private var copy: [Entry] = []
  private(set) var hasBegun = false
  private(set) var hasEnded = false
  private(set) var failure: String?

  init(_ name: String, _ contents: @escaping () -> [BusyItem]) { (self.name, self.contents) = (name, contents) }

  private var present: [Entry] { contents().map { Entry(id: $0.id, revision: $0.revision) } }

  /// What it shows now is known to it: it was left out of a commit.
  func takeOver() { copy = present }

  func end() {
    token?.invalidate()
    hasEnded = true
  }

  func note<Items: RealmCollection>(_ change: RealmCollectionChange<Items>) {
    if hasEnded { failure = "is told something after its end" }
    switch change {
    case .initial:
      if hasBegun { failure = "begins twice" }
      hasBegun = true
      copy = present
    case .update(_, let deletions, let insertions, let modifications):
      let (before, after) = (copy, present)
      for position in modifications { copy[position].revision = nil }
      for position in deletions.reversed() { copy.remove(at: position) }
      for position in insertions { copy.insert(after[position], at: position) }
      for (position, entry) in after.enumerated() where position < copy.count && copy[position] == Entry(id: entry.id, revision: nil) {
        copy[position] = entry
      }
      if copy != after { failure = "is told -\(deletions) +\(insertions) ~\(modifications) from \(before) to \(after)" }
    case .error(let error): failure = "\(error)"
    }
  }

  /// When everything has been told.
  func check() {
    if hasBegun, !hasEnded, copy != present { failure = failure ?? "was not told of what became of \(copy): \(present)" }
  }
}
