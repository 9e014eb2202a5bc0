import Foundation
import RealmSwift

private func query(_ name: String, _ body: @escaping (Stage) -> Void) -> Operation {
  Operation("query: \(name)") { stage in
    let items = try stage.items()
    try stage.write {
      stage.box.list.append(objectsIn: stage.shuffled.map { items[$0] })
      for number in items.indices {
        items[number].next = items[number / 2]
        items[number].anything = number % 2 == 0 ? .int(number) : .string("text \(number)")
      }
    }
    return { body(stage) }
  }
}

/// A commit for each item, which somebody observes.
private func observing(_ name: String, _ observe: @escaping (Stage) -> NotificationToken) -> Operation {
  Operation("observed: \(name)") { stage in
    let items = try stage.items()
    try stage.write { stage.box.list.append(objectsIn: stage.shuffled.map { items[$0] }) }
    let token = observe(stage)
    stage.realm.refresh()
    return {
      for number in stage.shuffled {
        try stage.write { items[number].number += 1 }
        stage.realm.refresh()
      }
      token.invalidate()
    }
  }
}

var queryOperations: [Operation] {
  [
    query("filtered") { stage in _ = Array(stage.realm.objects(Item.self).where { $0.number > 100 }) },
    query("sorted") { stage in _ = Array(stage.realm.objects(Item.self).sorted(byKeyPath: "number")) },
    query("sorted by a link") { stage in _ = Array(stage.realm.objects(Item.self).sorted(byKeyPath: "next.number")) },
    query("sorted by a text") { stage in _ = Array(stage.realm.objects(Item.self).sorted(byKeyPath: "note")) },
    query("distinct") { stage in _ = Array(stage.realm.objects(Item.self).distinct(by: ["group"])) },
    query("distinct, all different") { stage in _ = Array(stage.realm.objects(Item.self).distinct(by: ["note"])) },
    query("over a link") { stage in _ = Array(stage.realm.objects(Item.self).where { $0.next.number > 100 }) },
    query("over links back") { stage in _ = Array(stage.realm.objects(Item.self).filter("previous.@count > 1")) },
    query("any of a list") { stage in _ = Array(stage.realm.objects(Box.self).filter("ANY list.number > 20000")) },
    query("a subquery") { stage in _ = Array(stage.realm.objects(Box.self).filter("SUBQUERY(list, $item, $item.number > 50).@count > 1")) },
    query("any of the boxes") { stage in _ = Array(stage.realm.objects(Item.self).filter("ANY boxes.list.@count > 1")) },
    query("in an array of all ids") { stage in _ = Array(stage.realm.objects(Item.self).filter("id IN %@", stage.shuffled)) },
    query("in an array of texts") { stage in
      _ = Array(stage.realm.objects(Item.self).filter("note IN %@", stage.shuffled.map { "a note about \($0)" }))
    },
    query("of many alternatives") { stage in
      _ = Array(stage.realm.objects(Item.self).filter((0..<200).map { "number == \($0)" }.joined(separator: " OR ")))
    },
    query("any value") { stage in _ = Array(stage.realm.objects(Item.self).filter("anything > 100")) },
    query("list filtered") { stage in _ = Array(stage.box.list.where { $0.number > 100 }) },
    query("list sorted") { stage in _ = Array(stage.box.list.sorted(byKeyPath: "number")) },
    query("list of values by a key") { stage in _ = stage.box.list.value(forKey: "note") as Any },
    query("sum of a list") { stage in _ = stage.box.list.sum(ofProperty: "number") as Int },
    query("sections") { stage in
      for section in stage.realm.objects(Item.self).sectioned(by: \.group) { for item in section { _ = item.number } }
    },
    query("as many sections as items") { stage in
      for section in stage.realm.objects(Item.self).sectioned(by: \.note) { for item in section { _ = item.number } }
    },
    query("frozen, then read") { stage in for item in stage.realm.objects(Item.self).freeze() { _ = item.note } },
    query("each frozen") { stage in for item in stage.realm.objects(Item.self) { _ = item.freeze().number } },
    query("elements of results by index") { stage in
      let results = stage.realm.objects(Item.self).sorted(byKeyPath: "number")
      for number in stage.shuffled { _ = results[number] }
    },
    query("elements of results by index, all looked up anew") { stage in
      for number in stage.shuffled { _ = stage.realm.objects(Item.self)[number] }
    },
    query("results encoded") { stage in _ = try? JSONEncoder().encode(stage.box.numbers) },
    observing("a class") { stage in stage.realm.objects(Item.self).observe { _ in } },
    observing("a filter") { stage in stage.realm.objects(Item.self).where { $0.number > 100 }.observe { _ in } },
    observing("an order") { stage in stage.realm.objects(Item.self).sorted(byKeyPath: "number").observe { _ in } },
    observing("a list") { stage in stage.box.list.observe { _ in } },
    observing("an object that links to the list") { stage in stage.box.observe(keyPaths: ["list.number"]) { (_: ObjectChange<Box>) in } },
    observing("sections") { stage in stage.realm.objects(Item.self).sectioned(by: \.group).observe { _ in } },
  ]
}
