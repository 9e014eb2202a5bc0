import Foundation
import OpenCombine
import RealmSwift
import Synchronization
import TestSupport

class Walk: Object, ObjectKeyIdentifiable {
  @Persisted var title = ""
  @Persisted var kilometres = 0
  @Persisted var stops: List<Stop>
  @Persisted var tags: MutableSet<String>
  @Persisted var ratings: Map<String, Int>
  @Persisted var start: Place?
}

class Stop: Object {
  @Persisted var name = ""
  @Persisted var minutes = 0
  @Persisted(originProperty: "stops") var walks: LinkingObjects<Walk>
}

class Place: EmbeddedObject {
  @Persisted var street = ""
}

final class WalkSummary: Projection<Walk> {
  @Projected(\Walk.title) var title
}

extension TestDirectory {
  var configuration: Realm.Configuration { Self.configuration(in: path) }

  static func configuration(in path: String) -> Realm.Configuration {
    Realm.Configuration(fileURL: URL(fileURLWithPath: path).appendingPathComponent("walks.realm"), objectTypes: [Walk.self, Stop.self, Place.self])
  }

  /// Commits on a thread of its own and returns when that is done.
  func commitElsewhere(_ body: @escaping @Sendable (Realm) throws -> Void) throws {
    let configuration = configuration
    try otherThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { try body(realm) }
    }
  }
}

typealias Log = LineLog

/// Has a property for a token, as view controllers have.
final class TokenOwner {
  var token: NotificationToken?
}
