#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A second process for tests: does what its arguments say, one step after the other, and answers each step with one line.
///
///     regnum-test-agent session PATH STEP ...
///     regnum-test-agent commit PATH COUNT [DEATH]
///     regnum-test-agent allocations PATH ROWS
///     regnum-test-agent wait-for-commit LOCK-FILE MUTEX-OFFSET CONDITION-OFFSET
///     regnum-test-agent write-rounds|read-rounds|ledger-check|ledger-prepare|write-and-die|commit-steadily ARGUMENT ...
///
/// Modes live in files of their own; see there for their steps.
@main struct Agent {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "session" where arguments.count >= 2: SessionSteps.run(path: arguments[1], steps: arguments.dropFirst(2))
    case "commit": CommitSteps.run(arguments.dropFirst())
    case "wait-for-commit": CommitWaiter.run(arguments.dropFirst())
    case "allocations": AllocationSteps.run(arguments.dropFirst())
    case "write-rounds": LedgerRounds.write(arguments.dropFirst())
    case "read-rounds": LedgerRounds.read(arguments.dropFirst())
    case "ledger-check": LedgerRounds.check(arguments.dropFirst())
    case "ledger-prepare": StopPoints.prepare(arguments.dropFirst())
    case "write-and-die": StopPoints.writeAndDie(arguments.dropFirst())
    case "commit-steadily": StopPoints.commitSteadily(arguments.dropFirst())
    default: fail("usage: regnum-test-agent MODE ARGUMENT ...")
    }
  }

  /// Ends the process with a message that tests show.
  static func fail(_ message: String) -> Never {
    answer("error " + message)
    exit(2)
  }

  /// Writes a line at once, although the output is a pipe.
  static func answer(_ line: String) {
    print(line)
    _ = fflush(nil)
  }

  /// Sleeps until the test writes a line.
  static func waitForLine() {
    guard readLine(strippingNewline: true) != nil else { fail("the test is gone") }
  }

  /// Ends this process as a crash would, with nothing cleaned up.
  static func die() -> Never {
    raise(SIGKILL)
    fatalError("survived SIGKILL")
  }
}
