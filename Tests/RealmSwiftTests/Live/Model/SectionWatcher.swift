import Foundation

@testable import RealmSwift

/// Observes sections, or one of them.
final class SectionWatcher: LiveWatcher {
  private struct Section: Equatable {
    let key: Int
    let items: [LiveEntry]
  }
  private struct Report {
    let deletions, insertions, modifications: [IndexPath]
    let inserted, deleted: IndexSet
    var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && inserted.isEmpty && deleted.isEmpty }

    /// What is told of one section, as if there were no other; nil if another one is named.
    func alone(_ before: Int?, _ after: Int?) -> Report? {
      guard (deletions + modifications).allSatisfy({ $0[0] == before }), insertions.allSatisfy({ $0[0] == after }),
        deleted.allSatisfy({ $0 == before }), inserted.allSatisfy({ $0 == after })
      else { return nil }
      func first(_ paths: [IndexPath]) -> [IndexPath] { paths.map { IndexPath(indexes: [0, $0[1]]) } }
      return Report(
        deletions: first(deletions), insertions: first(insertions), modifications: first(modifications), inserted: inserted.isEmpty ? [] : [0],
        deleted: deleted.isEmpty ? [] : [0])
    }
  }
  private let keyPaths: [String]?
  /// What is there, divided anew.
  private let contents: () -> [Section]
  /// What those show that are observed.
  private let observed: () -> [Section]
  /// Of the one section that is observed, its number among all.
  private let number: (() -> Int?)?
  private var previous: [Section] = []
  private var previousNumber: Int?
  private var reports: [Report] = []

  private init(
    _ name: String, _ keyPaths: [String]?, number: (() -> Int?)? = nil, observed: @escaping () -> [Section], _ contents: @escaping () -> [Section]
  ) {
    (self.keyPaths, self.number, self.contents, self.observed) = (keyPaths, number, contents, observed)
    super.init(name)
  }

  private func note<C>(_ change: SectionedResultsChange<C>) {
    switch change {
    case .initial:
      initialCount += 1
      (previous, previousNumber) = (contents(), number?())
    case .update(_, let deletions, let insertions, let modifications, let inserted, let deleted):
      reportCount += 1
      reports.append(Report(deletions: deletions, insertions: insertions, modifications: modifications, inserted: inserted, deleted: deleted))
    }
  }

  private static func sections(_ all: SectionedResults<Int, LiveItem>) -> [Section] {
    all.map { Section(key: $0.key, items: LiveEntry.objects($0)) }
  }

  static func all(_ name: String, _ keyPaths: [String]?, _ sections: @escaping () -> SectionedResults<Int, LiveItem>) -> SectionWatcher {
    let observed = sections()
    let watcher = SectionWatcher(name, keyPaths, observed: { Self.sections(observed) }, { Self.sections(sections()) })
    watcher.token = observed.observe(keyPaths: keyPaths) { [unowned watcher] in watcher.note($0) }
    return watcher
  }

  /// The first section.
  static func one(_ name: String, _ sections: @escaping () -> SectionedResults<Int, LiveItem>) -> SectionWatcher {
    let section = sections()[0]
    let key = section.key
    let number = { sections().firstIndex { $0.key == key } }
    let observed = { section.isEmpty ? [] : [Section(key: key, items: LiveEntry.objects(section))] }
    let watcher = SectionWatcher(name, nil, number: number, observed: observed) { Self.sections(sections()).filter { $0.key == key } }
    watcher.token = section.observe { [unowned watcher] in watcher.note($0) }
    return watcher
  }

  override func violation(_ step: LiveStep) -> String? {
    if initialCount != 1 { return "\(initialCount) first reports" }
    let (old, new) = (previous, contents())
    let (oldNumber, newNumber) = (previousNumber, number?())
    (previous, previousNumber) = (new, newNumber)
    if observed() != new { return "they are not as they are divided anew: \(observed()), \(new)" }
    defer { reports = [] }
    if reports.count > 1 { return "\(reports.count) reports at once" }
    if let report = reports.first, report.isEmpty { return "an empty report" }
    var report = reports.first ?? Report(deletions: [], insertions: [], modifications: [], inserted: [], deleted: [])
    if number != nil {
      guard let alone = report.alone(oldNumber, newNumber) else {
        return "another section is named than \(oldNumber ?? -1) or \(newNumber ?? -1): \(report)"
      }
      report = alone
    }
    return violation(report, from: old, to: new, step).map { "\($0)\n  from \(old)\n  to \(new)\n  \(report)" }
  }

  private func violation(_ report: Report, from old: [Section], to new: [Section], _ step: LiveStep) -> String? {
    if let deleted = report.deleted.max(), deleted >= old.count { return "deleted sections out of range" }
    if let inserted = report.inserted.max(), inserted >= new.count { return "inserted sections out of range" }
    let stayed = (old.indices.filter { !report.deleted.contains($0) }, new.indices.filter { !report.inserted.contains($0) })
    if stayed.0.map({ old[$0].key }) != stayed.1.map({ new[$0].key }) { return "applying gives other sections" }
    for paths in [report.deletions, report.insertions, report.modifications] where zip(paths, paths.dropFirst()).contains(where: { $0 >= $1 }) {
      return "places do not ascend"
    }
    if (report.deletions + report.modifications).contains(where: { !stayed.0.contains($0[0]) }) { return "a place in a section that did not stay" }
    for section in report.inserted
    where report.insertions.filter({ $0[0] == section }).map({ $0[1] }) != Array(new[section].items.indices) {
      return "the elements of a new section are not listed"
    }
    for (before, after) in zip(stayed.0, stayed.1) {
      let items = PositionReport(
        deletions: report.deletions.filter { $0[0] == before }.map { $0[1] }, insertions: report.insertions.filter { $0[0] == after }.map { $0[1] },
        modifications: report.modifications.filter { $0[0] == before }.map { $0[1] })
      let violation = items.violation(from: old[before].items, to: new[after].items, step, keyPaths, mayReinsert: false)
      if let violation { return "section \(before): \(violation)" }
    }
    return nil
  }
}
