import OpenCombine
import RealmSwift
import TestSupport

/// What subscribers were sent.
extension LineLog {
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
