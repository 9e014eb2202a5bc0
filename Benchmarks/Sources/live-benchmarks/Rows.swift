import RealmSwift

/// What is measured at each number of items.
struct Row: Sendable {
  let name: String
  /// The time at the largest number is at most so many times that at the smallest.
  let bar: Double?
  let measure: @Sendable (Stage) throws -> Double
}

extension Stage {
  /// An observed collection of items, of which one is told to have changed.
  fileprivate func watch<C: RealmCollection>(_ collection: C, _ change: (Int) -> Void) throws -> Double {
    try measure(
      reports: 1,
      { report in
        [
          collection.observe { change in
            if case .update = change { report() }
          }
        ]
      }, change)
  }
}

let rows: [Row] = [
  Row(name: "whole class, property set", bar: 2) { stage in try stage.watch(stage.items) { stage.item($0).note += 1 } },
  Row(name: "filtered, property set", bar: 2) { stage in
    try stage.watch(stage.items.where { $0.number >= 0 }) { stage.item($0).note += 1 }
  },
  Row(name: "filtered, one leaves or comes", bar: 2) { stage in
    try stage.watch(stage.items.where { $0.note >= 0 }) {
      let item = stage.item($0 / 2)
      item.note = -item.note - 1
    }
  },
  Row(name: "sorted, property set", bar: 2) { stage in try stage.watch(stage.items.sorted(byKeyPath: "number")) { stage.item($0).note += 1 } },
  Row(name: "distinct and sorted, property set", bar: 2) { stage in
    try stage.watch(stage.items.distinct(by: ["number"]).sorted(byKeyPath: "number")) { stage.item($0).note += 1 }
  },
  Row(name: "sectioned, property set", bar: 2) { stage in
    let sections = stage.items.sectioned(by: \.group, sortDescriptors: [.init(keyPath: "group"), .init(keyPath: "number")])
    return try stage.measure(
      reports: 1,
      { report in
        [
          sections.observe { change in
            if case .update = change { report() }
          }
        ]
      }, { stage.item($0).note += 1 })
  },
  Row(name: "filtered by a link, what is linked to changes", bar: 2) { stage in
    try stage.watch(stage.items.where { $0.owner.age >= 50 }) {
      guard let owner = stage.item($0).owner else { return }
      owner.age = 99 - owner.age
    }
  },
  Row(name: "list, property of an element set", bar: 2) { stage in
    guard let box = stage.realm.objects(Box.self).first else { return 0 }
    return try stage.watch(box.items) { stage.item($0).note += 1 }
  },
  Row(name: "list, element appended", bar: 2) { stage in
    guard let box = stage.realm.objects(Box.self).first else { return 0 }
    return try stage.watch(box.items) { box.items.append(stage.item($0)) }
  },
  Row(name: "sorted, one moves", bar: 2) { stage in
    try stage.watch(stage.items.sorted(byKeyPath: "number")) { stage.item($0).number = ($0 &+ 1) &* 611_953 % 1_000_003 }
  },
  Row(name: "nobody is concerned, no observer", bar: nil) { stage in
    try stage.measure(reports: 0, { _ in [] }, { stage.item($0).note += 1 })
  },
  Row(name: "nobody is concerned, 1,001 observers", bar: nil) { stage in
    try stage.measure(
      reports: 0,
      { report in
        stage.realm.objects(Bystander.self).map { bystander in
          bystander.observe { (_: ObjectChange<Bystander>) in report() }
        }
      }, { stage.item($0).note += 1 })
  },
]
