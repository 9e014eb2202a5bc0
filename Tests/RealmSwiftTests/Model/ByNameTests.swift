import Foundation
import Synchronization
import TestSupport
import Testing

@testable import RealmSwift

/// What an object is when its properties are reached by name.
enum NamedAccess: CaseIterable, Sendable {
  case unmanaged, managed, frozen, dynamic

  /// Calls `body` with an object made of values; managed ones in a write transaction.
  func withObject(_ type: Object.Type, _ values: [String: Any], _ body: (Object) throws -> Void) throws {
    if self == .unmanaged {
      let object = type.init()
      try object.populate(from: values)
      return try body(object)
    }
    let directory = TestDirectory()
    let realm = try directory.objectRealm()
    try realm.write { _ = realm.dynamicCreate(type.className(), value: values) }
    if self == .frozen { return try body(try #require(try realm.core.anyObject(type)).freeze()) }
    try realm.write {
      try body(self == .managed ? try #require(try realm.core.anyObject(type)) : try #require(realm.dynamicObjects(type.className()).first))
    }
    withExtendedLifetime(directory) {}
  }

  static let writable: [NamedAccess] = [.unmanaged, .managed, .dynamic]
}

extension RealmCore {
  /// The first object of a class, as an instance of it.
  fileprivate func anyObject(_ type: Object.Type) throws -> Object? {
    let binding = try binding(of: type)
    return try binding.table(self).keys().first.map { accessor(type, binding, $0) }
  }
}

extension Object {
  /// A property, by each of the ways that name it.
  fileprivate func everyWay(_ name: String) -> [Any?] {
    [self[name], value(forKey: name), value(forKeyPath: name), value(forUndefinedKey: name)]
  }
}

@Suite struct ByNameReadingTests {
  @Test(arguments: NamedAccess.allCases) func integersOfEveryWidthCastToEveryNumber(_ access: NamedAccess) throws {
    let names = ["int", "intOpt", "int8", "int8Opt", "int16", "int16Opt", "int32", "int32Opt", "int64", "int64Opt", "cents", "even", "evenOpt"]
    try access.withObject(OAll.self, Dictionary(uniqueKeysWithValues: names.map { ($0, 42 as Any) })) { object in
      for name in names {
        for value in object.everyWay(name) {
          #expect(value as? Int == 42, "\(name)")
          #expect(value as? Int8 == 42, "\(name)")
          #expect(value as? Int16 == 42, "\(name)")
          #expect(value as? Int32 == 42, "\(name)")
          #expect(value as? Int64 == 42, "\(name)")
          #expect(value as? UInt == 42, "\(name)")
          #expect(value as? Double == 42, "\(name)")
          #expect(value as? Int? == 42, "\(name)")
          #expect((value as? NSNumber)?.intValue == 42, "\(name)")
          #expect(value as? String == nil, "\(name)")
        }
      }
    }
  }

  @Test(arguments: NamedAccess.allCases) func otherScalarsCastAsTheirFoundationClasses(_ access: NamedAccess) throws {
    let (id, uuid) = (ObjectId.generate(), UUID())
    let values: [String: Any] = [
      "bool": true, "boolOpt": false, "float": Float(1.5), "double": 0.1, "string": "s", "stringOpt": "o", "data": Data([1, 2]),
      "date": Date(timeIntervalSince1970: 7), "decimal": "1.5", "objectId": id, "uuid": uuid, "number": 2, "word": "b",
    ]
    try access.withObject(OAll.self, values) { object in
      func each(_ name: String, _ check: (Any?) -> Bool) { for value in object.everyWay(name) { #expect(check(value), "\(name): \(value as Any)") } }
      each("bool") { $0 as? Bool == true && ($0 as? NSNumber)?.boolValue == true }
      each("boolOpt") { $0 as? Bool == false && $0 as? Bool? == false }
      each("float") { $0 as? Float == 1.5 && $0 as? Double == 1.5 && ($0 as? NSNumber)?.floatValue == 1.5 }
      each("double") { $0 as? Double == 0.1 && ($0 as? NSNumber)?.doubleValue == 0.1 }
      each("string") { $0 as? String == "s" && ($0 as? NSString) == "s" }
      each("stringOpt") { $0 as? String == "o" && $0 as? String? == "o" }
      each("data") { $0 as? Data == Data([1, 2]) && ($0 as? NSData)?.length == 2 }
      each("date") { $0 as? Date == Date(timeIntervalSince1970: 7) && ($0 as? NSDate)?.timeIntervalSince1970 == 7 }
      each("decimal") { $0 as? Decimal128 == 1.5 }
      each("objectId") { $0 as? ObjectId == id }
      each("uuid") { $0 as? UUID == uuid && $0 is NSUUID }
      each("number") { $0 as? Int == 2 && $0 as? NSNumber == 2 }
      each("word") { $0 as? String == "b" }
      for name in [
        "intOpt", "boolOpt", "floatOpt", "doubleOpt", "stringOpt", "dataOpt", "dateOpt", "decimalOpt", "objectIdOpt", "uuidOpt", "numberOpt",
      ]
      where values[name] == nil {
        each(name) { $0 == nil }
      }
    }
  }

  @Test(arguments: NamedAccess.allCases) func valuesOfAnyTypeGiveTheirContents(_ access: NamedAccess) throws {
    let inputs: [(Any, (Any?) -> Bool)] = [
      (7, { $0 as? Int == 7 && $0 as? Int8 == 7 && $0 is NSNumber }), ("s", { $0 as? String == "s" }), (true, { $0 as? Bool == true }),
      (1.5, { $0 as? Double == 1.5 }), (NSNull(), { $0 == nil }), (AnyRealmValue.none, { $0 == nil }), (AnyRealmValue.int(3), { $0 as? Int == 3 }),
      (Data([1]), { $0 as? Data == Data([1]) }),
      ([1, "x"] as [Any], { ($0 as? List<AnyRealmValue>).map(Array.init) == [.int(1), .string("x")] }),
      (["k": 1], { ($0 as? Map<String, AnyRealmValue>)?["k"] == .int(1) }),
    ]
    for (input, check) in inputs {
      try access.withObject(OHolder.self, ["id": 1, "any": input]) { holder in
        for value in holder.everyWay("any") { #expect(check(value), "\(input) gives \(value as Any)") }
      }
    }
    try access.withObject(OHolder.self, ["id": 1, "any": OTag(value: [5, "t"])]) { holder in
      #expect((holder["any"] as? OTag)?.text == "t")
      #expect(holder.value(forKeyPath: "any.text") as? String == "t")
    }
  }

  @Test(arguments: NamedAccess.allCases) func collectionsAreThoseOfTheProperty(_ access: NamedAccess) throws {
    let values: [String: Any] = [
      "id": 1, "ints": [1, 2], "intSet": [5], "intMap": ["a": 1], "tags": [[1, "t"]], "tagSet": [[2]], "tagMap": ["k": [3]], "parts": [["p"]],
      "tag": [4], "part": ["q"], "anyList": [1],
    ]
    try access.withObject(OHolder.self, values) { holder in
      #expect((holder["ints"] as? List<Int>).map(Array.init) == [1, 2])
      #expect((holder["intSet"] as? MutableSet<Int>).map(Array.init) == [5])
      #expect((holder["intMap"] as? Map<String, Int>)?["a"] == 1)
      if holder is DynamicObject {
        #expect((holder["tags"] as? List<DynamicObject>)?.first?.text as? String == "t")
        #expect((holder["tagSet"] as? MutableSet<DynamicObject>)?.count == 1)
        #expect((holder["tagMap"] as? Map<String, DynamicObject?>)?["k"]??.id as? Int == 3)
        #expect((holder["parts"] as? List<DynamicObject>)?.first?.text as? String == "p")
      } else {
        #expect((holder["tags"] as? List<OTag>)?.first?.text == "t" || access == .frozen)
        #expect((holder["tagSet"] as? MutableSet<OTag>)?.count == 1)
        #expect((holder["tagMap"] as? Map<String, OTag?>)?["k"]??.id == 3)
        #expect((holder["parts"] as? List<OPart>)?.first?.text == "p")
      }
      #expect((holder["tag"] as? OTag)?.id == 4)
      #expect((holder["part"] as? OPart)?.text == "q")
      #expect((holder["anyList"] as? List<AnyRealmValue>)?.first == .int(1))
    }
  }

  @Test func untypedCollectionsTakeThoseOfValuesToo() throws {
    try NamedAccess.managed.withObject(OHolder.self, ["id": 1, "ints": [1, 2], "intSet": [5], "intMap": ["a": 1]]) { holder in
      #expect(holder.dynamicList("ints").count == 2)
      #expect(holder.dynamicMutableSet("intSet").count == 1)
      let map: Map<String, DynamicObject?> = holder.dynamicMap("intMap")
      #expect(map.count == 1)
    }
  }

  /// Nothing at all would be taken for an empty collection.
  @Test(.endsProcesses) func valuesAreNoElementsOfUntypedCollections() async {
    func stops(_ result: ExitTest.Result?) -> Bool { result?.stopped(with: "Could not convert value '7' to type 'DynamicObject'.") == true }
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try NamedAccess.managed.withObject(OHolder.self, ["id": 1, "ints": [7]]) { holder in for _ in holder.dynamicList("ints") {} }
    }
    #expect(stops(result))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try NamedAccess.managed.withObject(OHolder.self, ["id": 1, "intSet": [7]]) { holder in _ = Array(holder.dynamicMutableSet("intSet")) }
    }
    #expect(stops(result))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try NamedAccess.managed.withObject(OHolder.self, ["id": 1, "intMap": ["a": 7]]) { holder in
        let map: Map<String, DynamicObject?> = holder.dynamicMap("intMap")
        _ = map["a"]
      }
    }
    #expect(stops(result))
  }

  @Test func objectsInMigrationsAreDynamicAllTheWay() throws {
    let directory = TestDirectory()
    try autoreleasepool {
      let realm = try directory.objectRealm()
      try realm.write {
        _ = realm.create(OHolder.self, value: ["id": 1, "tag": [3, "t"], "any": OTag(value: [4]), "ints": [1], "tags": [[5]]] as [String: Any])
      }
    }
    var configuration = directory.configuration(objectTypes)
    configuration.schemaVersion = 1
    let ran = Atomic<Bool>(false)
    configuration.migrationBlock = { migration, _ in
      migration.enumerateObjects(ofType: "OHolder") { old, new in
        for object in [old, new] {
          #expect((object?["tag"] as? DynamicObject)?.text as? String == "t")
          #expect((object?["any"] as? DynamicObject)?.id as? Int16 == 4)
          #expect((object?["ints"] as? List<Int>)?.first == 1)
          #expect((object?["tags"] as? List<DynamicObject>)?.first?.id as? Int == 5)
          #expect(object?["id"] as? Int32 == 1)
        }
        new?.setValue(12, forKey: "any")
        #expect(new?.any as? Int == 12)
        ran.store(true, ordering: .relaxed)
      }
    }
    _ = try Realm(configuration: configuration)
    let hasRun = ran.load(ordering: .relaxed)
    #expect(hasRun)
  }
}

@Suite struct ByNameWritingTests {
  /// Inputs of every type, and for every property what it reads as afterwards; nil where the input is refused.
  struct Row: Sendable {
    let property: String
    let accepted: [String: String]
  }

  static var inputs: [(name: String, value: Any)] {
    [
      ("Int", 1), ("Int8", Int8(1)), ("Int16", Int16(1)), ("Int32", Int32(1)), ("Int64", Int64(1)), ("UInt8", UInt8(1)), ("UInt", UInt(1)),
      ("NSNumber", NSNumber(value: 1)), ("NSNumber Int8", NSNumber(value: Int8(1))), ("Bool", true), ("NSNumber Bool", NSNumber(value: true)),
      ("Float", Float(1.5)), ("Double", 1.5), ("NSNumber Double", NSNumber(value: 1.5)), ("Decimal128", Decimal128(1.5)),
      ("NSDecimalNumber", NSDecimalNumber(string: "1.5")), ("String", "x"), ("NSString", NSString("x")), ("number text", "1.5"),
      ("Date", Date(timeIntervalSince1970: 1)), ("NSDate", NSDate(timeIntervalSince1970: 1)), ("Data", Data([1])), ("NSData", Data([1]) as NSData),
      ("UUID", uuid), ("NSUUID", uuid as NSUUID), ("UUID text", uuid.uuidString), ("ObjectId", id), ("AnyRealmValue.int", AnyRealmValue.int(1)),
      ("AnyRealmValue.string", AnyRealmValue.string("x")), ("AnyRealmValue.none", AnyRealmValue.none), ("nil", Int?.none as Any),
      ("NSNull", NSNull()), ("ONumber", ONumber.one), ("OWord", OWord.b), ("OCents", OCents(0.01)), ("list", [1]), ("dictionary", ["a": 1]),
      ("object", OTag(value: [1])),
    ]
  }
  static let uuid = UUID(uuidString: "85D4FBEE-6EC6-47DF-BFA1-615931903D7E")!
  static let id = try! ObjectId(string: "0123456789abcdef01234567")

  static let integers = [
    "Int", "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt", "NSNumber", "NSNumber Int8", "AnyRealmValue.int", "ONumber", "OCents",
  ]
  static let flags = ["Bool", "NSNumber Bool"]
  static let doubles = ["Float", "Double", "NSNumber Double", "NSDecimalNumber"]
  static let nulls = ["nil", "NSNull", "AnyRealmValue.none"]
  static let texts = ["String", "NSString", "AnyRealmValue.string"]

  static func accepted(_ property: String) -> [String] {
    var names: [String]
    switch property {
    case _ where property.hasPrefix("int"), _ where property.hasPrefix("cents"): names = integers + flags
    case _ where property.hasPrefix("bool"): names = integers + flags
    case _ where property.hasPrefix("float"), _ where property.hasPrefix("double"): names = integers + doubles
    case _ where property.hasPrefix("string"): names = texts + ["number text", "UUID text", "OWord"]
    case _ where property.hasPrefix("dataOpt"), "data": names = ["Data", "NSData"]
    case _ where property.hasPrefix("date"): names = ["Date", "NSDate"]
    case _ where property.hasPrefix("decimal"): names = integers + flags + doubles + ["Decimal128", "number text"]
    case _ where property.hasPrefix("objectId"): names = ["ObjectId"]
    case _ where property.hasPrefix("uuid"): names = ["UUID", "NSUUID", "UUID text"]
    case _ where property.hasPrefix("number"): names = integers + flags
    default: names = ["OWord"]
    }
    return property.hasSuffix("Opt") ? names + nulls : names
  }

  static let properties: [String] = [
    "int", "int8", "int16", "int32", "int64", "bool", "float", "double", "string", "data", "date", "decimal", "objectId", "uuid", "number", "cents",
  ].flatMap { [$0, $0 + "Opt"] }

  @Test(arguments: NamedAccess.writable, properties) func inputsAreTakenOrRefusedByTheTypeOfTheProperty(_ access: NamedAccess, _ property: String)
    throws
  {
    let accepted = Set(Self.accepted(property))
    try access.withObject(OAll.self, [:]) { object in
      for (name, value) in Self.inputs {
        let failure = object.settingFailure(property, value)
        #expect((failure == nil) == accepted.contains(name), "\(name) in \(property): \(failure ?? "taken")")
        if Self.nulls.contains(name), failure == nil { #expect(object[property] == nil) }
      }
    }
  }

  @Test(arguments: NamedAccess.writable) func anyPropertiesTakeValuesOfEveryType(_ access: NamedAccess) throws {
    try access.withObject(OHolder.self, ["id": 1]) { holder in
      for (name, value) in Self.inputs where name != "object" {
        #expect(holder.settingFailure("any", value) == nil, "\(name)")
        #expect((holder["any"] == nil) == Self.nulls.contains(name), "\(name)")
      }
      holder["any"] = OWord.b
      #expect(holder["any"] as? String == "b")
      holder["any"] = OCents(0.07)
      #expect(holder["any"] as? Int == 7)
    }
  }

  @Test(arguments: NamedAccess.writable) func linksTakeObjectsInValuesOfAnyType(_ access: NamedAccess) throws {
    try access.withObject(OHolder.self, ["id": 1]) { holder in
      holder["tag"] = AnyRealmValue.object(OTag(value: [4, "t"]))
      #expect((holder["tag"] as? OTag)?.text == "t")
      holder["tag"] = AnyRealmValue.none
      #expect(holder["tag"] == nil)
      holder["tags"] = [AnyRealmValue.object(OTag(value: [6]))]
      #expect(holder.value(forKeyPath: "tags.id") as? [Int] == [6])
      holder["tags"] = AnyRealmValue.none
      #expect(holder.value(forKeyPath: "tags.@count") as? Int == 0)
      // A dynamic object gives dynamic elements.
      #expect(holder is DynamicObject ? holder["tags"] is List<DynamicObject> : holder["tags"] is List<OTag>)
    }
  }

  @Test(arguments: NamedAccess.writable) func collectionsAreReplacedByWhateverHasElements(_ access: NamedAccess) throws {
    let (list, set, map) = (List<Int>(), MutableSet<Int>(), Map<String, Int>())
    list.append(objectsIn: [1, 2])
    set.insert(objectsIn: [1, 2])
    map["a"] = 1
    map["b"] = 2
    let lists: [Any] = [
      [1, 2], [Int8(1), Int8(2)], NSArray(array: [1, 2]), Set([1, 2]), NSSet(array: [1, 2]), list, set, [NSNumber(value: 1), NSNumber(value: 2)],
      [AnyRealmValue.int(1), AnyRealmValue.int(2)], 1...2, [ONumber.one, ONumber.two],
    ]
    let maps: [Any] = [
      ["a": 1, "b": 2], ["a": Int8(1), "b": Int8(2)], NSDictionary(dictionary: ["a": 1, "b": 2]), map, ["a": AnyRealmValue.int(1), "b": .int(2)],
    ]
    try access.withObject(OHolder.self, ["id": 1]) { holder in
      for input in lists {
        holder["ints"] = input
        #expect((holder["ints"] as? List<Int>).map { $0.sorted() } == [1, 2], "\(input)")
        holder["intSet"] = input
        #expect((holder["intSet"] as? MutableSet<Int>).map { $0.sorted() } == [1, 2], "\(input)")
      }
      for input in maps {
        holder["intMap"] = input
        #expect((holder["intMap"] as? Map<String, Int>)?.keys.sorted() == ["a", "b"], "\(input)")
        #expect((holder["intMap"] as? Map<String, Int>)?["b"] == 2, "\(input)")
        if input is Map<String, Int> { continue }
        holder.setValue(input, forKey: "anyMap")
        #expect((holder["anyMap"] as? Map<String, AnyRealmValue>)?["b"] == .int(2), "\(input)")
      }
      for input in [nil, NSNull()] as [Any?] {
        for name in ["ints", "intSet", "intMap"] { holder[name] = input }
        #expect((holder["ints"] as? List<Int>)?.count == 0)
        #expect((holder["intSet"] as? MutableSet<Int>)?.count == 0)
        #expect((holder["intMap"] as? Map<String, Int>)?.count == 0)
      }
      #expect(holder.settingFailure("ints", ["x"]) != nil)
      #expect(holder.settingFailure("intMap", ["a": "x"]) != nil)
      #expect(holder.settingFailure("intMap", [1]) != nil)
      #expect(holder.settingFailure("ints", 1) != nil)
    }
  }

  @Test(arguments: NamedAccess.writable) func mapsOfOptionalsAndObjectsAreSetByName(_ access: NamedAccess) throws {
    try access.withObject(OHolder.self, ["id": 1]) { holder in
      let tags = Map<String, OTag?>()
      tags["a"] = OTag(value: [1])
      tags["b"] = .some(nil)
      holder["tagMap"] = tags
      func identifier(_ key: String) -> Any? {
        if let map = holder["tagMap"] as? Map<String, DynamicObject?> { return map[key]??["id"] }
        return (holder["tagMap"] as? Map<String, OTag?>)?[key]??.id
      }
      #expect(identifier("a") as? Int == 1)
      #expect(identifier("b") == nil)
      #expect(holder is DynamicObject ? holder["tagMap"] is Map<String, DynamicObject?> : holder["tagMap"] is Map<String, OTag?>)
      holder["tagMap"] = ["c": ["id": 9]]
      #expect(identifier("c") as? Int == 9)
    }
    try access.withObject(OAll.self, [:]) { all in
      let words = Map<String, String?>()
      words["a"] = "x"
      words["b"] = .some(nil)
      all["stringOptMap"] = words
      #expect((all["stringOptMap"] as? Map<String, String?>)?["a"] == .some("x"))
      #expect((all["stringOptMap"] as? Map<String, String?>)?["b"] == .some(nil))
      all["wordMap"] = ["a": "b"]
      if all is DynamicObject {
        #expect((all["wordMap"] as? Map<String, String>)?["a"] == "b")
      } else {
        #expect((all["wordMap"] as? Map<String, OWord>)?["a"] == .b)
      }
    }
  }

  @Test(arguments: NamedAccess.allCases) func selfIsTheObjectWhereverAPathNamesIt(_ access: NamedAccess) throws {
    try access.withObject(OHolder.self, ["id": 1, "name": "n", "tag": [2, "t"], "tags": [[7], [8]]]) { holder in
      #expect((holder.value(forKey: "self") as? Object)?.isSameObject(as: holder) == true)
      #expect((holder.value(forKeyPath: "self") as? Object)?.isSameObject(as: holder) == true)
      #expect(holder.value(forKeyPath: "self.name") as? String == "n")
      #expect(holder.value(forKeyPath: "tag.self.text") as? String == "t")
      #expect(holder.value(forKeyPath: "tags.self.id") as? [Int] == [7, 8])
      #expect((holder.value(forKeyPath: "tags.self") as? [Object])?.count == 2)
      let caught = try holder.throwing.value(forKey: "self") as? Object
      #expect(caught?.isSameObject(as: holder) == true)
      #expect(try holder.throwing.value(forKeyPath: "self.tag.id") as? Int == 2)
    }
  }

  @Test(arguments: NamedAccess.writable) func pathsAndUndefinedKeysAreSet(_ access: NamedAccess) throws {
    try access.withObject(OHolder.self, ["id": 1, "tag": [2, "t"], "part": ["p"], "tags": [[7], [8]]]) { holder in
      holder.setValue("u", forKeyPath: "tag.text")
      #expect(holder.value(forKeyPath: "tag.text") as? String == "u")
      holder.setValue(12, forKeyPath: "part.number")
      #expect(holder.value(forKeyPath: "part.number") as? Int8 == 12)
      holder.setValue("n", forKeyPath: "name")
      #expect(holder["name"] as? String == "n")
      holder.setValue("m", forUndefinedKey: "name")
      #expect(holder.value(forUndefinedKey: "name") as? String == "m")
      holder.setValue("all", forKeyPath: "tags.text")
      #expect(holder.value(forKeyPath: "tags.text") as? [String] == ["all", "all"])
      holder["tag"] = nil
      holder.setValue("x", forKeyPath: "tag.text")
      #expect(holder.value(forKeyPath: "tag.text") == nil)
    }
  }

  @Test(arguments: NamedAccess.writable) func unknownRawValuesOfOptionalTypesReadAsNil(_ access: NamedAccess) throws {
    try access.withObject(OAll.self, ["numberOpt": 1, "wordOpt": "a", "evenOpt": 2]) { all in
      all["numberOpt"] = 99
      all["wordOpt"] = "zzz"
      all["evenOpt"] = 3
      if let typed = all as? OAll {
        #expect(typed.numberOpt == nil)
        #expect(typed.wordOpt == nil)
        #expect(typed.evenOpt == nil)
      }
    }
  }
}

@Suite struct ByNameCollectionTests {
  @Test(arguments: [false, true]) func collectionsGiveTheValuesOfAKey(_ isManaged: Bool) throws {
    let directory = TestDirectory()
    let realm = try directory.objectRealm()
    realm.beginWrite()
    let values: [String: Any] = [
      "id": 1, "plains": [["text": "a", "number": 1, "next": ["text": "n"]], ["text": "b", "number": 2]], "anyList": [1, "x", NSNull()] as [Any],
      "anySet": [1, NSNull()] as [Any], "anyMap": ["a": 1, "b": NSNull()] as [String: Any], "tagSet": [[1, "t", 5], [2, "t", 6]], "intSet": [3, 4],
      "plainMap": ["k": ["text": "m"]],
    ]
    let holder = isManaged ? realm.create(OHolder.self, value: values) : OHolder(value: values)
    let numbers = holder.plains.value(forKey: "number") as Any?
    #expect(numbers as? [Int] == [1, 2])
    #expect(numbers as? [Int8] == [1, 2])
    #expect(numbers as? [NSNumber] == [1, 2])
    #expect(numbers as? NSArray == [1, 2])
    let texts: [AnyObject] = holder.plains.value(forKey: "text")
    #expect(texts as? [String] == ["a", "b"])
    // What is null is nil where the caller wants optionals, and `NSNull` where not.
    let next = holder.plains.value(forKeyPath: "next.text") as Any?
    #expect(next as? [String?] == ["n", nil])
    #expect((next as? [Any])?.last is NSNull)
    let nextObjects: [AnyObject] = holder.plains.value(forKeyPath: "next.text")
    #expect(nextObjects as? [String?] == ["n", nil])
    #expect(nextObjects.last is NSNull)

    let contents = holder.anyList.value(forKey: "self") as Any?
    #expect((contents as? [Any])?.first as? Int == 1)
    #expect((contents as? [Any])?[1] as? String == "x")
    #expect((contents as? [Any])?[2] is NSNull)
    #expect(holder.anyMap.value(forKey: "a") as? Int == 1)
    #expect(holder.anyMap.object(forKey: "a" as AnyObject) as? Int8 == 1)
    #expect(holder.plainMap.value(forKey: "k") is OPlain)
    #expect(holder.anyList.value(forKeyPath: "@count") as Any? as? Int == 3)

    let set = holder.tagSet.value(forKey: "number") as Any?
    #expect(set as? Set<Int> == [5, 6])
    #expect((set as? NSSet)?.count == 2)
    #expect(holder.tagSet.value(forKey: "text") as Any? as? Set<String> == ["t"])
    #expect(Set(holder.tagSet.value(forKey: "text") as [AnyObject] as? [String] ?? []) == ["t"])
    #expect(AnyRealmCollection(holder.tagSet).value(forKey: "number") as? Set<Int> == [5, 6])
    #expect(holder.intSet.value(forKey: "self") as Any? as? Set<Int> == [3, 4])
    #expect(holder.value(forKeyPath: "tagSet.number") as? Set<Int> == [5, 6])
    #expect(holder.tagSet.value(forKeyPath: "@sum.number") as? Int == 11)
    #expect((holder.anySet.value(forKey: "self") as Any? as? NSSet)?.count == 2)

    for value in [holder.plains.value(forKeyPath: "@max.number") as Any?, holder.value(forKeyPath: "plains.@max.number")] {
      #expect(value as? NSNumber == 2)
      #expect(value as? Int16 == 2)
    }
    #expect(holder.plains.value(forKeyPath: "@avg.number") as Any? as? Double == 1.5)
    realm.cancelWrite()
  }

  @Test(arguments: [false, true]) func collectionsSetAKeyOfAllElements(_ isManaged: Bool) throws {
    let directory = TestDirectory()
    let realm = try directory.objectRealm()
    realm.beginWrite()
    let values: [String: Any] = [
      "id": 1, "plains": [["a", 1, ["n"]], ["b", 2, ["o"]]], "ints": [1, 2, 3], "intSet": [1, 2], "tagSet": [[1], [2]], "intMap": ["a": 1],
    ]
    let holder = isManaged ? realm.create(OHolder.self, value: values) : OHolder(value: values)
    holder.plains.setValue(Int8(9), forKey: "number")
    #expect(holder.plains.map(\.number) == [9, 9])
    holder.plains.setValue("z", forKeyPath: "next.text")
    #expect(holder.plains.map { $0.next?.text } == ["z", "z"])
    holder.tagSet.setValue("s", forKey: "text")
    #expect(holder.tagSet.map(\.text) == ["s", "s"])
    holder.ints.setValue(5, forKey: "self")
    #expect(Array(holder.ints) == [5, 5, 5])
    holder.intSet.setValue(7, forKey: "self")
    #expect(Array(holder.intSet) == [7])
    holder.intMap.setValue(Int8(4), forKey: "b")
    #expect(holder.intMap["b"] == 4)
    holder.intMap.setValue(nil, forKey: "a")
    #expect(holder.intMap.count == 1)
    realm.cancelWrite()
  }

  @Test func resultsSetAKeyOfAllElements() throws {
    let directory = TestDirectory()
    let realm = try directory.objectRealm()
    try realm.write {
      for id in 1...3 { realm.create(OTag.self, value: [id]) }
      realm.objects(OTag.self).filter("id > 1").setValue("t", forKey: "text")
    }
    #expect(realm.objects(OTag.self).value(forKey: "text") as? [String] == ["new", "t", "t"])
  }
}
