import RealmStorage

extension ObjectBase {
  /// The class in the schema of the object's realm; of an unmanaged object, in that of the program.
  public final var objectSchema: ObjectSchema { orStop(core) { try currentSchema() } }

  /// The realm that manages the object; nil for an unmanaged one, and for one that was passed to `Realm.delete`.
  public final var realm: Realm? { epoch.wasDeleted ? nil : core.map { Realm($0) } }
  /// Whether it is an unchangeable object of a frozen realm.
  public final var isFrozen: Bool { core?.isFrozen ?? false }

  // MARK: Identity

  final func isSame(as other: ObjectBase?) -> Bool {
    guard let other else { return false }
    if self === other { return true }
    guard let core, core === other.core, binding === other.binding, key == other.key else { return false }
    return !isManagedAndGone && !other.isManagedAndGone
  }

  final func isEqual(to other: ObjectBase) -> Bool {
    if self === other { return true }
    guard isFrozen || (try? currentSchema())?.primaryKeyProperty != nil else { return false }
    return isSame(as: other)
  }

  final func combine(into hasher: inout Hasher) {
    if let property = (try? currentSchema())?.primaryKeyProperty {
      let value = orStop(core) { try dynamicValue(property.name) }
      if let value = value as? AnyHashable { return hasher.combine(value) }
      return hasher.combine(0)
    }
    if isFrozen { hasher.combine(key) } else { hasher.combine(ObjectIdentifier(self)) }
  }

  private final func requireManaged(_ verb: String) throws -> RealmCore {
    guard let core else { throw RealmFailure.misuse("Unmanaged objects cannot be \(verb).") }
    return core
  }

  final func frozenAccessor() throws -> Self {
    let core = try requireManaged("frozen")
    if isManagedAndGone { throw RealmFailure.misuse("Object has been deleted or invalidated.") }
    if core.isFrozen { return self }
    guard let frozen = try counterpart(in: core.frozen()) else {
      throw RealmFailure.misuse("Cannot freeze an object in the same write transaction as it was created in.")
    }
    return frozen
  }

  final func thawedAccessor() throws -> Self? {
    let core = try requireManaged("thawed")
    return core.isFrozen ? try counterpart(in: core.thawed()) : self
  }

  /// The same row in another realm of the file; nil if it does not exist there.
  final func counterpart(in other: RealmCore) throws -> Self? {
    guard let own = binding else { return nil }
    let binding: ClassBinding = try other.binding(named: own.className)
    let table = try binding.table(other)
    guard try table.contains(key) else { return nil }
    let object = other.accessor(Self.self, binding, key)
    if other.isFrozen { object.place = RowPlace(try table.row(key)) }
    return object
  }

  final func dynamicCollection<C>(_ name: String, _ kind: CollectionKind, _ make: (CollectionCore) -> C) -> C {
    orStop(core) {
      guard let core, let binding = binding else { throw RealmFailure.misuse("The object is not managed by a Realm.") }
      guard let slot = binding.slot(name) else { throw RealmFailure.misuse("Invalid property name '\(name)' for class '\(binding.className)'.") }
      let property = binding.property(at: slot)
      guard property.isCollection, property.collectionKind == kind else {
        throw RealmFailure.misuse("Property '\(binding.className).\(name)' is no \(kind).")
      }
      return make(CollectionCore(core: core, owner: binding, key: key, slot: slot, kind: kind))
    }
  }
}

extension ObjectBase {
  final var rowIdentity: UInt64 {
    isManaged ? UInt64(bitPattern: key.rawValue) : UInt64(UInt(bitPattern: ObjectIdentifier(self).hashValue))
  }
}
