import Foundation
import RealmStorage
import RealmSwift
import TestSupport

/// What observers were told, one line for each report; may be used on any thread.
final class ReportLog: Sendable {
  private let lines = Locked<[String]>([])

  func add(_ line: String) { lines.withLock { $0.append(line) } }

  /// `initial`, or `-[deletions] +[insertions] ~[modifications]`.
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

  /// `deleted`, or `name: old -> new` of each property.
  func note<T>(_ change: ObjectChange<T>) {
    switch change {
    case .deleted: add("deleted")
    case .change(_, let changes): add(changes.map { "\($0.name): \(Self.text($0.oldValue)) -> \(Self.text($0.newValue))" }.joined(separator: ", "))
    case .error(let error): add("\(error)")
    }
  }

  private static func text(_ value: Any?) -> String {
    switch value {
    case nil: "nil"
    case is NSNull: "null"
    case let object as Dog: object.isInvalidated ? "a deleted dog" : object.name
    case let value?: "\(value)"
    }
  }

  var all: [String] { lines.withLock { $0 } }

  /// What was told since the last call.
  func take() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}

extension TestDirectory {
  /// Commits on a thread of its own and returns when that is done.
  func commitElsewhere(_ body: @escaping @Sendable (Realm) throws -> Void) throws {
    let configuration = configuration()
    try otherThread {
      let realm = try Realm(configuration: configuration)
      try realm.write { try body(realm) }
    }
  }
}
