import EngineWorkloads
import Foundation
import Randomness
import Synchronization

/// Threads that scan the file, each through a handle of its own.
final class Readers: Sendable {
  private let times = Mutex<[Double]>([])

  /// The median of the processor time of their scans, in nanoseconds a row.
  static func medianTime(_ path: String, _ count: Int, _ rows: Int) -> Double {
    let readers = Readers()
    let threads = DispatchGroup()
    for _ in 0..<count {
      threads.enter()
      Thread.detachNewThread {
        readers.scan(path)
        threads.leave()
      }
    }
    threads.wait()
    return readers.times.withLock { $0.sorted()[$0.count / 2] } / Double(rows)
  }

  private func scan(_ path: String) {
    do {
      let store = try EngineStore(path: path)
      for _ in 0..<10 {
        let start = Self.now()
        _ = try store.sumOfEverything()
        let time = Self.now() - start
        times.withLock { $0.append(time) }
      }
      store.close()
    } catch { fatalError("\(error)") }
  }

  /// Processor nanoseconds of the calling thread.
  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}

/// A thread that commits one small change after the other until it is told to end.
final class Writer: Sendable {
  private let ends = Atomic<Bool>(false)
  private let ended = DispatchSemaphore(value: 0)

  init(_ path: String, _ rows: Int) {
    Thread.detachNewThread { [self] in
      do {
        let store = try EngineStore(path: path)
        var random = SeededGenerator(seed: 3)
        while !ends.load(ordering: .relaxed) { try store.update([Int64(random.below(rows))], ages: [Int64(random.below(100))]) }
        store.close()
      } catch { fatalError("\(error)") }
      ended.signal()
    }
  }

  func end() {
    ends.store(true, ordering: .relaxed)
    ended.wait()
  }
}
