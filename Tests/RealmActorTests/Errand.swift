import Foundation
import RealmSwift
import Synchronization
import TestSupport

/// The model of these tests: values of Sendable types, one link, one list.
class Errand: Object {
  @Persisted(primaryKey: true) var _id: ObjectId
  @Persisted var name: String
  @Persisted var owner: String
  @Persisted var status: String
  @Persisted var place: Shop?
  @Persisted var notes: List<String>
}

class Shop: Object {
  @Persisted var street = ""
}

/// Another view of an errand.
class ErrandView: Projection<Errand> {
  @Projected(\Errand.owner) var owner
  @Projected(\Errand.status) var state
}

/// What crosses actors in place of an errand.
struct ErrandValues: Equatable {
  var id: ObjectId
  var name, owner, status: String
  init(_ errand: Errand) { (id, name, owner, status) = (errand._id, errand.name, errand.owner, errand.status) }
}

extension TestDirectory {
  var configuration: Realm.Configuration { Self.configuration(in: path) }

  static func configuration(in path: String) -> Realm.Configuration {
    Realm.Configuration(fileURL: URL(fileURLWithPath: path).appendingPathComponent("errands.realm"), objectTypes: [Errand.self, Shop.self])
  }
}

typealias Log = LineLog
