import RealmStorage

/// Who observes: added and asked for in the confinement of a realm, taken out on any thread.
struct ObserverRegistry<Content>: ~Copyable {
  /// In the order of the identifiers, which is that in which observers came.
  private let entries = Locked<[Entry]>([])

  /// - SAFETY: the content is used in the confinement only; others may be the last to let go of it.
  struct Entry: @unchecked Sendable {
    let identifier: UInt64
    let content: Content
  }

  var isEmpty: Bool { entries.withLock { $0.isEmpty } }
  var count: Int { entries.withLock { $0.count } }
  var all: [Entry] { entries.withLock { $0 } }

  func add(_ identifier: UInt64, _ content: Content) {
    let entry = Entry(identifier: identifier, content: content)
    entries.withLock { $0.insert(entry, at: Self.position(identifier, $0)) }
  }

  /// - Returns: whether it was there.
  func remove(_ identifier: UInt64) -> Bool {
    // What a block has captured may end with it, and do anything: not under the lock.
    let removed = entries.withLock { entries -> Entry? in
      let position = Self.position(identifier, entries)
      return Self.holds(entries, identifier, position) ? entries.remove(at: position) : nil
    }
    return removed != nil
  }

  func contains(_ identifier: UInt64) -> Bool { entries.withLock { Self.holds($0, identifier, Self.position(identifier, $0)) } }

  /// In the confinement only.
  func entry(_ identifier: UInt64) -> Entry? {
    entries.withLock { entries -> Entry? in
      let position = Self.position(identifier, entries)
      return Self.holds(entries, identifier, position) ? entries[position] : nil
    }
  }

  private static func position(_ identifier: UInt64, _ entries: [Entry]) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) >> 1
      if entries[middle].identifier < identifier { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func holds(_ entries: [Entry], _ identifier: UInt64, _ position: Int) -> Bool {
    position < entries.count && entries[position].identifier == identifier
  }
}
