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

  init() {}

  /// Looks at all elements.
  /// - Parameters:
  ///   - key: of the one section that matters; nil for all.
  ///   - isChanged: of an element that is in a section after.
  init<Key, Element>(
    from old: SectionedCore<Key, Element>.Sections, to new: SectionedCore<Key, Element>.Sections, of key: Key?, _ isChanged: (Value) -> Bool
  ) {
    let oldKeys = old.keys.filter { key == nil || key == $0 }
    let newKeys = new.keys.filter { key == nil || key == $0 }
    let order = Self.order(oldKeys, newKeys)
    (deletedSections, insertedSections) = (order.deletions, order.insertions)
    let moved = Set(order.deletions.map { oldKeys[$0] })
    let oldSections = Dictionary(uniqueKeysWithValues: zip(oldKeys, oldKeys.indices))
    for (section, key) in newKeys.enumerated() where !moved.contains(key) {
      guard let oldSection = oldSections[key] else { continue }
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
  }

  /// Which sections come and go, those that move being both.
  static func order<Key: Hashable>(_ old: [Key], _ new: [Key]) -> PositionChanges {
    var numbers: [Key: ObjectKey] = [:]
    for key in old + new where numbers[key] == nil { numbers[key] = ObjectKey(Int64(numbers.count)) }
    return KeyDifference.positions(from: old.compactMap { numbers[$0] }, to: new.compactMap { numbers[$0] }) { _ in false }
  }
}
