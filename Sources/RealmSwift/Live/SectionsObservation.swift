import RealmQuery
import RealmStorage

/// What happened to sectioned results. Elements of sections that come or go as a whole are not listed.
struct SectionChanges {
  /// A section, and a position in it.
  typealias Place = (section: Int, item: Int)
  /// Sections before, positions before.
  var deletions: [Place] = []
  /// Sections after, positions after.
  var insertions: [Place] = []
  /// Sections before, positions before.
  var modifications: [Place] = []
  /// Before.
  var deletedSections: [Int] = []
  /// After.
  var insertedSections: [Int] = []

  var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && deletedSections.isEmpty && insertedSections.isEmpty
  }
}

/// Sectioned results that are observed, or one section of them.
final class SectionsObservation<Key: _Persistable & Hashable, Element: RealmCollectionValue>: Observation {
  private let sections: SectionedCore<Key, Element>
  /// Nil for all sections.
  private let key: Key?
  private let keyPaths: KeyPathSelection?
  /// Nil is the first report.
  private let report: (SectionChanges?) -> Void
  private var keys: [Key] = []
  private var elements: [Key: [Value]] = [:]

  init(_ sections: SectionedCore<Key, Element>, key: Key?, _ keyPaths: [String]?, _ report: @escaping (SectionChanges?) -> Void) throws {
    let results = sections.results
    try results.core.prepareToObserve()
    try results.requireValid()
    try results.core.requireNoChanges()
    self.sections = sections
    self.key = key
    self.keyPaths = try results.keySelection(keyPaths)
    self.report = report
    super.init(results.core)
  }

  override func begin() throws -> (() -> Void)? {
    if sections.results.isInvalidated { hasEnded = true } else { remember() }
    return { [report] in report(nil) }
  }

  private func remember() {
    let present = sections.sections
    (keys, elements) = ([], [:])
    for key in present.keys where self.key == nil || self.key == key {
      keys.append(key)
      elements[key] = present.positions(of: key).map { present.values[$0] }
    }
  }

  override func advance(_ step: VersionStep) throws -> (() -> Void)? {
    let (oldKeys, oldElements) = (keys, elements)
    if sections.results.isInvalidated {
      hasEnded = true
      (keys, elements) = ([], [:])
    } else {
      remember()
    }
    var changes = SectionChanges()
    let order = Self.sectionOrder(oldKeys, keys)
    changes.deletedSections = order.deletions
    changes.insertedSections = order.insertions
    let moved = Set(order.deletions.map { oldKeys[$0] })
    let isChanged = try changedElements(step)
    for (section, key) in keys.enumerated() where !moved.contains(key) {
      guard let old = oldElements[key], let new = elements[key], let oldSection = oldKeys.firstIndex(of: key) else { continue }
      let (before, after) = ValueNumbers.keys(old, new)
      let isChanged = new.map(isChanged)
      var changed: Set<ObjectKey> = []
      for (position, key) in after.enumerated() where isChanged[position] { changed.insert(key) }
      var items = KeyDifference.positions(from: before, to: after, mayRepeat: true) { changed.contains($0) }
      items.modify(new: isChanged.indices.filter { isChanged[$0] })
      changes.deletions += items.deletions.map { (oldSection, $0) }
      changes.insertions += items.insertions.map { (section, $0) }
      changes.modifications += items.modifications.map { (oldSection, $0) }
    }
    if changes.isEmpty { return nil }
    changes.deletions.sort(by: <)
    changes.modifications.sort(by: <)
    return { [report, changes] in report(changes) }
  }

  /// Which sections come and go, those that move being both.
  private static func sectionOrder(_ old: [Key], _ new: [Key]) -> PositionChanges {
    var numbers: [Key: ObjectKey] = [:]
    for key in old + new where numbers[key] == nil { numbers[key] = ObjectKey(Int64(numbers.count)) }
    return KeyDifference.positions(from: old.compactMap { numbers[$0] }, to: new.compactMap { numbers[$0] }) { _ in false }
  }

  private func changedElements(_ step: VersionStep) throws -> (Value) -> Bool {
    guard let target = sections.results.target, target.hasTable else { return { _ in false } }
    let changed = try step.changedObjects(of: target.tableKey, keyPaths)
    return { value in if case .link(let key) = value { changed.contains(key) } else { false } }
  }
}
