import Foundation
import RealmSwift

// Models in the way the documentation writes them, for the surface that has to compile. None is opened by the default schema.

enum SKind: String, PersistableEnum { case small, large }

class SToy: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted(indexed: true) var name: String = ""
  @Persisted var kind: SKind
  @Persisted var kindOpt: SKind?
  @Persisted var count = 0
  @Persisted var price: Double?
  @Persisted var weight: Decimal128
  @Persisted var made: Date
  @Persisted var any: AnyRealmValue
  @Persisted var owner: SOwner?
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class SPlace: EmbeddedObject {
  @Persisted private var type: String = "Point"
  @Persisted private var coordinates: List<Double>
  var latitude: Double { coordinates[1] }
  convenience init(_ latitude: Double, _ longitude: Double) {
    self.init()
    coordinates.append(objectsIn: [longitude, latitude])
  }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class SOwner: Object, ObjectKeyIdentifiable {
  @Persisted(primaryKey: true) var id: UUID
  @Persisted var name: String
  @Persisted var age: Int?
  @Persisted var place: SPlace?
  @Persisted var toys: List<SToy>
  @Persisted var numbers: List<Int>
  @Persisted var words: MutableSet<String>
  @Persisted var best: MutableSet<SToy>
  @Persisted var byName: Map<String, SToy?>
  @Persisted var prices: Map<String, Double>
  @Persisted(originProperty: "owner") var owned: LinkingObjects<SToy>
  override class func propertiesMapping() -> [String: String] { ["name": "owner_name"] }
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class SOwnerView: Projection<SOwner> {
  @Projected(\SOwner.name) var called
  @Projected(\SOwner.age) var years
  @Projected(\SOwner.toys.projectTo.name) var toyNames
}

class SRecord: AsymmetricObject {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var text: String
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class SCodable: Object, Codable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String?
  @Persisted var tags: List<String>
  @Persisted var counts: Map<String, Int>
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
