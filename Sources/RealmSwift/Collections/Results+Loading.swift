import RealmQuery
import RealmStorage

extension Results {
  /// Finds out which elements there are on another thread; the calling actor is free meanwhile. Afterwards they are at hand here without
  /// waiting, until something changes: `count`, subscripts and loops evaluate nothing.
  ///
  /// What is evaluated is the version that the realm shows. When it shows another one in the end, the work is done again for that, three times
  /// at most; after that, or inside a write transaction, the results are evaluated here.
  ///
  /// - Returns: these results.
  /// - Throws: `CancellationError` as soon as the task is cancelled; the results stay as they were. `Realm.Error`, also for a realm that is
  ///   confined to a thread or queue: only those of actors, the main actor included, and frozen ones can wait.
  @discardableResult
  public nonisolated(nonsending) func load() async throws -> Results {
    try await base.load()
    return self
  }
}

/// Results that are evaluated on a thread of their own, over a frozen realm of the version that they are about.
struct DetachedEvaluation: Sendable {
  let plan: ResultsPlan
  let file: RealmFile
  let configuration: Realm.Configuration
  /// Keeps the version.
  let pin: Snapshot

  @concurrent func run() async throws -> ResultsCore.Contents {
    // A flag is cheaper to ask at every leaf than the task.
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try contents(cancellation)
    } onCancel: {
      cancellation.request()
    }
  }

  /// - Throws: `CancellationError` once `cancellation` was requested; `Realm.Error`.
  func contents(_ cancellation: Cancellation) throws -> ResultsCore.Contents {
    do {
      let results = try plan.results(in: frozenCore())
      results.giveUp(with: cancellation)
      return try results.contents()
    } catch {
      if cancellation.isRequested { throw CancellationError() }
      throw ErrorBorder.translated(error, path: file.path)
    }
  }

  private func frozenCore() throws -> RealmCore {
    if let core = file.frozenCore(version: pin.version), !core.isClosed { return core }
    let core = try RealmCore(frozen: pin, file, configuration)
    file.rememberFrozen(core, version: pin.version)
    return core
  }
}
