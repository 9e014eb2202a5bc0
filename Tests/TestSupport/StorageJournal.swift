import RealmStorage

/// Storages by the order in which a database opened them.
// SAFETY: a test opens its databases one after the other, from its own thread.
package final class StorageJournal: @unchecked Sendable {
  package private(set) var storages: [SimulatedStorage] = []

  package var last: SimulatedStorage { storages.last! }

  package init() {}

  package func options(_ base: DatabaseOptions = DatabaseOptions()) -> DatabaseOptions {
    var options = base
    options.openStorage = { [unowned self] (path, mode) throws(StorageError) in
      if mode == .readOnly { return try FileStorage(path: path, mode: mode) }
      let storage = try SimulatedStorage(path: path, mode: mode)
      storages.append(storage)
      return storage
    }
    return options
  }
}
