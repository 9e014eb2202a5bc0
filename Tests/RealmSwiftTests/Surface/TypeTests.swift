import Foundation
import TestSupport
import Testing

@testable import RealmSwift

private func named<T: _ObjcBridgeable>(_ value: T) -> Any { value._rlmObjcValue }
private func unnamed<T: _ObjcBridgeable>(_ value: Any, _ type: T.Type) -> T? { type._rlmFromObjc(value, insideOptional: false) }
private func discovered<T: _RealmSchemaDiscoverable>(_ type: T.Type) -> (PropertyType, Bool) { (type._rlmType, type._rlmOptional) }
private func within<Shape: RLMGeospatial>(_ shape: Shape, _ query: Query<OPointData?>) -> Query<Bool> { query.geoWithin(shape) }

class OIgnored: Object {
  override class func _realmIgnoreClass() -> Bool { true }
  @Persisted var text: String
}
class OStoredElsewhere: Unlisted {
  override class func _realmObjectName() -> String? { "Elsewhere" }
  @Persisted var text: String
  @Persisted var others: List<OStoredElsewhere>
}
class OTagView: Projection<OTag> {
  @Projected(\OTag.text) var text
  @Projected(\OTag.number) var number
}
class OHolderView: Projection<OHolder> {
  @Projected(\OHolder.name) var name
  @Projected(\OHolder.tag?.text) var tagText
  @Projected(\OHolder.tags.projectTo.text) var texts
}

@Suite struct TypeTests {
  let directory = TestDirectory()

  @Test func everyCollectionOfValuesHasSections() throws {
    let realm = try directory.objectRealm()
    let holder = try realm.write {
      realm.create(OHolder.self, value: ["id": 1, "ints": [3, 1, 2], "intSet": [1, 2], "anyList": [1, "a"] as [Any]] as [String: Any])
    }
    let all = try realm.write { realm.create(OAll.self, value: ["boolList": [true, false, true], "numberList": [1, 2]] as [String: Any]) }
    #expect(holder.ints.sectioned(by: { $0 % 2 }, ascending: false).allKeys == [1, 0])
    #expect(holder.intSet.sectioned(by: { $0 }).count == 2)
    #expect(all.boolList.sectioned(by: { $0 }).allKeys == [false, true])
    #expect(all.numberList.sectioned(by: { $0.rawValue }).allKeys == [1, 2])
    #expect(AnyRealmCollection(holder.anyList).sectioned(by: { $0.stringValue }).count == 2)
  }

  @Test(arguments: [false, true]) func aggregatesComeInBoxesToo(_ isManaged: Bool) throws {
    let realm = try directory.objectRealm()
    realm.beginWrite()
    let values: [String: Any] = [
      "intList": [1, 2], "doubleList": [0.5, 1], "decimalList": ["1.5", "2.5"],
      "dateList": [Date(timeIntervalSince1970: 1), Date(timeIntervalSince1970: 2)],
      "intMap": ["a": 4],
    ]
    let all = isManaged ? realm.create(OAll.self, value: values) : OAll(value: values)
    #expect(all.intList.sum(ofProperty: "self") as NSNumber == 3)
    #expect(all.intList.min(ofProperty: "self") as NSNumber? == 1)
    #expect(all.doubleList.average(ofProperty: "self") as NSNumber? == 0.75)
    #expect(all.decimalList.sum(ofProperty: "self") as NSNumber == 4)
    #expect(all.dateList.max(ofProperty: "self") as NSDate? == NSDate(timeIntervalSince1970: 2))
    #expect(all.intMap.sum(ofProperty: "self") as NSNumber == 4)
    #expect(all.intOptList.sum(ofProperty: "self") as NSNumber == 0)
    #expect(all.intOptList.max(ofProperty: "self") as NSNumber? == nil)
    let holder = isManaged ? realm.create(OHolder.self, value: ["id": 1]) : OHolder()
    #expect(holder.anyList.sum() == .decimal128(0))
    #expect(holder.anySet.sum() == .decimal128(0))
    #expect(holder.anyMap.sum() == .decimal128(0))
    #expect(holder.plains.sum(ofProperty: "number") as NSNumber == 0)
    realm.cancelWrite()
  }

  @Test func decimalsPrintWithoutZerosAtTheEnd() throws {
    let sum = try Decimal128(string: "1.50") + Decimal128(string: "2.50")
    #expect("\(sum)" == "4")
    #expect(try Decimal128(string: "1.50").stringValue == "1.5")
    #expect(try "\(Decimal128(string: "-0.10"))" == "-1E-1")
    #expect(try "\(Decimal128(string: "100"))" == "100")
    let realm = try directory.objectRealm()
    let all = try realm.write { realm.create(OAll.self, value: ["decimalList": ["1.50", "2.50"]]) }
    #expect("\(all.decimalList.sum())" == "4")
    #expect("\(realm.objects(OAll.self).sum(of: \.decimal))" == "0")
  }

  @Test func shapesAreTakenByGenericCode() throws {
    let box = try #require(GeoBox(bottomLeft: (0, 0), topRight: (1, 1)))
    let circle = try #require(GeoCircle(center: (0, 0), radiusInRadians: 1))
    let polygon = try #require(GeoPolygon(outerRing: [(0, 0), (1, 0), (1, 1), (0, 0)]))
    #expect(within(box, Query<OPlaceHolder>().spot)._constructPredicate().0 == "(spot IN %@)")
    #expect(within(circle, Query<OPlaceHolder>().spot)._constructPredicate().1.first as? GeoCircle == circle)
    #expect(within(polygon, Query<OPlaceHolder>().spot)._constructPredicate().1.first as? GeoPolygon == polygon)
  }

  @Test func valuesOfAllTypesHaveNamedForms() {
    #expect(named(5) as? NSNumber == 5)
    #expect(named(Int8(5)) as? Int == 5)
    #expect(named(Int?.none) is NSNull)
    #expect(named(Int?.some(3)) as? Int64 == 3)
    #expect(named(ONumber.two) as? Int == 2)
    #expect(named(OCents(0.5)) as? Int == 50)
    #expect(named(AnyRealmValue.string("x")) as? String == "x")
    #expect(named(AnyRealmValue.none) is NSNull)
    #expect(named(NSNumber(value: 2)) as? Int == 2)
    #expect(unnamed(NSNumber(value: 7), Int16.self) == 7)
    #expect(unnamed(2, ONumber.self) == .two)
    #expect(unnamed(9, ONumber.self) == nil)
    #expect(unnamed("x", Int.self) == nil)
    #expect(unnamed(NSNull(), Int?.self) == .some(nil))
    #expect(unnamed("1.5", Decimal128.self) == 1.5)
    #expect(discovered(Int8.self) == (.int, false))
    #expect(discovered(String?.self) == (.string, true))
    #expect(discovered(ONumber.self) == (.int, false))
    #expect(discovered(List<Double?>.self) == (.double, true))
    #expect(discovered(OTag.self).0 == .object)
    #expect(discovered(AnyRealmValue.self) == (.any, false))
  }

  @Test func ignoredClassesHaveASchemaOfTheirOwn() throws {
    #expect(OIgnored.sharedSchema()?.properties.map(\.name) == ["text"])
    #expect(OIgnored().objectSchema.className == "OIgnored")
  }

  @Test func projectionsAreEqualIfTheyShowOneRow() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      realm.create(OPlain.self, value: ["a"])
      realm.create(OTag.self, value: [1, "t", 2])
    }
    let (a, b) = (OPlainView(projecting: realm.objects(OPlain.self)[0]), OPlainView(projecting: realm.objects(OPlain.self)[0]))
    #expect(a == b)
    #expect(a.hashValue == b.hashValue)
    #expect(Set([a, b]).count == 1)
    let plain = OPlain()
    #expect(OPlainView(projecting: plain) == OPlainView(projecting: plain))
    #expect(OPlainView(projecting: plain) != OPlainView(projecting: OPlain()))
    #expect(OPlainView(projecting: plain) != a)
  }

  @Test func resultsAreEqualToThemselvesOnly() throws {
    let realm = try directory.objectRealm()
    let (a, b) = (realm.objects(OTag.self), realm.objects(OTag.self))
    let copy = a
    #expect(a == a && a == copy)
    #expect(a != b)
    #expect(AnyRealmCollection(a) == AnyRealmCollection(a))
    #expect(AnyRealmCollection(a) != AnyRealmCollection(b))
    #expect(a.filter("id > 1") != a.filter("id > 1"))
  }

  @Test func descriptionsNameTheClassInSwift() throws {
    let realm = try Realm(configuration: directory.configuration([OStoredElsewhere.self]))
    let object = try realm.write { realm.create(OStoredElsewhere.self, value: ["text": "x", "others": [["text": "y"]]] as [String: Any]) }
    for description in [object.description, OStoredElsewhere(value: ["text": "x", "others": [["text": "y"]]] as [String: Any]).description] {
      #expect(description.hasPrefix("OStoredElsewhere {\n\ttext = x;"))
      #expect(description.contains("List<OStoredElsewhere> <0x"))
    }
  }

  @Test func projectionsDescribeTheirProperties() throws {
    let realm = try directory.objectRealm()
    let holder = try realm.write { realm.create(OHolder.self, value: ["id": 1, "name": "n", "tags": [[1, "t"]]] as [String: Any]) }
    let lines = OHolderView(projecting: holder).description.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(lines.first?.hasPrefix("OHolderView<OHolder> <0x") == true && lines.first?.hasSuffix("> {") == true)
    #expect(
      lines.dropFirst() == [
        "\t\tname(\\.name) = Optional(\"n\");", "\ttagText(\\.tag.text) = nil;", "\ttexts(\\.tags) = ProjectedCollection<String> {", "\t[0] t",
        "};",
        "}",
      ])
    let tag = OTagView(projecting: OTag(value: [1, "t", 2])).description
    #expect(tag.hasSuffix("> {\n\t\ttext(\\.text) = t;\n\tnumber(\\.number) = 2;\n}"))
  }

  @Test func aReferenceToAnotherFileLeadsToNothing() throws {
    let realm = try directory.objectRealm()
    let other = TestDirectory()
    let elsewhere = try other.objectRealm()
    let tag = try realm.write { realm.create(OTag.self, value: [1]) }
    try elsewhere.write { _ = elsewhere.create(OTag.self, value: [1]) }
    #expect(elsewhere.resolve(ThreadSafeReference(to: tag)) == nil)
    #expect(elsewhere.resolve(ThreadSafeReference(to: realm.objects(OTag.self))) == nil)
    withExtendedLifetime(other) {}
  }
}

class OPlainView: Projection<OPlain> { @Projected(\OPlain.text) var text }
class OPlaceHolder: Unlisted { @Persisted var spot: OPointData? }
