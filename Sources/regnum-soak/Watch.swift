import Dispatch
import Foundation
import RealmSwift

/// Observers on a dispatch queue, which come and go.
struct Watch {
  let configuration: Realm.Configuration
  let queue: DispatchQueue
  let ledger: Ledger

  func work(until end: Date) {
    while Date() < end { round(lasting: min(0.5, max(0, end.timeIntervalSinceNow))) }
  }

  /// What is observed in one round; used on the queue.
  private final class Round {
    let realm: Realm
    var tokens: [NotificationToken] = []
    /// Compare copies with what is there.
    var comparisons: [() -> Void] = []
    init(_ realm: Realm) { self.realm = realm }
  }

  // SAFETY: made and used on the queue only; this thread keeps it from one block to the next.
  private final class Box: @unchecked Sendable { var round: Round? }

  private func round(lasting seconds: Double) {
    let box = Box()
    queue.sync { box.round = begin() }
    Thread.sleep(forTimeInterval: seconds)
    queue.sync {
      guard let round = box.round else { return }
      round.realm.refresh()
      round.comparisons.forEach { $0() }
      round.tokens.forEach { $0.invalidate() }
      box.round = nil
      ledger.count("rounds of observing")
    }
  }

  private func begin() -> Round? {
    guard let realm = ledger.attempt("opening", { try Realm(configuration: configuration, queue: queue) }) else { return nil }
    let round = Round(realm)
    let parts = realm.objects(Part.self)
    follow("class", parts, round)
    follow("filter", parts.where { $0.number > 0 }, round)
    follow("sort", parts.sorted(by: [SortDescriptor(keyPath: "number"), SortDescriptor(keyPath: "id")]), round)
    follow("distinct", parts.distinct(by: ["group"]), round)
    if let shelf = realm.objects(Shelf.self).first { follow("list", shelf.parts, round) }
    let sections = parts.sectioned(by: \.group, sortDescriptors: [SortDescriptor(keyPath: "group"), SortDescriptor(keyPath: "number")])
    let follower = SectionFollower(ledger)
    round.tokens.append(sections.observe { follower.note($0) })
    round.comparisons.append { follower.compare(sections) }
    return round
  }

  private func follow<Parts: RealmCollection>(_ name: String, _ parts: Parts, _ round: Round) where Parts.Element == Part {
    let follower = Follower(name, ledger)
    round.tokens.append(parts.observe { follower.note($0) })
    round.comparisons.append { follower.compare(parts) }
  }
}
