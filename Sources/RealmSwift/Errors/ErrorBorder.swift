import RealmQuery
import RealmStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// The border of the SDK. Inside, every operation throws what goes wrong as it is: `StorageError`, `QueryError`, `RealmFailure`. A member of
// the API that throws does its work in `orThrow`, which makes that a `Realm.Error`; one that cannot throw does it in `orStop`, which ends
// the process with the same text. Both are told whose file it is about, since the engine does not always know.

/// Runs what a member of the API does that cannot throw.
/// - Parameters:
///   - core: the realm that is worked with; nil where none is.
///   - site: where the caller is, if the member was told.
@inline(__always) func orStop<Result>(_ core: RealmCore? = nil, _ site: CallSite? = nil, _ body: () throws -> Result) -> Result {
  do { return try body() } catch { stop(error, core, site) }
}

/// Runs what a member of the API does that throws.
/// - Parameter core: the realm that is worked with.
@inline(__always) func orThrow<Result>(_ core: RealmCore, _ body: () throws -> Result) throws -> Result {
  try orThrow(path: core.file.path, body)
}

/// Runs what a member of the API does that throws.
/// - Parameter path: the file that is worked with; nil where none is.
@inline(__always) func orThrow<Result>(path: String? = nil, _ body: () throws -> Result) throws -> Result {
  do { return try body() } catch { throw ErrorBorder.translated(error, path: path) }
}

/// Runs what a member of the API does that throws what the file, the disk or others are to blame for, and ends the process at a mistake of the
/// program, as the original does.
/// - Parameter core: the realm that is worked with.
@inline(__always) func orThrow<Result>(stoppingAtMisuseOf core: RealmCore, _ body: () throws -> Result) throws -> Result {
  do { return try body() } catch let failure as RealmFailure { stop(failure, core) } catch {
    throw ErrorBorder.translated(error, path: core.file.path)
  }
}

/// Runs what a member of `throwing` does, after whose error the caller may go on in the transaction. A change that met damage half-way may have given up
/// nodes that are still in use: then nothing of the transaction can be committed.
/// - Parameter core: the realm that is worked with; nil where none is.
@inline(__always) func orThrow<Result>(goingOnIn core: RealmCore?, _ body: () throws -> Result) throws -> Result {
  let before = core?.phase.group?.stamp
  do { return try body() } catch {
    if let group = core?.phase.group, group.stamp != before, let cause = ErrorBorder.interruption(error) { group.stopped(by: cause) }
    throw ErrorBorder.translated(error, path: core?.file.path)
  }
}

/// Ends the process because of an error that the API cannot report.
@inline(never) func stop(_ error: any Error, _ core: RealmCore?, _ site: CallSite? = nil) -> Never {
  let text = ErrorBorder.text(of: error, path: core?.file.path)
  if let site, !site.isOfLibrary { stop(text, at: site.file, site.line) }
  // What the disk or the file is to blame for needs no caller, and may be a lack of what is needed to find it.
  if ErrorBorder.interruption(error) != nil { stop(text, at: #fileID, #line) }
  stop(text)
}

enum ErrorBorder {
  /// What users get for an error from inside. What is none of ours passes unchanged.
  static func translated(_ error: any Error, path: String?) -> any Error {
    guard let failure = failure(error, path: path) else { return error }
    return Realm.Error(failure: failure)
  }

  /// What users read of an error.
  static func text(of error: any Error, path: String?) -> String { failure(error, path: path)?.text ?? "\(error)" }

  /// What ends an operation of the engine wherever it is; nil for what is found before anything is changed.
  static func interruption(_ error: any Error) -> StorageError? {
    let cause: StorageError
    switch error {
    case let error as StorageError: cause = error
    case QueryError.storage(let error): cause = error
    default: return nil
    }
    if case .io = cause { return cause }
    return cause.isDamage ? cause : nil
  }

  /// Nil for what neither the engine, nor a query, nor the SDK has thrown.
  private static func failure(_ error: any Error, path: String?) -> RealmFailure? {
    switch error {
    case let failure as RealmFailure: failure
    case let error as StorageError: failure(storage: error, path: path ?? "")
    case QueryError.storage(let error): failure(storage: error, path: path ?? "")
    case let error as QueryError: .misuse(error.message)
    default: nil
    }
  }

  /// An error of the engine in the words of the SDK; what is a mistake of the program's there has the text of its kind here.
  private static func failure(storage error: StorageError, path: String) -> RealmFailure {
    switch error {
    case .permissionDenied(let denied, let writing) where denied == path + ".lock":
      return failure(storage: .permissionDenied(path: path, writing: writing), path: path)
    case .io(_, let blamed, ENOTDIR): return failure(storage: .directoryNotFound(path: blamed), path: path)
    case .fileInUse(let path):
      return RealmFailure(
        .alreadyOpen, "Cannot delete files of an open Realm: '\(path)' is still in use.", path: path, name: "DeleteOnOpenRealm")
    case .versionNotAvailable(let version): return RealmFailure(.fail, "Version \(version) of '\(path)' is not available any more.", path: path)
    case .transactionEnded: return .transaction("Can't commit a non-existing write transaction")
    case .noSuchTable(let table):
      return RealmFailure(.fail, "The table \(SchemaStore.shownName(table)) does not exist in '\(path)'.", path: path)
    case .noSuchColumn(let table, let name):
      return RealmFailure(.fail, "Property '\(SchemaStore.shownName(table)).\(name)' does not exist", path: path)
    case .noSuchObject: return .misuse("Object has been deleted or invalidated.")
    case .duplicatePrimaryKey(let table):
      return RealmFailure(.fail, "The primary key of '\(SchemaStore.shownName(table))' is not unique.", path: path)
    case .duplicateName(let name): return RealmFailure(.fail, "The name '\(SchemaStore.shownName(name))' is in use.", path: path)
    case .decryptionFailed(let path, let reason):
      let text = "Failed to open Realm file at path '\(path)': Realm file decryption failed (\(reason))"
      return RealmFailure(.invalidDatabase, text, path: path, name: "InvalidDatabase")
    case .invalidEncryptionKey: return RealmFailure(.fail, "Encryption key must be exactly 64 bytes long", name: "InvalidEncryptionKey")
    case .encryptionIsNotBuilt: return RealmFailure(.fail, StorageError.encryptionIsNotBuiltText, path: path)
    default: return Realm.Error.failure(error, path: path)
    }
  }
}
