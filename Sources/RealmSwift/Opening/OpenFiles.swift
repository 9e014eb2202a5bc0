import Foundation
import RealmStorage
import Synchronization

/// The realm files that are open in this process, by path.
enum OpenFiles {
  /// One path: its lock is held while it is being opened, so that the second to open it finds it open.
  final class Entry: Sendable {
    private let lock = RecursiveLock()
    private let isOpening = Atomic<Bool>(false)
    private let file = Locked(WeakFile())
    private struct WeakFile {
      weak var file: RealmFile?
      var lastEnd: ContinuousClock.Instant?
    }

    var current: RealmFile? { file.withLock { $0.file } }
    func set(_ new: RealmFile) { file.withLock { $0.file = new } }
    func lastRealmIsGone() { file.withLock { $0.lastEnd = .now } }

    /// Threads that have written for realms, or told them of commits, let go of the file a little later than the program has let go of its last realm.
    private var mayBeClosing: Bool {
      // Not under the lock: who looks for a file may be the last to let go of it, and its end takes the lock.
      guard current == nil, let end = file.withLock({ $0.lastEnd }) else { return false }
      return ContinuousClock.now - end < .seconds(1)
    }

    /// Whether nobody has the file open, or may still keep it.
    /// - Parameter held: gets the file, if there is one.
    fileprivate func isUnused(_ held: inout [RealmFile]) -> Bool {
      if let file = current {
        held.append(file)
        return false
      }
      return file.withLock { $0.lastEnd.map { ContinuousClock.now - $0 >= .seconds(1) } ?? true }
    }

    /// Waits until nobody has the file open if other threads of this process may still keep it for a moment, a second at most.
    func waitUntilClosed(_ path: String) {
      while mayBeClosing, Database.isOpen(path: path) { Thread.sleep(forTimeInterval: 0.001) }
    }
    func withOpeningLock<Result>(_ body: () throws -> Result) throws -> Result {
      lock.lock()
      defer { lock.unlock() }
      if isOpening.exchange(true, ordering: .relaxed) {
        throw RealmFailure.misuse("A Realm cannot be opened from within its own migration block or `shouldCompactOnLaunch`.")
      }
      defer { isOpening.store(false, ordering: .relaxed) }
      return try body()
    }
  }

  private struct Entries {
    var byPath: [String: Entry] = [:]
    /// With so many it is time to forget some.
    var limit = 256

    /// Forgets what nobody holds or needs: programs may open any number of paths, and realms in memory have names that are never used again.
    /// - Parameter held: files whose last user may be this, and that must not end under the lock.
    mutating func forgetUnused(_ held: inout [RealmFile]) {
      for path in Array(byPath.keys) where isKnownUniquelyReferenced(&byPath[path]!) && byPath[path]!.isUnused(&held) { byPath[path] = nil }
      limit = max(256, 2 * byPath.count)
    }
  }
  private static let entries = Locked(Entries())

  static func entry(_ path: String) -> Entry {
    var held: [RealmFile] = []
    defer { held.removeAll() }
    return entries.withLock { entries in
      if let entry = entries.byPath[path] { return entry }
      if entries.byPath.count >= entries.limit { entries.forgetUnused(&held) }
      let entry = Entry()
      entries.byPath[path] = entry
      return entry
    }
  }

  /// How many paths are known.
  static var count: Int { entries.withLock { $0.byPath.count } }

  /// By what they were given as, the paths of realms that were opened.
  private static let realPaths = Locked<[String: String]>([:])

  /// The one path of a file, however it is reached. Programs open the realm of a thread again and again: as long as a name leads to the file that
  /// is open, one look replaces one at each directory on the way.
  static func realPath(_ name: String) -> String {
    if let path = realPaths.withLock({ $0[name] }), let file = entry(path).current, file.database.isNamed(name) { return path }
    let path = FileCalls.realPath(name)
    realPaths.withLock { paths in
      if paths.count >= 256 { paths.removeAll() }
      paths[name] = path
    }
    return path
  }

  static func isOpen(_ path: String) -> Bool { entry(path).current != nil }
}
