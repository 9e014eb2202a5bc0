public import Dispatch
public import Foundation
import RealmStorage

/// A realm: the objects of one file (or of memory), as one thread, queue or actor sees them.
///
/// A `Realm` may be used only where it was opened, unless it is frozen. Opening the same file again in the same place is cheap and gives an
/// equal value.
public struct Realm: Equatable {
  let core: RealmCore

  init(_ core: RealmCore) { self.core = core }

  /// True for the same instance: that of one file in one place.
  public static func == (a: Realm, b: Realm) -> Bool { a.core === b.core }

  // MARK: Opening

  /// Opens the realm of the default configuration.
  /// - Parameter queue: a serial queue that the realm will be confined to instead of the calling thread; the caller must run on it.
  /// - Throws: `Realm.Error`.
  public init(queue: DispatchQueue? = nil) throws { try self.init(configuration: .defaultConfiguration, queue: queue) }

  /// Opens a realm: makes the file if there is none, upgrades an older format, and migrates an older schema.
  ///
  /// - Parameters:
  ///   - configuration: which realm, and how.
  ///   - queue: a serial queue that the realm will be confined to instead of the calling thread; the caller must run on it.
  /// - Throws: `Realm.Error`: of files, space, permissions, damage and keys; `schemaMismatch` when a migration is needed that the configuration does
  ///   not have; `fail` when the file is open already with other settings, or the schema is not sound.
  public init(configuration: Configuration, queue: DispatchQueue? = nil) throws {
    let confinement: Confinement = if let queue { try orThrow { try .queue(checked: queue) } } else { .current }
    let opening = try orThrow { try RealmOpening(configuration) }
    core = try orThrow(path: opening.path) { try opening.run(confinement) }
  }

  /// Opens the realm of the default configuration with another file.
  ///
  /// - Throws: `Realm.Error` as ``init(configuration:queue:)`` does.
  public init(fileURL: URL) throws {
    var configuration = Configuration.defaultConfiguration
    configuration.fileURL = fileURL
    try self.init(configuration: configuration)
  }

  // MARK: Facts

  /// The classes that this realm was opened with: those of `objectTypes`, else all of the program.
  public var schema: Schema { core.schema }

  /// The configuration that this realm was opened with; its `objectTypes` are those of the realm's schema.
  public var configuration: Configuration {
    var result = core.configuration
    result.customTypes = core.schema.objectSchema.compactMap(\.modelType)
    result.customSchema = core.schema
    return result
  }

  /// Whether no class of this file (but those whose name starts with two underscores) has an object.
  public var isEmpty: Bool {
    orStop(core) {
      try core.verifyThread()
      let group = try core.group()
      for key in try group.tableKeys() {
        let table = try group.table(key)
        if table.nameText.hasPrefix("class_"), !table.nameText.hasPrefix("class___"), try table.count() > 0 { return false }
      }
      return true
    }
  }

  /// Whether a write transaction of this instance is under way.
  public var isInWriteTransaction: Bool { core.isInWriteTransaction }
  /// Whether it is an unchangeable snapshot of one version.
  public var isFrozen: Bool { core.isFrozen }

  /// Whether the realm moves to the newest version by itself when its run loop, queue or actor gets a turn. Default true.
  public var autorefresh: Bool {
    get { core.isFrozen ? false : core.autorefresh }
    nonmutating set {
      if core.isFrozen && newValue { stop("Auto-refresh cannot be enabled for frozen Realms.") }
      core.autorefresh = newValue
    }
  }

  // MARK: Transactions

  /// Runs `block` in a write transaction, which is committed when it returns and rolled back when it throws.
  ///
  /// Begins as `beginWrite()` does, and stops as it does at a mistake of the program. The block may itself cancel or commit.
  /// - Parameters:
  ///   - tokens: of notifications of this realm that are not told of this commit.
  ///   - block: called once, on the calling thread, before `write` returns.
  /// - Returns: what `block` returns.
  /// - Throws: what `block` throws; `Realm.Error` when the file cannot be read or written where the transaction begins, and `block` did not run, or
  ///   when the commit fails, for instance because the disk is full.
  @discardableResult
  public func write<Result>(withoutNotifying tokens: [NotificationToken] = [], _ block: (() throws -> Result)) throws -> Result {
    try orThrow(stoppingAtMisuseOf: core) { try core.beginWrite(staysOnThread: true) }
    let result: Result
    do { result = try block() } catch {
      if isInWriteTransaction { cancelWrite() }
      throw error
    }
    if isInWriteTransaction { try commitWrite(withoutNotifying: tokens) }
    return result
  }

  /// Waits until nobody else writes to the file, advances to the newest version and begins a write transaction. A realm that is let go of in its
  /// transaction cancels it, but not before the present turn of the run loop, queue or actor ends: another instance that is opened until then goes
  /// on. Stops on a wrong thread, in a write transaction of this instance, for a read-only or frozen realm, and where the file cannot be read or
  /// written, which `write` throws.
  public func beginWrite() {
    orStop(core) { try core.beginWrite(staysOnThread: false) }
    core.stayWhileWriting()
  }

  /// Makes the changes durable and visible to others. Blocks until the disk has them, then tells the observers of this realm.
  ///
  /// - Parameter tokens: of notifications of this realm that are not told of this commit. Stops if one is another realm's, and for any outside of a
  ///   write transaction.
  /// - Throws: `Realm.Error`, also outside of a write transaction and on a wrong thread. A transaction whose commit fails is rolled back.
  public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    orStop(core) { try core.check(tokens) }
    try orThrow(core) { try core.commitWrite(withoutNotifying: tokens) }
  }

  /// Rolls the write transaction back. Stops on a wrong thread and outside of a write transaction.
  public func cancelWrite() { orStop(core) { try core.cancelWrite() } }

  // MARK: Versions

  /// Advances to the newest version. Does nothing when frozen, and in a write transaction, which shows the newest one.
  /// Stops on a wrong thread and for a read-only realm.
  /// - Returns: whether anything may have changed.
  @discardableResult public func refresh() -> Bool { orStop(core) { try core.refresh() } }

  /// Lets go of the version being read, so that its space can be used again. All objects and collections of this realm become invalid. A write
  /// transaction is rolled back. Stops on a wrong thread.
  public func invalidate() { orStop(core) { try core.invalidate() } }

  /// An immutable snapshot of the present version, which may be used on any thread and keeps the version as long as it lives. Stops on a wrong
  /// thread.
  public func freeze() -> Realm { Realm(orStop(core) { try core.frozen() }) }

  /// The live realm on the calling thread or queue; a live one is itself. Stops for a frozen realm that was invalidated, and if the file cannot be
  /// opened.
  public func thaw() -> Realm { Realm(orStop(core) { try core.thawed() }) }

  /// The object as it is now, for any thread; the same as its own `freeze()`.
  public func freeze<T: ObjectBase>(_ obj: T) -> T { orStop(core) { try obj.frozenAccessor() } }
  /// The live object for the calling thread, of a frozen one; the same as its own `thaw()`.
  public func thaw<T: ObjectBase>(_ obj: T) -> T? { orStop(core) { try obj.thawedAccessor() } }
  /// The collection as it is now, for any thread; the same as its own `freeze()`.
  public func freeze<C: RealmCollection>(_ collection: C) -> C { collection.freeze() }
}

@available(*, unavailable)
extension Realm: Sendable {}
