import Foundation
import RealmSwift
import TestSupport

// Models of the tests of objects and collections. None is part of the default schema.

class Unlisted: Object { override class func shouldIncludeInDefaultSchema() -> Bool { false } }
class UnlistedEmbedded: EmbeddedObject { override class func shouldIncludeInDefaultSchema() -> Bool { false } }

enum ONumber: Int, PersistableEnum, Codable {
  case one = 1
  case two, three
}
enum OWord: String, PersistableEnum, Codable { case a, b, c }

struct OCents: CustomPersistable {
  typealias PersistedType = Int
  var amount: Double
  init(_ amount: Double) { self.amount = amount }
  init(persistedValue: Int) { amount = Double(persistedValue) / 100 }
  var persistableValue: Int { Int((amount * 100).rounded()) }
}

/// Not every stored number has a counterpart.
struct OEven: FailableCustomPersistable {
  typealias PersistedType = Int
  var half: Int
  init(_ half: Int) { self.half = half }
  init?(persistedValue: Int) {
    guard persistedValue.isMultiple(of: 2) else { return nil }
    half = persistedValue / 2
  }
  var persistableValue: Int { half * 2 }
}

class OPointData: UnlistedEmbedded {
  @Persisted var x = 1
  @Persisted var y = 2
}

struct OPoint: CustomPersistable {
  typealias PersistedType = OPointData
  var x: Int
  var y: Int
  init(_ x: Int, _ y: Int) { (self.x, self.y) = (x, y) }
  init(persistedValue: OPointData) { (x, y) = (persistedValue.x, persistedValue.y) }
  var persistableValue: OPointData { OPointData(value: [x, y]) }
}

class OPlaces: Unlisted {
  @Persisted var point: OPoint
  @Persisted var maybe: OPoint?
  @Persisted var list: List<OPoint>
  @Persisted var map: Map<String, OPoint?>
}

/// Every scalar type, plain, optional and in every kind of collection.
class OAll: Unlisted {
  @Persisted var int: Int
  @Persisted var intOpt: Int?
  @Persisted var intList: List<Int>
  @Persisted var intOptList: List<Int?>
  @Persisted var intSet: MutableSet<Int>
  @Persisted var intOptSet: MutableSet<Int?>
  @Persisted var intMap: Map<String, Int>
  @Persisted var intOptMap: Map<String, Int?>
  @Persisted var int8: Int8
  @Persisted var int8Opt: Int8?
  @Persisted var int8List: List<Int8>
  @Persisted var int8OptList: List<Int8?>
  @Persisted var int8Set: MutableSet<Int8>
  @Persisted var int8OptSet: MutableSet<Int8?>
  @Persisted var int8Map: Map<String, Int8>
  @Persisted var int8OptMap: Map<String, Int8?>
  @Persisted var int16: Int16
  @Persisted var int16Opt: Int16?
  @Persisted var int16List: List<Int16>
  @Persisted var int16OptList: List<Int16?>
  @Persisted var int16Set: MutableSet<Int16>
  @Persisted var int16OptSet: MutableSet<Int16?>
  @Persisted var int16Map: Map<String, Int16>
  @Persisted var int16OptMap: Map<String, Int16?>
  @Persisted var int32: Int32
  @Persisted var int32Opt: Int32?
  @Persisted var int32List: List<Int32>
  @Persisted var int32OptList: List<Int32?>
  @Persisted var int32Set: MutableSet<Int32>
  @Persisted var int32OptSet: MutableSet<Int32?>
  @Persisted var int32Map: Map<String, Int32>
  @Persisted var int32OptMap: Map<String, Int32?>
  @Persisted var int64: Int64
  @Persisted var int64Opt: Int64?
  @Persisted var int64List: List<Int64>
  @Persisted var int64OptList: List<Int64?>
  @Persisted var int64Set: MutableSet<Int64>
  @Persisted var int64OptSet: MutableSet<Int64?>
  @Persisted var int64Map: Map<String, Int64>
  @Persisted var int64OptMap: Map<String, Int64?>
  @Persisted var bool: Bool
  @Persisted var boolOpt: Bool?
  @Persisted var boolList: List<Bool>
  @Persisted var boolOptList: List<Bool?>
  @Persisted var boolSet: MutableSet<Bool>
  @Persisted var boolOptSet: MutableSet<Bool?>
  @Persisted var boolMap: Map<String, Bool>
  @Persisted var boolOptMap: Map<String, Bool?>
  @Persisted var float: Float
  @Persisted var floatOpt: Float?
  @Persisted var floatList: List<Float>
  @Persisted var floatOptList: List<Float?>
  @Persisted var floatSet: MutableSet<Float>
  @Persisted var floatOptSet: MutableSet<Float?>
  @Persisted var floatMap: Map<String, Float>
  @Persisted var floatOptMap: Map<String, Float?>
  @Persisted var double: Double
  @Persisted var doubleOpt: Double?
  @Persisted var doubleList: List<Double>
  @Persisted var doubleOptList: List<Double?>
  @Persisted var doubleSet: MutableSet<Double>
  @Persisted var doubleOptSet: MutableSet<Double?>
  @Persisted var doubleMap: Map<String, Double>
  @Persisted var doubleOptMap: Map<String, Double?>
  @Persisted var string: String
  @Persisted var stringOpt: String?
  @Persisted var stringList: List<String>
  @Persisted var stringOptList: List<String?>
  @Persisted var stringSet: MutableSet<String>
  @Persisted var stringOptSet: MutableSet<String?>
  @Persisted var stringMap: Map<String, String>
  @Persisted var stringOptMap: Map<String, String?>
  @Persisted var data: Data
  @Persisted var dataOpt: Data?
  @Persisted var dataList: List<Data>
  @Persisted var dataOptList: List<Data?>
  @Persisted var dataSet: MutableSet<Data>
  @Persisted var dataOptSet: MutableSet<Data?>
  @Persisted var dataMap: Map<String, Data>
  @Persisted var dataOptMap: Map<String, Data?>
  @Persisted var date: Date
  @Persisted var dateOpt: Date?
  @Persisted var dateList: List<Date>
  @Persisted var dateOptList: List<Date?>
  @Persisted var dateSet: MutableSet<Date>
  @Persisted var dateOptSet: MutableSet<Date?>
  @Persisted var dateMap: Map<String, Date>
  @Persisted var dateOptMap: Map<String, Date?>
  @Persisted var decimal: Decimal128
  @Persisted var decimalOpt: Decimal128?
  @Persisted var decimalList: List<Decimal128>
  @Persisted var decimalOptList: List<Decimal128?>
  @Persisted var decimalSet: MutableSet<Decimal128>
  @Persisted var decimalOptSet: MutableSet<Decimal128?>
  @Persisted var decimalMap: Map<String, Decimal128>
  @Persisted var decimalOptMap: Map<String, Decimal128?>
  @Persisted var objectId: ObjectId
  @Persisted var objectIdOpt: ObjectId?
  @Persisted var objectIdList: List<ObjectId>
  @Persisted var objectIdOptList: List<ObjectId?>
  @Persisted var objectIdSet: MutableSet<ObjectId>
  @Persisted var objectIdOptSet: MutableSet<ObjectId?>
  @Persisted var objectIdMap: Map<String, ObjectId>
  @Persisted var objectIdOptMap: Map<String, ObjectId?>
  @Persisted var uuid: UUID
  @Persisted var uuidOpt: UUID?
  @Persisted var uuidList: List<UUID>
  @Persisted var uuidOptList: List<UUID?>
  @Persisted var uuidSet: MutableSet<UUID>
  @Persisted var uuidOptSet: MutableSet<UUID?>
  @Persisted var uuidMap: Map<String, UUID>
  @Persisted var uuidOptMap: Map<String, UUID?>
  @Persisted var number: ONumber
  @Persisted var numberOpt: ONumber?
  @Persisted var numberList: List<ONumber>
  @Persisted var numberOptList: List<ONumber?>
  @Persisted var numberSet: MutableSet<ONumber>
  @Persisted var numberOptSet: MutableSet<ONumber?>
  @Persisted var numberMap: Map<String, ONumber>
  @Persisted var numberOptMap: Map<String, ONumber?>
  @Persisted var word: OWord
  @Persisted var wordOpt: OWord?
  @Persisted var wordList: List<OWord>
  @Persisted var wordOptList: List<OWord?>
  @Persisted var wordSet: MutableSet<OWord>
  @Persisted var wordOptSet: MutableSet<OWord?>
  @Persisted var wordMap: Map<String, OWord>
  @Persisted var wordOptMap: Map<String, OWord?>
  @Persisted var cents: OCents
  @Persisted var centsOpt: OCents?
  @Persisted var centsList: List<OCents>
  @Persisted var centsOptList: List<OCents?>
  @Persisted var centsSet: MutableSet<OCents>
  @Persisted var centsOptSet: MutableSet<OCents?>
  @Persisted var centsMap: Map<String, OCents>
  @Persisted var centsOptMap: Map<String, OCents?>
  @Persisted var even: OEven
  @Persisted var evenOpt: OEven?
  @Persisted var evenList: List<OEven>
  @Persisted var evenOptList: List<OEven?>
  @Persisted var evenSet: MutableSet<OEven>
  @Persisted var evenOptSet: MutableSet<OEven?>
  @Persisted var evenMap: Map<String, OEven>
  @Persisted var evenOptMap: Map<String, OEven?>
}

class OTag: Unlisted {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var text = "new"
  @Persisted var number = 7
  @Persisted(originProperty: "tags") var holders: LinkingObjects<OHolder>
  @Persisted(originProperty: "tag") var singles: LinkingObjects<OHolder>
}

class OPlain: Unlisted {
  @Persisted var text = "new"
  @Persisted var number = 7
  @Persisted var next: OPlain?
}

class OPart: UnlistedEmbedded {
  @Persisted var text = "new"
  @Persisted var number = 7
  @Persisted var tag: OTag?
  @Persisted var parts: List<OLeaf>
  @Persisted(originProperty: "part") var parents: LinkingObjects<OHolder>
}
class OLeaf: UnlistedEmbedded { @Persisted var text: String }

/// Links and collections of every kind.
class OHolder: Unlisted {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String?
  @Persisted var tag: OTag?
  @Persisted var plain: OPlain?
  @Persisted var part: OPart?
  @Persisted var ints: List<Int>
  @Persisted var tags: List<OTag>
  @Persisted var plains: List<OPlain>
  @Persisted var parts: List<OPart>
  @Persisted var intSet: MutableSet<Int>
  @Persisted var tagSet: MutableSet<OTag>
  @Persisted var intMap: Map<String, Int>
  @Persisted var tagMap: Map<String, OTag?>
  @Persisted var plainMap: Map<String, OPlain?>
  @Persisted var partMap: Map<String, OPart?>
  @Persisted var any: AnyRealmValue
  @Persisted var anyList: List<AnyRealmValue>
  @Persisted var anySet: MutableSet<AnyRealmValue>
  @Persisted var anyMap: Map<String, AnyRealmValue>
}

let objectTypes: [ObjectBase.Type] = [
  OAll.self, OTag.self, OPlain.self, OPart.self, OLeaf.self, OHolder.self, OPointData.self, OPlaces.self, OIdentified.self, ODescribed.self,
]

/// A file with `objectTypes` and no object.
private let objectFile = Result {
  let directory = TestDirectory()
  try autoreleasepool { _ = try Realm(configuration: directory.configuration(objectTypes)) }
  return try Data(contentsOf: directory.fileURL())
}

extension TestDirectory {
  /// With all of them. The file begins as a copy of one that was made once: hundreds of tests want one, and making so many properties takes long.
  func objectRealm() throws -> Realm {
    if !FileManager.default.fileExists(atPath: fileURL().path) { try objectFile.get().write(to: fileURL()) }
    return try Realm(configuration: configuration(objectTypes))
  }
}
