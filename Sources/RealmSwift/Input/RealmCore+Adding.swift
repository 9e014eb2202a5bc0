import RealmStorage

// `Realm.add`: unmanaged objects become accessors of new (or existing) rows, with everything that they lead to.

extension RealmCore {
  func requireCreating() throws {
    try verifyThread()
    guard isInWriteTransaction, !isFrozen else {
      throw RealmFailure.misuse(
        "Can only add, remove, or create objects in a Realm in a write transaction - call beginWrite on a Realm instance first.")
    }
  }

  /// Makes an object managed; one that this realm manages already is left as it is.
  @discardableResult
  func add(_ object: ObjectBase, policy: Realm.UpdatePolicy) throws -> ObjectKey {
    try requireCreating()
    if let owner = object.core {
      guard !object.isManagedAndGone else { throw RealmFailure.misuse("Adding a deleted or invalidated object to a Realm is not permitted") }
      guard owner === self else {
        throw RealmFailure.misuse("Object is already managed by another Realm. Use create instead to copy it into this Realm.")
      }
      return object.key
    }
    let binding = try binding(of: type(of: object))
    guard !binding.isEmbedded else { throw RealmFailure.misuse("Embedded objects cannot be created directly") }
    guard let model = binding.model else { throw RealmCore.unknownClass(binding.className) }
    willMutate()
    let table = try binding.table(self)
    guard let slot = binding.primaryKeySlot else {
      let key = try table.createObject()
      try adopt(object, binding, key, policy: policy)
      return key
    }
    if policy == .error, let key = try addPlain(object, binding, model, table, slot) { return key }
    let field = model.places[slot]
    let (key, _) = try row(binding, table, primaryKey(of: object, field, binding.schema.properties[slot]), policy)
    try adopt(object, binding, key, policy: policy)
    return key
  }

  private func primaryKey(of object: ObjectBase, _ field: FieldPlace, _ property: Property) throws -> Value {
    // Most keys are integers, and casting one out of `Any` takes longer than storing it.
    if let number = field.plain.integer(object, field) { return .int(number) }
    return try DynamicInput.scalar(field.type._readUnmanaged(object, field.byteOffset), property)
  }

  /// Adds an object with an Int primary key whose values are all plain, in one go.
  /// - Returns: nil if it has to be added value by value.
  private func addPlain(
    _ object: ObjectBase, _ binding: ClassBinding, _ model: ModelClass, _ table: Table, _ primaryKeySlot: Int
  ) throws -> ObjectKey? {
    let places = model.places
    let keyPlace = places[primaryKeySlot]
    guard table.hasPrimaryKey, let number = keyPlace.plain.integer(object, keyPlace) else { return nil }
    let scope = _Scope(core: self, target: nil)
    let count = binding.columns.count
    for slot in model.leadingSlots where !places[slot].plain.isPlain(object, places[slot], scope) { return nil }
    let key: ObjectKey
    var failure: (any Error)?
    do throws(StorageError) {
      key = try table.createObject(primaryKey: number) { (new) throws(StorageError) in
        failure = _NewRow.fill(&new, binding, scope) { row in
          for slot in 0..<count where slot != primaryKeySlot {
            let place = places[slot]
            place.plain.insert(object, place, slot, &row)
          }
        }
      }
    } catch {
      guard case .duplicatePrimaryKey = error else { throw error }
      throw duplicate(binding, .int(number))
    }
    object.bind(binding, self, key)
    if let failure { throw failure }
    if model.hasCollections {
      for slot in 0..<count { try model.fields[slot].type._adoptCollection(object, model.fields[slot].byteOffset, UInt32(slot + 1)) }
    }
    return key
  }

  private func duplicate(_ binding: ClassBinding, _ primaryKey: Value) -> RealmFailure {
    .misuse(
      "Attempting to create an object of type '\(binding.className)' with an existing primary key value '\(DynamicInput.text(primaryKey))'.")
  }

  /// The row of a primary key, created unless the policy accepts an existing one.
  func row(
    _ binding: ClassBinding, _ table: Table, _ primaryKey: Value, _ policy: Realm.UpdatePolicy
  ) throws -> (key: ObjectKey, isNew: Bool) {
    // Duplicates are found after the migration block has run.
    if !table.hasPrimaryKey, let slot = binding.primaryKeySlot {
      let key = try table.createObject()
      try table.set(key, binding.columns[slot], primaryKey)
      return (key, true)
    }
    do throws(StorageError) {
      if policy != .error { return try table.findOrCreateObject(primaryKey: primaryKey) }
      return (try table.createObject(primaryKey: primaryKey), true)
    } catch {
      if case .duplicatePrimaryKey = error { throw duplicate(binding, primaryKey) }
      throw binding.failure(error, setting: primaryKey, slot: binding.primaryKeySlot ?? 0)
    }
  }

  /// Makes an unmanaged instance the accessor of a row and stores its values there.
  func adopt(_ object: ObjectBase, _ binding: ClassBinding, _ key: ObjectKey, policy: Realm.UpdatePolicy) throws {
    guard let model = binding.model else { throw RealmCore.unknownClass(binding.className) }
    object.bind(binding, self, key)
    if waitingRows.isTooDeep {
      // Another object may have taken its place while it waited.
      return waitingRows.wait { [self] in if !object.isManagedAndGone { try promote(object, binding, model, policy) } }
    }
    try fillRow { try promote(object, binding, model, policy) }
  }

  private func promote(_ object: ObjectBase, _ binding: ClassBinding, _ model: ModelClass, _ policy: Realm.UpdatePolicy) throws {
    for slot in 0..<binding.schema.properties.count where slot != binding.primaryKeySlot {
      let field = model.fields[slot]
      try field.type._promote(object, field.byteOffset, UInt32(slot + 1), policy)
    }
  }

  // MARK: Deleting

  private func requireOwn(_ object: ObjectBase, isOpen: Bool = true) throws {
    guard object.core === self, !object.epoch.wasDeleted, isOpen else {
      throw RealmFailure.misuse("Can only delete an object from the Realm it belongs to.")
    }
  }

  func delete(_ object: ObjectBase) throws {
    try requireOwn(object)
    try requireCreating()
    guard let binding = object.binding else { return }
    let table = try binding.table(self)
    // Under the key of one that is gone there may be another object now.
    if try !isGone(object.epoch, object.key, binding: binding) && table.contains(object.key) {
      willMutate()
      try table.remove(object.key)
    }
    object.detachAsDeleted()
  }

  /// Those of one class go together.
  func delete(_ objects: [ObjectBase]) throws {
    var classes: [(binding: ClassBinding, keys: [ObjectKey])] = []
    var seen = Set<ObjectIdentifier>()
    for object in objects {
      // The second time an accessor would be that of a deleted object.
      try requireOwn(object, isOpen: seen.insert(ObjectIdentifier(object)).inserted)
      guard let binding = object.binding, !isGone(object.epoch, object.key, binding: binding) else { continue }
      if let index = classes.lastIndex(where: { $0.binding === binding }) {
        classes[index].keys.append(object.key)
      } else {
        classes.append((binding, [object.key]))
      }
    }
    for (binding, keys) in classes { try delete(keys, binding) }
    for object in objects { object.detachAsDeleted() }
  }

  func delete(_ keys: [ObjectKey], _ binding: ClassBinding) throws {
    try requireCreating()
    willMutate()
    let table = try binding.table(self)
    var seen = Set<ObjectKey>()
    var present: [ObjectKey] = []
    for key in keys where !key.isNull && !key.isUnresolved && seen.insert(key).inserted {
      if try table.contains(key) { present.append(key) }
    }
    try table.remove(present)
  }

  func deleteAll() throws {
    try requireCreating()
    willMutate()
    for objectSchema in schema.objectSchema {
      let binding: ClassBinding = try binding(named: objectSchema.className)
      guard binding.hasTable else { continue }
      let table = try binding.table(self)
      try table.removeAllObjects()
    }
  }
}
