import RealmSwift

/// Ways to delete all items, or half of them.
private var deletions: [(String, (Stage) -> Void)] {
  [
    ("deleted at once", { stage in stage.realm.delete(stage.realm.objects(Item.self)) }),
    ("half deleted by a query", { stage in stage.realm.delete(stage.realm.objects(Item.self).where { $0.number < 5000 }) }),
    ("deleted in an array", { stage in stage.realm.delete(stage.shuffled.compactMap { stage.realm.object(ofType: Item.self, forPrimaryKey: $0) }) }),
    (
      "deleted one by one",
      { stage in
        for number in stage.shuffled { if let item = stage.realm.object(ofType: Item.self, forPrimaryKey: number) { stage.realm.delete(item) } }
      }
    ),
    ("deleted with everything", { stage in stage.realm.deleteAll() }),
  ]
}

/// What links to the items that are deleted.
private var holders: [(String, (Stage, [Item]) -> Void)] {
  [
    ("items", { _, _ in }),
    ("items of a list", { stage, items in stage.box.list.append(objectsIn: stage.shuffled.map { items[$0] }) }),
    ("items of a set", { stage, items in stage.box.set.insert(objectsIn: items) }),
    ("items of a map", { stage, items in for number in items.indices { stage.box.map[stage.key(number)] = items[number] } }),
    ("items of any values", { stage, items in stage.box.anyList.append(objectsIn: items.map { .object($0) }) }),
    ("items of a set of any values", { stage, items in stage.box.anySet.insert(objectsIn: items.map { .object($0) }) }),
    (
      "items of a map of any values", { stage, items in for number in items.indices { stage.box.anyMap[stage.key(number)] = .object(items[number]) } }
    ),
    ("items of nested lists", { stage, items in stage.box.anyList.append(objectsIn: items.map { .fromArray([.object($0), .int(1)]) }) }),
    ("items of a deep list", { stage, items in stage.box.anything = .fromArray([.fromArray(items.map { .object($0) })]) }),
    ("items in a chain", { _, items in for (item, next) in zip(items, items.dropFirst()) { item.next = next } }),
    ("items that link to one", { _, items in for item in items { item.next = items[0] } }),
    ("items that hold one as any value", { _, items in for item in items { item.anything = .object(items[0]) } }),
    (
      "items of embedded objects",
      { stage, items in
        for item in items {
          let part = Part(item.id)
          part.item = item
          stage.box.parts.append(part)
        }
      }
    ),
    (
      "items of a list each",
      { stage, items in for item in items { stage.realm.create(Box.self).list.append(objectsIn: [item, items[0], items[item.id / 2]]) } }
    ),
  ]
}

private var deletionOperations: [Operation] {
  holders.flatMap { holder in
    deletions.map { deletion in
      Operation.write("\(holder.0): \(deletion.0)") { stage in
        let items = try stage.items()
        try stage.write { holder.1(stage, items) }
        return { deletion.1(stage) }
      }
    }
  }
}

private func each(_ name: String, _ body: @escaping (Stage, Item, Int) -> Void) -> Operation {
  .write("each item: \(name)") { stage in
    let items = try stage.items()
    return { for number in stage.shuffled { body(stage, items[number], number) } }
  }
}

var objectOperations: [Operation] {
  deletionOperations + [
    .write("items: added") { stage in { for number in 0..<stage.count { stage.realm.add(Item(number)) } } },
    .write("items: added in no order") { stage in { for number in stage.shuffled { stage.realm.add(Item(number)) } } },
    .write("items: updated") { stage in
      try stage.items()
      return { for number in stage.shuffled { stage.realm.add(Item(number), update: .modified) } }
    },
    .write("items: created of dictionaries") { stage in
      { for number in stage.shuffled { stage.realm.create(Item.self, value: ["id": number, "next": ["id": number / 2]], update: .all) } }
    },
    .write("a box of items added") { stage in
      let box = Box()
      box.list.append(objectsIn: (0..<stage.count).map { Item($0) })
      return { stage.realm.add(box) }
    },
    .write("a chain of items added") { stage in
      var first: Item?
      for number in 0..<stage.count {
        let item = Item(number)
        item.next = first
        first = item
      }
      return { [first] in if let first { stage.realm.add(first) } }
    },
    .write("pages: added with their words") { stage in
      { for number in 0..<stage.count { stage.realm.create(Page.self, value: ["path": "/\(number)", "text": "word \(number) and \(number % 10)"]) } }
    },
    each("integer set") { _, item, number in item.number = number },
    each("indexed integer set") { _, item, number in item.rank = number * 3 },
    each("indexed integer set to one value") { _, item, _ in item.rank = 1 },
    each("indexed string set to one value") { _, item, _ in item.group = "one" },
    each("string set, longer") { _, item, number in item.note = String(repeating: "longer ", count: 20) + String(number) },
    each("any value set") { _, item, number in item.anything = .string("any \(number)") },
    each("link set") { _, item, number in item.next = item.realm?.object(ofType: Item.self, forPrimaryKey: number / 2) },
    each("link set to one item") { stage, item, _ in item.next = stage.realm.object(ofType: Item.self, forPrimaryKey: 0) },
    each("links asked") { _, item, _ in _ = item.boxes.count + item.previous.count },
    each("link to one item set and taken") { stage, item, _ in
      item.next = stage.realm.object(ofType: Item.self, forPrimaryKey: 0)
      item.next = nil
    },
    each("text of it") { _, item, _ in _ = item.description },
    .write("items: all set by a key") { stage in
      try stage.items()
      return { stage.realm.objects(Item.self).setValue(7, forKey: "number") }
    },
    .write("items: deleted while iterating") { stage in
      try stage.items()
      return { for item in stage.realm.objects(Item.self) { stage.realm.delete(item) } }
    },
    .write("items: first deleted while there is one") { stage in
      try stage.items()
      return { while let item = stage.realm.objects(Item.self).first { stage.realm.delete(item) } }
    },
    .write("items: last deleted while there is one") { stage in
      try stage.items()
      return { while let item = stage.realm.objects(Item.self).last { stage.realm.delete(item) } }
    },
  ]
}
