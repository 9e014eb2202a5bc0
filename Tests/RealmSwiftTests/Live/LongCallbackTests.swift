import Dispatch
import Foundation
import RealmStorage
import TestSupport
import Testing

@testable import RealmSwift

/// Whoever writes waits for nobody who observes, and a block that takes long keeps nobody waiting who observes elsewhere.
///
/// Nothing here is measured: the long block ends only after everything that must not wait for it.
@Suite(.mustEnd) struct LongCallbackTests {
  /// What a block waits for that takes long.
  private final class Gate: Sendable {
    private let opened = DispatchSemaphore(value: 0)
    private let held = Locked(false)
    /// Whether somebody is in there.
    var isHolding: Bool { held.withLock { $0 } }

    func hold() {
      held.withLock { $0 = true }
      opened.wait()
      held.withLock { $0 = false }
    }

    func open() { opened.signal() }
  }

  private actor Watcher {
    private var token: NotificationToken?

    func watch(_ configuration: Realm.Configuration, _ log: ReportLog) async throws {
      let realm = try await Realm(configuration: configuration, actor: self)
      token = await realm.objects(Dog.self).observe(on: self) { _, change in log.note(change) }
    }

    func end() { token = nil }
  }

  private let directory = TestDirectory()
  private let log = ReportLog()
  private let gate = Gate()
  private let queue = DispatchQueue(label: "takes long")
  private var configuration: Realm.Configuration { directory.configuration() }

  private func add(_ name: String) -> @Sendable (Realm) -> Void { { $0.add(Dog(value: ["name": name])) } }

  /// Read on the queue: a closure of a test that belongs to the main actor would be the main actor's, too.
  private static func text(_ dogs: Results<Dog>) -> String { dogs.map { "\($0.name) \($0.age)" }.joined(separator: " ") }

  /// An observer on the queue, that is told of a first change and does not come to an end with it.
  @MainActor private func observeForLong(_ realm: Realm) async throws -> NotificationToken {
    let (log, gate) = (log, gate)
    var isFirst = true
    let token = realm.objects(Dog.self).observe(on: queue) { change in
      log.note(change)
      guard case .update = change, isFirst else { return }
      isFirst = false
      gate.hold()
    }
    #expect(try await eventually { log.all == ["initial"] })
    try directory.commitElsewhere(add("first"))
    #expect(try await eventually { gate.isHolding })
    return token
  }

  @MainActor @Test func nobodyWhoWritesWaitsForALongBlock() async throws {
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    let token = try await observeForLong(realm)
    for number in 0..<20 { try directory.commitElsewhere(add("thread \(number)")) }
    for number in 0..<20 { try realm.write { add("main \(number)")(realm) } }
    for number in 0..<20 { try await realm.asyncWrite { add("actor \(number)")(realm) } }
    let agent = try ChildProcess.agent("add", directory.fileURL().path, "class_Dog")
    #expect(try agent.line() == "ready")
    for number in 0..<20 {
      agent.say("process \(number)")
      #expect(try agent.line() == "added process \(number)")
    }
    #expect(try agent.end() == [])
    #expect(gate.isHolding)
    #expect(log.take() == ["initial", "-[] +[0] ~[]"])
    // All that happened meanwhile is one change.
    gate.open()
    #expect(try await eventually { log.all.count == 1 })
    #expect(log.take() == ["-[] +\(Array(1...80)) ~[]"])
    token.invalidate()
  }

  @MainActor @Test func othersAreToldDuringALongBlock() async throws {
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    let token = try await observeForLong(realm)
    let (onMain, onQueue, onActor, inLoop) = (ReportLog(), ReportLog(), ReportLog(), ReportLog())
    let tokens = [
      realm.objects(Dog.self).observe { onMain.note($0) },
      realm.objects(Dog.self).observe(on: DispatchQueue(label: "another")) { onQueue.note($0) },
    ]
    let watcher = Watcher()
    try await watcher.watch(configuration, onActor)
    let loop = Task { for await change in realm.objects(Dog.self).changes { inLoop.note(change) } }
    let logs = [onMain, onQueue, onActor, inLoop]
    #expect(try await eventually { logs.allSatisfy { $0.all == ["initial"] } })
    logs.forEach { _ = $0.take() }
    for number in 1...20 {
      try directory.commitElsewhere(add("\(number)"))
      #expect(try await eventually { logs.allSatisfy { $0.all.count == 1 } })
      #expect(logs.map { $0.take() } == Array(repeating: ["-[] +[\(number)] ~[]"], count: logs.count))
    }
    #expect(gate.isHolding)
    gate.open()
    #expect(try await eventually { log.all.count == 3 })
    loop.cancel()
    await watcher.end()
    (tokens + [token]).forEach { $0.invalidate() }
  }

  /// Nor does the file have to wait for the block to be over: what it reads stays as it was.
  @MainActor @Test func aLongBlockGoesOnReadingItsVersion() async throws {
    let realm = try await Realm(configuration: configuration, actor: MainActor.shared)
    let (log, gate, seen) = (log, gate, ReportLog())
    let token = realm.objects(Dog.self).observe(on: queue) { change in
      log.note(change)
      guard case .update(let dogs, _, _, _) = change else { return }
      if dogs.count > 1 { return }
      seen.add(Self.text(dogs))
      gate.hold()
      seen.add(Self.text(dogs))
    }
    #expect(try await eventually { log.all == ["initial"] })
    try directory.commitElsewhere(add("Rex"))
    #expect(try await eventually { gate.isHolding })
    try directory.commitElsewhere { $0.objects(Dog.self)[0].age = 7 }
    for number in 0..<30 { try directory.commitElsewhere(add("more \(number)")) }
    gate.open()
    #expect(try await eventually { log.all.count == 3 })
    #expect(seen.take() == ["Rex 0", "Rex 0"])
    token.invalidate()
  }
}
