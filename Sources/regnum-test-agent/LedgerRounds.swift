import Randomness
import RealmStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Writers and readers that go on until they are killed.
///
///     regnum-test-agent write-rounds PATH WRITER SEED
///     regnum-test-agent read-rounds PATH SEED
///     regnum-test-agent ledger-check PATH
///
/// Answers: `started WRITER SEQUENCE` and `committed SEQUENCE VERSION`; `started` and `read VERSION COUNT`; `ledger COUNT WRITER:SEQUENCE …`.
/// The line `pause` ends their part in the session (`left`), `resume` begins it again. A writer that is refused because somebody died at
/// the critical moment leaves by itself and answers `restart`. The line `die-critical` makes a writer die at that moment.
enum LedgerRounds {
  static func write(_ arguments: ArraySlice<String>) {
    let arguments = Array(arguments)
    guard arguments.count == 3, let writer = Int64(arguments[1]), let seed = UInt64(arguments[2]) else {
      Agent.fail("write-rounds PATH WRITER SEED")
    }
    var input = CommandInput()
    var random = SeededGenerator(seed: seed)
    while true {
      do throws(StorageError) {
        try writeUntilPause(arguments[0], writer, &random, &input)
        Agent.answer("left")
      } catch {
        guard case .sessionRestartRequired = error else { Agent.fail("\(error)") }
        Agent.answer("restart")
      }
      input.wait(for: "resume")
    }
  }

  private static func writeUntilPause(
    _ path: String, _ writer: Int64, _ random: inout SeededGenerator, _ input: inout CommandInput
  ) throws(StorageError) {
    let database = try Database.open(path: path, options: Agent.options())
    defer { database.close() }
    try Ledger.prepare(database)
    let state = try database.read { (group) throws(StorageError) in try Ledger.check(group) }
    if let violation = state.violation { Agent.fail(violation) }
    Agent.answer("started \(writer) \(state.counters[writer] ?? 0)")
    while true {
      switch input.pending() {
      case "pause": return
      case "die-critical": try dieAtTheCriticalMoment(path)
      default: break
      }
      let transaction = try database.beginWrite(staysOnThread: writer % 2 == 0)
      var sequence: Int64 = 0
      var version: UInt64 = 0
      do throws(StorageError) {
        let group = try transaction.openGroup()
        sequence = try Ledger.advance(group, writer: writer, &random)
        if Int.random(in: 0..<16, using: &random) == 0 {
          transaction.cancel()
          continue
        }
        version = try transaction.commit(group)
      } catch {
        transaction.cancel()
        throw error
      }
      Agent.answer("committed \(sequence) \(version)")
    }
  }

  private static func dieAtTheCriticalMoment(_ path: String) throws(StorageError) -> Never {
    // A second participant of this process does what a commit does between selection and publication.
    let session = try Session.join(path: path, options: SessionOptions()) { _ throws(StorageError) in
      // A joiner's answer is not used, and there is a session: our own.
      AttachedFile(version: 1, logicalByteCount: 24, topRef: .null)
    }
    try session.lockForWriting()
    session.markCriticalPhase()
    Agent.die()
  }

  static func read(_ arguments: ArraySlice<String>) {
    let arguments = Array(arguments)
    guard arguments.count == 2, let seed = UInt64(arguments[1]) else { Agent.fail("read-rounds PATH SEED") }
    var input = CommandInput()
    var random = SeededGenerator(seed: seed)
    while true {
      do throws(StorageError) {
        try readUntilPause(arguments[0], &random, &input)
      } catch {
        guard case .sessionRestartRequired = error else { Agent.fail("\(error)") }
        Agent.answer("restart")
        input.wait(for: "resume")
        continue
      }
      Agent.answer("left")
      input.wait(for: "resume")
    }
  }

  private static func readUntilPause(
    _ path: String, _ random: inout SeededGenerator, _ input: inout CommandInput
  ) throws(StorageError) {
    let database = try Database.open(path: path, options: Agent.options())
    try Ledger.prepare(database)
    Agent.answer("started")
    var held: [(snapshot: Snapshot, state: Ledger.State)] = []
    var last: (version: UInt64, count: Int64) = (0, 0)
    var step = 0
    while true {
      if input.pending() == "pause" {
        held = []
        database.close()
        return
      }
      step += 1
      let snapshot = try database.snapshot(step % 2 == 0 ? .live : .frozen)
      let state = try checked(snapshot)
      guard snapshot.version >= last.version, state.count >= last.count else {
        Agent.fail("version \(snapshot.version) with \(state.count) commits after \(last.version) with \(last.count)")
      }
      last = (snapshot.version, state.count)
      if step % 7 == 0 { held.append((snapshot, state)) }
      if held.count > 3 || (step % 13 == 0 && !held.isEmpty) {
        let old = held.remove(at: Int.random(in: 0..<held.count, using: &random))
        guard try checked(old.snapshot) == old.state else { Agent.fail("version \(old.snapshot.version) changed while it was held") }
      }
      if step % 8 == 0 { Agent.answer("read \(snapshot.version) \(state.count)") }
      usleep(1000)
    }
  }

  private static func checked(_ snapshot: Snapshot) throws(StorageError) -> Ledger.State {
    let state = try Ledger.check(snapshot.openGroup())
    if let violation = state.violation { Agent.fail("version \(snapshot.version): \(violation)") }
    return state
  }

  static func check(_ arguments: ArraySlice<String>) {
    guard let path = arguments.first else { Agent.fail("ledger-check PATH") }
    do throws(StorageError) {
      let database = try Database.open(path: path, options: Agent.options())
      let state = try database.read { (group) throws(StorageError) in try Ledger.check(group) }
      if let violation = state.violation { Agent.fail(violation) }
      let counters = state.counters.sorted { $0.key < $1.key }.map { "\($0.key):\($0.value)" }
      Agent.answer((["ledger", "\(state.count)"] + counters).joined(separator: " "))
      database.close()
    } catch {
      Agent.fail("\(error)")
    }
  }
}
