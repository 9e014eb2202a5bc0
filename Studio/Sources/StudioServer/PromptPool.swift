import FlyingFox
import FlyingSocks
import Foundation

/// Waits for sockets as FlyingFox does, and lets them send at once.
///
/// An answer is written in two pieces, its head and its body. Unless told otherwise the system keeps the second one back until the first is
/// acknowledged, which takes 40 ms. Sockets that are accepted have the options of the one that listens, which is the first to wait.
struct PromptPool: AsyncSocketPool {
  private let pool: any AsyncSocketPool = HTTPServer.defaultPool()

  func prepare() async throws { try await pool.prepare() }
  func run() async throws { try await pool.run() }

  func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    // Only slower where it is refused.
    try? socket.setValue(true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
    try await pool.suspendSocket(socket, untilReadyFor: events)
  }
}
