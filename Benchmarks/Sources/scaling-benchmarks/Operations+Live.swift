import Foundation
import RealmSwift

/// As many observers as there are items, whom one commit concerns, or all commits.
private func observers(_ name: String, _ observe: @escaping (Stage, Item) -> NotificationToken, change: @escaping (Stage, [Item]) -> Void)
  -> Operation
{
  Operation("observers: \(name)") { stage in
    let items = try stage.items()
    try stage.write { stage.box.list.append(objectsIn: items) }
    let tokens = items.map { observe(stage, $0) }
    stage.realm.refresh()
    return {
      try stage.write { change(stage, items) }
      stage.realm.refresh()
      for token in tokens { token.invalidate() }
    }
  }
}

private func changeOne(_: Stage, _ items: [Item]) { items[items.count / 2].number += 1 }
private func changeAll(_: Stage, _ items: [Item]) { for item in items { item.number += 1 } }

private var observerOperations: [Operation] {
  [
    observers("of an item each, one changed", { _, item in item.observe { (_: ObjectChange<Item>) in } }, change: changeOne),
    observers("of an item each, all changed", { _, item in item.observe { (_: ObjectChange<Item>) in } }, change: changeAll),
    observers("of a property each, all changed", { _, item in item.observe(keyPaths: ["number"]) { (_: ObjectChange<Item>) in } }, change: changeAll),
    observers(
      "of an index each", { stage, item in stage.realm.objects(Item.self).where { $0.rank == item.rank }.observe { _ in } }, change: changeOne),
    observers("of links back each", { _, item in item.boxes.observe { _ in } }, change: changeOne),
    Operation("observers: made and let go of") { stage in
      let items = try stage.items()
      return { for item in items { item.observe { (_: ObjectChange<Item>) in }.invalidate() } }
    },
    Operation("observers: all passed over by a commit") { stage in
      let items = try stage.items()
      let tokens = items.map { $0.observe { (_: ObjectChange<Item>) in } }
      stage.realm.refresh()
      return {
        try stage.realm.write(withoutNotifying: tokens) { items[0].number = 7 }
        for token in tokens { token.invalidate() }
      }
    },
  ]
}

/// Commits of one change each, beside what holds versions or depends on them.
private func commits(
  _ name: String, beside prepare: @escaping (Stage, [Item]) throws -> [AnyObject], _ after: @escaping (Stage, Item) -> Any? = { _, _ in nil }
)
  -> Operation
{
  Operation("commits: \(name)") { stage in
    let items = try stage.items()
    let held = try prepare(stage, items)
    return {
      var kept: [Any] = []
      for number in stage.shuffled {
        try stage.write { items[number].number += 1 }
        if let result = after(stage, items[number]) { kept.append(result) }
      }
      withExtendedLifetime((held, kept)) {}
    }
  }
}

private var commitOperations: [Operation] {
  [
    commits("alone", beside: { _, _ in [] }),
    commits("beside a frozen realm", beside: { stage, _ in [stage.realm.freeze().objects(Item.self)[0]] }),
    commits("a frozen object of each kept", beside: { _, _ in [] }, { _, item in item.freeze() }),
    commits("a reference to another thread of each kept", beside: { _, _ in [] }, { _, item in ThreadSafeReference(to: item) }),
    commits("results of each kept", beside: { _, _ in [] }, { stage, item in stage.realm.objects(Item.self).where { $0.rank == item.rank } }),
    Operation("results of each item asked after a commit") { stage in
      let items = try stage.items()
      let results = items.map { item in stage.realm.objects(Item.self).where { $0.rank == item.rank } }
      for result in results { _ = result.count }
      try stage.write { items[0].number = 7 }
      return { for result in results { _ = result.count } }
    },
    Operation("accessors of each item read after a commit") { stage in
      let items = try stage.items()
      let held = items.map(\.boxes)
      try stage.write { items[0].number = 7 }
      return { for (item, boxes) in zip(items, held) { _ = item.number + boxes.count } }
    },
    Operation("references to another thread: made and resolved") { stage in
      let items = try stage.items()
      return { for item in items { _ = stage.realm.resolve(ThreadSafeReference(to: item)) } }
    },
    Operation("references to another thread: made, then resolved") { stage in
      let items = try stage.items()
      return {
        let references = items.map { ThreadSafeReference(to: $0) }
        for reference in references { _ = stage.realm.resolve(reference) }
      }
    },
    Operation("frozen objects: thawed") { stage in
      let frozen = Array(
        try stage.realm.write { () -> Results<Item> in
          for number in 0..<stage.count { stage.realm.add(Item(number)) }
          return stage.realm.objects(Item.self)
        }.freeze())
      return { for item in frozen { _ = item.thaw()?.number } }
    },
    Operation("realms opened") { stage in
      try stage.items()
      return { for _ in 0..<stage.count { _ = try Realm(configuration: stage.realm.configuration).isEmpty } }
    },
    Operation("realms opened, and kept") { stage in
      try stage.items()
      return { withExtendedLifetime(try (0..<stage.count).map { _ in try Realm(configuration: stage.realm.configuration) }) {} }
    },
    Operation("transactions cancelled") { stage in
      let items = try stage.items()
      return {
        for item in items {
          stage.realm.beginWrite()
          item.number += 1
          stage.realm.cancelWrite()
        }
      }
    },
  ]
}

private var textOperations: [Operation] {
  [
    Operation("conditions: joined by OR in a text") { stage in
      let text = (0..<stage.count).map { "number == \($0)" }.joined(separator: " OR ")
      return { _ = stage.realm.objects(Item.self).filter(text).count }
    },
    Operation("conditions: joined by OR in code") { stage in
      {
        _ = stage.realm.objects(Item.self).where { item in (1..<stage.count).reduce(item.number == 0) { $0 || item.number == $1 } }.count
      }
    },
    Operation("conditions: a filter of a filter") { stage in
      {
        var results = stage.realm.objects(Item.self)
        for number in 0..<stage.count { results = results.filter("number != %@", number) }
        _ = results.count
      }
    },
  ]
}

private var migrationOperations: [Operation] {
  [
    Operation("migration: every object enumerated, a property set") { stage in
      let place = FileManager.default.temporaryDirectory.appendingPathComponent("scaling-\(UUID().uuidString).realm")
      try stage.items()
      try stage.realm.writeCopy(configuration: Realm.Configuration(fileURL: place))
      var configuration = Realm.Configuration(fileURL: place, schemaVersion: 1, objectTypes: [Item.self, Part.self, Box.self, Page.self])
      configuration.migrationBlock = { migration, _ in
        migration.enumerateObjects(ofType: "Item") { old, new in new?["number"] = (old?["number"] as? Int ?? 0) + 1 }
      }
      return { [configuration] in
        try autoreleasepool { _ = try Realm(configuration: configuration) }
        _ = try Realm.deleteFiles(for: configuration)
      }
    }
  ]
}

var liveOperations: [Operation] { observerOperations + commitOperations + textOperations + migrationOperations }
