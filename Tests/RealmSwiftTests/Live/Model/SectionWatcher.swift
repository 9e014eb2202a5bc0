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
  }
  private let keyPaths: [String]?
  /// What is there, divided anew.
  private let contents: () -> [Section]
  /// What those show that are observed.
  private let observed: () -> [Section]
  private var previous: [Section] = []
  private var reports: [Report] = []

  private init(_ name: String, _ keyPaths: [String]?, observed: @escaping () -> [Section], _ contents: @escaping () -> [Section]) {
    (self.keyPaths, self.contents, self.observed) = (keyPaths, contents, observed)
    super.init(name)
  }

  private func note<C>(_ change: SectionedResultsChange<C>) {
    switch change {
    case .initial:
      initialCount += 1
      previous = contents()
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
    let watcher = SectionWatcher(name, nil, observed: { section.isEmpty ? [] : [Section(key: key, items: LiveEntry.objects(section))] }) {
      Self.sections(sections()).filter { $0.key == key }
    }
    watcher.token = section.observe { [unowned watcher] in watcher.note($0) }
    return watcher
  }

  override func violation(_ step: LiveStep) -> String? {
    if initialCount != 1 { return "\(initialCount) first reports" }
    let (old, new) = (previous, contents())
    previous = new
    if observed() != new { return "they are not as they are divided anew: \(observed()), \(new)" }
    defer { reports = [] }
    if reports.count > 1 { return "\(reports.count) reports at once" }
    if let report = reports.first, report.isEmpty { return "an empty report" }
    let report = reports.first ?? Report(deletions: [], insertions: [], modifications: [], inserted: [], deleted: [])
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
    if report.insertions.contains(where: { !stayed.1.contains($0[0]) }) { return "a place in a section that is new" }
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
