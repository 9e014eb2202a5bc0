import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// What is left of collections when objects go to which they link, beside copies from which the links are taken.
@Suite(.mustEnd) struct DeletedTargetsTests {
  private let file: TestScratch
  private let group: Group
  private let origin: Table
  private let targets: [Table]

  init() throws {
    file = try TestScratch()
    let group = try Group(writing: file.scratch, top: .null)
    self.group = group
    origin = try group.addTable("origin")
    targets = try (0..<2).map { try group.addTable("target \($0)") }
  }

  /// A copy of a collection and what is nested in it.
  private indirect enum Content: Equatable {
    case value(String)
    case link(ObjectLink)
    case list([Content])
    case dictionary([String: Content])

    /// Without links to an object: lists lose them, values of dictionaries become null.
    func without(_ link: ObjectLink) -> Content {
      switch self {
      case .value, .link: self
      case .list(let elements): .list(elements.filter { $0 != .link(link) }.map { $0.without(link) })
      case .dictionary(let entries): .dictionary(entries.mapValues { $0 == .link(link) ? .value(identity(.null)) : $0.without(link) })
      }
    }
  }

  private func content(_ collection: ObjectCollection) throws -> Content {
    let isDictionary = try collection.kind() == .dictionary
    let elements = try collection.all().enumerated().map { index, value -> Content in
      switch value {
      case .list, .dictionary: try content(collection.nested(isDictionary ? .key(collection.key(at: index)) : .index(index)))
      case .link(let key): .link(ObjectLink(table: targets[0].key, key: key))
      case .typedLink(let link): .link(link)
      default: .value(identity(value))
      }
    }
    guard isDictionary else { return .list(elements) }
    let keys = try elements.indices.map { String(decoding: try collection.key(at: $0), as: UTF8.self) }
    return .dictionary(Dictionary(uniqueKeysWithValues: zip(keys, elements)))
  }

  // MARK: Filling

  private func anyLink(_ random: inout SeededGenerator, count: Int) -> ObjectLink {
    // The keys of both tables' objects are the same.
    ObjectLink(table: targets.randomElement(using: &random)!.key, key: ObjectKey(Int64.random(in: 0..<Int64(count), using: &random)))
  }

  /// Links, and values that keep the same numbers as a link does, or its second number and the next one's first.
  private func anyValue(_ random: inout SeededGenerator, count: Int) -> Value {
    let link = anyLink(&random, count: count)
    let (table, key) = (Int64(link.table.rawValue), link.key.rawValue)
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return .null
    case 1: return .int(key)
    case 2: return .timestamp(Timestamp(seconds: table, nanoseconds: Int32(key)))
    case 3: return .timestamp(Timestamp(seconds: key, nanoseconds: Int32(table)))
    case 4: return .decimal(Decimal128(low: UInt64(table), high: UInt64(key)))
    case 5: return Value("text \(key)")
    default: return .typedLink(link)
    }
  }

  private func fill(_ collection: ObjectCollection, _ type: ColumnType, size: Int, _ random: inout SeededGenerator, count: Int) throws {
    for index in 0..<size {
      let value = type == .link ? .link(anyLink(&random, count: count).key) : anyValue(&random, count: count)
      switch try collection.kind() {
      case .list: try collection.insert(at: Int.random(in: 0...index, using: &random), value)
      case .set: _ = try collection.insert(value)
      case .dictionary: try collection.set(key: Array("key \(index)".utf8), value)
      }
    }
  }

  /// Collections in a list of Mixed at every hundredth place, and in those again.
  private func nest(_ list: ObjectCollection, depth: Int, _ random: inout SeededGenerator, count: Int) throws {
    for index in stride(from: 0, to: try list.count(), by: 100) {
      let isList = Bool.random(using: &random)
      try list.insert(at: index, isList ? .list(.null) : .dictionary(.null))
      let inner = list.nested(.index(index))
      try fill(inner, .mixed, size: Int.random(in: 0...120, using: &random), &random, count: count)
      if isList && depth > 0 { try nest(inner, depth: depth - 1, &random, count: count) }
    }
  }

  // MARK: Tests

  enum Kind: CaseIterable { case list, set, dictionary, mixedList, mixedSet, mixedDictionary, nested }

  @Test(arguments: sample(Kind.allCases), [false, true])
  func collectionsLoseLinksToWhatIsDeleted(_ kind: Kind, isTogether: Bool) throws {
    var random = SeededGenerator(seed: testSeed)
    let count = 200
    for table in targets { for key in 0..<Int64(count) { try table.createObject(withKey: ObjectKey(key)) } }
    let type: ColumnType = [.list, .set, .dictionary].contains(kind) ? .link : .mixed
    let attributes: ColumnAttributes =
      switch kind {
      case .list, .mixedList, .nested: .list
      case .set, .mixedSet: .set
      case .dictionary, .mixedDictionary: [.dictionary, .nullable]
      }
    let column = try origin.addColumn(ColumnDefinition("links", type, attributes, target: type == .link ? targets[0].key : nil))
    let collections = try [2_500, 30, 0].map { size in
      let collection = try origin.collection(origin.createObject(), column)
      try fill(collection, type, size: size, &random, count: count)
      if kind == .nested { try nest(collection, depth: 2, &random, count: count) }
      return collection
    }

    var expected = try collections.map(content)
    var left = targets.flatMap { table in (0..<Int64(count)).map { ObjectLink(table: table.key, key: ObjectKey($0)) } }
    left.shuffle(using: &random)
    while let first = left.last {
      // One, or those of its table among the next ones.
      let deleted = isTogether ? left.suffix(Int.random(in: 1...80, using: &random)).filter { $0.table == first.table } : [first]
      left.removeAll(where: Set(deleted).contains)
      if isTogether { try group.table(first.table).remove(deleted.map(\.key)) } else { try group.table(first.table).remove(first.key) }
      for link in deleted { expected = expected.map { $0.without(link) } }
      if isTogether || left.count % 20 == 0 { #expect(try collections.map(content) == expected, "\(left.count) left, seed \(testSeed)") }
    }
    try group.check()
  }

  @Test func objectsOfWhichOneIsMissingOrThereTwiceAreNotDeletedAndKeepTheirLinks() throws {
    for key in 0..<3 { try targets[0].createObject(withKey: ObjectKey(Int64(key))) }
    let column = try origin.addColumn(ColumnDefinition("links", .link, .list, target: targets[0].key))
    let list = try origin.collection(origin.createObject(), column)
    for key in [0, 1, 2, 1] { try list.append(.link(ObjectKey(Int64(key)))) }
    for keys in [[0, 1, 7], [2, 0, 2], [1, -1]] {
      #expect(throws: StorageError.self) { try targets[0].remove(keys.map { ObjectKey(Int64($0)) }) }
    }
    #expect(try list.count() == 4 && targets[0].count() == 3)
    try group.check()
  }
}
