import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Unmanaged collections of all types do what managed ones do.
@Suite(.mustEnd) struct TwinCollectionTests {
  let directory = TestDirectory()
  private static let all = ["@count", "@sum.self", "@avg.self", "@min.self", "@max.self"]
  private static let ordered = ["@count", "@min.self", "@max.self"]

  /// Lists, sets and maps of a type, and of its optional.
  private func run<Element: RealmCollectionValue>(
    _ name: String, _ values: [Element], _ keyPaths: [String], _ list: KeyPath<OAll, List<Element>>, _ set: KeyPath<OAll, MutableSet<Element>>,
    _ map: KeyPath<OAll, Map<String, Element>>
  ) throws {
    let seed = testSeed
    let realm = try directory.objectRealm()
    for round in 0..<UInt64(trials(full: 200, tenth: 2)) {
      var twins = TwinCollections(seed: seed &+ round)
      try realm.write {
        let (managed, unmanaged) = (realm.create(OAll.self), OAll())
        twins.run("List<\(name)>", list, managed, unmanaged, values, keyPaths)
        twins.run("MutableSet<\(name)>", set, managed, unmanaged, values, keyPaths)
        twins.run("Map<String, \(name)>", map, managed, unmanaged, values, keyPaths)
      }
      if let difference = twins.difference { return _ = Issue.record("seed \(seed &+ round): \(difference)") }
    }
  }

  @Test func wholeNumbers() throws {
    try run("Int", [0, 1, -1, .max / 8, 7, 100], Self.all, \.intList, \.intSet, \.intMap)
    try run("Int?", [nil, 0, 1, -1, 7], Self.all, \.intOptList, \.intOptSet, \.intOptMap)
    try run("Int8", [0, 1, -128, 127], Self.all, \.int8List, \.int8Set, \.int8Map)
    try run("Int8?", [nil, 0, 1, -128, 127], Self.all, \.int8OptList, \.int8OptSet, \.int8OptMap)
    try run("Int16", [0, 1, .min, .max], Self.all, \.int16List, \.int16Set, \.int16Map)
    try run("Int16?", [nil, 0, 1, .min, .max], Self.all, \.int16OptList, \.int16OptSet, \.int16OptMap)
    try run("Int32", [0, 1, .min, .max], Self.all, \.int32List, \.int32Set, \.int32Map)
    try run("Int32?", [nil, 0, 1, .min, .max], Self.all, \.int32OptList, \.int32OptSet, \.int32OptMap)
    try run("Int64", [0, 1, .min / 64, .max / 64], Self.all, \.int64List, \.int64Set, \.int64Map)
    try run("Int64?", [nil, 0, 1, 5], Self.all, \.int64OptList, \.int64OptSet, \.int64OptMap)
  }

  @Test func otherNumbers() throws {
    try run("Float", [0, 1.5, -2.25, 1e30, -.infinity], Self.all, \.floatList, \.floatSet, \.floatMap)
    try run("Float?", [nil, 0, 1.5, -2.25], Self.all, \.floatOptList, \.floatOptSet, \.floatOptMap)
    try run("Double", [0, 1.5, -2.25, 1e300, .infinity], Self.all, \.doubleList, \.doubleSet, \.doubleMap)
    try run("Double?", [nil, 0, 1.5, -2.25], Self.all, \.doubleOptList, \.doubleOptSet, \.doubleOptMap)
    let decimals: [Decimal128] = [0, 1, "1.50", "-7e10", "0.001"]
    try run("Decimal128", decimals, Self.all, \.decimalList, \.decimalSet, \.decimalMap)
    try run("Decimal128?", decimals.map { $0 } + [nil], Self.all, \.decimalOptList, \.decimalOptSet, \.decimalOptMap)
    try run("Bool", [true, false], ["@count"], \.boolList, \.boolSet, \.boolMap)
    try run("Bool?", [nil, true, false], ["@count"], \.boolOptList, \.boolOptSet, \.boolOptMap)
  }

  @Test func textsAndBytes() throws {
    try run("String", ["", "a", "A", "ä", "a\u{308}", "日本", "text with \0"], ["@count"], \.stringList, \.stringSet, \.stringMap)
    try run("String?", [nil, "", "a", "A"], ["@count"], \.stringOptList, \.stringOptSet, \.stringOptMap)
    let data = [Data(), Data([0]), Data([0, 1]), Data([255])]
    try run("Data", data, ["@count"], \.dataList, \.dataSet, \.dataMap)
    try run("Data?", data.map { $0 } + [nil], ["@count"], \.dataOptList, \.dataOptSet, \.dataOptMap)
  }

  @Test func datesAndIdentifiers() throws {
    let dates = [Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: -1.5), Date(timeIntervalSince1970: 1e9)]
    try run("Date", dates, Self.ordered, \.dateList, \.dateSet, \.dateMap)
    try run("Date?", dates.map { $0 } + [nil], Self.ordered, \.dateOptList, \.dateOptSet, \.dateOptMap)
    let identifiers = (0..<3).map { try! ObjectId(string: String(format: "%024d", $0)) }
    try run("ObjectId", identifiers, ["@count"], \.objectIdList, \.objectIdSet, \.objectIdMap)
    try run("ObjectId?", identifiers.map { $0 } + [nil], ["@count"], \.objectIdOptList, \.objectIdOptSet, \.objectIdOptMap)
    let uuids = (0..<3).map { UUID(uuidString: String(format: "00000000-0000-0000-0000-%012d", $0))! }
    try run("UUID", uuids, ["@count"], \.uuidList, \.uuidSet, \.uuidMap)
    try run("UUID?", uuids.map { $0 } + [nil], ["@count"], \.uuidOptList, \.uuidOptSet, \.uuidOptMap)
  }

  @Test func enumerationsAndCustomTypes() throws {
    try run("ONumber", [.one, .two, .three], ["@count"], \.numberList, \.numberSet, \.numberMap)
    try run("ONumber?", [nil, .one, .two], ["@count"], \.numberOptList, \.numberOptSet, \.numberOptMap)
    try run("OWord", [.a, .b, .c], ["@count"], \.wordList, \.wordSet, \.wordMap)
    try run("OWord?", [nil, .a, .b], ["@count"], \.wordOptList, \.wordOptSet, \.wordOptMap)
    let cents = [OCents(0), OCents(1.25), OCents(-3)]
    try run("OCents", cents, ["@count"], \.centsList, \.centsSet, \.centsMap)
    try run("OCents?", cents.map { $0 } + [nil], ["@count"], \.centsOptList, \.centsOptSet, \.centsOptMap)
    let even = [OEven(0), OEven(1), OEven(-3)]
    try run("OEven", even, ["@count"], \.evenList, \.evenSet, \.evenMap)
    try run("OEven?", even.map { $0 } + [nil], ["@count"], \.evenOptList, \.evenOptSet, \.evenOptMap)
  }

  /// The unmanaged twin holds managed objects, too, so that both show the same ones.
  @Test func objectsAndValuesOfAnyType() throws {
    let seed = testSeed
    let realm = try Realm(configuration: directory.configuration(objectTypes + [OTwins.self]))
    for round in 0..<UInt64(trials(full: 200, tenth: 4)) {
      var twins = TwinCollections(seed: seed &+ round)
      realm.beginWrite()
      let (managed, unmanaged) = (realm.create(OTwins.self), OTwins())
      let tags = (1...3).map { realm.create(OTag.self, value: [$0]) }
      let values: [AnyRealmValue] = [.none, .int(1), .double(1), .bool(true), .string("1"), .decimal128(1), .object(tags[0]), .data(Data([1]))]
      twins.run("List<AnyRealmValue>", \.values, managed, unmanaged, values, ["@count"])
      twins.run("MutableSet<AnyRealmValue>", \.valueSet, managed, unmanaged, values, ["@count"])
      twins.run("Map<String, AnyRealmValue>", \.valueMap, managed, unmanaged, values, ["@count"])
      twins.run("List<OTag>", \.tags, managed, unmanaged, tags, ["@count", "@sum.id", "@max.id", "@avg.number"])
      twins.run("MutableSet<OTag>", \.tagSet, managed, unmanaged, tags, ["@count", "@sum.id", "@min.id"])
      twins.run("Map<String, OTag?>", \.tagMap, managed, unmanaged, tags.map { $0 } + [nil], ["@count"])
      realm.cancelWrite()
      if let difference = twins.difference { return _ = Issue.record("seed \(seed &+ round): \(difference)") }
    }
  }
}

class OTwins: Unlisted {
  @Persisted var values: List<AnyRealmValue>
  @Persisted var valueSet: MutableSet<AnyRealmValue>
  @Persisted var valueMap: Map<String, AnyRealmValue>
  @Persisted var tags: List<OTag>
  @Persisted var tagSet: MutableSet<OTag>
  @Persisted var tagMap: Map<String, OTag?>
}
