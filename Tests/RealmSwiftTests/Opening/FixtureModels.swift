import Foundation
import RealmSwift

// The classes of the files `os_*`, which were written through the original engine's object layer as its SDKs do it.

class OSAddress: EmbeddedObject {
  override class func _realmObjectName() -> String? { "Address" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  @Persisted var street: String?
  @Persisted var city: String
}

class OSDog: Object {
  override class func _realmObjectName() -> String? { "Dog" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  @Persisted var name: String?
  @Persisted(indexed: true) var age: Int
}

class OSKinds: Object {
  override class func _realmObjectName() -> String? { "Kinds" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var pInt: Int
  @Persisted var oInt: Int?
  @Persisted var lInt: List<Int>
  @Persisted var loInt: List<Int?>
  @Persisted var sInt: MutableSet<Int>
  @Persisted var soInt: MutableSet<Int?>
  @Persisted var mInt: Map<String, Int>
  @Persisted var moInt: Map<String, Int?>
  @Persisted var pBool: Bool
  @Persisted var oBool: Bool?
  @Persisted var lBool: List<Bool>
  @Persisted var loBool: List<Bool?>
  @Persisted var sBool: MutableSet<Bool>
  @Persisted var soBool: MutableSet<Bool?>
  @Persisted var mBool: Map<String, Bool>
  @Persisted var moBool: Map<String, Bool?>
  @Persisted var pFloat: Float
  @Persisted var oFloat: Float?
  @Persisted var lFloat: List<Float>
  @Persisted var loFloat: List<Float?>
  @Persisted var sFloat: MutableSet<Float>
  @Persisted var soFloat: MutableSet<Float?>
  @Persisted var mFloat: Map<String, Float>
  @Persisted var moFloat: Map<String, Float?>
  @Persisted var pDouble: Double
  @Persisted var oDouble: Double?
  @Persisted var lDouble: List<Double>
  @Persisted var loDouble: List<Double?>
  @Persisted var sDouble: MutableSet<Double>
  @Persisted var soDouble: MutableSet<Double?>
  @Persisted var mDouble: Map<String, Double>
  @Persisted var moDouble: Map<String, Double?>
  @Persisted var pString: String
  @Persisted var oString: String?
  @Persisted var lString: List<String>
  @Persisted var loString: List<String?>
  @Persisted var sString: MutableSet<String>
  @Persisted var soString: MutableSet<String?>
  @Persisted var mString: Map<String, String>
  @Persisted var moString: Map<String, String?>
  @Persisted var pData: Data
  @Persisted var oData: Data?
  @Persisted var lData: List<Data>
  @Persisted var loData: List<Data?>
  @Persisted var sData: MutableSet<Data>
  @Persisted var soData: MutableSet<Data?>
  @Persisted var mData: Map<String, Data>
  @Persisted var moData: Map<String, Data?>
  @Persisted var pDate: Date
  @Persisted var oDate: Date?
  @Persisted var lDate: List<Date>
  @Persisted var loDate: List<Date?>
  @Persisted var sDate: MutableSet<Date>
  @Persisted var soDate: MutableSet<Date?>
  @Persisted var mDate: Map<String, Date>
  @Persisted var moDate: Map<String, Date?>
  @Persisted var pDecimal: Decimal128
  @Persisted var oDecimal: Decimal128?
  @Persisted var lDecimal: List<Decimal128>
  @Persisted var loDecimal: List<Decimal128?>
  @Persisted var sDecimal: MutableSet<Decimal128>
  @Persisted var soDecimal: MutableSet<Decimal128?>
  @Persisted var mDecimal: Map<String, Decimal128>
  @Persisted var moDecimal: Map<String, Decimal128?>
  @Persisted var pObjectId: ObjectId
  @Persisted var oObjectId: ObjectId?
  @Persisted var lObjectId: List<ObjectId>
  @Persisted var loObjectId: List<ObjectId?>
  @Persisted var sObjectId: MutableSet<ObjectId>
  @Persisted var soObjectId: MutableSet<ObjectId?>
  @Persisted var mObjectId: Map<String, ObjectId>
  @Persisted var moObjectId: Map<String, ObjectId?>
  @Persisted var pUUID: UUID
  @Persisted var oUUID: UUID?
  @Persisted var lUUID: List<UUID>
  @Persisted var loUUID: List<UUID?>
  @Persisted var sUUID: MutableSet<UUID>
  @Persisted var soUUID: MutableSet<UUID?>
  @Persisted var mUUID: Map<String, UUID>
  @Persisted var moUUID: Map<String, UUID?>
  @Persisted var any: AnyRealmValue
  @Persisted var lAny: List<AnyRealmValue>
  @Persisted var sAny: MutableSet<AnyRealmValue>
  @Persisted var mAny: Map<String, AnyRealmValue>
  @Persisted var link: OSPerson?
  @Persisted var lLink: List<OSPerson>
  @Persisted var sLink: MutableSet<OSPerson>
  @Persisted var mLink: Map<String, OSPerson?>
  @Persisted var emb: OSAddress?
  @Persisted var lEmb: List<OSAddress>
  @Persisted var mEmb: Map<String, OSAddress?>
}

class OSPerson: Object {
  override class func _realmObjectName() -> String? { "Person" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  @Persisted(primaryKey: true) var id: Int
  @Persisted(indexed: true) var name: String
  @Persisted(fullTextIndexed: true) var bio: String
  @Persisted var dog: OSDog?
}

class OSMGone: Object {
  override class func _realmObjectName() -> String? { "Gone" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  @Persisted var x: Int
}

class OSMItem: Object {
  override class func _realmObjectName() -> String? { "Item" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  @Persisted(primaryKey: true) var id: String
  @Persisted var renamed: String
  @Persisted var count: Int?
  @Persisted var maybe: Double
  @Persisted var tags: List<String>
  @Persisted(indexed: true) var added: Bool
}

class OSMNew: Object {
  override class func _realmObjectName() -> String? { "New" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  @Persisted(primaryKey: true) var key: UUID?
  @Persisted var item: OSMItem?
}

class OSSA: Object {
  override class func _realmObjectName() -> String? { "A" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  @Persisted var x: Int
}

class OSSB: Object {
  override class func _realmObjectName() -> String? { "B" }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  @Persisted var a: OSSA?
}
