import RealmSwift

/// Fills a collection, empties it one by one from the front, from the end and anywhere, and all at once.
private func editing<C>(
  _ name: String, _ collection: @escaping (Box) -> C, fill: @escaping (Stage, C) throws -> Void,
  each: [(String, (Stage, C) -> Void)]
) -> [Operation] {
  [Operation.write("\(name): filled") { stage in { try? fill(stage, collection(stage.box)) } }]
    + each.map { what, body in
      .write("\(name): \(what)") { stage in
        let collection = collection(stage.box)
        try stage.write { try? fill(stage, collection) }
        return { body(stage, collection) }
      }
    }
}

private func lists<Element: RealmCollectionValue>(
  _ name: String, _ list: @escaping (Box) -> List<Element>, _ element: @escaping (Stage, Int) -> Element
) -> [Operation] {
  editing(
    name, list, fill: { stage, list in for number in 0..<stage.count { list.append(element(stage, number)) } },
    each: [
      ("filled at the front", { stage, list in for number in 0..<stage.count { list.insert(element(stage, number), at: 0) } }),
      ("filled anywhere", { stage, list in for number in stage.shuffled { list.insert(element(stage, number), at: number) } }),
      ("filled at once", { stage, list in list.append(objectsIn: (0..<stage.count).map { element(stage, $0) }) }),
      ("emptied from the front", { _, list in while !list.isEmpty { list.remove(at: 0) } }),
      ("emptied from the end", { _, list in while !list.isEmpty { list.removeLast() } }),
      ("emptied anywhere", { stage, list in for number in stage.shuffled { list.remove(at: number % list.count) } }),
      ("emptied at once", { _, list in list.removeAll() }),
      ("half removed by offsets", { stage, list in list.remove(atOffsets: .init((0..<stage.count).filter { $0 % 2 == 0 })) }),
      ("moved", { stage, list in for number in stage.shuffled { list.move(from: number, to: 0) } }),
      ("replaced", { stage, list in for number in stage.shuffled { list[number] = element(stage, number) } }),
      ("read by index", { stage, list in for number in stage.shuffled { _ = list[number] } }),
      ("iterated", { _, list in for element in list { _ = element } }),
    ])
}

private func sets<Element: RealmCollectionValue>(
  _ name: String, _ set: @escaping (Box) -> MutableSet<Element>, _ element: @escaping (Stage, Int) -> Element
) -> [Operation] {
  editing(
    name, set, fill: { stage, set in for number in stage.shuffled { set.insert(element(stage, number)) } },
    each: [
      ("asked", { stage, set in for number in stage.shuffled { _ = set.contains(element(stage, number)) } }),
      ("emptied anywhere", { stage, set in for number in stage.shuffled { set.remove(element(stage, number)) } }),
      ("emptied at once", { _, set in set.removeAll() }),
      ("iterated", { _, set in for element in set { _ = element } }),
      ("united with itself", { _, set in set.formUnion(set) }),
    ])
}

private func maps<Value: RealmCollectionValue>(
  _ name: String, _ map: @escaping (Box) -> Map<String, Value>, _ value: @escaping (Stage, Int) -> Value
) -> [Operation] {
  editing(
    name, map, fill: { stage, map in for number in 0..<stage.count { map[stage.key(number)] = value(stage, number) } },
    each: [
      ("asked", { stage, map in for number in 0..<stage.count { _ = map[stage.key(number)] } }),
      ("replaced", { stage, map in for number in 0..<stage.count { map[stage.key(number)] = value(stage, number) } }),
      ("emptied anywhere", { stage, map in for number in 0..<stage.count { map.removeObject(for: stage.key(number)) } }),
      ("emptied at once", { _, map in map.removeAll() }),
      ("iterated", { _, map in for entry in map { _ = entry.value } }),
      ("keys", { _, map in for key in map.keys { _ = key } }),
    ])
}

private func item(_ stage: Stage, _ number: Int) -> Item {
  stage.realm.object(ofType: Item.self, forPrimaryKey: number) ?? stage.realm.create(Item.self, value: Item(number))
}
private func anyValue(_ stage: Stage, _ number: Int) -> AnyRealmValue {
  switch number % 4 {
  case 0: .int(number)
  case 1: .string("text \(number)")
  case 2: .double(Double(number) / 3)
  default: .object(item(stage, number))
  }
}

var collectionOperations: [Operation] {
  lists("list of links", \.list, item)
    + lists("list of embedded objects", \.parts) { _, number in Part(number) }
    + lists("list of integers", \.numbers) { _, number in number }
    + lists("list of strings", \.texts) { _, number in "text \(number)" }
    + lists("list of any values", \.anyList, anyValue)
    + lists("list of lists", \.anyList) { _, number in .fromArray([.int(number)]) }
    + sets("set of links", \.set, item)
    + sets("set of integers", \.numberSet) { _, number in number }
    + sets("set of strings", \.textSet) { _, number in "text \(number)" }
    + sets("set of any values", \.anySet, anyValue)
    + maps("map of links", \.map, item)
    + maps("map of embedded objects", \.partMap) { _, number in Part(number) }
    + maps("map of strings", \.textMap) { _, number in "text \(number)" }
    + maps("map of any values", \.anyMap, anyValue)
    + maps("map of maps", \.anyMap) { _, number in .fromDictionary(["number": .int(number)]) }
}
