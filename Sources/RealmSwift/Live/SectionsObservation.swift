import RealmQuery
import RealmStorage

/// Sectioned results that are observed, or one section of them: kept up to date by what happens to the results where that says everything, else
/// what they were is compared with what they are.
final class SectionsObservation<Key: _Persistable & Hashable, Element: RealmCollectionValue>: Observation {
  private typealias Sections = SectionedCore<Key, Element>.Sections
  private let sections: SectionedCore<Key, Element>
  /// Nil for all sections.
  private let key: SectionKey<Key>?
  private let keyPaths: KeyPathSelection?
  /// Nil is the first report.
  private let report: (SectionChanges?) -> Void
  private var present = Sections()
  /// Follows the elements; nil if keys may change without that.
  private var elements: ResultsObservation?

  init(_ sections: SectionedCore<Key, Element>, key: Key?, _ keyPaths: [String]?, _ report: @escaping (SectionChanges?) -> Void) throws {
    let results = sections.results
    try results.core.prepareToObserve()
    try results.requireValid()
    try results.core.requireNoChanges()
    self.sections = sections
    self.key = key.map { SectionKey($0) }
    self.keyPaths = try results.keySelection(keyPaths)
    self.report = report
    super.init(results.core)
  }

  override func interest(_ group: Group) throws -> ObservationInterest? { try elements?.interest(group) }

  /// What the sections are in a version that has not concerned them.
  var settledSections: SectionedCore<Key, Element>.Sections? { isSettled ? present : nil }

  override func begin() throws -> (() -> Void)? {
    if sections.results.isInvalidated {
      hasEnded = true
    } else {
      sections.observation = self
      present = sections.sections
      try followElements()
    }
    return { [report] in report(nil) }
  }

  private func followElements() throws {
    elements = nil
    guard keyPaths == nil, try sections.keysFollowElements() else { return }
    elements = try sections.results.observation(nil) { _ in } as? ResultsObservation
    try elements?.remember()
  }

  override func advance(_ step: VersionStep) throws -> (() -> Void)? {
    let old = present
    let changes: SectionChanges
    if sections.results.isInvalidated {
      hasEnded = true
      present = Sections()
      changes = SectionChanges(from: old, to: present, of: key) { _ in false }
    } else if let edit = try edit(step) {
      changes = edit.changes(of: key)
    } else {
      present = sections.sections
      changes = SectionChanges(from: old, to: present, of: key, try changedElements(step))
    }
    if changes.isEmpty { return nil }
    return { [report, changes] in report(changes) }
  }

  private func edit(_ step: VersionStep) throws -> SectionEdit<SectionKey<Key>>? {
    // New classes and properties may bring new ways from an element to its key.
    if step.changes.hasNewSchema { try followElements() }
    guard let elements, !step.changes.hasNewSchema, let changes = try elements.changes(step) else { return nil }
    var next = Sections(contents: elements.contents)
    let changed = try changedElements(step)
    let before = present
    let identities = SectionEdit<SectionKey<Key>>.Identities(
      before: { before.object(at: $0) }, after: { next.object(at: $0) }, isChanged: { changed(.link($0)) })
    // By a key path the elements are sorted first: while the order stands, so do the keys.
    let keysStand = sections.keyDepth != nil && elements.dependencies.map { !step.affects($0) } ?? false
    let edit = try SectionEdit(present.index, changes, identities, keysStand: keysStand) {
      SectionKey(sections.keyOf(try sections.element(at: $0, of: next)))
    }
    guard let edit else { return nil }
    next.index = edit.new
    present = next
    sections.adopt(next)
    return edit
  }

  private func changedElements(_ step: VersionStep) throws -> (Value) -> Bool {
    guard let target = sections.results.target, target.hasTable else { return { _ in false } }
    let changed = try step.changedObjects(of: target.tableKey, keyPaths)
    return { value in if case .link(let key) = value { changed.contains(key) } else { false } }
  }
}
