import Foundation
import RealmStorage

/// A child process whose end is taken in at once, by a thread that waits for it.
///
/// A child that has ended and that nobody has waited for yet keeps a thread of the testing library busy: once there was an exit test, it asks for any child
/// that has ended, over and over. That took a quarter of the processor time of all tests.
package final class ReapedChild: Sendable {
  package let identifier: pid_t
  private let ended = Locked<Int32?>(nil)

  /// - Parameter identifier: of a child that nobody else waits for.
  package init(_ identifier: pid_t) {
    self.identifier = identifier
    Thread.detachNewThread { [self] in
      // As long as it was not waited for, its number stays its own.
      var information = siginfo_t()
      while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
      ended.withLock { $0 = Self.wait(identifier) }
    }
  }

  /// Its exit code, or 128 + the signal that ended it; nil while it runs.
  package var status: Int32? { ended.withLock { $0 } }

  /// Without effect once it has ended.
  package func send(_ signal: Int32) {
    ended.withLock { status in if status == nil { kill(identifier, signal) } }
  }

  /// SIGKILL, and waits until the process is gone.
  package func killNow() {
    send(SIGKILL)
    waitUntil { status != nil }
  }

  private static func wait(_ identifier: pid_t) -> Int32 {
    var raw: Int32 = 0
    var found: pid_t
    repeat { found = waitpid(identifier, &raw, 0) } while found < 0 && errno == EINTR
    return raw & 0x7F == 0 ? raw >> 8 & 0xFF : 128 + raw & 0x7F
  }
}
