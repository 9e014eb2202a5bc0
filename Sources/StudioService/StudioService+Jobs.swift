import Foundation
import RealmInspection
import RealmStorage

// Verify, compact, copy, upgrade: with progress, to be cancelled.

extension StudioService {
  private enum Work: Sendable {
    case verify
    case compact(isOnline: Bool)
    case copy(to: String, NewKey)
  }

  private enum NewKey: Sendable {
    case same, none
    case other(EncryptionKey)
  }

  /// `{"work": "verify" | "compact" | "compact-online" | "copy", "path", "key", "noKey"}`.
  func startJob(_ body: ImportValue) throws -> StudioJSON {
    let name = try Self.text("work", body)
    let live = try live()
    let work: Work
    switch name {
    case "verify": work = .verify
    case "compact", "compact-online":
      guard live.isWritable else { throw StudioProblem("The file cannot be changed here.", status: 403) }
      work = .compact(isOnline: name == "compact-online")
    case "copy": work = .copy(to: try Self.text("path", body), try copyKey(body))
    default: throw StudioProblem("'\(name)' is no work that can be done.", status: 400)
    }
    let byteCount = name == "verify" ? 0 : Int(clamping: try live.database.spaceUse().usedByteCount)
    guard let job = jobs.begin(name, total: byteCount) else {
      throw StudioProblem("Something else is being done; wait for it, or cancel it.", status: 409)
    }
    tell(jobs.update(job.number) { _ in })
    // Threads, since they wait: for a disk, and for the time to tell how far it is.
    let worker = Thread { [weak self] in self?.perform(work, job) }
    worker.stackSize = 8 << 20
    worker.start()
    if byteCount > 0 { Thread { [weak self] in while self?.tellProgress(of: job) ?? false { Thread.sleep(forTimeInterval: 0.1) } }.start() }
    return ["job": .number(job.number)]
  }

  private func perform(_ work: Work, _ job: JobList.Job) {
    let event: StudioJSON
    do {
      let (message, lines) =
        switch work {
        case .verify: try verify(job)
        case .compact(let isOnline): try compact(isOnline: isOnline)
        case .copy(let output, let key): try copy(to: output, key)
        }
      event = jobs.end(job.number) { ($0.state, $0.message, $0.lines, $0.done) = ("done", message, lines, $0.total) }
    } catch {
      let isCancelled = (error as? StorageError).map(Diagnostics.isInterruption) ?? false
      let text = isCancelled ? "Cancelled; nothing was changed." : problem(error).message
      event = jobs.end(job.number) { ($0.state, $0.message) = (isCancelled ? "cancelled" : "failed", text) }
    }
    tell(event)
  }

  /// - Returns: false when it has ended.
  private func tellProgress(of job: JobList.Job) -> Bool {
    guard jobs.isRunning(job.number) else { return false }
    tell(jobs.update(job.number) { $0.done = min(jobs.writtenByteCount, $0.total) })
    return true
  }

  // MARK: Kinds of work

  private func verify(_ job: JobList.Job) throws -> (message: String, lines: [String]) {
    let opened = try live().opened()
    var last = ContinuousClock.now
    let result = opened.verify(
      progress: { [jobs] done, total in
        guard last.duration(to: .now) > .milliseconds(100) else { return }
        last = .now
        self.tell(jobs.update(job.number) { ($0.done, $0.total) = (done, total) })
      }, isCancelled: { [jobs] in jobs.isBeingCancelled })
    try jobs.checkCancellation(path)
    let counts = [(result.tableCount, "table"), (result.objectCount, "object"), (result.nodeCount, "node")]
    let summary = counts.map { NumberText.count($0, $1) }.joined(separator: ", ") + ": "
    return (summary + Diagnostics.verdict(result), Array(result.violations.prefix(200)))
  }

  private func compact(isOnline: Bool) throws -> (message: String, lines: [String]) {
    let live = try live()
    let before = try live.database.fileByteCount()
    try checkIsSound(live)
    if isOnline {
      _ = try waitingForOthers { try live.database.releaseUnusedSpace() }
      live.advanceNow()
    } else {
      let isDone = try live.withoutVersion { () throws(StorageError) in try live.database.compact() }
      guard isDone else { throw StudioProblem("Another program has the file open; compact it online instead, or end that program.", status: 409) }
    }
    return ("\(before) bytes before, \(try live.database.fileByteCount()) after", [])
  }

  /// As `realm compact` does it: what a damaged file can be saved from is gone when it is compacted.
  private func checkIsSound(_ live: LiveFile) throws {
    let check = try live.opened().verify(isCancelled: { [jobs] in jobs.isBeingCancelled })
    try jobs.checkCancellation(path)
    guard let first = check.violations.first else { return }
    throw StudioProblem(
      "The file is damaged: \(first) (Verify lists everything). Compacting would leave less for 'realm salvage' to save; "
        + "Copy makes a compacted copy of the file as it is.")
  }

  private func copyKey(_ body: ImportValue) throws -> NewKey {
    if body["noKey"]?.isTrue == true { return .none }
    guard let digits = body["key"]?.string, !digits.isEmpty else { return .same }
    return .other(try EncryptionKey(hexadecimal: digits))
  }

  private func copy(to output: String, _ newKey: NewKey) throws -> (message: String, lines: [String]) {
    let live = try live()
    if live.needsUpgrade { throw StudioProblem("The file has an older format; upgrade it first.") }
    let snapshot = try live.current()
    let key: EncryptionKey?
    switch newKey {
    case .same: key = encryptionKey
    case .none: key = nil
    case .other(let other): key = other
    }
    let options = jobs.options(output, key: key)
    try snapshot.write(toFile: output, encryptionKey: key) { (path) throws(StorageError) in try options.openStorage(path, .createNew) }
    return ("\(output): \(try FileStorage(path: output, mode: .readOnly).byteCount()) bytes", [])
  }

  // MARK: Opening

  func unlock(_ body: ImportValue) throws -> StudioJSON {
    guard isLocked else { return try describeFile() }
    let digits = try Self.text("key", body).filter { !$0.isWhitespace }
    let key: EncryptionKey
    do throws(StorageError) { key = try EncryptionKey(hexadecimal: digits) } catch {
      throw StudioProblem("A key has 128 hexadecimal digits; these are \(digits.count) characters.")
    }
    do throws(StorageError) { try unlock(key) } catch {
      throw StudioProblem("The file cannot be opened with this key: \(Diagnostics.message(error, path: path))", status: 403)
    }
    return try describeFile()
  }

  /// Brings the file to the present format, keeping a backup.
  func upgrade() throws -> StudioJSON {
    guard try live().needsUpgrade else { return try describeFile() }
    if isReadOnly { throw StudioProblem("Realm Studio shows this file read-only.", status: 403) }
    var options = jobs.options(path, key: encryptionKey)
    options.mayUpgrade = true
    // Whoever reads an older format may keep everybody else out for as long as it is open.
    letGo()
    do throws(StorageError) { try Database.open(path: path, options: options).close() } catch {
      try reopen()
      throw error
    }
    try reopen()
    return try describeFile()
  }
}
