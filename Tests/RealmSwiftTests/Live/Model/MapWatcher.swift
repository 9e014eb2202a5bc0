@testable import RealmSwift

/// Observes a map.
final class MapWatcher: LiveWatcher {
  private let keyPaths: [String]?
  /// By key; nil when the map is gone.
  private let contents: () -> [String: LiveEntry]?
  private var previous: [String: LiveEntry] = [:]
  private var reports: [(deletions: [String], insertions: [String], modifications: [String])] = []

  init<Value>(_ name: String, _ map: Map<String, Value>, _ keyPaths: [String]? = nil, _ tokens: @escaping () -> [String: ChangeJournal.Token]?) {
    self.keyPaths = keyPaths
    contents = {
      guard let tokens = tokens() else { return nil }
      precondition(Set(map.keys) == Set(tokens.keys), "the test has lost track of a map")
      return Dictionary(uniqueKeysWithValues: map.asKeyValueSequence().map { ($0.key, LiveEntry.entry($0.value, tokens[$0.key]!)) })
    }
    super.init(name)
    token = map.observe(keyPaths: keyPaths) { [unowned self] change in
      switch change {
      case .initial:
        initialCount += 1
        previous = contents() ?? [:]
      case .update(_, let deletions, let insertions, let modifications):
        reportCount += 1
        reports.append((deletions, insertions, modifications))
      case .error: initialCount += 1000
      }
    }
  }

  override func violation(_ step: LiveStep) -> String? {
    if initialCount != 1 { return "\(initialCount) first reports" }
    let (old, new) = (previous, contents())
    previous = new ?? [:]
    defer { reports = [] }
    if reports.count > 1 { return "\(reports.count) reports at once" }
    if let report = reports.first, report.deletions.isEmpty && report.insertions.isEmpty && report.modifications.isEmpty { return "an empty report" }
    let report = reports.first ?? ([], [], [])
    if new == nil { hasEnded = true }
    return violation(report, from: old, to: new ?? [:], step).map { "\($0)\n  from \(old)\n  to \(new ?? [:])\n  \(report)" }
  }

  private func violation(
    _ report: (deletions: [String], insertions: [String], modifications: [String]), from old: [String: LiveEntry], to new: [String: LiveEntry],
    _ step: LiveStep
  ) -> String? {
    for keys in [report.deletions, report.insertions, report.modifications] where Set(keys).count != keys.count { return "a key twice" }
    let stayed = old.keys.filter { new[$0]?.identity == old[$0]?.identity }
    if Set(report.deletions) != Set(old.keys).subtracting(stayed) { return "other deletions" }
    if Set(report.insertions) != Set(new.keys).subtracting(stayed) { return "other insertions" }
    if !Set(report.modifications).isSubset(of: stayed) { return "something is modified that did not stay" }
    for key in stayed {
      guard let (before, after) = old[key].flatMap({ before in new[key].map { (before, $0) } }) else { continue }
      var expected = after.place.map { step.expectation($0, keyPaths) } ?? LiveStep.Expectation()
      if after.isSet { expected = .always }
      let isReported = report.modifications.contains(key)
      if expected.must && !isReported { return "\(key) is changed and not reported" }
      if !expected.may && isReported { return "\(key) is reported and not changed" }
      if before.text != after.text && !isReported { return "\(key) has another value and is not reported" }
    }
    return nil
  }
}
