import Dispatch
import Randomness
import RealmSwift

/// A realm whose observers write, stop each other and begin to observe while they are told, beside writes of another one and writes that leave some
/// of them out.
///
/// Used on the queue of the observing realm.
final class BusyObservers {
  private let realm: Realm
  private let writer: Realm
  private let writing = DispatchQueue(label: "writing")
  private var random: SeededGenerator
  private var followers: [BusyFollower] = []
  private var lastNumber = 0
  private var callCount = 0
  /// What may still happen inside of blocks: each write leads to more calls.
  private var remainingDeeds = 0
  private(set) var deedCounts: [String: Int] = [:]
  var failure: String? { followers.lazy.compactMap { follower in follower.failure.map { "\(follower.name) \($0)" } }.first }

  init(_ configuration: Realm.Configuration, observing: DispatchQueue, seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    realm = try Realm(configuration: configuration, queue: observing)
    writer = try writing.sync { [writing] in try Realm(configuration: configuration, queue: writing) }
  }

  private func count(_ deed: String) { deedCounts[deed, default: 0] += 1 }

  /// Some transactions, and all that follows from them.
  func step() throws {
    followers.removeAll { $0.hasEnded }
    while followers.count < 8 { observe() }
    realm.refresh()
    remainingDeeds = 12
    for _ in 0...random.below(3) { if random.below(2) == 0 { try write() } else { try writeElsewhere() } }
    var callsBefore: Int
    repeat {
      callsBefore = callCount
      realm.refresh()
    } while callCount > callsBefore
    followers.forEach { $0.check() }
  }

  func finish() { followers.forEach { $0.end() } }

  // MARK: Writing

  private func write() throws {
    realm.beginWrite()
    change(realm)
    switch random.below(6) {
    case 0: realm.cancelWrite()
    case 1:
      let leftOut = followers.filter { !$0.hasEnded && $0.hasBegun && random.below(2) == 0 }
      try realm.commitWrite(withoutNotifying: leftOut.compactMap(\.token))
      leftOut.forEach { $0.takeOver() }
      count("left out")
    default: try realm.commitWrite()
    }
  }

  private func writeElsewhere() throws { try writing.sync { try writer.write { change(writer) } } }

  private func change(_ realm: Realm) {
    let items = realm.objects(BusyItem.self)
    for _ in 0..<random.below(4) {
      lastNumber += 1
      if items.count < 4 || random.below(5) == 0 && items.count < 12 {
        realm.create(BusyItem.self, value: ["id": lastNumber, "number": random.below(6), "revision": lastNumber])
        continue
      }
      let item = items[random.below(items.count)]
      switch random.below(5) {
      case 0: realm.delete(item)
      case 1 where !item.others.isEmpty: item.others.remove(at: random.below(item.others.count))
      case 2, 3: item.others.insert(items[random.below(items.count)], at: random.below(item.others.count + 1))
      default: (item.number, item.revision) = (random.below(6), lastNumber)
      }
    }
  }

  // MARK: Observing

  private func observe() {
    let items = realm.objects(BusyItem.self)
    switch random.below(5) {
    case 0: observe("all", items)
    case 1: observe("filtered", items.filter("number > 2"))
    case 2: observe("sorted", items.sorted(byKeyPath: "number"))
    case 3: observe("distinct", items.filter("number < 5").sorted(byKeyPath: "number").distinct(by: ["number"]))
    default:
      guard let list = items.randomElement(using: &random)?.others else { return }
      observe("list", list)
    }
  }

  private func observe<Items: RealmCollection>(_ name: String, _ items: Items) where Items.Element == BusyItem {
    let follower = BusyFollower(name) { items.isInvalidated ? [] : Array(items) }
    followers.append(follower)
    follower.token = items.observe { [unowned self, unowned follower] change in
      callCount += 1
      follower.note(change)
      act(follower)
    }
  }

  /// What a block does after it was told.
  private func act(_ follower: BusyFollower) {
    guard remainingDeeds > 0, failure == nil else { return }
    remainingDeeds -= 1
    let deed = random.below(10)
    // One that is told as a write begins is in its transaction: another writer would wait for it.
    let isWriting = realm.isInWriteTransaction
    switch deed {
    case 0, 1, 2:
      if isWriting { return }
      if deed == 2 { try! writeElsewhere() }
      try! write()
      count("write")
    case 3:
      if !isWriting { try! writeElsewhere() }
      realm.refresh()
    case 4:
      follower.end()
      count("end")
    case 5:
      followers.first { !$0.hasEnded && $0 !== follower }?.end()
      count("end of another")
    case 6:
      observe()
      count(isWriting ? "beginning in a write" : "beginning")
    default: break
    }
  }
}
