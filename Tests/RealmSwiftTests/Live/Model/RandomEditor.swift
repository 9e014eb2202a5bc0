import Randomness

@testable import RealmSwift

/// Writes at random, and writes down what it touches.
final class RandomEditor {
  var journal = ChangeJournal()
  var random: SeededGenerator
  private let mostItems: Int

  init(_ random: SeededGenerator, mostItems: Int) { (self.random, self.mostItems) = (random, mostItems) }

  /// One operation on the contents of a realm in a write transaction.
  func edit(_ realm: Realm) {
    let items = realm.objects(LiveItem.self)
    let count = items.count
    let number = random.below(20)
    if count < 4 || number < 3 && count < mostItems { return create(realm, items) }
    // Few are deleted until there are many: large classes are observed in another way than small ones.
    if number == 3 || number < 6 && count > mostItems * 3 / 4 { return delete(items[random.below(count)], items, realm) }
    change(items[random.below(count)], items)
  }

  private func create(_ realm: Realm, _ items: Results<LiveItem>) {
    let id = random.below(2 * mostItems)
    if realm.object(ofType: LiveItem.self, forPrimaryKey: id) != nil { return }
    let item = realm.create(LiveItem.self, value: ["id": id])
    for _ in 0..<random.below(6) { change(item, items) }
  }

  private func delete(_ item: LiveItem, _ items: Results<LiveItem>, _ realm: Realm) {
    for other in items where other != item { journal.noteLoss(of: item, in: other) }
    realm.delete(item)
  }

  private func change(_ item: LiveItem, _ items: Results<LiveItem>) {
    switch random.below(20) {
    case 0, 1: set(item, "number") { item.number = random.below(8) }
    case 2: set(item, "text") { item.text = [nil, "", "a", "b", "B"][random.below(5)] }
    case 3, 4, 5: set(item, "link") { item.link = random.below(4) == 0 ? nil : pick(items) }
    case 6, 7: editAny(item, items)
    case 8, 9: edit(item.list, of: item, "list") { pick(items) }
    case 10: editSet(item, items)
    case 11: editLinks(item, items)
    case 12: edit(item.numbers, of: item, "numbers") { random.below(4) }
    case 13: editTexts(item)
    case 14: editCounts(item)
    case 15: editValues(item, items)
    case 16: editBag(item, items)
    case 17: editPart(item, items)
    case 18: editParts(item, items)
    default: editPartMap(item, items)
    }
  }

  // MARK: Parts of operations

  func set(_ object: ObjectBase, _ property: String, _ change: () -> Void) {
    journal.touch(object, property)
    change()
  }

  func pick(_ items: Results<LiveItem>) -> LiveItem { items[random.below(items.count)] }

  func value(_ items: Results<LiveItem>, depth: Int = 2) -> AnyRealmValue {
    switch random.below(depth == 0 ? 4 : 7) {
    case 0: .none
    case 1: .int(random.below(4))
    case 2: .string(["a", "b"][random.below(2)])
    case 3: .object(pick(items))
    case 4: .fromDictionary(["a": value(items, depth: depth - 1)])
    default: .fromArray((0..<random.below(4)).map { _ in value(items, depth: depth - 1) })
    }
  }

  /// Changes a list and its tokens in the same way.
  func edit<Element>(_ list: List<Element>, of object: ObjectBase, _ property: String, _ make: () -> Element) {
    let count = list.count
    switch random.below(8) {
    case 0 where count > 0:
      let index = random.below(count)
      journal.editList(object, property) { $0.remove(at: index) }
      list.remove(at: index)
    case 1 where count > 0:
      let index = random.below(count)
      journal.editList(object, property) { $0[index].isSet = true }
      list[index] = make()
    case 2 where count > 1, 3 where count > 1: move(in: list, of: object, property)
    case 4 where count > 1 && random.below(3) == 0:
      journal.editList(object, property) { $0.removeAll() }
      list.removeAll()
    default:
      let index = random.below(count + 1)
      if count > 7 { return }
      journal.insert(object, property, at: index)
      list.insert(make(), at: index)
    }
  }

  private func move<Element>(in list: List<Element>, of object: ObjectBase, _ property: String) {
    let from = random.below(list.count)
    let to = (from + 1 + random.below(list.count - 1)) % list.count
    if random.below(2) == 0 {
      journal.editList(object, property) { $0.insert($0.remove(at: from), at: to) }
      list.move(from: from, to: to)
    } else {
      journal.editList(object, property) { $0.swapAt(from, to) }
      list.swapAt(from, to)
    }
  }
}
