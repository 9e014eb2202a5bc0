import Foundation
import RealmSwift

// What durable commits of one small object cost by the clock: one after the other, and many asynchronous ones at a time, which share barriers.
// Every row has a file of its own, to which each commit adds an object.
//
//     async-benchmarks [COMMITS [IN-FLIGHT [ROW]]]
//
// A row is chosen by a part of its name; that of single commits is always there.

final class Reading: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var value: Double
  @Persisted var name: String
}

func argument(_ index: Int, _ usual: Int) -> Int { CommandLine.arguments.count > index ? Int(CommandLine.arguments[index]) ?? usual : usual }
let commitCount = argument(1, 6400)
let inFlightCount = argument(2, 64)
let chosenRow = CommandLine.arguments.count > 3 ? CommandLine.arguments[3] : ""
/// Each waits for its own barriers: so many are enough.
let singleCount = min(commitCount, 200)

let directory = FileManager.default.temporaryDirectory.appendingPathComponent("async-benchmarks-\(getpid())", isDirectory: true)
try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)

func add(_ realm: Realm, _ id: Int) {
  let reading = Reading()
  (reading.id, reading.value, reading.name) = (id, Double(id), "reading \(id)")
  realm.add(reading)
}

/// Writes by callback on a queue: so many at a time until all are done.
// SAFETY: used on its queue only.
final class Writes: @unchecked Sendable {
  private let queue: DispatchQueue
  private let whenDone: @Sendable () -> Void
  private let configuration: Realm.Configuration
  private var realm: Realm!
  private var (next, end, left): (Int, Int, Int)
  private let isFree: Bool

  /// - Parameter isFree: by blocks that commit themselves, and might cancel.
  init(_ configuration: Realm.Configuration, _ range: Range<Int>, isFree: Bool, whenDone: @escaping @Sendable () -> Void) {
    (self.configuration, self.isFree, self.whenDone) = (configuration, isFree, whenDone)
    queue = DispatchQueue(label: "writes from \(range.lowerBound)")
    (next, end, left) = (range.lowerBound, range.upperBound, range.count)
  }

  func start(_ width: Int) {
    queue.async { [self] in
      realm = try! Realm(configuration: configuration, queue: queue)
      for _ in 0..<width { startOne() }
    }
  }

  private func startOne() {
    guard next < end else { return }
    let id = next
    next += 1
    if isFree {
      realm.beginAsyncWrite { [self] in
        add(realm, id)
        realm.commitAsyncWrite(allowGrouping: true) { self.ended($0) }
      }
    } else {
      realm.writeAsync {
        add(self.realm, id)
      } onComplete: {
        self.ended($0)
      }
    }
  }

  private func ended(_ error: (any Error)?) {
    precondition(error == nil)
    left -= 1
    if left == 0 { return whenDone() }
    // A completion may not begin a write.
    queue.async { self.startOne() }
  }
}

func writeInBlocks(_ configuration: Realm.Configuration, _ range: Range<Int>, _ width: Int, isFree: Bool = false) async {
  await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
    Writes(configuration, range, isFree: isFree) { continuation.resume() }.start(width)
  }
}

@MainActor func writeInTasks(_ realm: Realm, _ count: Int, _ width: Int) async throws {
  let tasks = (0..<width).map { part in
    Task { for id in stride(from: part, to: count, by: width) { try await realm.asyncWrite { add(realm, id) } } }
  }
  for task in tasks { try await task.value }
}

let clock = ContinuousClock()
var singleTime: Double?
@MainActor func report(_ name: String, _ count: Int, _ body: (Realm) async throws -> Void) async throws {
  guard singleTime == nil || chosenRow.isEmpty || name.contains(chosenRow) else { return }
  let file = directory.appendingPathComponent("\(name.hashValue).realm")
  let realm = try Realm(configuration: Realm.Configuration(fileURL: file, objectTypes: [Reading.self]), queue: nil)
  let start = clock.now
  try await body(realm)
  let time = (clock.now - start) / .microseconds(count)
  let single = singleTime ?? time
  singleTime = single
  print(String(format: "%@%12.1f%12.1f", name.padding(toLength: 52, withPad: " ", startingAt: 0), time, single / time))
  fflush(nil)
}

print("microseconds by the clock of a durable commit of one object, and how many times as fast as single ones")
try await report("single durable (write)", singleCount) { realm in
  for id in 0..<singleCount { try realm.write { add(realm, id) } }
}
try await report("awaited one after the other (asyncWrite)", singleCount) { realm in
  for id in 0..<singleCount { try await realm.asyncWrite { add(realm, id) } }
}
try await report("asynchronous, \(inFlightCount) in flight (writeAsync)", commitCount) {
  await writeInBlocks($0.configuration, 0..<commitCount, inFlightCount)
}
try await report("asynchronous, \(inFlightCount) in flight (beginAsyncWrite)", commitCount) {
  await writeInBlocks($0.configuration, 0..<commitCount, inFlightCount, isFree: true)
}
try await report("asynchronous, \(inFlightCount) in flight (asyncWrite)", commitCount) { try await writeInTasks($0, commitCount, inFlightCount) }
try await report("asynchronous, \(inFlightCount) in flight, on four queues", commitCount) { realm in
  let (configuration, share) = (realm.configuration, commitCount / 4)
  await withTaskGroup(of: Void.self) { group in
    for part in 0..<4 {
      group.addTask { await writeInBlocks(configuration, part * share..<(part + 1) * share, max(1, inFlightCount / 4)) }
    }
  }
}
try FileManager.default.removeItem(at: directory)
