import RealmInspection
import RealmStorage
import Synchronization

/// Long work on the file, with its progress.
final class JobList: Sendable {
  struct Job: Sendable {
    let number: Int
    let kind: String
    var done = 0
    var total = 0
    /// `running`, `done`, `failed` or `cancelled`.
    var state = "running"
    var message = ""
    var lines: [String] = []
  }
  private struct State {
    var jobs: [Job] = []
    var lastNumber = 0
  }
  private let state = Locked(State())
  private let isCancelled = Atomic<Bool>(false)
  /// Bytes that the running job has written.
  private let written = Atomic<Int>(0)
  private static let kept = 20

  /// How long another program's write transaction is waited for. The page shows nothing meanwhile.
  private static let patience = 3.0

  /// How a file is opened: writes are counted and refused while a job is being cancelled.
  /// - Parameter path: of the file, for the error that another program writes to it for too long (`.fileInUse`).
  func options(_ path: String, key: EncryptionKey?) -> DatabaseOptions {
    var options = DatabaseOptions()
    (options.mayCreate, options.mayUpgrade, options.encryptionKey) = (false, false, key)
    options.openStorage = { [weak self] (opened, mode) throws(StorageError) in
      let hasKey = key != nil
      return try WatchedStorage(path: opened, mode: mode, hasKey: hasKey) { [weak self] () throws(StorageError) in
        try self?.checkCancellation(path)
      } onWrite: { [weak self] in
        self?.written.add($0, ordering: .relaxed)
      }
    }
    options.whileWaiting = { [weak self] (seconds) throws(StorageError) in
      try self?.checkCancellation(path)
      if seconds > Self.patience { throw .fileInUse(path: path) }
    }
    return options
  }

  func checkCancellation(_ path: String) throws(StorageError) {
    if isCancelled.load(ordering: .relaxed) { throw Diagnostics.interruption(path: path) }
  }

  var writtenByteCount: Int { written.load(ordering: .relaxed) }
  var isBeingCancelled: Bool { isCancelled.load(ordering: .relaxed) }

  /// - Returns: nil while another job runs.
  func begin(_ kind: String, total: Int = 0) -> Job? {
    let job: Job? = state.withLock { state in
      if state.jobs.contains(where: { $0.state == "running" }) { return nil }
      state.lastNumber += 1
      let job = Job(number: state.lastNumber, kind: kind, total: total)
      state.jobs.append(job)
      if state.jobs.count > Self.kept { state.jobs.removeFirst() }
      return job
    }
    if job != nil {
      isCancelled.store(false, ordering: .relaxed)
      written.store(0, ordering: .relaxed)
    }
    return job
  }

  func isRunning(_ number: Int) -> Bool { state.withLock { $0.jobs.contains { $0.number == number && $0.state == "running" } } }

  func update(_ number: Int, _ body: (inout Job) -> Void) -> StudioJSON {
    state.withLock { state in
      guard let index = state.jobs.firstIndex(where: { $0.number == number }) else { return .null }
      body(&state.jobs[index])
      return Self.event(state.jobs[index])
    }
  }

  func end(_ number: Int, _ body: (inout Job) -> Void) -> StudioJSON {
    defer { isCancelled.store(false, ordering: .relaxed) }
    return update(number, body)
  }

  func cancel(_ body: ImportValue) -> StudioJSON {
    let isRunning = state.withLock { $0.jobs.contains { $0.state == "running" } }
    if isRunning { isCancelled.store(true, ordering: .relaxed) }
    return ["cancelling": .bool(isRunning)]
  }

  func cancelAll() { isCancelled.store(state.withLock { $0.jobs.contains { $0.state == "running" } }, ordering: .relaxed) }

  var description: StudioJSON { state.withLock { .array($0.jobs.map { Self.event($0) }) } }

  private static func event(_ job: Job) -> StudioJSON {
    [
      "kind": "job", "job": .number(job.number), "work": .text(job.kind), "done": .number(job.done), "total": .number(job.total),
      "state": .text(job.state),
      "message": .text(job.message), "lines": .array(job.lines.map { .text($0) }),
    ]
  }
}
