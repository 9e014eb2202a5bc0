import Synchronization

/// Who observes: added and asked for in the confinement of a realm, taken out on any thread.
struct ObserverRegistry<Content>: ~Copyable {
  private let entries = Mutex<[Entry]>([])

  /// - SAFETY: the content is used in the confinement only; others may be the last to let go of it.
  struct Entry: @unchecked Sendable {
    let identifier: UInt64
    let content: Content
  }

  var isEmpty: Bool { entries.withLock { $0.isEmpty } }
  var all: [Entry] { entries.withLock { $0 } }

  func add(_ identifier: UInt64, _ content: Content) {
    let entry = Entry(identifier: identifier, content: content)
    entries.withLock { $0.append(entry) }
  }

  /// - Returns: whether it was there.
  func remove(_ identifier: UInt64) -> Bool {
    // What a block has captured may end with it, and do anything: not under the lock.
    let removed = entries.withLock { entries -> Entry? in
      entries.firstIndex { $0.identifier == identifier }.map { entries.remove(at: $0) }
    }
    return removed != nil
  }

  func contains(_ identifier: UInt64) -> Bool { entries.withLock { $0.contains { $0.identifier == identifier } } }
}
