import RealmQuery
import RealmStorage

/// What happened to sectioned results. Elements of sections that go as a whole are not listed, those of sections that come are.
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

  init() {}

  /// Looks at all elements.
  /// - Parameters:
  ///   - key: of the one section that matters; nil for all.
  ///   - isChanged: of an element that is in a section after.
  init<Key, Element>(
    from old: SectionedCore<Key, Element>.Sections, to new: SectionedCore<Key, Element>.Sections, of key: SectionKey<Key>?,
    _ isChanged: (Value) -> Bool
  ) {
    let (oldKeys, newKeys) = (old.keys, new.keys)
    let oldNumbers = oldKeys.indices.filter { key == nil || key == oldKeys[$0] }
    let newNumbers = newKeys.indices.filter { key == nil || key == newKeys[$0] }
    let order = Self.order(oldNumbers.map { oldKeys[$0] }, newNumbers.map { newKeys[$0] })
    (deletedSections, insertedSections) = (order.deletions.map { oldNumbers[$0] }, order.insertions.map { newNumbers[$0] })
    let moved = Set(deletedSections.map { oldKeys[$0] })
    let oldSections = Dictionary(uniqueKeysWithValues: oldNumbers.map { (oldKeys[$0], $0) })
    for section in newNumbers {
      let key = newKeys[section]
      guard !moved.contains(key), let oldSection = oldSections[key] else { continue }
      let elements = new.values(of: key)
      let (before, after) = ValueNumbers.keys(old.values(of: key), elements)
      let isChanged = elements.map(isChanged)
      var changed = KeySet()
      for (position, key) in after.enumerated() where isChanged[position] { changed.insert(key) }
      var items = KeyDifference.positions(from: before, to: after, mayRepeat: true) { changed.contains($0) }
      items.modify(new: isChanged.indices.filter { isChanged[$0] })
      deletions += items.deletions.map { (oldSection, $0) }
      insertions += items.insertions.map { (section, $0) }
      modifications += items.modifications.map { (oldSection, $0) }
    }
    deletions.sort(by: <)
    modifications.sort(by: <)
    insertElements { new.index.count(ofSection: $0) }
  }

  /// Lists the elements of inserted sections.
  /// - Parameter count: of elements in such a section.
  mutating func insertElements(count: (Int) -> Int) {
    if insertedSections.isEmpty { return }
    for section in insertedSections { insertions += (0..<count(section)).map { (section, $0) } }
    insertions.sort(by: <)
  }

  /// Which sections come and go, those that move being both.
  static func order<Key: Hashable>(_ old: [Key], _ new: [Key]) -> PositionChanges {
    var numbers: [Key: ObjectKey] = [:]
    for key in old + new where numbers[key] == nil { numbers[key] = ObjectKey(Int64(numbers.count)) }
    return KeyDifference.positions(from: old.compactMap { numbers[$0] }, to: new.compactMap { numbers[$0] }) { _ in false }
  }
}
