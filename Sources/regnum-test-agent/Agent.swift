import RealmStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A second process for tests: does what its arguments say, one step after the other, and answers each step with one line. With
/// `--key DIGITS` before the mode all databases are encrypted.
///
///     regnum-test-agent session PATH STEP ...
///     regnum-test-agent commit|commit-groups PATH COUNT [DEATH]
///     regnum-test-agent allocations PATH ROWS
///     regnum-test-agent add PATH TABLE
///     regnum-test-agent watch PATH
///     regnum-test-agent wait-for-commit LOCK-FILE MUTEX-OFFSET CONDITION-OFFSET
///     regnum-test-agent write-rounds|read-rounds|ledger-check|ledger-prepare|write-and-die|commit-steadily ARGUMENT ...
///
/// Modes live in files of their own; see there for their steps.
@main struct Agent {
  static func main() {
    var arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.count >= 2, arguments[0] == "--key" {
      keyDigits.withLock { $0 = arguments[1] }
      arguments.removeFirst(2)
    }
    switch arguments.first {
    case "session" where arguments.count >= 2: SessionSteps.run(path: arguments[1], steps: arguments.dropFirst(2))
    case "commit": CommitSteps.run(arguments.dropFirst())
    case "commit-groups": CommitSteps.runGroups(arguments.dropFirst())
    case "wait-for-commit": CommitWaiter.run(arguments.dropFirst())
    case "add": SignalSteps.add(arguments.dropFirst())
    case "watch": SignalSteps.watch(arguments.dropFirst())
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

  private static let keyDigits = Locked<String?>(nil)

  /// Of all databases that this process opens; with the key that was given.
  static func options() -> DatabaseOptions {
    var options = DatabaseOptions()
    guard let digits = keyDigits.withLock({ $0 }) else { return options }
    do throws(StorageError) { options.encryptionKey = try EncryptionKey(hexadecimal: digits) } catch { fail("\(error)") }
    return options
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
