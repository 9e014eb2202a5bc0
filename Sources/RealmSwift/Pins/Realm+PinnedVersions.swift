import Dispatch
import RealmStorage

extension Realm {
  /// A version of a file that somebody keeps readable. The space of what was changed since cannot be used again, so the file grows.
  public struct PinnedVersion: Sendable, Hashable, CustomStringConvertible {
    /// Who keeps a version readable.
    public enum Holder: UInt8, Sendable, Hashable, CustomStringConvertible {
      /// A live realm reads it: until `invalidate()`, `refresh()`, a write, or the release of its last reference.
      case realm
      /// A write transaction is based on it.
      case writeTransaction
      /// A frozen realm, or objects and collections of it.
      case frozenRealm
      /// A `ThreadSafeReference` that was not resolved yet.
      case threadSafeReference
      /// Something within this process that has no realm: a commit under way, notifications.
      case other
      /// Another process; `realm stat FILE` lists them.
      case otherProcess

      /// The kind of holder, for people.
      public var description: String {
        switch self {
        case .realm: "realm"
        case .writeTransaction: "write transaction"
        case .frozenRealm: "frozen realm"
        case .threadSafeReference: "thread-safe reference"
        case .other: "internal use"
        case .otherProcess: "another process"
        }
      }
    }

    /// Where the holder may be used.
    public enum Confinement: Sendable, Hashable, CustomStringConvertible {
      /// The main thread, queue or actor.
      case main
      /// A thread by the number that the system has for it, as `ps -T`, `top -H` and debuggers show it.
      case thread(Int)
      /// A serial queue by its label.
      case queue(String)
      /// An actor by its type.
      case actor(String)
      /// Any: frozen realms and references; or unknown.
      case none

      /// The place in a few words, for people: `main`, `thread 4711`, `queue db`.
      public var description: String {
        switch self {
        case .main: "main"
        case .thread(let number): "thread \(number)"
        case .queue(let label): "queue \(label)"
        case .actor(let type): "actor \(type)"
        case .none: "any thread"
        }
      }
    }

    /// The number of the version; each commit counts one up.
    public let version: UInt64
    /// Nobody has committed since: nothing is kept from being used again.
    public let isNewest: Bool
    /// What keeps the version from being given up.
    public let holder: Holder
    /// Where the holder may be used. `none` for holders that are not realms of this process.
    public let confinement: Confinement
    /// How long the holder has held this version, to a few milliseconds; nil if it is not known.
    public let age: Duration?

    /// Version, holder, place and age in one line, for people.
    public var description: String {
      var text = "version \(version)\(isNewest ? " (newest)" : "") held by \(holder)"
      if holder != .otherProcess && holder != .other { text += " of \(confinement)" }
      if let age { text += " for \(age)" }
      return text
    }
  }

  /// What keeps versions of a file from being given up: every realm of this process that reads, with the version, how long it has been held
  /// and where the realm is at home, and versions that others hold. The oldest version comes first.
  ///
  /// Any thread; nobody is disturbed. While others go on working, an entry may be missing or be there twice.
  /// - Returns: nothing if the file is not open in this process.
  /// - Throws: `Realm.Error` if the configuration names no file.
  public static func pinnedVersions(for configuration: Configuration = .defaultConfiguration) throws -> [PinnedVersion] {
    let path = try orThrow { try RealmOpening.path(of: configuration) }
    guard let file = OpenFiles.entry(path).current else { return [] }
    return try orThrow(path: path) { try file.pinnedVersions() }
  }
}

extension Realm.PinnedVersion.Confinement {
  /// To be called in the confinement itself.
  init(_ confinement: Confinement) {
    switch confinement {
    case .none: self = .none
    case .main: self = .main
    case .thread: self = .thread(systemThreadNumber())
    case .queue(let queue): self = .queue(queue.label)
    case .actor(let place): self = .actor(place.typeName)
    }
  }
}
