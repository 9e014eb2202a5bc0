import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// Where a type stands in `OAll`.
private struct Places<T: _PersistableInsideOptional & _RealmCollectionValueInsideOptional> {
  let plain: ReferenceWritableKeyPath<OAll, T>
  let optional: ReferenceWritableKeyPath<OAll, T?>
  let list: ReferenceWritableKeyPath<OAll, List<T>>
  let optionalList: ReferenceWritableKeyPath<OAll, List<T?>>
  let set: ReferenceWritableKeyPath<OAll, MutableSet<T>>
  let optionalSet: ReferenceWritableKeyPath<OAll, MutableSet<T?>>
  let map: ReferenceWritableKeyPath<OAll, Map<String, T>>
  let optionalMap: ReferenceWritableKeyPath<OAll, Map<String, T?>>
}

@Suite struct AllTypesTests {
  let directory = TestDirectory()

  /// Sets and reads every place of a type: unmanaged, promoted by `add`, managed, created from a dictionary, and after reopening.
  private func check<T>(_ places: Places<T>, _ values: [T]) throws {
    let realm = try directory.objectRealm()
    let object = OAll()
    fill(object, places, values)
    expect(object, places, values)
    try realm.write { realm.add(object) }
    expect(object, places, values)

    let turned = Array(values.reversed())
    try realm.write { fill(object, places, turned) }
    expect(object, places, turned)

    let input: [String: Any] = [
      _name(for: places.plain): values[0], _name(for: places.optional): values[1], _name(for: places.list): values,
      _name(for: places.optionalList): [values[0], nil], _name(for: places.set): values, _name(for: places.optionalSet): [values[0], nil],
      _name(for: places.map): ["a": values[0], "b": values[1]], _name(for: places.optionalMap): ["a": values[0], "b": nil],
    ]
    let created = try realm.write { realm.create(OAll.self, value: input) }
    expect(created, places, values)
    expect(OAll(value: input), places, values)
    let copy = try realm.write { realm.create(OAll.self, value: created) }
    expect(copy, places, values)
    expect(created.freeze(), places, values)
    let dynamic = try #require(realm.dynamicObjects("OAll").last)
    #expect(dynamic[_name(for: places.optional)] != nil)

    let name = _name(for: places.plain)
    try realm.write { created[name] = values[1] }
    #expect(created[keyPath: places.plain] == values[1])
    try realm.write { created[_name(for: places.optional)] = nil }
    #expect(created[keyPath: places.optional] == nil)
    try realm.write {
      created[keyPath: places.list].removeAll()
      created[keyPath: places.set].remove(values[0])
      created[keyPath: places.map]["a"] = nil
    }
    #expect(created[keyPath: places.list].isEmpty)
    #expect(!created[keyPath: places.set].contains(values[0]))
    #expect(created[keyPath: places.set].contains(values[1]))
    #expect(created[keyPath: places.map].keys == ["b"])
  }

  private func fill<T>(_ object: OAll, _ places: Places<T>, _ values: [T]) {
    object[keyPath: places.plain] = values[0]
    object[keyPath: places.optional] = values[1]
    object[keyPath: places.list].removeAll()
    object[keyPath: places.list].append(objectsIn: values)
    object[keyPath: places.optionalList].removeAll()
    object[keyPath: places.optionalList].append(objectsIn: [values[0], nil])
    object[keyPath: places.set].removeAll()
    object[keyPath: places.set].insert(objectsIn: values + values)
    object[keyPath: places.optionalSet].removeAll()
    object[keyPath: places.optionalSet].insert(objectsIn: [values[0], nil])
    object[keyPath: places.map].removeAll()
    object[keyPath: places.map]["a"] = values[0]
    object[keyPath: places.map]["b"] = values[1]
    object[keyPath: places.optionalMap].removeAll()
    object[keyPath: places.optionalMap]["a"] = values[0]
    object[keyPath: places.optionalMap]["b"] = .some(nil)
  }

  private func expect<T>(_ object: OAll, _ places: Places<T>, _ values: [T], sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(object[keyPath: places.plain] == values[0], sourceLocation: sourceLocation)
    #expect(object[keyPath: places.optional] == values[1], sourceLocation: sourceLocation)
    #expect(Array(object[keyPath: places.list]) == values, sourceLocation: sourceLocation)
    #expect(object[keyPath: places.list].index(of: values[1]) == 1, sourceLocation: sourceLocation)
    #expect(Array(object[keyPath: places.optionalList]) == [values[0], nil], sourceLocation: sourceLocation)
    #expect(object[keyPath: places.optionalList].index(of: nil) == 1, sourceLocation: sourceLocation)
    #expect(Set(object[keyPath: places.set]) == Set(values), sourceLocation: sourceLocation)
    #expect(object[keyPath: places.set].count == Set(values).count, sourceLocation: sourceLocation)
    #expect(Set(object[keyPath: places.optionalSet]) == [values[0], nil], sourceLocation: sourceLocation)
    #expect(object[keyPath: places.optionalSet].contains(nil), sourceLocation: sourceLocation)
    #expect(object[keyPath: places.map]["a"] == values[0], sourceLocation: sourceLocation)
    #expect(object[keyPath: places.map]["b"] == values[1], sourceLocation: sourceLocation)
    #expect(object[keyPath: places.map]["c"] == nil, sourceLocation: sourceLocation)
    #expect(object[keyPath: places.optionalMap]["a"] == .some(values[0]), sourceLocation: sourceLocation)
    #expect(object[keyPath: places.optionalMap]["b"] == .some(nil), sourceLocation: sourceLocation)
    #expect(object[keyPath: places.optionalMap].count == 2, sourceLocation: sourceLocation)
  }

  @Test func intIsStoredEverywhere() throws {
    try check(
      Places<Int>(
        plain: \.int, optional: \.intOpt, list: \.intList, optionalList: \.intOptList, set: \.intSet, optionalSet: \.intOptSet,
        map: \.intMap, optionalMap: \.intOptMap), [3, .min, .max])
  }
  @Test func int8IsStoredEverywhere() throws {
    try check(
      Places<Int8>(
        plain: \.int8, optional: \.int8Opt, list: \.int8List, optionalList: \.int8OptList, set: \.int8Set, optionalSet: \.int8OptSet,
        map: \.int8Map, optionalMap: \.int8OptMap), [3, .min, .max])
  }
  @Test func int16IsStoredEverywhere() throws {
    try check(
      Places<Int16>(
        plain: \.int16, optional: \.int16Opt, list: \.int16List, optionalList: \.int16OptList, set: \.int16Set, optionalSet: \.int16OptSet,
        map: \.int16Map, optionalMap: \.int16OptMap), [3, .min, .max])
  }
  @Test func int32IsStoredEverywhere() throws {
    try check(
      Places<Int32>(
        plain: \.int32, optional: \.int32Opt, list: \.int32List, optionalList: \.int32OptList, set: \.int32Set, optionalSet: \.int32OptSet,
        map: \.int32Map, optionalMap: \.int32OptMap), [3, .min, .max])
  }
  @Test func int64IsStoredEverywhere() throws {
    try check(
      Places<Int64>(
        plain: \.int64, optional: \.int64Opt, list: \.int64List, optionalList: \.int64OptList, set: \.int64Set, optionalSet: \.int64OptSet,
        map: \.int64Map, optionalMap: \.int64OptMap), [3, .min, .max])
  }
  @Test func boolIsStoredEverywhere() throws {
    try check(
      Places<Bool>(
        plain: \.bool, optional: \.boolOpt, list: \.boolList, optionalList: \.boolOptList, set: \.boolSet, optionalSet: \.boolOptSet,
        map: \.boolMap, optionalMap: \.boolOptMap), [true, false])
  }
  @Test func floatIsStoredEverywhere() throws {
    try check(
      Places<Float>(
        plain: \.float, optional: \.floatOpt, list: \.floatList, optionalList: \.floatOptList, set: \.floatSet, optionalSet: \.floatOptSet,
        map: \.floatMap, optionalMap: \.floatOptMap), [1.5, -0.25, .greatestFiniteMagnitude])
  }
  @Test func doubleIsStoredEverywhere() throws {
    try check(
      Places<Double>(
        plain: \.double, optional: \.doubleOpt, list: \.doubleList, optionalList: \.doubleOptList, set: \.doubleSet, optionalSet: \.doubleOptSet,
        map: \.doubleMap, optionalMap: \.doubleOptMap), [1.5, -0.25, .greatestFiniteMagnitude])
  }
  @Test func stringIsStoredEverywhere() throws {
    try check(
      Places<String>(
        plain: \.string, optional: \.stringOpt, list: \.stringList, optionalList: \.stringOptList, set: \.stringSet, optionalSet: \.stringOptSet,
        map: \.stringMap, optionalMap: \.stringOptMap), ["a", "", "häß 🐎"])
  }
  @Test func dataIsStoredEverywhere() throws {
    try check(
      Places<Data>(
        plain: \.data, optional: \.dataOpt, list: \.dataList, optionalList: \.dataOptList, set: \.dataSet, optionalSet: \.dataOptSet,
        map: \.dataMap, optionalMap: \.dataOptMap), [Data([1, 2]), Data(), Data([255])])
  }
  @Test func dateIsStoredEverywhere() throws {
    try check(
      Places<Date>(
        plain: \.date, optional: \.dateOpt, list: \.dateList, optionalList: \.dateOptList, set: \.dateSet, optionalSet: \.dateOptSet,
        map: \.dateMap, optionalMap: \.dateOptMap),
      [Date(timeIntervalSince1970: 1.5), Date(timeIntervalSince1970: -7), Date(timeIntervalSince1970: 1_000_000_000)])
  }
  @Test func decimalIsStoredEverywhere() throws {
    try check(
      Places<Decimal128>(
        plain: \.decimal, optional: \.decimalOpt, list: \.decimalList, optionalList: \.decimalOptList, set: \.decimalSet,
        optionalSet: \.decimalOptSet,
        map: \.decimalMap, optionalMap: \.decimalOptMap), [1.25, -3, 0])
  }
  @Test func objectIdIsStoredEverywhere() throws {
    try check(
      Places<ObjectId>(
        plain: \.objectId, optional: \.objectIdOpt, list: \.objectIdList, optionalList: \.objectIdOptList, set: \.objectIdSet,
        optionalSet: \.objectIdOptSet,
        map: \.objectIdMap, optionalMap: \.objectIdOptMap), [ObjectId("0123456789abcdef01234567"), ObjectId("ffffffffffffffffffffffff"), ObjectId()])
  }
  @Test func uuidIsStoredEverywhere() throws {
    try check(
      Places<UUID>(
        plain: \.uuid, optional: \.uuidOpt, list: \.uuidList, optionalList: \.uuidOptList, set: \.uuidSet, optionalSet: \.uuidOptSet,
        map: \.uuidMap, optionalMap: \.uuidOptMap),
      [UUID(uuidString: "137DECC8-B300-4954-A233-F89909F4FD89")!, UUID(uuidString: "00000000-0000-0000-0000-000000000000")!, UUID()])
  }
  @Test func numberIsStoredEverywhere() throws {
    try check(
      Places<ONumber>(
        plain: \.number, optional: \.numberOpt, list: \.numberList, optionalList: \.numberOptList, set: \.numberSet, optionalSet: \.numberOptSet,
        map: \.numberMap, optionalMap: \.numberOptMap), [.two, .three, .one])
  }
  @Test func wordIsStoredEverywhere() throws {
    try check(
      Places<OWord>(
        plain: \.word, optional: \.wordOpt, list: \.wordList, optionalList: \.wordOptList, set: \.wordSet, optionalSet: \.wordOptSet,
        map: \.wordMap, optionalMap: \.wordOptMap), [.b, .c, .a])
  }
  @Test func centsIsStoredEverywhere() throws {
    try check(
      Places<OCents>(
        plain: \.cents, optional: \.centsOpt, list: \.centsList, optionalList: \.centsOptList, set: \.centsSet, optionalSet: \.centsOptSet,
        map: \.centsMap, optionalMap: \.centsOptMap), [OCents(1.5), OCents(-2), OCents(0)])
  }
  @Test func evenIsStoredEverywhere() throws {
    try check(
      Places<OEven>(
        plain: \.even, optional: \.evenOpt, list: \.evenList, optionalList: \.evenOptList, set: \.evenSet, optionalSet: \.evenOptSet,
        map: \.evenMap, optionalMap: \.evenOptMap), [OEven(1), OEven(-2), OEven(0)])
  }

  @Test func propertiesWithoutInitialValueHaveTheDefaultOfTheirType() throws {
    let object = OAll()
    let before = Date()
    #expect(object.int == 0)
    #expect(object.int8 == 0)
    #expect(!object.bool)
    #expect(object.float == 0)
    #expect(object.double == 0)
    #expect(object.string == "")
    #expect(object.data == Data())
    #expect(object.date.timeIntervalSince(before) >= 0)
    #expect(object.date == object.date)
    #expect(object.decimal == 0)
    #expect(object.objectId == object.objectId)
    #expect(object.objectId != OAll().objectId)
    #expect(object.uuid == object.uuid)
    #expect(object.uuid != OAll().uuid)
    #expect(object.number == .one)
    #expect(object.word == .a)
    #expect(object.cents == OCents(0))
    #expect(object.even == OEven(0))
    #expect(object.intOpt == nil)
    #expect(object.stringOpt == nil)
    #expect(object.intList.isEmpty)
    #expect(object.intList === object.intList)
    let id = object.objectId
    let realm = try directory.objectRealm()
    try realm.write { realm.add(object) }
    #expect(object.objectId == id)
    #expect(object.intList === object.intList)
  }
}
