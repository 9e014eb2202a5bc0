import Foundation
import RealmSwift

enum QueryLevel: Int, PersistableEnum {
  case low = 1
  case high = 2
}
enum QueryColour: String, PersistableEnum { case red, green }

struct QueryMetres: CustomPersistable {
  typealias PersistedType = Double
  var value: Double
  init(_ value: Double) { self.value = value }
  init(persistedValue: Double) { value = persistedValue }
  var persistableValue: Double { value }
}

struct QueryPair: CustomPersistable {
  typealias PersistedType = QueryPairObject
  var left: Int
  var right: String?
  init(left: Int, right: String?) { (self.left, self.right) = (left, right) }
  init(persistedValue: QueryPairObject) { self.init(left: persistedValue.left, right: persistedValue.right) }
  var persistableValue: QueryPairObject { QueryPairObject(value: ["left": left, "right": right as Any] as [String: Any]) }
}

class QueryPairObject: EmbeddedObject {
  @Persisted var left: Int
  @Persisted var right: String?
}

class QueryPlace: EmbeddedObject {
  @Persisted var type: String = "Point"
  @Persisted var coordinates: List<Double>
  @Persisted var name: String
}

class QueryPet: Object {
  @Persisted var name: String
  @Persisted var nickname: String?
  @Persisted var age: Int
  @Persisted var isGood: Bool
  @Persisted var scores: List<Int>
  @Persisted var place: QueryPlace?
  @Persisted(originProperty: "pets") var owners: LinkingObjects<QueryPerson>
}

class QueryPerson: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var flag: Bool
  @Persisted var otherFlag: Bool
  @Persisted var optFlag: Bool?
  @Persisted var a: Int
  @Persisted var b: Int
  @Persisted var i8: Int8
  @Persisted var i16: Int16
  @Persisted var i32: Int32
  @Persisted var i64: Int64
  @Persisted var f: Float
  @Persisted var d: Double
  @Persisted var dec: Decimal128
  @Persisted var date: Date
  @Persisted var s: String
  @Persisted var t: String
  @Persisted var data: Data
  @Persisted var oid: ObjectId
  @Persisted var uuid: UUID
  @Persisted var mixed: AnyRealmValue
  @Persisted var level: QueryLevel
  @Persisted var colour: QueryColour
  @Persisted var height: QueryMetres
  @Persisted var pair: QueryPair

  @Persisted var optA: Int?
  @Persisted var optD: Double?
  @Persisted var optDate: Date?
  @Persisted var optS: String?
  @Persisted var optData: Data?
  @Persisted var optLevel: QueryLevel?
  @Persisted var optHeight: QueryMetres?

  @Persisted var friend: QueryPerson?
  @Persisted var pet: QueryPet?
  @Persisted var place: QueryPlace?

  @Persisted var pets: List<QueryPet>
  @Persisted var petSet: MutableSet<QueryPet>
  @Persisted var places: List<QueryPlace>
  @Persisted var pairs: List<QueryPair>
  @Persisted var ints: List<Int>
  @Persisted var optInts: List<Int?>
  @Persisted var strings: List<String>
  @Persisted var dates: MutableSet<Date>
  @Persisted var anys: List<AnyRealmValue>
  @Persisted var levels: List<QueryLevel>
  @Persisted var optLevels: List<QueryLevel?>
  @Persisted var heights: MutableSet<QueryMetres>
  @Persisted var map: Map<String, Int>
  @Persisted var optMap: Map<String, Int?>
  @Persisted var stringMap: Map<String, String>
  @Persisted var petMap: Map<String, QueryPet?>
  @Persisted var levelMap: Map<String, QueryLevel>
}

let queryTypes: [ObjectBase.Type] = [QueryPerson.self, QueryPet.self, QueryPlace.self, QueryPairObject.self]
