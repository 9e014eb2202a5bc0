import Foundation
import Randomness

@testable import RealmSwift

/// The same random operations on a managed and on an unmanaged collection: whatever is asked of one afterwards, the other has to answer, too.
struct TwinCollections {
  /// What the first difference was.
  private(set) var difference: String?
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func compare(_ what: String, _ managed: some Any, _ unmanaged: some Any) {
    let (a, b) = ("\(managed)", "\(unmanaged)")
    if a != b, difference == nil { difference = "\(what): \(a) managed, \(b) unmanaged" }
  }

  private mutating func element<Element>(_ values: [Element]) -> Element { values[random.below(values.count)] }
  private mutating func some<Element>(_ values: [Element]) -> [Element] { (0..<random.below(4)).map { _ in element(values) } }

  // MARK: Lists

  /// - Parameters:
  ///   - values: what elements are taken from.
  ///   - keyPaths: what the elements can be summed up by.
  mutating func run<Root: Object, Element: RealmCollectionValue>(
    _ name: String, _ lists: KeyPath<Root, List<Element>>, _ managed: Root, _ unmanaged: Root, _ values: [Element], _ keyPaths: [String]
  ) {
    let (a, b) = (managed[keyPath: lists], unmanaged[keyPath: lists])
    let property = _name(for: lists)
    for step in 0..<40 where difference == nil {
      let operation = edit(a, b, values)
      let context = "\(name), step \(step), \(operation)"
      compare(context, Array(a), Array(b))
      compare("\(context), first and last", [a.first, a.last], [b.first, b.last])
      compare("\(context), type-erased", Array(AnyRealmCollection(a)), Array(AnyRealmCollection(b)))
      let value = element(values)
      compare("\(context), index of \(value)", a.index(of: value) as Any, b.index(of: value) as Any)
      compare("\(context), contains \(value)", a.contains(value), b.contains(value))
      for keyPath in keyPaths.map({ "\(property).\($0)" }) {
        compare("\(context), \(keyPath)", managed.value(forKeyPath: keyPath) as Any, unmanaged.value(forKeyPath: keyPath) as Any)
      }
    }
  }

  private mutating func edit<Element: RealmCollectionValue>(_ a: List<Element>, _ b: List<Element>, _ values: [Element]) -> String {
    let (place, other) = (random.below(a.count), random.below(a.count))
    let value = element(values)
    let several = some(values)
    switch a.isEmpty ? 0 : random.below(11) {
    case 0:
      for list in [a, b] { list.append(objectsIn: several) }
      return "append(objectsIn: \(several))"
    case 1:
      for list in [a, b] { list.insert(value, at: place) }
      return "insert(\(value), at: \(place))"
    case 2:
      for list in [a, b] { list.remove(at: place) }
      return "remove(at: \(place))"
    case 3:
      for list in [a, b] { list[place] = value }
      return "[\(place)] = \(value)"
    case 4:
      for list in [a, b] { list.move(from: place, to: other) }
      return "move(from: \(place), to: \(other))"
    case 5:
      for list in [a, b] { list.swapAt(place, other) }
      return "swapAt(\(place), \(other))"
    case 6:
      for list in [a, b] { list.replaceSubrange(place..<max(place, other), with: several) }
      return "replaceSubrange(\(place)..<\(max(place, other)), with: \(several))"
    case 7:
      for list in [a, b] { list.remove(atOffsets: [place, other]) }
      return "remove(atOffsets: [\(place), \(other)])"
    case 8:
      for list in [a, b] { list.insert(contentsOf: several, at: place) }
      return "insert(contentsOf: \(several), at: \(place))"
    case 9 where random.below(4) == 0:
      for list in [a, b] { list.removeAll() }
      return "removeAll()"
    default:
      for list in [a, b] { list.move(fromOffsets: [place], toOffset: other) }
      return "move(fromOffsets: [\(place)], toOffset: \(other))"
    }
  }

  // MARK: Sets

  mutating func run<Root: Object, Element: RealmCollectionValue>(
    _ name: String, _ sets: KeyPath<Root, MutableSet<Element>>, _ managed: Root, _ unmanaged: Root, _ values: [Element], _ keyPaths: [String]
  ) {
    let (a, b) = (managed[keyPath: sets], unmanaged[keyPath: sets])
    let property = _name(for: sets)
    // Managed sets are combined with managed ones.
    guard let other = managed.realm?.create(Root.self) else { return }
    func sorted(_ set: MutableSet<Element>) -> [String] { set.map { "\($0)" }.sorted() }
    for step in 0..<40 where difference == nil {
      let (otherA, otherB) = (other[keyPath: sets], MutableSet<Element>())
      otherA.removeAll()
      let members = some(values)
      for set in [otherA, otherB] { set.insert(objectsIn: members) }
      let operation = edit(a, b, values, members, otherA, otherB)
      let context = "\(name), step \(step), \(operation)"
      compare(context, sorted(a), sorted(b))
      let value = element(values)
      compare("\(context), contains \(value)", a.contains(value), b.contains(value))
      compare("\(context), count", (a.count, a.isEmpty), (b.count, b.isEmpty))
      compare("\(context), subset of \(members)", a.isSubset(of: otherA), b.isSubset(of: otherB))
      compare("\(context), superset of \(members)", otherA.isSubset(of: a), otherB.isSubset(of: b))
      compare("\(context), intersects \(members)", a.intersects(otherA), b.intersects(otherB))
      for keyPath in keyPaths.map({ "\(property).\($0)" }) {
        compare("\(context), \(keyPath)", managed.value(forKeyPath: keyPath) as Any, unmanaged.value(forKeyPath: keyPath) as Any)
      }
    }
  }

  private mutating func edit<Element: RealmCollectionValue>(
    _ a: MutableSet<Element>, _ b: MutableSet<Element>, _ values: [Element], _ several: [Element], _ otherA: MutableSet<Element>,
    _ otherB: MutableSet<Element>
  ) -> String {
    let value = element(values)
    switch random.below(8) {
    case 0, 1:
      for set in [a, b] { set.insert(value) }
      return "insert(\(value))"
    case 2, 3:
      for set in [a, b] { set.insert(objectsIn: several) }
      return "insert(objectsIn: \(several))"
    case 4:
      for set in [a, b] { set.remove(value) }
      return "remove(\(value))"
    case 5:
      a.formUnion(otherA)
      b.formUnion(otherB)
      return "formUnion(\(several))"
    case 6:
      a.subtract(otherA)
      b.subtract(otherB)
      return "subtract(\(several))"
    default:
      a.formIntersection(otherA)
      b.formIntersection(otherB)
      return "formIntersection(\(several))"
    }
  }

  // MARK: Maps

  mutating func run<Root: Object, Element: RealmCollectionValue>(
    _ name: String, _ maps: KeyPath<Root, Map<String, Element>>, _ managed: Root, _ unmanaged: Root, _ values: [Element], _ keyPaths: [String]
  ) {
    let (a, b) = (managed[keyPath: maps], unmanaged[keyPath: maps])
    func sorted(_ map: Map<String, Element>) -> [String] { map.map { "\($0.key): \($0.value)" }.sorted() }
    for step in 0..<40 where difference == nil {
      let (key, value) = (element(["a", "b", "", "ä", "long key"]), element(values))
      let isRemoval = random.below(4) == 0
      for map in [a, b] { if isRemoval { map[key] = nil } else { map.updateValue(value, forKey: key) } }
      let context = "\(name), step \(step), [\(key)] = \(isRemoval ? "nothing" : "\(value)")"
      compare(context, sorted(a), sorted(b))
      compare("\(context), keys", a.keys.sorted(), b.keys.sorted())
      compare("\(context), values", a.values.map { "\($0)" }.sorted(), b.values.map { "\($0)" }.sorted())
      compare("\(context), the value", a[key] as Any, b[key] as Any)
      compare("\(context), by name", a.value(forKey: key) as Any, b.value(forKey: key) as Any)
      compare("\(context), count", a.count, b.count)
      for keyPath in keyPaths { compare("\(context), \(keyPath)", a.value(forKeyPath: keyPath) as Any, b.value(forKeyPath: keyPath) as Any) }
    }
  }
}
