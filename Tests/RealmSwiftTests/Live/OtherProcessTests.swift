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
    #expect(told.wait(timeout: .now() + .seconds(patience)) == .success)
    let agent = try ChildProcess.agent("add", directory.fileURL().path, "class_Dog")
    #expect(try agent.line() == "ready")
    var times: [Duration] = []
    for round in 1...trials(full: 500, tenth: 60) {
      let start = ContinuousClock.now
      agent.say("dog \(round)")
      try #require(told.wait(timeout: .now() + .seconds(patience)) == .success)
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
    tokens.forEach { $0.invalidate() }
  }

  /// A server at the limit of its descriptors gets some back when clients leave.
  @Test(.endsProcesses) func aFileIsWatchedAsSoonAsThereAreDescriptorsForIt() async {
    await #expect(processExitsWith: .success) { [path = directory.path as String, agentPath = ChildProcess.agentPath as String] in
      let configuration = TestDirectory.configuration(in: path)
      let queue = DispatchQueue(label: "observing")
      queue.sync {}
      // On a thread without a run loop nothing can be delivered, so the file is open and not watched.
      let (isOpen, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      Thread.detachNewThread {
        let realm = try? Realm(configuration: configuration)
        isOpen.signal()
        isOver.wait()
        withExtendedLifetime(realm) {}
      }
      await Task.detached { isOpen.waitForSignal() }.value
      var limit = rlimit()
      getrlimit(descriptorLimit, &limit)
      let free = dup(STDERR_FILENO)
      close(free)
      var low = rlimit(rlim_cur: rlim_t(free), rlim_max: limit.rlim_max)
      setrlimit(descriptorLimit, &low)
      let told = DispatchSemaphore(value: 0)
      let token = try queue.sync {
        try Realm(configuration: configuration, queue: queue).objects(Dog.self).observe { change in
          if case .update = change { told.signal() }
        }
      }
      setrlimit(descriptorLimit, &limit)
      let agent = try ChildProcess(agentPath, ["add", configuration.fileURL!.path, "class_Dog"])
      #expect(try agent.line() == "ready")
      agent.say("b")
      #expect(try agent.line() == "added b")
      #expect(await Task.detached { told.wait(timeout: .now() + .seconds(patience)) }.value == .success)
      token.invalidate()
      isOver.signal()
    }
  }

  /// Foundation ends the process where a run loop is wanted and there is no descriptor for it.
  @Test(.endsProcesses) func aThreadWithoutRunLoopUsesARealmWithoutDescriptors() async {
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      let configuration = TestDirectory.configuration(in: path)
      let queue = DispatchQueue(label: "writing")
      let kept = try queue.sync { try Realm(configuration: configuration, queue: queue) }
      var limit = rlimit()
      getrlimit(descriptorLimit, &limit)
      let free = dup(STDERR_FILENO)
      close(free)
      let isOver = DispatchSemaphore(value: 0)
      Thread.detachNewThread { [limit] in
        var (low, limit) = (rlimit(rlim_cur: rlim_t(free), rlim_max: limit.rlim_max), limit)
        setrlimit(descriptorLimit, &low)
        do {
          let realm = try Realm(configuration: configuration)
          try realm.write { realm.add(Dog(value: ["Rex", 1])) }
          #expect(realm.objects(Dog.self).count == 1)
        } catch { Issue.record(error) }
        setrlimit(descriptorLimit, &limit)
        isOver.signal()
      }
      await Task.detached { isOver.waitForSignal() }.value
      withExtendedLifetime(kept) {}
    }
  }

  // MARK: Sleep

  /// A process that does nothing but watch a file, without a library that has threads of its own.
  @Test func whoeverWatchesAFileSleepsBetweenCommits() throws {
    let configuration = directory.configuration()
    let realm = try Realm(configuration: configuration)
    let agent = try ChildProcess.agent("watch", directory.fileURL().path)
    #expect(try agent.line() == "watching")
    try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
    #expect(try agent.line() == "version \(realm.core.version ?? 0)")
    // It goes to sleep once more after its answer.
    #expect(waitUntil { (try? SleepCount.of("\(agent.identifier)", for: .milliseconds(50))) == 0 })
    #expect(try SleepCount.of("\(agent.identifier)", for: .seconds(2)) == 0)
    #expect(try agent.end() == ["threads 1"])
  }

  /// The library that runs queues wakes once in a second by itself on Linux, so that a process with observers can only be compared with one without.
  @Test(.endsProcesses) func idleObserversWakeNothing() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      [path = directory.path as String, agentPath = ChildProcess.agentPath as String] in
      let configuration = TestDirectory.configuration(in: path)
      let queue = DispatchQueue(label: "observing")
      queue.sync {}
      let before = try SleepCount.least { count, _ in count == 3 }
      let told = DispatchSemaphore(value: 0)
      let token = try queue.sync {
        try Realm(configuration: configuration, queue: queue).objects(Dog.self).observe { _ in told.signal() }
      }
      let other = try await MainActor.run { try Realm(configuration: configuration).objects(Dog.self).observe { _ in } }
      try OtherProcessTests.commit(told, path, agentPath, "a")
      let after = try SleepCount.least { $1 <= before || $0 == 8 }
      FileHandle.standardError.write(
        Data("note: threads went to sleep \(before) times in two seconds without observers, \(after) times with them\n".utf8))
      try #require(after <= before)
      // They were asleep, not dead.
      try OtherProcessTests.commit(told, path, agentPath, "b")
      [token, other].forEach { $0.invalidate() }
    }
    let notes = (result?.standardError ?? "").split(separator: "\n").filter { $0.hasPrefix("note: threads") }
    FileHandle.standardError.write(Data((notes.joined() + "\n").utf8))
  }

  private static func commit(_ told: DispatchSemaphore, _ path: String, _ agentPath: String, _ name: String) throws {
    while told.wait(timeout: .now() + 1) == .success {}
    let agent = try ChildProcess(agentPath, ["add", path + "/test.realm", "class_Dog"])
    try #require(agent.line() == "ready")
    agent.say(name)
    try #require(agent.line() == "added \(name)")
    try #require(told.wait(timeout: .now() + .seconds(patience)) == .success)
  }
}

private let descriptorLimit = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
