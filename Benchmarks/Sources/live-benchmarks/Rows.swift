import RealmSwift

/// Something observed, and a change that its observer is told of.
struct Row: Sendable {
  let name: String
  /// The time at the largest number of items is at most so many times that at the smallest.
  var bar: Double?
  /// How many times the observer is told of one change.
  var reports = 1
  /// How many steps it takes until the next item is changed.
  var stepsPerItem = 1
  /// How many items one change touches.
  var itemsPerChange = 1
  /// Begins to observe; the closure that it is handed counts reports.
  let observe: @Sendable (Stage, @escaping () -> Void) -> [NotificationToken]
  /// In a write transaction.
  let change: @Sendable (Stage, Int) -> Void
}

/// An observed collection of items.
private func watch<C: RealmCollection & SendableMetatype>(
  _ collection: @escaping @Sendable (Stage) -> C
) -> @Sendable (Stage, @escaping () -> Void) -> [NotificationToken] {
  { stage, report in [collection(stage).observe { if case .update = $0 { report() } }] }
}

private let setNote: @Sendable (Stage, Int) -> Void = { stage, step in stage.item(step).note += 1 }

let rows: [Row] = [
  Row(name: "whole class, property set", bar: 2, observe: watch { $0.items }, change: setNote),
  Row(name: "filtered, property set", bar: 2, observe: watch { $0.items.where { $0.number >= 0 } }, change: setNote),
  Row(
    name: "filtered, one leaves or comes", bar: 2, stepsPerItem: 2, observe: watch { $0.items.where { $0.note >= 0 } },
    change: { stage, step in
      let item = stage.item(step / 2)
      item.note = -item.note - 1
    }),
  Row(name: "sorted, property set", bar: 2, observe: watch { $0.items.sorted(byKeyPath: "number") }, change: setNote),
  Row(
    name: "distinct and sorted, property set", bar: 2, observe: watch { $0.items.distinct(by: ["number"]).sorted(byKeyPath: "number") },
    change: setNote),
  Row(
    name: "sectioned, property set", bar: 2,
    observe: { stage, report in
      let sections = stage.items.sectioned(by: \.group, sortDescriptors: [.init(keyPath: "group"), .init(keyPath: "number")])
      return [sections.observe { if case .update = $0 { report() } }]
    }, change: setNote),
  Row(
    name: "filtered by a link, what is linked to changes", bar: 2, itemsPerChange: 10, observe: watch { $0.items.where { $0.owner.age >= 50 } },
    change: { stage, step in
      let owner = stage.owner(step)
      owner.age = 99 - owner.age
    }),
  Row(name: "list, property of an element set", bar: 2, observe: watch { $0.box.items }, change: setNote),
  Row(
    name: "list, element appended", bar: 2, observe: watch { $0.box.items }, change: { stage, step in stage.box.items.append(stage.item(step)) }),
  Row(
    name: "list, element replaced", bar: 2, observe: watch { $0.box.items },
    change: { stage, step in stage.box.items[step &* 7_368_787 % stage.count] = stage.item(step &+ 1) }),
  Row(
    name: "sorted, one moves", bar: 2, observe: watch { $0.items.sorted(byKeyPath: "rank") },
    change: { stage, step in stage.item(step).rank = (step &+ 1) &* 611_953 % 1_000_003 }),
  Row(
    name: "1,000 observers of the class, property set", bar: 2, reports: 1000,
    observe: { stage, report in (0..<1000).map { _ in stage.items.observe { if case .update = $0 { report() } } } }, change: setNote),
  Row(
    name: "1,000 sorted hundredths observed, property set", reports: 1000,
    observe: { stage, report in
      let (items, first) = (stage.items, stage.count - stage.count / 100)
      return (0..<1000).map { _ in
        items.where { $0.id >= first }.sorted(byKeyPath: "number").observe { if case .update = $0 { report() } }
      }
    }, change: { stage, _ in stage.lastItem.note += 1 }),
  Row(name: "nobody is concerned, no observer", reports: 0, observe: { _, _ in [] }, change: setNote),
  Row(
    name: "nobody is concerned, 1,001 observers", reports: 0,
    observe: { stage, report in
      stage.realm.objects(Bystander.self).map { bystander in bystander.observe { (_: ObjectChange<Bystander>) in report() } }
    }, change: setNote),
]
