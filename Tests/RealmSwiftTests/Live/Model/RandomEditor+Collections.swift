import RealmStorage

@testable import RealmSwift

extension RandomEditor {
  func editAny(_ item: LiveItem, _ items: Results<LiveItem>) {
    switch item.any {
    case .list(let list) where random.below(4) > 0:
      let index = random.below(list.count)
      if list.count > 0, random.below(2) == 0, editInside(list[index], items) {
        journal.editList(item, "any") { $0[index].isSet = true }
      } else {
        edit(list, of: item, "any") { value(items, depth: 1) }
      }
    case .dictionary(let map) where random.below(4) > 0:
      edit(map, of: item, "any") { value(items, depth: 1) }
    default:
      let new = value(items)
      // An empty list in place of an empty list is no change.
      let isSame = item.any.listValue?.isEmpty == true && new.listValue?.isEmpty == true
      if !isSame { journal.replaceAny(item, new) }
      item.any = new
    }
  }

  /// Changes a collection inside of a collection.
  /// - Returns: false if the value is none.
  private func editInside(_ value: AnyRealmValue, _ items: Results<LiveItem>) -> Bool {
    switch value {
    case .list(let list):
      if list.count > 5 { list.removeAll() } else { list.append(self.value(items, depth: 0)) }
      return true
    case .dictionary(let map):
      map["c"] = self.value(items, depth: 0)
      return true
    default: return false
    }
  }

  func editSet(_ item: LiveItem, _ items: Results<LiveItem>) {
    let target = pick(items)
    let key = "\(target.key.rawValue)"
    switch random.below(8) {
    case 0 where item.set.count > 1:
      journal.removeEntries(item, "set")
      item.set.removeAll()
    case 1, 2, 3:
      if item.set.contains(target) { journal.removeEntry(item, "set", key) }
      item.set.remove(target)
    default:
      if !item.set.contains(target) { journal.setEntry(item, "set", key) }
      item.set.insert(target)
    }
  }

  func editTexts(_ item: LiveItem) {
    let text = ["a", "b", "c", "d", "e"][random.below(5)]
    switch random.below(8) {
    case 0 where item.texts.count > 1:
      journal.removeEntries(item, "texts")
      item.texts.removeAll()
    case 1, 2, 3:
      if item.texts.contains(text) { journal.removeEntry(item, "texts", text) }
      item.texts.remove(text)
    default:
      if !item.texts.contains(text) { journal.setEntry(item, "texts", text) }
      item.texts.insert(text)
    }
  }

  /// Changes a map and its tokens in the same way.
  private func edit<Value>(_ map: Map<String, Value>, of item: LiveItem, _ property: String, _ make: () -> Value) {
    let key = ["a", "b", "c", "d", "e"][random.below(5)]
    switch random.below(8) {
    case 0 where map.count > 1:
      journal.removeEntries(item, property)
      map.removeAll()
    case 1, 2, 3:
      if map.keys.contains(key) { journal.removeEntry(item, property, key) }
      map.removeObject(for: key)
    default:
      journal.setEntry(item, property, key)
      map.updateValue(make(), forKey: key)
    }
  }

  func editLinks(_ item: LiveItem, _ items: Results<LiveItem>) { edit(item.map, of: item, "map") { random.below(4) == 0 ? nil : pick(items) } }

  func editCounts(_ item: LiveItem) { edit(item.counts, of: item, "counts") { random.below(4) } }

  func editValues(_ item: LiveItem, _ items: Results<LiveItem>) {
    let list = item.values
    let index = random.below(list.count)
    if list.count > 0, random.below(2) == 0, editInside(list[index], items) {
      journal.editList(item, "values") { $0[index].isSet = true }
    } else {
      edit(list, of: item, "values") { value(items) }
    }
  }

  func editBag(_ item: LiveItem, _ items: Results<LiveItem>) {
    let key = ["a", "b", "c", "d", "e"][random.below(5)]
    if let value = item.bag[key], random.below(2) == 0, editInside(value, items) {
      journal.setEntry(item, "bag", key)
    } else {
      edit(item.bag, of: item, "bag") { value(items) }
    }
  }

  // MARK: Embedded objects

  private func part(_ items: Results<LiveItem>) -> LivePart {
    LivePart(value: ["value": random.below(5), "link": random.below(2) == 0 ? pick(items) : nil] as [String: Any?])
  }

  private func edit(_ part: LivePart, _ items: Results<LiveItem>) {
    if random.below(2) == 0 {
      set(part, "value") { part.value = random.below(5) }
    } else {
      set(part, "link") { part.link = random.below(3) == 0 ? nil : pick(items) }
    }
  }

  func editPart(_ item: LiveItem, _ items: Results<LiveItem>) {
    guard let part = item.part else { return set(item, "part") { item.part = self.part(items) } }
    switch random.below(4) {
    case 0: set(item, "part") { item.part = nil }
    case 1: set(item, "part") { item.part = self.part(items) }
    default: edit(part, items)
    }
  }

  func editParts(_ item: LiveItem, _ items: Results<LiveItem>) {
    if item.parts.count > 0, random.below(2) == 0 { return edit(item.parts[random.below(item.parts.count)], items) }
    edit(item.parts, of: item, "parts") { part(items) }
  }

  func editPartMap(_ item: LiveItem, _ items: Results<LiveItem>) {
    if let part = item.partMap.first(where: { $0.value != nil })?.value, random.below(2) == 0 { return edit(part, items) }
    edit(item.partMap, of: item, "partMap") { random.below(5) == 0 ? nil : part(items) }
  }
}
