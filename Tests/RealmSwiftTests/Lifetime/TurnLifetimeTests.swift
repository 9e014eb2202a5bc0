import Dispatch
import Foundation
import RealmStorage
import TestSupport
import Testing

@testable import RealmSwift

/// Realms in memory that are opened anew in each statement.
@Suite(.mustEnd) struct TurnLifetimeTests {
  private let configuration = Realm.Configuration(inMemoryIdentifier: "regnum-turn-" + UUID().uuidString, objectTypes: [Extra.self])
  private var path: String { URL(fileURLWithPath: NSTemporaryDirectory()).appendingPathComponent(configuration.inMemoryIdentifier!).path }

  private func removeRest() {
    for suffix in [".lock", ".note", ".management"] { try? FileManager.default.removeItem(atPath: path + suffix) }
  }

  /// - Returns: what the second statement sees of the first.
  private static func twoStatements(_ configuration: Realm.Configuration, _ queue: DispatchQueue? = nil) throws -> Int {
    try Realm(configuration: configuration, queue: queue).write {
      try Realm(configuration: configuration, queue: queue).add(Extra(value: ["text": "a"]))
    }
    return try Realm(configuration: configuration, queue: queue).objects(Extra.self).count
  }

  @Test func memoryStaysForATurnOfAQueue() throws {
    let (configuration, queue) = (configuration, DispatchQueue(label: "turn"))
    let count = try queue.sync { try Self.twoStatements(configuration, queue) }
    #expect(count == 1)
    queue.sync {}
    #expect(!OpenFiles.isOpen(path) && !FileManager.default.fileExists(atPath: path))
    #expect(try queue.sync { try Realm(configuration: configuration, queue: queue).isEmpty })
    queue.sync {}
    removeRest()
  }

  @MainActor @Test func memoryStaysForATurnOfTheMainQueue() async throws {
    #expect(try Self.twoStatements(configuration) == 1)
    let path = path
    #expect(try await eventually { !OpenFiles.isOpen(path) })
    #expect(!FileManager.default.fileExists(atPath: path))
    removeRest()
  }

  @Test func memoryStaysForATurnOfAnActor() async throws {
    let user = MemoryUser()
    #expect(try await user.countOfTwoStatements(configuration) == 1)
    let path = path
    #expect(try await eventually { !OpenFiles.isOpen(path) })
    removeRest()
  }

  @Test func memoryStaysForATurnOfARunLoop() throws {
    let (configuration, path) = (configuration, path)
    let count = Locked(-1)
    let isOpenLater = Locked(true)
    let thread = LoopThread {
      let seen = (try? Self.twoStatements(configuration)) ?? -2
      count.withLock { $0 = seen }
    } later: {
      let isOpen = OpenFiles.isOpen(path)
      isOpenLater.withLock { $0 = isOpen }
    }
    thread.run()
    #expect(count.withLock { $0 } == 1)
    #expect(!isOpenLater.withLock { $0 })
    removeRest()
  }

  /// As programs for Apple platforms do, where pools keep the instance.
  private static func transactionOfThreeStatements(_ configuration: Realm.Configuration, _ queue: DispatchQueue? = nil) throws {
    try Realm(configuration: configuration, queue: queue).beginWrite()
    try Realm(configuration: configuration, queue: queue).add(Extra(value: ["text": "a"]))
    try Realm(configuration: configuration, queue: queue).commitWrite()
  }

  @Test func aTransactionGoesOnInTheInstancesThatFollow() throws {
    let directory = TestDirectory()
    let file = Realm.Configuration(fileURL: URL(fileURLWithPath: directory.file("a.realm")), objectTypes: [Extra.self])
    let queue = DispatchQueue(label: "turn")
    try queue.sync {
      try Self.transactionOfThreeStatements(file, queue)
      #expect(!OpenFiles.isOpen(directory.file("a.realm")), "the end of the transaction lets go of the file")
      #expect(try Realm(configuration: file, queue: queue).objects(Extra.self).count == 1)
    }
    try autoreleasepool { try Self.transactionOfThreeStatements(file) }
    #expect(!OpenFiles.isOpen(directory.file("a.realm")))
    #expect(try Realm(configuration: file).objects(Extra.self).count == 2)
  }

  @Test func aTransactionThatIsLetGoOfIsCancelledWhenTheTurnEnds() throws {
    let directory = TestDirectory()
    let file = Realm.Configuration(fileURL: URL(fileURLWithPath: directory.file("a.realm")), objectTypes: [Extra.self])
    let queue = DispatchQueue(label: "turn")
    try queue.sync {
      try Realm(configuration: file, queue: queue).beginWrite()
      try Realm(configuration: file, queue: queue).add(Extra(value: ["text": "a"]))
    }
    queue.sync {}
    #expect(!OpenFiles.isOpen(directory.file("a.realm")))
    #expect(try Realm(configuration: file).isEmpty)
  }

  @Test func aPoolLetsGoOfAFileWhenTheTransactionEnds() throws {
    let directory = TestDirectory()
    let file = Realm.Configuration(fileURL: URL(fileURLWithPath: directory.file("a.realm")), objectTypes: [Extra.self])
    try autoreleasepool {
      try Self.transactionOfThreeStatements(file)
      #expect(!OpenFiles.isOpen(directory.file("a.realm")))
      try Realm(configuration: file).beginWrite()
      #expect(OpenFiles.isOpen(directory.file("a.realm")), "a transaction that goes on")
      try Realm(configuration: file).cancelWrite()
      #expect(!OpenFiles.isOpen(directory.file("a.realm")))
      #expect(try Realm.deleteFiles(for: file))
    }
  }

  @Test func memoryStaysUntilTheEndOfAPool() throws {
    let count = try autoreleasepool { try Self.twoStatements(configuration) }
    #expect(count == 1)
    #expect(!OpenFiles.isOpen(path))
    autoreleasepool {
      _ = try? autoreleasepool { try Self.twoStatements(configuration) }
      #expect(!OpenFiles.isOpen(path))
    }
    removeRest()
  }

  @Test func onAPlainThreadMemoryGoesWithTheLastInstance() throws {
    do { _ = try Realm(configuration: configuration) }
    #expect(!OpenFiles.isOpen(path))
    removeRest()
  }

  @Test func filesAreNotKept() throws {
    let (directory, queue) = (TestDirectory(), DispatchQueue(label: "turn"))
    let configuration = directory.configuration([Extra.self])
    let (count, isDeleted) = try queue.sync {
      (try Self.twoStatements(configuration, queue), try Realm.deleteFiles(for: configuration))
    }
    #expect(count == 1 && isDeleted)
  }
}

private actor MemoryUser {
  func countOfTwoStatements(_ configuration: Realm.Configuration) async throws -> Int {
    let realm = try await Realm(configuration: configuration, actor: self)
    try realm.write { realm.add(Extra(value: ["text": "a"])) }
    return realm.objects(Extra.self).count
  }
}

/// A thread whose run loop calls one block after the other, in turns of their own.
private final class LoopThread: Sendable {
  private let first: @Sendable () -> Void
  private let later: @Sendable () -> Void
  init(_ first: @escaping @Sendable () -> Void, later: @escaping @Sendable () -> Void) { (self.first, self.later) = (first, later) }

  func run() {
    let end = DispatchSemaphore(value: 0)
    let (first, later) = (first, later)
    Thread {
      let isDone = Locked(false)
      RunLoop.current.add(
        Timer(timeInterval: 0, repeats: false) { _ in
          first()
          let last = Timer(timeInterval: 0.05, repeats: false) { _ in
            later()
            isDone.withLock { $0 = true }
          }
          RunLoop.current.add(last, forMode: .default)
        }, forMode: .default)
      while !isDone.withLock({ $0 }) { RunLoop.current.run(until: Date(timeIntervalSinceNow: 0.5)) }
      end.signal()
    }.start()
    end.wait()
  }
}
