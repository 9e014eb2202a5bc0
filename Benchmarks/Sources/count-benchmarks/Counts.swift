import CCounters

/// What a workload costs.
struct Counts: Codable {
  let workload: String
  let allocations: Int
  let barriers: Int
  let calls: Int
  let bytes: Int

  /// Counts while `body` runs.
  init(_ workload: String, _ body: () throws -> Void) throws {
    let before = counters_now()
    try Self.measured(body)
    let after = counters_now()
    self.workload = workload
    allocations = Int(after.allocations - before.allocations)
    barriers = Int(after.barriers - before.barriers)
    calls = Int(after.calls - before.calls)
    bytes = Int(after.written_bytes - before.written_bytes)
  }

  /// Runs `body` inside the C function by whose name valgrind is told what to count.
  private static func measured(_ body: () throws -> Void) throws {
    try withoutActuallyEscaping(body) { body in
      var call = Call(body: body)
      withUnsafeMutablePointer(to: &call) { place in
        counters_region({ $0!.assumingMemoryBound(to: Call.self).pointee.run() }, place)
      }
      try call.result.get()
    }
  }

  private struct Call {
    let body: () throws -> Void
    var result: Result<Void, any Error> = .success(())

    mutating func run() { result = Result(catching: body) }
  }
}
