@testable import RealmSwift

/// Observes an object, or a projection of it.
final class ObjectWatcher: LiveWatcher {
  private let item: LiveItem
  /// The names that may be reported, in their order, each with the key paths that it stands for.
  private let names: [(name: String, keyPaths: [String])]
  private let isProjection: Bool
  private let place: ChangeJournal.Place
  private var reports: [[PropertyChange]] = []
  private var deletionCount = 0

  private init(_ name: String, _ item: LiveItem, _ names: [(name: String, keyPaths: [String])], isProjection: Bool = false) {
    (self.item, self.names, self.isProjection, place) = (item, names, isProjection, ChangeJournal.Place(item))
    super.init(name)
  }

  private func note<T>(_ change: ObjectChange<T>) {
    switch change {
    case .change(_, let changes):
      reportCount += 1
      reports.append(changes)
    case .deleted: deletionCount += 1
    case .error: deletionCount += 1000
    }
  }

  private static let storedNames = [
    "id", "number", "text", "any", "link", "list", "set", "map", "numbers", "texts", "counts", "values", "bag", "part", "parts", "partMap",
  ]

  /// All of its own properties.
  static func all(_ item: LiveItem) -> ObjectWatcher {
    let watcher = ObjectWatcher("object", item, storedNames.map { ($0, [$0]) })
    watcher.token = item.observe { [unowned watcher] (change: ObjectChange<LiveItem>) in watcher.note(change) }
    return watcher
  }

  static func keyPaths(_ keyPaths: [String], _ item: LiveItem) -> ObjectWatcher {
    let names = (storedNames + ["linkers", "listers"]).compactMap { name -> (String, [String])? in
      let matching = keyPaths.filter { $0 == name || $0.hasPrefix(name + ".") }
      return matching.isEmpty ? nil : (name, matching)
    }
    let watcher = ObjectWatcher("object \(keyPaths)", item, names)
    watcher.token = item.observe(keyPaths: keyPaths) { [unowned watcher] (change: ObjectChange<LiveItem>) in watcher.note(change) }
    return watcher
  }

  static func projection(_ item: LiveItem) -> ObjectWatcher {
    let names = [("shownNumber", ["number"]), ("linkedNumber", ["link.number"]), ("shownText", ["text"])]
    let watcher = ObjectWatcher("projection", item, names, isProjection: true)
    watcher.token = LiveItemView(projecting: item).observe { [unowned watcher] (change: ObjectChange<LiveItemView>) in watcher.note(change) }
    return watcher
  }

  override func violation(_ step: LiveStep) -> String? {
    defer { reports = [] }
    if step.after.links[place] == nil {
      hasEnded = true
      return deletionCount == 1 && reports.isEmpty ? nil : "\(deletionCount) deletions and \(reports.count) reports of a deleted object"
    }
    if deletionCount != 0 || reports.count > 1 { return "\(deletionCount) deletions and \(reports.count) reports at once" }
    let reported = (reports.first ?? []).map(\.name)
    if !reports.isEmpty && reported.isEmpty { return "an empty report" }
    let order = names.map(\.name).filter(reported.contains)
    if order != reported { return "\(reported) in this order" }
    for (name, keyPaths) in names {
      let expected = step.expectation(place, keyPaths)
      if expected.must && !reported.contains(name) { return "\(name) is changed, only \(reported) reported" }
      if !expected.may && reported.contains(name) { return "\(name) is reported and not changed" }
    }
    for change in reports.first ?? [] where !isProjection {
      if step.isOwn != (change.oldValue == nil) { return "the old value of \(change.name) is \(change.oldValue ?? "nil")" }
      if change.newValue == nil { return "\(change.name) has no new value" }
    }
    return nil
  }
}
