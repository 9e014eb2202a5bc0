import Dispatch
import Randomness

@testable import RealmSwift

/// A realm that is observed in many ways while itself and another one write at random; all that is reported is compared with what was written.
///
/// Used on the queue of the observing realm.
final class ChangeModel {
  let realm: Realm
  private let writer: Realm
  private let writing: DispatchQueue
  let editor: RandomEditor
  private var random: SeededGenerator
  private var watchers: [LiveWatcher] = []
  private var ownerWatchers: [LiveWatcher] = []
  private var nestedWatchers: [LiveWatcher] = []
  private var owner: LiveItem?
  private var before = LiveGraph()
  private var isOwn = true
  private(set) var transactionCount = 0
  /// The first thing that was wrong.
  private(set) var failure: String?
  /// By the names of observers.
  private(set) var reportCounts: [String: Int] = [:]

  init(_ configuration: Realm.Configuration, observing: DispatchQueue, seed: UInt64, mostItems: Int) throws {
    random = SeededGenerator(seed: seed)
    editor = RandomEditor(SeededGenerator(seed: seed &+ 1), mostItems: mostItems)
    realm = try Realm(configuration: configuration, queue: observing)
    writing = DispatchQueue(label: "writing")
    writer = try writing.sync { [writing] in try Realm(configuration: configuration, queue: writing) }
    try realm.write { for _ in 0..<4 * mostItems { editor.edit(realm) } }
    editor.journal.forget()
    before = LiveGraph(realm)
    watchers = Self.classWatchers(realm)
    watchOwner()
  }

  // MARK: Steps

  /// Some transactions, and what they lead to.
  /// - Returns: false if something was wrong.
  func step() throws -> Bool {
    for _ in 0...random.below(3) {
      transactionCount += 1
      let (isByObserver, kind) = (random.below(3) == 0, random.below(10))
      if isByObserver { try write(to: realm, kind) } else { try writing.sync { try write(to: writer, kind) } }
      if failure != nil { return false }
    }
    if random.below(3) == 0 {
      realm.beginWrite()
      realm.cancelWrite()
    } else {
      realm.refresh()
    }
    check()
    watchOwner()
    return failure == nil
  }

  private func write(to realm: Realm, _ kind: Int) throws {
    realm.beginWrite()
    // What others committed was told when the transaction began.
    if realm == self.realm { check() }
    let journal = editor.journal
    if kind > 1 { for _ in 0...random.below(4) { editor.edit(realm) } }
    if kind == 2 {
      realm.cancelWrite()
      editor.journal = journal
    } else {
      if realm != self.realm { isOwn = false }
      try realm.commitWrite()
    }
  }

  private func check() {
    if failure != nil { return }
    let after = LiveGraph(realm)
    let step = LiveStep(from: before, to: after, editor.journal, isOwn: isOwn)
    if let owner, editor.journal.replaced.contains(ChangeJournal.Place(owner)) { endNested() }
    for watcher in watchers + ownerWatchers + nestedWatchers {
      guard let violation = watcher.violation(step) else { continue }
      failure = "\(watcher.name), after \(transactionCount) transactions: \(violation)\n  touched \(step.touchedText)"
      return
    }
    editor.journal.forget()
    before = after
    isOwn = true
  }

  private func end(_ watcher: LiveWatcher) {
    reportCounts[watcher.name, default: 0] += watcher.reportCount
    watcher.token?.invalidate()
  }

  /// The collections in the property `any` are other ones, or gone.
  private func endNested() {
    nestedWatchers.forEach(end)
    nestedWatchers = []
  }

  func finish() {
    (watchers + ownerWatchers).forEach(end)
    endNested()
    (watchers, ownerWatchers) = ([], [])
  }

  /// Observes another object when the one that was observed is gone, or now and then.
  private func watchOwner() {
    if failure != nil { return }
    if owner?.isInvalidated == true, let going = ownerWatchers.first(where: { !$0.hasEnded }) {
      failure = "\(going.name) goes on without its object"
      return
    }
    if owner?.isInvalidated != false || random.below(30) == 0 {
      ownerWatchers.forEach(end)
      endNested()
      let items = realm.objects(LiveItem.self)
      let owner = items[random.below(items.count)]
      self.owner = owner
      ownerWatchers = ownerWatchers(owner)
    }
    if let owner, nestedWatchers.allSatisfy(\.hasEnded) {
      endNested()
      nestedWatchers = nestedWatchers(owner)
    }
    // Those that are new begin.
    realm.refresh()
  }
}
