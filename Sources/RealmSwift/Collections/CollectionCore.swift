import RealmStorage

/// A list, set or dictionary of a managed object, or a collection nested in an `AnyRealmValue`: what `List`, `MutableSet` and `Map` stand on.
///
/// Names a place: an object, a property and the way inside it.
final class CollectionCore {
  let core: RealmCore
  /// The class and object that own the collection.
  let owner: ClassBinding
  let key: ObjectKey
  let slot: Int
  let path: [PathStep]
  let kind: CollectionKind
  /// Of the collection in an `AnyRealmValue` property: another one in its place is not this one. 0 is any.
  let rootIdentity: Int64
  private let epoch: ObjectEpoch
  /// The collection of a property as it was found last, for as long as its table is the present one. Not in frozen realms, which several threads read.
  private var found: ObjectCollection?

  init(
    core: RealmCore, owner: ClassBinding, key: ObjectKey, slot: Int, path: [PathStep] = [], kind: CollectionKind, rootIdentity: Int64 = 0
  ) {
    self.core = core
    self.owner = owner
    self.key = key
    self.slot = slot
    self.path = path
    self.kind = kind
    self.rootIdentity = rootIdentity
    epoch = core.objectEpoch
  }

  /// The collection that an `AnyRealmValue` property of an object holds now.
  static func held(by object: ObjectBase, _ core: RealmCore, _ owner: ClassBinding, slot: Int, _ kind: CollectionKind) -> CollectionCore {
    let identity = orStop(core) { try owner.table(core).collection(object.key, owner.columns[slot]).rootIdentity() }
    return CollectionCore(core: core, owner: owner, key: object.key, slot: slot, kind: kind, rootIdentity: identity)
  }

  var property: Property { owner.property(at: slot) }
  private var word: String { kind == .list ? "List" : kind == .set ? "Set" : "Dictionary" }

  func scope(_ policy: Realm.UpdatePolicy = .error) throws -> _Scope {
    _Scope(core: core, target: path.isEmpty ? try owner.target(slot, core) : nil, policy: policy, kind: kind)
  }

  /// The collection in the present version.
  func reading() throws -> ObjectCollection {
    try core.verifyThread()
    guard let collection = try find() else { throw invalid }
    return collection
  }

  private var invalid: RealmFailure {
    .misuse("\(word) is no longer valid. Either the parent object was deleted or the containing Realm has been invalidated or closed.")
  }

  private func find() throws -> ObjectCollection? {
    if core.isGone(epoch, key, binding: owner) { return nil }
    let table = try owner.table(core)
    guard try table.contains(key) else { return nil }
    if let found, found.isProperty(owner.columns[slot], of: table) { return try found.showingWhatIsThere() }
    var collection = try table.collection(key, owner.columns[slot])
    if path.isEmpty && rootIdentity == 0 && !core.isFrozen { found = collection }
    if rootIdentity != 0, try collection.rootIdentity() != rootIdentity { return nil }
    for step in path { collection = collection.nested(step) }
    return try collection.showingWhatIsThere()
  }

  var isInvalidated: Bool {
    guard let collection = try? find() else { return true }
    // A nested collection is gone when another value took its place.
    return property.type == .any && !property.isCollection || !path.isEmpty ? (try? collection.kind()) != kind : false
  }

  /// The collection, to be changed.
  func writing() throws -> ObjectCollection {
    try core.verifyThread()
    guard !core.isFrozen else {
      throw RealmFailure.misuse("Attempting to modify a frozen \(word.lowercased()) - call thaw on the \(word) instance first.")
    }
    guard let collection = try find() else { throw invalid }
    guard core.isInWriteTransaction else { throw RealmFailure.misuse("Cannot modify managed \(word) outside of a write transaction.") }
    core.willMutate()
    return collection
  }

  func read<Result>(_ body: (ObjectCollection) throws -> Result) throws -> Result {
    let collection = try reading()
    do { return try body(collection) } catch let error where isReplaced(error) { throw invalid }
  }

  /// Nested collections are looked for by each call: what one of them meets where something else took the place says less than what is so.
  private func isReplaced(_ error: any Error) -> Bool {
    guard !path.isEmpty || rootIdentity != 0 else { return false }
    switch error as? StorageError {
    case .invalidArgument, .typeMismatch: return isInvalidated
    default: return false
    }
  }

  @discardableResult
  func write<Result>(_ body: (ObjectCollection) throws -> Result) throws -> Result {
    let collection = try writing()
    do { return try body(collection) } catch let error where isReplaced(error) {
      throw invalid
    } catch StorageError.typeMismatch {
      throw RealmFailure.misuse("Invalid value for \(word.lowercased()) property '\(owner.className).\(property.name)'.")
    }
  }

  // MARK: Reading

  func count() throws -> Int { try read { try $0.count() } }
  func value(at index: Int) throws -> Value {
    let collection = try reading()
    do {
      if let value = try collection.valueIfPresent(at: index) { return value }
      try CollectionCore.checkIndex(index, count: collection.count())
      return try collection.value(at: index)
    } catch let error where isReplaced(error) { throw invalid }
  }
  func allValues(_ cancellation: Cancellation? = nil) throws -> [Value] {
    try read { try $0.all(cancellation) }
  }
  func allKeys() throws -> [String] { try read { try $0.allKeys().map { String(decoding: $0, as: UTF8.self) } } }

  static func checkIndex(_ index: Int, count: Int) throws {
    if index < 0 { throw RealmFailure.misuse("Cannot pass a negative value for 'index'.") }
    if index >= count { throw RealmFailure.misuse("Index \(index) is out of bounds (must be less than \(count)).") }
  }

  /// The same collection in another realm of the file, for instance a frozen one; nil if its object does not exist there.
  func counterpart(in other: RealmCore) throws -> CollectionCore? {
    let owner: ClassBinding = try other.binding(named: owner.className)
    let table = try owner.table(other)
    guard try table.contains(key) else { return nil }
    return CollectionCore(core: other, owner: owner, key: key, slot: slot, path: path, kind: kind, rootIdentity: rootIdentity)
  }

  /// Whether both name one place of one realm.
  func isSame(_ other: CollectionCore) -> Bool {
    core === other.core && owner === other.owner && key == other.key && slot == other.slot && path == other.path
  }

  /// The collection that an element of this list is, wherever that element will be, or a value of this map.
  func nested(at index: Int, _ kind: CollectionKind) throws -> CollectionCore {
    nested(try read { try $0.step(at: index) }, kind)
  }

  /// The collection that is the value of a key of this map now.
  func nested(under key: String, _ kind: CollectionKind) throws -> CollectionCore {
    nested(try read { try $0.step(under: Array(key.utf8)) }, kind)
  }

  func nested(_ step: PathStep, _ kind: CollectionKind) -> CollectionCore {
    CollectionCore(core: core, owner: owner, key: key, slot: slot, path: path + [step], kind: kind, rootIdentity: rootIdentity)
  }
}

extension CollectionCore {
  func frozen() throws -> CollectionCore {
    if core.isFrozen { return self }
    _ = try reading()
    guard let frozen = try counterpart(in: core.frozen()) else {
      throw RealmFailure.misuse("Cannot freeze an object in the same write transaction as it was created in.")
    }
    return frozen
  }
  func thawed() throws -> CollectionCore? { core.isFrozen ? try counterpart(in: core.thawed()) : self }
}
