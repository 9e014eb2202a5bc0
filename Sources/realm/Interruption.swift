import RealmInspection
import RealmStorage
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The number of the signal; 0 for none.
private let interruption = Atomic<Int32>(0)

/// Whether the user asked the command to stop.
enum Interruption {
  /// The user's key, somebody who ends the process, a terminal that is closed. What the process was told to ignore, as by nohup, it ignores.
  private static let numbers = [SIGINT, SIGTERM, SIGHUP].filter { !isIgnored($0) }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    unsafe sigaction(number, nil, &action)
    // The handler comes first in the structure, and 1 is `SIG_IGN`, which cannot be compared with a function.
    return unsafe withUnsafeBytes(of: action) { bytes in unsafe bytes.loadUnaligned(as: UInt.self) == 1 }
  }

  /// From now on the first of these signals ends the command at its next write, the second one at once.
  static func watch() {
    _ = interruption.load(ordering: .relaxed)
    for number in numbers {
      signal(number) { received in
        interruption.store(received, ordering: .relaxed)
        signal(received, SIG_DFL)
      }
    }
  }

  /// From now on every SIGINT ends what waits for a key.
  static func watchTyping() {
    _ = interruption.load(ordering: .relaxed)
    signal(SIGINT) { received in interruption.store(received, ordering: .relaxed) }
    // Reading ends instead of going on.
    var action = sigaction()
    unsafe sigaction(SIGINT, nil, &action)
    action.sa_flags &= ~SA_RESTART
    unsafe sigaction(SIGINT, &action, nil)
  }

  /// Before another command begins: signals end the process again, until that watches for them.
  static func forget() {
    for number in numbers { signal(number, SIG_DFL) }
    interruption.store(0, ordering: .relaxed)
  }

  /// What would become larger than files may be is refused by the system then, and said, and ends nothing.
  static func surviveFileLimit() { signal(SIGXFSZ, SIG_IGN) }

  static var isRequested: Bool { interruption.load(ordering: .relaxed) != 0 }

  /// Whether no further line of a shell is run. Somebody who types means the command alone.
  static func endsShell(isInteractive: Bool) -> Bool {
    let number = interruption.load(ordering: .relaxed)
    return isInteractive ? number == SIGTERM || number == SIGHUP : number != 0
  }

  static func check(_ path: String) throws(StorageError) {
    if isRequested { throw Diagnostics.interruption(path: path) }
  }
}
