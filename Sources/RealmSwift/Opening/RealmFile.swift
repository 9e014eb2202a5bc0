import Foundation
import RealmStorage
import Synchronization

/// One realm file that is open in this process: the database, the schema that it was opened with, and who uses it.
///
/// Kept by its realms; the last one closes the file.
final class RealmFile: Sendable {
  let path: String
  let database: Database
  let schema: Schema
  let configuration: Realm.Configuration
  /// The asynchronous writes of all realms.
  let writer: WriterQueue
  /// Wakes the realms of this file when somebody commits.
  let signals = CommitSignals()
  /// Who holds which version.
  let pins = PinRegistry()
  private let hasToldOfClasses = Atomic<Bool>(false)
  private let state = Locked(State())

  private struct State {
    var live: [ConfinementKey: WeakCore] = [:]
    var frozen: [UInt64: WeakCore] = [:]
  }

  init(path: String, database: Database, schema: Schema, configuration: Realm.Configuration) {
    self.path = path
    self.database = database
    writer = WriterQueue(database)
    self.schema = schema
    self.configuration = configuration
    Metering.fileOpened(1)
  }

  deinit {
    Metering.fileOpened(-1)
    OpenFiles.entry(path).lastRealmIsGone()
  }

  /// The classes of the first opening are those of all others. One that asks for more is told once that it does not get them.
  func tellOfClasses(missingFor other: Realm.Configuration) {
    guard let wanted = other.customSchema, !hasToldOfClasses.load(ordering: .relaxed) else { return }
    let missing = wanted.objectSchema.map(\.className).filter { schema[$0] == nil }
    guard !missing.isEmpty, !hasToldOfClasses.exchange(true, ordering: .relaxed) else { return }
    Logger.shared.log(
      .warn, .schema,
      "Realm at path '\(path)' is already open with other `objectTypes`, which stay in force until it is closed everywhere in this process. "
        + "Not available: \(missing.sorted().joined(separator: ", "))")
  }

  // MARK: Realms of this file

  /// A realm on its way into or out of the lock.
  ///
  /// - SAFETY: a live realm is only given to code that runs in its own confinement; a frozen one may be read anywhere.
  private struct Passage: @unchecked Sendable {
    let core: RealmCore?
  }

  /// The realm of a confinement, if there is one.
  func existingCore(_ confinement: Confinement) -> RealmCore? { existingCore(confinement.key) }

  func existingCore(_ key: ConfinementKey) -> RealmCore? {
    guard let core = knownCore(key), core.confinement.isThere else { return nil }
    return core
  }

  /// The actor of a realm may be gone before the realm, and another one be where it was. Who looks for it may be the last to let go of it, and
  /// must not do so under the lock.
  private func knownCore(_ key: ConfinementKey) -> RealmCore? { state.withLock { Passage(core: $0.live[key]?.core) }.core }

  /// The realm of a confinement; made if there is none.
  func core(for configuration: Realm.Configuration, _ confinement: Confinement) throws -> RealmCore {
    let new = RealmCore(self, configuration, confinement)
    let (key, entry) = (confinement.key, WeakCore(new))
    let stale = knownCore(key).flatMap { $0.confinement.isThere ? nil : WeakCore($0, isEnding: true) }
    let known = state.withLock { state -> Passage in
      // Of two tasks of one actor, the other may have been faster.
      if let known = state.live[key], known != stale, let core = known.core { return Passage(core: core) }
      state.live[key] = entry
      return Passage(core: nil)
    }
    if let core = known.core { return core }
    new.startListening()
    return new
  }

  func frozenCore(version: UInt64) -> RealmCore? { state.withLock { Passage(core: $0.frozen[version]?.core) }.core }

  func rememberFrozen(_ core: RealmCore, version: UInt64) {
    let entry = WeakCore(core)
    state.withLock { $0.frozen[version] = entry }
  }

  /// Every realm calls this at its end: from then on nobody looks at its memory.
  func forget(_ core: RealmCore) {
    let entry = WeakCore(core, isEnding: true)
    state.withLock { state in
      if let index = state.live.firstIndex(where: { $0.value == entry }) { state.live.remove(at: index) }
      if let index = state.frozen.firstIndex(where: { $0.value == entry }) { state.frozen.remove(at: index) }
    }
  }
}

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
