import RealmStorage

@testable import RealmSwift

extension ChangeJournal {
  /// Writes down what happens to an object when one that it may link to is deleted. To be called before.
  mutating func noteLoss(of lost: LiveItem, in item: LiveItem) {
    func isLost(_ other: ObjectBase?) -> Bool { other?.key == lost.key }
    if isLost(item.link) { touch(item, "link") }
    for (index, element) in item.list.enumerated().reversed() where isLost(element) { editList(item, "list") { $0.remove(at: index) } }
    if item.set.contains(where: isLost) { removeEntry(item, "set", "\(lost.key.rawValue)") }
    for entry in item.map where isLost(entry.value) { setEntry(item, "map", entry.key) }
    if Self.links(item.any, to: lost) { touch(item, "any") }
    if let list = item.any.listValue { noteLoss(of: lost, in: list, of: item, "any") }
    for entry in item.any.dictionaryValue ?? Map() where Self.links(entry.value, to: lost) { setEntry(item, "any", entry.key) }
    noteLoss(of: lost, in: item.values, of: item, "values")
    for entry in item.bag where Self.links(entry.value, to: lost) { setEntry(item, "bag", entry.key) }
    for part in item.ownParts where isLost(part.link) { touch(part, "link") }
  }

  /// A list loses the element itself; what lies deeper is changed.
  private mutating func noteLoss(of lost: LiveItem, in list: List<AnyRealmValue>, of item: LiveItem, _ property: String) {
    for (index, value) in list.enumerated().reversed() where Self.links(value, to: lost) {
      editList(item, property) { if case .object = value { $0.remove(at: index) } else { $0[index].isSet = true } }
    }
  }

  private static func links(_ value: AnyRealmValue, to lost: LiveItem) -> Bool {
    switch value {
    case .object(let object): object.key == lost.key
    case .list(let list): list.contains { links($0, to: lost) }
    case .dictionary(let map): map.contains { links($0.value, to: lost) }
    default: false
    }
  }
}
