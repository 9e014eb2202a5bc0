import Foundation
import TestSupport
import Testing

@testable import RealmStorage

/// What a commit may ask of the system.
@Suite(.serialized, .mustEnd) struct CommitCountTests {
  let directory = TestDirectory()

  @Test func aDurableCommitOfOneObjectHasTwoBarriersAndNeedsNoAllocation() throws {
    let child = try ChildProcess.agent("commit-steadily", directory.file(), "200")
    #expect(try child.line(within: 60) == "steady")
    let answer = try #require(try child.line(within: 60)).split(separator: " ").compactMap { Int($0) }
    #expect(try child.waitForEnd() == 0)
    try #require(answer.count == 3)
    #expect(answer[0] == 400)
    #expect(answer[2] == 0)
    print("200 steady commits: \(answer[0]) barriers, \(answer[1]) writes, \(answer[2]) allocations of file space")
  }

  static let canTrace = (try? ToolRun(path: "strace", ["-o", "/dev/null", "true"]).status) == 0

  /// All system calls of the process, counted from outside.
  @Test(.enabled(if: canTrace, "strace is not installed or not permitted")) func aSteadyCommitMapsAndUnmapsNothing() throws {
    let trace = directory.file("trace")
    let child = try ChildProcess("strace", ["-f", "-o", trace, ChildProcess.agentPath, "commit-steadily", directory.file(), "100"])
    #expect(try child.line(within: 60) == "steady")
    #expect(try child.line(within: 60) != nil)
    #expect(try child.waitForEnd() == 0)
    let lines = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
    let begin = try #require(lines.firstIndex { $0.contains("write(1, \"steady") })
    let end = try #require(lines[begin...].dropFirst().firstIndex { $0.contains("write(1, ") })
    var counts: [String: Int] = [:]
    for line in lines[(begin + 1)..<end] {
      let call = line.split(separator: " ").dropFirst().first.map { $0.prefix { $0 != "(" } } ?? ""
      counts[String(call), default: 0] += 1
    }
    print("system calls of 100 steady commits: " + counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
    #expect(counts["fdatasync"] == 200)
    for call in ["fsync", "msync", "mmap", "munmap", "mremap", "fallocate", "ftruncate", "open", "openat", "madvise", "brk"] {
      #expect(counts[call, default: 0] == 0, "\(call)")
    }
  }
}
