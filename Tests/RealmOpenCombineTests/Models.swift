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

/// What subscribers were sent, one line each; may be used on any thread.
final class Log: Sendable {
  private let lines = Mutex<[String]>([])

  func add(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0 } }

  func take() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }

  func end<E>(_ completion: Subscribers.Completion<E>) {
    switch completion {
    case .finished: add("finished")
    case .failure(let error): add("\(error)")
    }
  }

  func note<C>(_ change: RealmCollectionChange<C>) {
    switch change {
    case .initial: add("initial")
    case .update(_, let deletions, let insertions, let modifications): add("-\(deletions) +\(insertions) ~\(modifications)")
    case .error(let error): add("\(error)")
    }
  }

  func note<M: RealmKeyedCollection>(_ change: RealmMapChange<M>) {
    switch change {
    case .initial: add("initial")
    case .update(_, let deletions, let insertions, let modifications): add("-\(deletions) +\(insertions) ~\(modifications)")
    case .error(let error): add("\(error)")
    }
  }

  func note<S>(_ change: SectionedResultsChange<S>) {
    switch change {
    case .initial: add("initial")
    case .update(_, let deletions, let insertions, let modifications, let inserted, let deleted):
      add("-\(deletions.map(Array.init)) +\(insertions.map(Array.init)) ~\(modifications.map(Array.init)) +s\(Array(inserted)) -s\(Array(deleted))")
    }
  }

  func note<T>(_ change: ObjectChange<T>) {
    switch change {
    case .change(_, let properties): add(properties.map { "\($0.name): \($0.newValue ?? "nil")" }.joined(separator: ", "))
    case .deleted: add("deleted")
    case .error(let error): add("\(error)")
    }
  }
}

/// Has a property for a token, as view controllers have.
final class TokenOwner {
  var token: NotificationToken?
}
