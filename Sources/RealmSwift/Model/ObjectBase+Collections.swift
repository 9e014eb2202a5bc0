import RealmStorage

// Collection properties. The collection object stays in its wrapper, so that reading the property twice gives the same one.

extension ObjectBase {
  final func tracer(_ key: UInt32) -> KeyPathTracer? {
    if core != nil {
      if isTrackable { noteAccess(key) }
      return nil
    }
    guard let binding = binding, let tracer = binding.tracer else { return nil }
    tracer.record(binding.property(key).name)
    return tracer
  }

  /// The collection of a managed object, made when it is first asked for.
  final func cachedCollection<Collection: _Persistable & _ManagedCollection>(
    _ key: UInt32, _ make: (RealmCore, ClassBinding, Int) -> Collection
  ) -> Collection {
    guard let core, let binding = binding, let model = binding.model else { stop("The object is not managed by a Realm.") }
    let slot = Int(key) - 1
    let offset = model.fields[slot].byteOffset
    if let cached = Persisted<Collection>.cached(self, offset), let managed = cached._managed, managed.core === core, managed.key == self.key {
      return cached
    }
    let collection = make(core, binding, slot)
    // Frozen objects may be shared among threads and are never changed.
    if !core.isFrozen { Persisted<Collection>.cache(self, offset, collection) }
    return collection
  }

  /// The collection of a property that another one is assigned to.
  /// - Parameter source: where the assigned one lives, if it is managed.
  /// - Returns: nil if both are the same.
  final func assignedCollection(_ key: UInt32, _ kind: CollectionKind, from source: CollectionCore?) throws -> CollectionCore? {
    _ = try writableTable()
    return try promoteCollection(key, kind, from: source)
  }

  /// Hands what a collection of an object that has just become managed holds to its row, whose accessor the collection becomes.
  /// - Parameters:
  ///   - source: the collection in the wrapper; it may be that of another row.
  ///   - input: what it holds instead of contents, if that cannot be converted.
  ///   - adopt: makes it an accessor, and forgets the contents.
  final func promote<Collection: _ManagedCollection, Element>(
    _ key: UInt32, _ kind: CollectionKind, _ policy: Realm.UpdatePolicy, from source: Collection, input: Any?, contents: () -> [Element],
    adopt: (CollectionCore) -> Void, fill: (CollectionCore, [Element]) throws -> Void
  ) throws {
    guard let collection = try promoteCollection(key, kind, from: source._managed) else { return }
    if let input {
      adopt(collection)
      return try CollectionFilling.fill(collection, from: input, policy, adopts: true)
    }
    let contents = contents()
    if source._managed == nil { adopt(collection) }
    if contents.isEmpty, policy == .error { return }
    try fill(collection, contents)
  }

  /// The managed collection of a property whose object has just become managed.
  /// - Parameter source: what the wrapper held, if that is managed already.
  /// - Returns: nil if there is nothing to do.
  private final func promoteCollection(_ key: UInt32, _ kind: CollectionKind, from source: CollectionCore?) throws -> CollectionCore? {
    guard let core, let binding = binding else { return nil }
    let collection = CollectionCore(core: core, owner: binding, key: self.key, slot: Int(key) - 1, kind: kind)
    if let source, source.isSame(collection) { return nil }
    return collection
  }
}
