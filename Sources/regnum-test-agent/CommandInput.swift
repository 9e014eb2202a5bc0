#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Lines from the test, looked for between two steps of work. The process ends when the test is gone.
struct CommandInput {
  private var unread: [UInt8] = []

  /// The next line, if there is one already.
  mutating func pending() -> String? { next(waits: false) }

  /// Waits for a certain line; others are dropped.
  mutating func wait(for line: String) {
    while next(waits: true) != line {}
  }

  private mutating func next(waits: Bool) -> String? {
    while true {
      if let end = unread.firstIndex(of: 10) {
        defer { unread.removeSubrange(...end) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      var descriptor = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
      let count = unsafe poll(&descriptor, 1, waits ? -1 : 0)
      if count <= 0 {
        if waits { continue }
        return nil
      }
      var buffer = [UInt8](repeating: 0, count: 256)
      let readCount = unsafe read(0, &buffer, buffer.count)
      if readCount <= 0 { exit(0) }
      unread += buffer[..<readCount]
    }
  }
}
