import RealmStorage

@testable import RealmSwift

/// Observes a collection with positions.
final class CollectionWatcher: LiveWatcher {
  private let keyPaths: [String]?
  /// The collection's log entries say what has moved.
  private let isLogged: Bool
  /// Nil when the collection is gone.
  private let contents: () -> [LiveEntry]?
  /// What the observed collection itself shows, if it can be told apart from `contents`.
  private let shown: () -> [AnyHashable]?
  private var previous: [LiveEntry] = []
  private var reports: [PositionReport] = []

  /// - Parameters:
  ///   - contents: asked for anew.
  ///   - shown: the identities of what `collection` has.
  init<C: RealmCollection>(
    _ name: String, _ collection: C, _ keyPaths: [String]? = nil, isLogged: Bool = false, shown: @escaping (C) -> [AnyHashable]? = { _ in nil },
    contents: @escaping () -> [LiveEntry]?
  ) {
    (self.isLogged, self.contents) = (isLogged, contents)
    // None at all are all.
    self.keyPaths = keyPaths?.isEmpty == true ? nil : keyPaths
    self.shown = { shown(collection) }
    super.init(name)
    token = collection.observe(keyPaths: keyPaths) { [unowned self] in note($0) }
  }

  private func note<C>(_ change: RealmCollectionChange<C>) {
    switch change {
    case .initial:
      initialCount += 1
      previous = contents() ?? []
    case .update(_, let deletions, let insertions, let modifications):
      reportCount += 1
      reports.append(PositionReport(deletions: deletions, insertions: insertions, modifications: modifications))
    case .error: initialCount += 1000
    }
  }

  override func violation(_ step: LiveStep) -> String? {
    if initialCount != 1 { return "\(initialCount) first reports" }
    let old = previous
    let new = contents()
    previous = new ?? []
    defer { reports = [] }
    if reports.count > 1 { return "\(reports.count) reports at once" }
    if let report = reports.first, report.isEmpty { return "an empty report" }
    let report = reports.first ?? PositionReport()
    guard let new else {
      hasEnded = true
      let isRight = report.deletions == Array(old.indices) && report.insertions.isEmpty && report.modifications.isEmpty
      return isRight ? nil : "at the end of \(old): \(report)"
    }
    if let shown = shown(), shown != new.map(\.identity) { return "shows \(shown) instead of \(new)" }
    return report.violation(from: old, to: new, step, keyPaths, mayReinsert: isLogged).map { "\($0)\n  from \(old)\n  to \(new)\n  \(report)" }
  }
}

extension CollectionWatcher {
  /// Observes results; another copy is asked anew each time.
  convenience init(_ name: String, _ keyPaths: [String]?, _ results: @escaping () -> Results<LiveItem>) {
    self.init(name, results(), keyPaths, shown: { $0.map { AnyHashable($0.key.rawValue) } }) { LiveEntry.objects(results()) }
  }
}
