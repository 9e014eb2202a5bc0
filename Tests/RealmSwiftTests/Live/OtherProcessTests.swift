import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import RealmSwift

/// Observers hear of what other processes commit, soon, and sleep otherwise.
@Suite(.mustEnd) struct OtherProcessTests {
  /// In memory: what is measured is how long telling takes, not the disk.
  private let directory = TestDirectory(inMemory: true)

  /// From before the other process is asked to commit until the block is called. The limit holds for the median; the machine may be busy with all
  /// other tests, so that single commits get twenty times as long.
  @Test func aCommitOfAnotherProcessIsToldWithinFiftyMilliseconds() throws {
    let queue = DispatchQueue(label: "observing")
    let configuration = directory.configuration()
    let told = DispatchSemaphore(value: 0)
    let count = Atomic<Int>(-1)
    let token = try queue.sync {
      try Realm(configuration: configuration, queue: queue).objects(Dog.self).observe { change in
        guard case .initial(let dogs) = change else {
          if case .update(let dogs, _, _, _) = change { count.store(dogs.count, ordering: .relaxed) }
          told.signal()
          return
        }
        count.store(dogs.count, ordering: .relaxed)
        told.signal()
      }
    }
    defer { token.invalidate() }
    #expect(told.wait(timeout: .now() + 30) == .success)
    let agent = try ChildProcess.agent("add", directory.fileURL().path, "class_Dog")
    #expect(try agent.line() == "ready")
    var times: [Duration] = []
    for round in 1...(isFullRun ? 500 : 60) {
      let start = ContinuousClock.now
      agent.say("dog \(round)")
      try #require(told.wait(timeout: .now() + 30) == .success)
      times.append(ContinuousClock.now - start)
      #expect(try agent.line() == "added dog \(round)")
      #expect(count.load(ordering: .relaxed) == round)
    }
    times.sort()
    let (median, worst) = (times[times.count / 2], times[times.count - 1])
    FileHandle.standardError.write(Data("note: commits of another process were told after \(median) (median), \(worst) (worst)\n".utf8))
    #expect(median < .milliseconds(50))
    #expect(worst < .milliseconds(1000))
    #expect(try agent.end() == [])
  }

  @MainActor @Test func everyKindOfObserverHearsOfAnotherProcess() async throws {
    let realm = try await Realm(configuration: directory.configuration())
    let log = ReportLog()
    let dogs = realm.objects(Dog.self)
    try realm.write { realm.add(Dog(value: ["name": "a"])) }
    let tokens = [
      dogs.observe { _ in log.add("results") }, dogs.sorted(byKeyPath: "name").observe { _ in log.add("sorted") },
      dogs.sectioned(by: \.age).observe { _ in log.add("sections") }, realm.observe { _, _ in log.add("realm") },
    ]
    realm.refresh()
    #expect(log.take().sorted() == ["results", "sections", "sorted"])
    let agent = try ChildProcess.agent("add", directory.fileURL().path, "class_Dog")
    #expect(try agent.line() == "ready")
    agent.say("b")
    #expect(try agent.line() == "added b")
    #expect(try await eventually { log.all.count >= 4 })
    #expect(log.take().sorted() == ["realm", "results", "sections", "sorted"])
    #expect(try agent.end() == [])
    withExtendedLifetime(tokens) {}
  }

  /// Counts how often threads of the process that observes went to sleep. A worker thread of the system that ends by itself wakes once for that:
  /// so there are several tries, which nothing passes that wakes every two seconds.
  @Test func anIdleObserverSleeps() async {
    await #expect(processExitsWith: .success) { [path = directory.path as String, agentPath = ChildProcess.agentPath as String] in
      let configuration = TestDirectory.configuration(in: path)
      let queue = DispatchQueue(label: "observing")
      let told = DispatchSemaphore(value: 0)
      let token = try queue.sync {
        try Realm(configuration: configuration, queue: queue).objects(Dog.self).observe { _ in told.signal() }
      }
      let other = try await MainActor.run { try Realm(configuration: configuration).objects(Dog.self).observe { _ in } }
      try OtherProcessTests.measure(told, path, agentPath)
      withExtendedLifetime((token, other)) {}
    }
  }

  private static func measure(_ told: DispatchSemaphore, _ path: String, _ agentPath: String) throws {
    try #require(told.wait(timeout: .now() + 30) == .success)
    let agent = try ChildProcess(agentPath, ["add", path + "/test.realm", "class_Dog"])
    #expect(try agent.line() == "ready")
    for round in 0...2 {
      agent.say("\(round)")
      #expect(try agent.line() == "added \(round)")
      try #require(told.wait(timeout: .now() + 30) == .success)
    }
    var wakeUps: [Int] = []
    while wakeUps.last != 0, wakeUps.count < 8 {
      let before = try sleepCount()
      letPass(milliseconds: 2000)
      wakeUps.append(try sleepCount() - before)
    }
    FileHandle.standardError.write(Data("note: an idle observer woke \(wakeUps) times in two seconds\n".utf8))
    try #require(wakeUps.last == 0)
    // It was asleep, not dead.
    agent.say("last")
    try #require(told.wait(timeout: .now() + 30) == .success)
  }

  /// How often all threads but this one have given up the processor of their own accord.
  private static func sleepCount() throws -> Int {
    let own = URL(fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")).lastPathComponent
    return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").filter { $0 != own }.reduce(0) { sum, thread in
      // It may have ended meanwhile.
      guard let status = try? String(contentsOfFile: "/proc/self/task/\(thread)/status", encoding: .utf8) else { return sum }
      let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
      return sum + (line.flatMap { Int($0.split(separator: "\t")[1]) } ?? 0)
    }
  }
}
