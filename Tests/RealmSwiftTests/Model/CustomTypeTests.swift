import Foundation
import TestSupport
import Testing

@testable import RealmSwift

@Suite struct CustomTypeTests {
  let directory = TestDirectory()

  @Test func typesOverEmbeddedClassesAreStored() throws {
    let realm = try directory.objectRealm()
    let places = OPlaces()
    #expect(places.point == OPoint(1, 2))
    #expect(places.maybe == nil)
    places.point = OPoint(3, 4)
    places.maybe = OPoint(5, 6)
    places.list.append(objectsIn: [OPoint(7, 8), OPoint(9, 10)])
    places.map["a"] = OPoint(11, 12)
    func check(_ places: OPlaces) {
      #expect(places.point == OPoint(3, 4))
      #expect(places.maybe == OPoint(5, 6))
      #expect(Array(places.list) == [OPoint(7, 8), OPoint(9, 10)])
      #expect(places.list[1] == OPoint(9, 10))
      #expect(places.map["a"] == .some(OPoint(11, 12)))
    }
    check(places)
    try realm.write { realm.add(places) }
    check(places)
    check(try #require(realm.objects(OPlaces.self).first))
    let copy = try realm.write { realm.create(OPlaces.self, value: places) }
    check(copy)
    let fromInput = try realm.write {
      realm.create(
        OPlaces.self,
        value: [
          "point": OPoint(3, 4), "maybe": ["x": 5, "y": 6], "list": [OPoint(7, 8), [9, 10]] as [Any], "map": ["a": OPoint(11, 12)],
        ] as [String: Any])
    }
    check(fromInput)
    try realm.write {
      places.point = OPoint(0, 0)
      places.maybe = nil
      places.list[0] = OPoint(1, 1)
      places.list.remove(at: 1)
      places.map["a"] = .some(nil)
    }
    #expect(places.point == OPoint(0, 0))
    #expect(places.maybe == nil)
    #expect(Array(places.list) == [OPoint(1, 1)])
    #expect(places.map["a"] == .some(nil))
    #expect(places["point"] is OPointData)
    #expect(places.description.contains("x = 0;"))
    #expect(realm.schema["OPlaces"]?["point"]?.type == .object)
    #expect(realm.schema["OPlaces"]?["point"]?.isOptional == true)
  }

  @Test func aMissingEmbeddedObjectReadsAsTheDefault() throws {
    let realm = try directory.objectRealm()
    let places = try realm.write { realm.create(OPlaces.self) }
    try realm.write { places["point"] = nil }
    #expect(places.point == OPoint(1, 2))
  }

  @Test func enumerationsCompareAsTheirRawValues() {
    #expect(ONumber.one < .two)
    #expect(OWord() == .a)
    #expect(OCents(1) == OCents(1))
    #expect(OCents(1).hashValue == OCents(1).hashValue)
  }

  @Test func theSchemaShowsWhatIsStored() throws {
    let schema = try #require(OAll.sharedSchema())
    #expect(schema["number"]?.type == .int)
    #expect(schema["wordOpt"]?.type == .string)
    #expect(schema["wordOpt"]?.isOptional == true)
    #expect(schema["evenList"]?.isArray == true)
    #expect(schema["evenList"]?.type == .int)
  }

  @Test func anUnknownStoredValueReadsAsNil() throws {
    let realm = try directory.objectRealm()
    let all = try realm.write { realm.create(OAll.self) }
    try realm.write {
      try #require(realm.dynamicObjects("OAll").first)["numberOpt"] = 99
      try #require(realm.dynamicObjects("OAll").first)["evenOpt"] = 3
    }
    #expect(all.numberOpt == nil)
    #expect(all.evenOpt == nil)
  }
}

/// Neither names its persisted type.
struct OMiles: CustomPersistable, Equatable {
  var miles: Double
  init(_ miles: Double) { self.miles = miles }
  init(persistedValue: Double) { miles = persistedValue / 1.609344 }
  var persistableValue: Double { miles * 1.609344 }
}
extension URL: FailableCustomPersistable {
  public init?(persistedValue: String) { self.init(string: persistedValue) }
  public var persistableValue: String { absoluteString }
}
class OTrip: Unlisted {
  @Persisted var length = OMiles(1)
  @Persisted var lengths: List<OMiles>
  @Persisted var page: URL?
}

@Suite struct InferredPersistedTypeTests {
  @Test func thePersistedTypeFollowsFromTheConversions() throws {
    let directory = TestDirectory()
    let realm = try Realm(configuration: directory.configuration([OTrip.self]))
    let trip = try realm.write { realm.create(OTrip.self, value: ["page": "https://example.org/a"]) }
    try realm.write {
      trip.length = OMiles(2)
      trip.lengths.append(objectsIn: [OMiles(1), OMiles(3)])
    }
    #expect(trip.length == OMiles(2))
    #expect(trip.lengths.count == 2)
    #expect(trip.page?.host == "example.org")
    #expect(realm.schema["OTrip"]?["length"]?.type == .double)
    #expect(realm.objects(OTrip.self).where { $0.page == URL(string: "https://example.org/a")! }.count == 1)
  }
}
