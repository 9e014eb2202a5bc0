import Randomness
import RealmSwift

/// Random changes that keep what every version must have. Used in write transactions.
struct Editor {
  /// Of the counter, and of the parts that this one creates: nobody else has it.
  let identifier: Int
  var random: SeededGenerator
  private var createdCount = 0

  init(_ identifier: Int, seed: UInt64) {
    (self.identifier, random) = (identifier, SeededGenerator(seed: seed &+ UInt64(identifier)))
  }

  /// One transaction's worth, counted.
  mutating func edit(_ realm: Realm) {
    var touched: Set<Int> = []
    for _ in 0...random.below(3) { change(realm, &touched) }
    for id in touched { realm.object(ofType: Part.self, forPrimaryKey: id)?.revision += 1 }
    let counter = realm.object(ofType: Counter.self, forPrimaryKey: identifier) ?? realm.create(Counter.self, value: ["id": identifier])
    counter.count += 1
  }

  private mutating func change(_ realm: Realm, _ touched: inout Set<Int>) {
    let parts = realm.objects(Part.self)
    let count = parts.count
    if count < 100 || count < 300 && random.below(4) == 0 { return create(realm, &touched) }
    let part = parts[random.below(count)]
    switch random.below(6) {
    case 0:
      let heir = parts[random.below(count)]
      guard heir.id != part.id else { return }
      heir.number += part.number
      touched.insert(heir.id)
      touched.remove(part.id)
      realm.delete(part)
    case 1, 2:
      let other = parts[random.below(count)]
      let amount = random.below(50)
      part.number -= amount
      other.number += amount
      touched.formUnion([part.id, other.id])
    case 3:
      part.group = random.below(5)
      touched.insert(part.id)
    case 4:
      part.text = String(repeating: "text ", count: random.below(20))
      touched.insert(part.id)
    default: rearrange(realm, part)
    }
  }

  private mutating func create(_ realm: Realm, _ touched: inout Set<Int>) {
    createdCount += 1
    let part = realm.create(Part.self, value: ["id": identifier * 1_000_000_000 + createdCount, "group": random.below(5)])
    if random.below(3) == 0 { rearrange(realm, part) }
  }

  private mutating func rearrange(_ realm: Realm, _ part: Part) {
    guard let shelf = realm.objects(Shelf.self).first else { return }
    let list = shelf.parts
    switch random.below(3) {
    case 0 where list.count > 0: list.remove(at: random.below(list.count))
    case 1 where list.count > 1: list.move(from: random.below(list.count), to: random.below(list.count))
    default: if list.count < 50 { list.insert(part, at: random.below(list.count + 1)) }
    }
  }
}
