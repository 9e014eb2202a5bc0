import Foundation
import TestSupport
import Testing

@testable import RealmSwift

@Suite(.mustEnd) struct CreationTests {
  let directory = TestDirectory()

  // MARK: Shapes

  @Test func aDictionaryNamesPropertiesAndUnknownKeysAreIgnored() throws {
    let realm = try directory.objectRealm()
    let tag = try realm.write { realm.create(OTag.self, value: ["id": 1, "text": "x", "nonsense": 3] as [String: Any]) }
    #expect(tag.text == "x")
    #expect(tag.number == 7)
  }

  @Test func anArrayIsPositional() throws {
    let realm = try directory.objectRealm()
    let tag = try realm.write { realm.create(OTag.self, value: [1, "x"] as [Any]) }
    #expect(tag.text == "x")
    #expect(tag.number == 7)
    #expect(OTag(value: [1, "y", 3] as [Any]).number == 3)
    #expect(
      realm.creationFailure(OTag.self, [9, "x", 2, 3] as [Any]) == "Invalid array input: more values (4) than properties (3).")
  }

  @Test func anObjectIsCopiedDeeply() throws {
    let realm = try directory.objectRealm()
    let source = OHolder(value: ["id": 1, "plain": ["text": "p"], "plains": [["a"], ["b"]], "part": ["text": "e"]] as [String: Any])
    let plain = try #require(source.plain)
    let copy = try realm.write { realm.create(OHolder.self, value: source) }
    #expect(source.realm == nil)
    #expect(plain.realm == nil)
    #expect(copy.plain?.text == "p")
    #expect(copy.plains.map(\.text) == ["a", "b"])
    #expect(copy.part?.text == "e")
    let other = try Realm(configuration: Realm.Configuration(fileURL: directory.fileURL("other.realm"), objectTypes: objectTypes))
    let foreign = try other.write { other.create(OHolder.self, value: copy) }
    #expect(foreign.plains.map(\.text) == ["a", "b"])
    #expect(foreign.plains[0].realm == other)
  }

  @Test func valuesThatAreNoInputAreRefused() throws {
    let realm = try directory.objectRealm()
    #expect(realm.creationFailure(OTag.self, NSNull()) == "Must provide a non-nil value.")
    #expect(realm.creationFailure(OTag.self, Optional<Int>.none as Any) == "Must provide a non-nil value.")
    #expect(realm.creationFailure(OTag.self, 5) == "Invalid value '5' to initialize object of type 'OTag': missing key 'id'")
    let text = try #require(realm.creationFailure(OTag.self, OPlain()))
    #expect(text.hasSuffix("to initialize object of type 'OTag': missing key 'id'"))
    let gone = try realm.write {
      let gone = realm.create(OTag.self, value: ["id": 1])
      realm.delete(gone)
      return gone
    }
    #expect(realm.creationFailure(OTag.self, gone) == "Object has been deleted or invalidated.")
  }

  @Test func nullForARequiredPropertyIsMissing() throws {
    let realm = try directory.objectRealm()
    #expect(realm.creationFailure(OTag.self, ["id": 1, "text": NSNull()] as [String: Any]) == "Missing value for property 'OTag.text'")
    #expect(realm.creationFailure(OTag.self, ["id": NSNull()]) == "Missing value for property 'OTag.id'")
    let holder = try realm.write {
      realm.create(OHolder.self, value: ["id": 1, "name": NSNull(), "ints": NSNull(), "tag": NSNull(), "intMap": Optional<Any>.none as Any])
    }
    #expect(holder.name == nil)
    #expect(holder.ints.isEmpty)
    #expect(holder.intMap.count == 0)
  }

  // MARK: Scalars

  @Test func scalarsAreConvertedByTheRules() throws {
    let realm = try directory.objectRealm()
    func stored<T>(_ name: String, _ value: Any, _ keyPath: KeyPath<OAll, T>) throws -> T {
      try realm.write { realm.create(OAll.self, value: [name: value])[keyPath: keyPath] }
    }
    #expect(try stored("int", true, \.int) == 1)
    #expect(try stored("int", NSNumber(value: 5), \.int) == 5)
    #expect(try stored("int", UInt8(5), \.int) == 5)
    #expect(try stored("bool", 1, \.bool))
    #expect(try stored("bool", NSNumber(value: false), \.bool) == false)
    #expect(try stored("float", 3, \.float) == 3)
    #expect(try stored("float", 0.5, \.float) == 0.5)
    #expect(try stored("float", Double.nan, \.float).isNaN)
    #expect(try stored("double", Float(0.5), \.double) == 0.5)
    #expect(try stored("double", 2, \.double) == 2)
    #expect(try stored("decimal", 2, \.decimal) == 2)
    #expect(try stored("decimal", 0.5, \.decimal) == 0.5)
    #expect(try stored("decimal", "12.5", \.decimal) == 12.5)
    let uuid = UUID()
    #expect(try stored("uuid", uuid.uuidString, \.uuid) == uuid)
    #expect(try stored("number", 2, \.number) == .two)
    #expect(try stored("number", ONumber.three, \.number) == .three)
    #expect(try stored("word", "c", \.word) == .c)
    #expect(try stored("cents", 150, \.cents) == OCents(1.5))
    #expect(try stored("cents", OCents(2), \.cents) == OCents(2))
    #expect(try stored("string", NSString("bridged"), \.string) == "bridged")
    #expect(OAll(value: ["int": true, "number": 2, "cents": 150, "uuid": uuid.uuidString] as [String: Any]).cents == OCents(1.5))
  }

  @Test(arguments: [
    ("int", 1.0 as any Sendable, "Invalid value '1.0' of type 'Double' for 'int' property 'OAll.int'."),
    ("int", "1", "Invalid value '1' of type 'String' for 'int' property 'OAll.int'."),
    ("intOpt", "1", "Invalid value '1' of type 'String' for 'int?' property 'OAll.intOpt'."),
    ("bool", 2, "Invalid value '2' of type 'Int' for 'bool' property 'OAll.bool'."),
    ("float", 1e300, "Invalid value '1e+300' of type 'Double' for 'float' property 'OAll.float'."),
    ("double", "x", "Invalid value 'x' of type 'String' for 'double' property 'OAll.double'."),
    ("string", 1, "Invalid value '1' of type 'Int' for 'string' property 'OAll.string'."),
    ("data", "x", "Invalid value 'x' of type 'String' for 'data' property 'OAll.data'."),
    ("date", "x", "Invalid value 'x' of type 'String' for 'date' property 'OAll.date'."),
    ("objectId", "0123456789abcdef01234567", "Invalid value '0123456789abcdef01234567' of type 'String' for 'object id' property 'OAll.objectId'."),
    ("decimal", "x", "Invalid value 'x' of type 'String' for 'decimal128' property 'OAll.decimal'."),
    ("uuid", "x", "Invalid value 'x' of type 'String' for 'uuid' property 'OAll.uuid'."),
    ("intList", ["x"], "Invalid value 'x' of type 'String' for 'int' array property 'OAll.intList'."),
    ("intOptSet", ["x"], "Invalid value 'x' of type 'String' for 'int?' set property 'OAll.intOptSet'."),
    ("intMap", ["k": "x"], "Invalid value 'x' of type 'String' for 'int' dictionary property 'OAll.intMap'."),
    ("intList", [Int?.none], "Invalid value '<null>' of type 'NSNull' for 'int' array property 'OAll.intList'."),
    ("intList", 5, "Invalid value (5) for 'int' array property 'OAll.intList': value is not enumerable."),
    ("intOptSet", 5, "Invalid value (5) for 'int?' set property 'OAll.intOptSet': value is not enumerable."),
    ("intMap", 5, "Invalid value (5) for 'int' dictionary property 'OAll.intMap': value is not enumerable."),
  ]) func wrongValuesAreNamed(_ name: String, _ value: any Sendable, _ text: String) throws {
    let realm = try directory.objectRealm()
    #expect(realm.creationFailure(OAll.self, [name: value]) == text)
    let unmanaged = OAll()
    #expect(unmanaged.settingFailure(name, value) == text)
    let managed = try realm.write { realm.create(OAll.self) }
    realm.beginWrite()
    #expect(managed.settingFailure(name, value) == text)
    realm.cancelWrite()
  }

  @Test func collectionsOfAnotherTypeAreRefused() throws {
    let realm = try directory.objectRealm()
    let strings = List<String>()
    let text = "List<string> does not match expected type 'int' for property 'OAll.intList'."
    #expect(realm.creationFailure(OAll.self, ["intList": strings]) == text)
    #expect(OAll().settingFailure("intList", strings) == text)
    #expect(
      realm.creationFailure(OAll.self, ["intSet": MutableSet<Int?>()])
        == "MutableSet<int?> does not match expected type 'int' for property 'OAll.intSet'.")
    #expect(
      realm.creationFailure(OAll.self, ["intMap": Map<String, String>()])
        == "Map<String, string> does not match expected type 'int' for property 'OAll.intMap'.")
    #expect(realm.creationFailure(OAll.self, ["intList": [1, 2].lazy.map { $0 * 2 }]) == nil)
    #expect(realm.creationFailure(OAll.self, ["intSet": Set([1, 2])]) == nil)
  }

  /// Maps of objects are declared with optional values; code that fills one need not know.
  @Test func aMapOfObjectsIsTakenWithAndWithoutOptionalValues() throws {
    let realm = try directory.objectRealm()
    let tags = Map<String, OTag>()
    tags["a"] = OTag()
    let holder = try realm.write { realm.create(OHolder.self, value: ["tagMap": tags]) }
    #expect(holder.tagMap["a"] != nil)
    try realm.write {
      let others = Map<String, OTag>()
      others["b"] = OTag(value: ["id": 9])
      holder["tagMap"] = others
    }
    #expect(holder.tagMap.keys == ["b"])
    #expect(
      realm.creationFailure(OHolder.self, ["id": 1, "tagMap": Map<String, OAll>()])
        == "Map<String, OAll> does not match expected type 'OTag?' for property 'OHolder.tagMap'.")
  }

  @Test func objectsOfAnotherClassAreRefused() throws {
    let realm = try directory.objectRealm()
    for value in [OPlain(), OPart()] {
      let text = try #require(realm.creationFailure(OHolder.self, ["id": 1, "tag": value] as [String: Any]))
      #expect(text.hasPrefix("Invalid value '\(type(of: value).className()) {"))
      #expect(text.hasSuffix("for 'OTag?' property 'OHolder.tag'."))
      let inList = try #require(realm.creationFailure(OHolder.self, ["id": 1, "tags": [value]] as [String: Any]))
      #expect(inList.hasSuffix("for 'OTag' array property 'OHolder.tags'."))
      #expect(OHolder().settingFailure("tag", value)?.hasSuffix("for 'OTag?' property 'OHolder.tag'.") == true)
    }
  }

  // MARK: Nested input

  @Test func nestedManagedObjectsAreLinkedAndUnmanagedOnesCopied() throws {
    let realm = try directory.objectRealm()
    let (tag, holder, loose) = try realm.write {
      let tag = realm.create(OTag.self, value: ["id": 1])
      let loose = OTag(value: ["id": 2])
      let holder = realm.create(OHolder.self, value: ["id": 1, "tag": tag, "tags": [tag, loose, [3, "three"]], "any": loose.text] as [String: Any])
      return (tag, holder, loose)
    }
    #expect(holder.tag?.isSameObject(as: tag) == true)
    #expect(holder.tags.map(\.id) == [1, 2, 3])
    #expect(loose.realm == nil)
    #expect(realm.objects(OTag.self).count == 3)
  }

  @Test func embeddedObjectsAreAlwaysCopied() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let first = realm.create(OHolder.self, value: ["id": 1, "part": ["text": "a"], "parts": [["text": "b"]]] as [String: Any])
      let second = realm.create(OHolder.self, value: ["id": 2, "part": first.part!, "parts": first.parts] as [String: Any])
      #expect(second.part?.text == "a")
      #expect(second.parts[0].text == "b")
      #expect(first.part?.text == "a")
      #expect(first.parts.count == 1)
      #expect(first.part?.isSameObject(as: second.part) == false)
    }
  }

  @Test func policyErrorCopiesAManagedObjectAndOthersReturnIt() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let plain = realm.create(OPlain.self, value: ["text": "x"])
      let copy = realm.create(OPlain.self, value: plain)
      #expect(!copy.isSameObject(as: plain))
      #expect(copy.text == "x")
      let tag = realm.create(OTag.self, value: ["id": 1])
      #expect(realm.create(OTag.self, value: tag, update: .modified).isSameObject(as: tag))
      #expect(realm.create(OTag.self, value: tag, update: .all).isSameObject(as: tag))
    }
    let tag = try #require(realm.object(ofType: OTag.self, forPrimaryKey: 1))
    #expect(realm.creationFailure(OTag.self, tag) == "Attempting to create an object of type 'OTag' with an existing primary key value '1'.")
  }

  @Test func jsonIsInput() throws {
    let realm = try directory.objectRealm()
    let json =
      #"{"id": 5, "name": "n", "ints": [1, 2], "tag": {"id": 1, "text": "t"}, "part": {"number": 3}, "intMap": {"a": 1}, "any": {"k": [1, null, true, 1.5]}}"#
    let value = try JSONSerialization.jsonObject(with: Data(json.utf8))
    let holder = try realm.write { realm.create(OHolder.self, value: value) }
    #expect(holder.name == "n")
    #expect(Array(holder.ints) == [1, 2])
    #expect(holder.tag?.text == "t")
    #expect(holder.part?.number == 3)
    #expect(holder.intMap["a"] == 1)
    let list = try #require(holder.any.dictionaryValue?["k"]?.listValue)
    #expect(Array(list) == [.int(1), .none, .bool(true), .double(1.5)])
  }

  @Test func primaryKeysAndPoliciesAreChecked() async throws {
    let realm = try directory.objectRealm()
    try realm.write { realm.create(OTag.self, value: ["id": 1]) }
    #expect(
      realm.creationFailure(OTag.self, ["id": 1]) == "Attempting to create an object of type 'OTag' with an existing primary key value '1'.")
    realm.beginWrite()
    #expect(
      failureText { try realm.core.add(OTag(value: [1]), policy: .error) }
        == "Attempting to create an object of type 'OTag' with an existing primary key value '1'.")
    #expect(
      failureText { try realm.core.requireUpdatable(OPlain.self, .modified) }
        == "'OPlain' does not have a primary key and can not be updated")
    realm.cancelWrite()
  }
}
