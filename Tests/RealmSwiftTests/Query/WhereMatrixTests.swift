import Foundation
import TestSupport
import Testing

import RealmSwift

private protocol Numbered: Object {
  var _id: Int { get }
}

private final class AllTypes: Object, Numbered {
  @Persisted(primaryKey: true) var _id: Int
  @Persisted var intValue: Int
  @Persisted var optInt: Int?
  @Persisted var ixInt: Int
  @Persisted var ixOptInt: Int?
  @Persisted var boolValue: Bool
  @Persisted var optBool: Bool?
  @Persisted var floatValue: Float
  @Persisted var optFloat: Float?
  @Persisted var doubleValue: Double
  @Persisted var optDouble: Double?
  @Persisted var stringValue: String
  @Persisted var optString: String?
  @Persisted var ixString: String
  @Persisted var ixOptString: String?
  @Persisted var dataValue: Data
  @Persisted var optData: Data?
  @Persisted var dateValue: Date
  @Persisted var optDate: Date?
  @Persisted var ixOptDate: Date?
  @Persisted var decimalValue: Decimal128
  @Persisted var optDecimal: Decimal128?
  @Persisted var objectIdValue: ObjectId
  @Persisted var optObjectId: ObjectId?
  @Persisted var ixOptObjectId: ObjectId?
  @Persisted var uuidValue: UUID
  @Persisted var optUuid: UUID?
  @Persisted var ixOptUuid: UUID?
  @Persisted var link: AllTypes?
}

private final class Collections: Object, Numbered {
  @Persisted(primaryKey: true) var _id: Int
  @Persisted var intList: List<Int>
  @Persisted var intSet: MutableSet<Int>
  @Persisted var intDictionary: Map<String, Int>
  @Persisted var optIntList: List<Int?>
  @Persisted var optIntSet: MutableSet<Int?>
  @Persisted var optIntDictionary: Map<String, Int?>
  @Persisted var boolList: List<Bool>
  @Persisted var optBoolDictionary: Map<String, Bool?>
  @Persisted var floatList: List<Float>
  @Persisted var optFloatSet: MutableSet<Float?>
  @Persisted var floatDictionary: Map<String, Float>
  @Persisted var doubleList: List<Double>
  @Persisted var optDoubleSet: MutableSet<Double?>
  @Persisted var doubleDictionary: Map<String, Double>
  @Persisted var stringList: List<String>
  @Persisted var optStringSet: MutableSet<String?>
  @Persisted var stringDictionary: Map<String, String>
  @Persisted var dataList: List<Data>
  @Persisted var optDataDictionary: Map<String, Data?>
  @Persisted var dateList: List<Date>
  @Persisted var optDateSet: MutableSet<Date?>
  @Persisted var dateDictionary: Map<String, Date>
  @Persisted var decimalList: List<Decimal128>
  @Persisted var optDecimalSet: MutableSet<Decimal128?>
  @Persisted var decimalDictionary: Map<String, Decimal128>
  @Persisted var objectIdList: List<ObjectId>
  @Persisted var optUuidSet: MutableSet<UUID?>
}

/// Typed queries over every type and collection give what the formats give, which `matrix.json` compares with the original.
@Suite(.mustEnd) struct WhereMatrixTests {
  private let directory = TestDirectory()
  private let realm: Realm

  init() throws {
    try FileManager.default.copyItem(atPath: Fixture.path("queries/querydata.realm"), toPath: directory.file())
    realm = try Realm(
      configuration: Realm.Configuration(
        fileURL: URL(fileURLWithPath: directory.file()), readOnly: true, schemaVersion: 1, objectTypes: [AllTypes.self, Collections.self]))
  }

  private func same<T: Numbered>(
    _ type: T.Type, _ format: String, _ arguments: [Any], _ isIncluded: (Query<T>) -> Query<Bool>
  ) {
    let typed = realm.objects(type).where(isIncluded)
    let formatted = realm.objects(type).filter(NSPredicate(format: format, argumentArray: arguments))
    #expect(Array(typed.map(\._id)) == Array(formatted.map(\._id)), "\(format) \(arguments)")
  }

  /// A few of the values that objects have, with what a format takes for them.
  private func sample<O: Object, V>(_ name: String, _ path: KeyPath<O, V>) -> [(value: V, argument: Any)] {
    let all = Array(realm.objects(O.self))
    return stride(from: 0, to: all.count, by: all.count / 3).map { (all[$0][keyPath: path], all[$0].value(forKey: name) ?? NSNull()) }
  }

  // MARK: Properties

  private func equality<V: _RealmSchemaDiscoverable>(_ name: String, _ path: KeyPath<AllTypes, V>) {
    let values = sample(name, path)
    for (value, argument) in values {
      same(AllTypes.self, "\(name) == %@", [argument]) { $0[dynamicMember: path] == value }
      same(AllTypes.self, "\(name) != %@", [argument]) { $0[dynamicMember: path] != value }
      same(AllTypes.self, "NOT (\(name) == %@)", [argument]) { !($0[dynamicMember: path] == value) }
      same(AllTypes.self, "link.\(name) == %@", [argument]) { $0.link[dynamicMember: path] == value }
      same(AllTypes.self, "link.\(name) != %@", [argument]) { $0.link[dynamicMember: path] != value }
    }
    same(AllTypes.self, "\(name) IN %@", [values.map(\.argument)]) { $0[dynamicMember: path].in(values.map(\.value)) }
  }

  private func order<V: _RealmSchemaDiscoverable & _HasPersistedType>(
    _ name: String, _ path: KeyPath<AllTypes, V>
  ) where V.PersistedType: _QueryOrdered {
    equality(name, path)
    for (value, argument) in sample(name, path) {
      same(AllTypes.self, "\(name) < %@", [argument]) { $0[dynamicMember: path] < value }
      same(AllTypes.self, "\(name) <= %@", [argument]) { $0[dynamicMember: path] <= value }
      same(AllTypes.self, "\(name) > %@", [argument]) { $0[dynamicMember: path] > value }
      same(AllTypes.self, "link.\(name) >= %@", [argument]) { $0.link[dynamicMember: path] >= value }
    }
  }

  private func range<V: _RealmSchemaDiscoverable & _HasPersistedType & Comparable>(
    _ name: String, _ path: KeyPath<AllTypes, V>
  ) where V.PersistedType: _QueryOrdered {
    order(name, path)
    let values = sample(name, path).filter { $0.value == $0.value }.sorted { $0.value < $1.value }
    for (low, high) in zip(values, values.dropFirst()) {
      same(AllTypes.self, "\(name) BETWEEN %@", [[low.argument, high.argument]]) { $0[dynamicMember: path].contains(low.value...high.value) }
      same(AllTypes.self, "\(name) >= %@ AND \(name) < %@", [low.argument, high.argument]) {
        $0[dynamicMember: path].contains(low.value..<high.value)
      }
    }
  }

  @Test func comparisonsOfRequiredProperties() {
    range("intValue", \.intValue)
    range("ixInt", \.ixInt)
    equality("boolValue", \.boolValue)
    range("floatValue", \.floatValue)
    range("doubleValue", \.doubleValue)
    equality("stringValue", \.stringValue)
    equality("ixString", \.ixString)
    equality("dataValue", \.dataValue)
    range("dateValue", \.dateValue)
    order("decimalValue", \.decimalValue)
    equality("objectIdValue", \.objectIdValue)
    equality("uuidValue", \.uuidValue)
  }

  @Test func comparisonsOfOptionalProperties() {
    order("optInt", \.optInt)
    order("ixOptInt", \.ixOptInt)
    equality("optBool", \.optBool)
    order("optFloat", \.optFloat)
    order("optDouble", \.optDouble)
    equality("optString", \.optString)
    equality("ixOptString", \.ixOptString)
    equality("optData", \.optData)
    order("optDate", \.optDate)
    order("ixOptDate", \.ixOptDate)
    order("optDecimal", \.optDecimal)
    equality("optObjectId", \.optObjectId)
    equality("ixOptObjectId", \.ixOptObjectId)
    equality("optUuid", \.optUuid)
    equality("ixOptUuid", \.ixOptUuid)
  }

  // MARK: Collections

  /// A few elements, with what a format takes for them.
  private func elements<C: RealmCollection>(_ path: KeyPath<Collections, C>) -> [(value: C.Element, argument: Any)] {
    var found: [(C.Element, Any)] = []
    for object in realm.objects(Collections.self) where found.count < 4 {
      let collection = object[keyPath: path]
      if let element = collection.first { found.append((element, argument(element))) }
    }
    return found
  }

  private func argument(_ value: Any) -> Any {
    if case Optional<Any>.none = value as Any? { return NSNull() }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return value }
    return mirror.children.first?.value ?? NSNull()
  }

  private func members<C: RealmCollection>(_ name: String, _ path: KeyPath<Collections, C>) {
    let values = elements(path)
    for (value, argument) in values {
      same(Collections.self, "ANY \(name) == %@", [argument]) { $0[dynamicMember: path] == value }
      same(Collections.self, "ANY \(name) != %@", [argument]) { $0[dynamicMember: path] != value }
      same(Collections.self, "%@ IN \(name)", [argument]) { $0[dynamicMember: path].contains(value) }
      same(Collections.self, "NOT %@ IN \(name)", [argument]) { !$0[dynamicMember: path].contains(value) }
    }
    same(Collections.self, "ANY \(name) IN %@", [values.map(\.argument)]) { $0[dynamicMember: path].containsAny(in: values.map(\.value)) }
    same(Collections.self, "\(name).@count > 3", []) { $0[dynamicMember: path].count > 3 }
  }

  private func ordered<C: RealmCollection>(_ name: String, _ path: KeyPath<Collections, C>) where C.Element.PersistedType: _QueryNumeric {
    members(name, path)
    for (value, argument) in elements(path) {
      same(Collections.self, "ANY \(name) < %@", [argument]) { $0[dynamicMember: path] < value }
      same(Collections.self, "ANY \(name) <= %@", [argument]) { $0[dynamicMember: path] <= value }
      same(Collections.self, "ANY \(name) > %@", [argument]) { $0[dynamicMember: path] > value }
      same(Collections.self, "ANY \(name) >= %@", [argument]) { $0[dynamicMember: path] >= value }
      same(Collections.self, "\(name).@min == %@", [argument]) { $0[dynamicMember: path].min == value }
      same(Collections.self, "\(name).@max != %@", [argument]) { $0[dynamicMember: path].max != value }
    }
  }

  private func summed<C: RealmCollection>(_ name: String, _ path: KeyPath<Collections, C>) where C.Element.PersistedType: _QueryNumeric {
    ordered(name, path)
    for (value, argument) in elements(path) where !(argument is NSNull) {
      same(Collections.self, "\(name).@sum > %@", [argument]) { $0[dynamicMember: path].sum > value }
      same(Collections.self, "\(name).@avg <= %@", [argument]) { $0[dynamicMember: path].avg <= value }
    }
  }

  @Test func comparisonsOfLists() {
    summed("intList", \.intList)
    summed("optIntList", \.optIntList)
    members("boolList", \.boolList)
    summed("floatList", \.floatList)
    summed("doubleList", \.doubleList)
    members("stringList", \.stringList)
    members("dataList", \.dataList)
    ordered("dateList", \.dateList)
    summed("decimalList", \.decimalList)
    members("objectIdList", \.objectIdList)
  }

  @Test func comparisonsOfSets() {
    summed("intSet", \.intSet)
    summed("optIntSet", \.optIntSet)
    summed("optFloatSet", \.optFloatSet)
    summed("optDoubleSet", \.optDoubleSet)
    members("optStringSet", \.optStringSet)
    ordered("optDateSet", \.optDateSet)
    summed("optDecimalSet", \.optDecimalSet)
    members("optUuidSet", \.optUuidSet)
  }

  private func entries<V: RealmCollectionValue>(_ name: String, _ path: KeyPath<Collections, Map<String, V>>) {
    var values: [(key: String, value: V)] = []
    for object in realm.objects(Collections.self) where values.count < 4 {
      if let entry = object[keyPath: path].first(where: { _ in true }) { values.append((entry.key, entry.value)) }
    }
    for (key, value) in values {
      let argument = argument(value)
      same(Collections.self, "ANY \(name) == %@", [argument]) { $0[dynamicMember: path] == value }
      same(Collections.self, "ANY \(name).@allValues == %@", [argument]) { $0[dynamicMember: path].values == value }
      same(Collections.self, "ANY \(name) == %@", [argument]) { $0[dynamicMember: path].contains(value) }
      same(Collections.self, "\(name)[%@] == %@", [key, argument]) { $0[dynamicMember: path][key] == value }
      same(Collections.self, "\(name)[%@] != %@", [key, argument]) { $0[dynamicMember: path][key] != value }
      same(Collections.self, "ANY \(name).@allKeys == %@", [key]) { $0[dynamicMember: path].keys == key }
      same(Collections.self, "ANY \(name).@allKeys BEGINSWITH %@", ["a"]) { $0[dynamicMember: path].keys.starts(with: "a") }
    }
    same(Collections.self, "\(name).@count == 2", []) { $0[dynamicMember: path].count == 2 }
  }

  private func summedEntries<V: RealmCollectionValue>(
    _ name: String, _ path: KeyPath<Collections, Map<String, V>>
  ) where V.PersistedType: _QueryNumeric {
    entries(name, path)
    for object in realm.objects(Collections.self).prefix(4) {
      guard let value = object[keyPath: path].values.first, !(argument(value) is NSNull) else { continue }
      same(Collections.self, "ANY \(name) < %@", [argument(value)]) { $0[dynamicMember: path] < value }
      same(Collections.self, "ANY \(name) >= %@", [argument(value)]) { $0[dynamicMember: path] >= value }
      same(Collections.self, "\(name).@min == %@", [argument(value)]) { $0[dynamicMember: path].min == value }
      same(Collections.self, "\(name).@sum > %@", [argument(value)]) { $0[dynamicMember: path].sum > value }
    }
  }

  @Test func comparisonsOfMaps() {
    summedEntries("intDictionary", \.intDictionary)
    summedEntries("optIntDictionary", \.optIntDictionary)
    entries("optBoolDictionary", \.optBoolDictionary)
    summedEntries("floatDictionary", \.floatDictionary)
    summedEntries("doubleDictionary", \.doubleDictionary)
    entries("stringDictionary", \.stringDictionary)
    entries("optDataDictionary", \.optDataDictionary)
    entries("dateDictionary", \.dateDictionary)
    summedEntries("decimalDictionary", \.decimalDictionary)
  }
}
