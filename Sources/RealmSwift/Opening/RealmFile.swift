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
