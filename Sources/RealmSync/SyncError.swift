package import Changesets
package import Merge
package import RealmStorage

/// Why a file could not be synchronised. It is as it was before.
package enum SyncError: Error, Sendable, CustomStringConvertible {
  /// Bytes that are no changeset; `number` counts those of one download from 0.
  case malformed(ChangesetError, number: Int)
  /// An instruction that cannot be executed; `number` counts the changesets of one download from 0.
  case notApplicable(ApplicationError, number: Int)
  /// Contradicts what this file has changed.
  case contradiction(MergeError)
  /// Versions that do not follow from what both sides knew before.
  case badProgress(String)
  /// A changeset in the file, of the given version, that cannot be read here.
  case unreadable(version: UInt64, String)
  /// What the file says about its synchronisation cannot be.
  case badState(String)
  /// What the engine says.
  case storage(StorageError)

  /// For people.
  package var description: String {
    switch self {
    case .malformed(let error, let number): "changeset \(number) of the download is damaged: \(error)"
    case .notApplicable(let error, let number): "changeset \(number) of the download cannot be applied: \(error)"
    case .contradiction(let error): "the download contradicts what this file has changed: \(error)"
    case .badProgress(let reason): reason
    case .unreadable(let version, let reason): "the changeset of version \(version): \(reason)"
    case .badState(let reason): reason
    case .storage(let error): "\(error)"
    }
  }
}

/// Runs work of the engine, whose errors become those of synchronisation.
func storing<Result>(_ body: () throws(StorageError) -> Result) throws(SyncError) -> Result {
  do throws(StorageError) { return try body() } catch { throw .storage(error) }
}
