import TestSupport
import Testing

@testable import RealmStorage

/// Reading properties takes nothing from the heap.
@Suite(.mustEnd) struct AllocationTests {
  @Test func readingAPropertyOfAnyTypeAllocatesNothing() throws {
    let directory = TestDirectory()
    let environment = ["LD_PRELOAD=libc_malloc_debug.so.0", "MALLOC_TRACE=" + directory.file("trace")]
    let child = try ChildProcess("env", environment + [ChildProcess.agentPath, "allocations", directory.file(), "1000"])
    let lines = try child.rest(within: 120).split(separator: "\n").map { $0.split(separator: " ") }
    #expect(try child.waitForEnd() == 0)
    var allocations: [String: Int] = [:]
    for line in lines {
      try #require(line.count == 4 && line[0] != "error", "\(line.joined(separator: " "))")
      #expect(line[1] == "1000")
      allocations[String(line[0])] = Int(line[2])
    }
    #expect(allocations.count == 27)
    // Values of their own do allocate, one array each, unless they are empty: the counter sees them.
    #expect(allocations["control-value", default: 0] >= 900)
    allocations["control-value"] = nil
    for (kind, count) in allocations.sorted(by: { $0.key < $1.key }) { #expect(count == 0, "\(kind)") }
  }
}
