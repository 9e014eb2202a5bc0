import Dispatch
import Foundation
import RealmStorage
import Synchronization

/// Opens a file on a background thread.
final class AsyncOpening: @unchecked Sendable {
  // SAFETY: the callback is called once, on the queue that the caller named.
  private static let queue = DispatchQueue(label: "io.realm.asyncOpen", attributes: .concurrent)

  private let configuration: Realm.Configuration
  private let callbackQueue: DispatchQueue
  private let callback: (Result<Realm, any Swift.Error>) -> Void
  private let isCancelled = Atomic<Bool>(false)

  init(_ configuration: Realm.Configuration, _ queue: DispatchQueue, _ callback: @escaping (Result<Realm, any Swift.Error>) -> Void) {
    self.configuration = configuration
    callbackQueue = queue
    self.callback = callback
  }

  func cancel() { isCancelled.store(true, ordering: .relaxed) }

  private func checkCancellation() throws {
    if isCancelled.load(ordering: .relaxed) {
      throw NSError(
        domain: NSPOSIXErrorDomain, code: Int(ECANCELED), userInfo: [NSLocalizedDescriptionKey: "Operation canceled"])
    }
  }

  func start() {
    Self.queue.async { [self] in
      let file = HandedFile()
      let opened = Result {
        try checkCancellation()
        let opening = try orThrow { try RealmOpening(configuration) }
        try orThrow(path: opening.path) { file.put(try opening.openedFile()) }
        return opening.path
      }
      callbackQueue.async { [self] in
        if case .success(let path) = opened {
          OpenCallbacks.running(path) { deliver(file, opened) }
        } else {
          deliver(file, opened)
        }
      }
    }
  }

  /// When this returns nothing of the realm is left but what the callback has kept.
  private func deliver(_ file: HandedFile, _ opened: Result<String, any Swift.Error>) { callback(Result { try realm(file, opened) }) }

  private func realm(_ file: HandedFile, _ opened: Result<String, any Swift.Error>) throws -> Realm {
    defer { file.take() }
    try checkCancellation()
    _ = try opened.get()
    return try Realm(configuration: configuration, queue: callbackQueue)
  }

  static func file(_ opening: RealmOpening) async throws -> HandedFile {
    let file = HandedFile()
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(with: Result { try orThrow(path: opening.path) { file.put(try opening.openedFile()) } })
      }
    }
    return file
  }
}

/// A file that one thread has opened for another. Only this keeps it: whoever opened it may come to its end later than the other, and the file
/// would still be open when the program thinks that it has let go of its realm.
final class HandedFile: Sendable {
  private let file = Locked<RealmFile?>(nil)

  func put(_ new: RealmFile) { file.withLock { $0 = new } }

  /// Lets go of it.
  func take() {
    let taken = file.withLock { file in
      defer { file = nil }
      return file
    }
    // Closing takes its time: not under the lock.
    withExtendedLifetime(taken) {}
  }
}

/// The callbacks of `Realm.asyncOpen` that are running. They hold their realm until they return, so whoever is told something by one of them and
/// deletes the file at once has to wait for its end.
final class OpenCallbacks: @unchecked Sendable {
  // SAFETY: `running` is only touched under the condition.
  private static let shared = OpenCallbacks()
  private let condition = NSCondition()
  private var running: [(path: String, thread: UInt)] = []

  static func running(_ path: String, _ body: () -> Void) {
    let thread = currentThread()
    shared.condition.withLock { shared.running.append((path, thread)) }
    body()
    shared.condition.withLock {
      if let index = shared.running.firstIndex(where: { $0 == (path, thread) }) { shared.running.remove(at: index) }
      shared.condition.broadcast()
    }
  }

  /// Waits for the callbacks of other threads that have to do with a file, but not for long: they may be waiting for the caller.
  static func wait(for path: String) {
    let (thread, deadline) = (currentThread(), Date(timeIntervalSinceNow: 1))
    shared.condition.withLock {
      while shared.running.contains(where: { $0.path == path && $0.thread != thread }), shared.condition.wait(until: deadline) {}
    }
  }
}
