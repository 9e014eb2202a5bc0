import RealmStorage

/// Steps on the lock file alone; the data file is not touched.
///
/// - `join`: joins the session (as initiator with version 1). Answers `joined INITIATOR PARTICIPANTS`.
/// - `pin` / `pin-frozen`: pins the newest snapshot. Answers `pinned VERSION`.
/// - `lock` / `try-lock`: takes the write mutex. Answers `locked clean|dead`, `busy`, or `error ...`.
/// - `unlock`, `leave`: answer with the step's name.
/// - `publish`: publishes the next version while holding a live pin, as a commit does. Answers `published VERSION`.
/// - `critical`: sets the critical flag.
/// - `control-die`: dies while it holds the control mutex.
/// - `repeat N`: takes the write mutex, publishes and gives it back N times, directly and by the locking thread in turn. Answers
///   `repeated VERSION`.
/// - `wait`: answers `waiting` and sleeps until the test writes a line.
/// - `die`: kills this process.
struct SessionSteps {
  private let path: String
  private var session: Session?
  private var pins: [Pin] = []

  static func run(path: String, steps: ArraySlice<String>) {
    var agent = SessionSteps(path: path)
    var remaining = steps
    do throws(StorageError) {
      while let step = remaining.popFirst() { try agent.perform(step, &remaining) }
    } catch {
      Agent.fail("\(error)")
    }
  }

  private init(path: String) { self.path = path }

  private mutating func perform(_ step: String, _ arguments: inout ArraySlice<String>) throws(StorageError) {
    switch step {
    case "join": try join()
    case "wait":
      Agent.answer("waiting")
      Agent.waitForLine()
    case "die": Agent.die()
    default:
      guard let session else { Agent.fail("join first") }
      try perform(step, on: session, &arguments)
    }
  }

  private mutating func join() throws(StorageError) {
    let joined = try Session.join(path: path, options: SessionOptions()) { _ throws(StorageError) in
      AttachedFile(version: 1, logicalByteCount: 24, topRef: .null)
    }
    session = joined
    Agent.answer("joined \(joined.isInitiator) \(joined.participantCount)")
  }

  private mutating func perform(_ step: String, on session: Session, _ arguments: inout ArraySlice<String>) throws(StorageError) {
    switch step {
    case "pin", "pin-frozen":
      let pin = try session.pin(step == "pin" ? .live : .frozen)
      pins.append(pin)
      Agent.answer("pinned \(pin.version)")
    case "lock": Agent.answer(try session.lockForWriting() == .clean ? "locked clean" : "locked dead")
    case "try-lock":
      let grant = try session.tryLockForWriting()
      Agent.answer(grant.map { $0 == .clean ? "locked clean" : "locked dead" } ?? "busy")
    case "unlock":
      session.unlockAfterWriting()
      Agent.answer(step)
    case "leave":
      session.leave()
      self.session = nil
      Agent.answer(step)
    case "publish": Agent.answer("published \(try publishNext(session))")
    case "critical":
      session.markCriticalPhase()
      Agent.answer(step)
    case "control-die": try session.withControlLock { () throws(StorageError) -> Void in Agent.die() }
    case "repeat":
      guard let count = arguments.popFirst().flatMap({ Int($0) }) else { Agent.fail("repeat how often?") }
      var version: UInt64 = 0
      for round in 0..<count {
        try session.lockForWriting(staysOnThread: round % 2 == 0)
        version = try publishNext(session)
        session.unlockAfterWriting()
      }
      Agent.answer("repeated \(version)")
    default: Agent.fail("unknown step \(step)")
    }
  }

  private func publishNext(_ session: Session) throws(StorageError) -> UInt64 {
    let base = try session.pin(.live)
    defer { session.unpin(base) }
    _ = try session.purge()
    let version = base.version + 1
    try session.publish(version: version, byteCount: 4096 + 8 * version, topRef: Ref(8 * version))
    return version
  }
}
