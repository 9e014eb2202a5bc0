import Dispatch
import Foundation
import Randomness
import RealmStorage
import RealmSwift

/// The threads of one process.
struct Crew {
  private let configuration: Realm.Configuration
  private let threadCount: Int
  /// The number of the first writer; those of the other process have others.
  private let first: Int
  private let seed: UInt64
  private let ledger: Ledger

  init(_ file: URL, threads: Int, first: Int, seed: UInt64, _ ledger: Ledger) {
    configuration = Self.configuration(file)
    (threadCount, self.first, self.seed, self.ledger) = (threads, first, seed, ledger)
  }

  static func configuration(_ file: URL) -> Realm.Configuration {
    Realm.Configuration(fileURL: file, objectTypes: [Part.self, Counter.self, Shelf.self])
  }

  /// Works for so long.
  /// - Returns: by writer, how many transactions it has committed.
  func work(_ seconds: Double) async -> [Int: Int] {
    let end = Date(timeIntervalSinceNow: seconds)
    ledger.limit(seconds + 60)
    let committed = Committed()
    let threads = DispatchGroup()
    let (clerkCount, watchCount) = (threadCount / 4, threadCount / 4)
    let writerCount = threadCount - clerkCount - watchCount - 1
    let hands = Hands(configuration: configuration, ledger: ledger)
    for writer in 0..<writerCount {
      let editor = Editor(first + writer, seed: seed)
      start(threads) {
        ledger.step(editor.identifier, "writes")
        committed.set(editor.identifier, hands.write(editor, until: end))
        ledger.step(editor.identifier, nil)
      }
    }
    start(threads) { hands.read(seed: seed, until: end) }
    for number in 0..<watchCount {
      let watch = Watch(configuration: configuration, queue: DispatchQueue(label: "watch \(number)"), ledger: ledger)
      start(threads) { watch.work(until: end) }
    }
    await withTaskGroup(of: Void.self) { group in
      for clerk in 0..<clerkCount {
        let editor = Editor(first + writerCount + clerk, seed: seed)
        group.addTask {
          committed.set(editor.identifier, await Clerk.work(editor, configuration, until: end, ledger))
          ledger.step(editor.identifier, nil)
        }
      }
    }
    await withCheckedContinuation { continuation in threads.notify(queue: .global()) { continuation.resume() } }
    return committed.all
  }

  private func start(_ group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
    group.enter()
    Thread {
      body()
      group.leave()
    }.start()
  }

  private final class Committed: Sendable {
    private let counts = Locked<[Int: Int]>([:])
    func set(_ writer: Int, _ count: Int) { counts.withLock { $0[writer] = count } }
    var all: [Int: Int] { counts.withLock { $0 } }
  }
}
