import RealmStorage

extension ObjectBase {
  /// Sets a link to a top-level object.
  final func setLink(at slot: Int, _ target: Object?, _ policy: Realm.UpdatePolicy) throws {
    let (core, binding, _) = try writableTable()
    var value = Value.null
    if let target {
      let property = binding.property(at: slot)
      if target.isManaged && target.isManagedAndGone {
        throw RealmFailure.misuse("Adding a deleted or invalidated object to a Realm is not permitted")
      }
      let name = target.binding?.className ?? type(of: target).className()
      if (target.core != nil && target.core !== core) || name != property.objectClassName {
        throw RealmFailure.misuse("Can't set object of type '\(name)' to property of type '\(property.objectClassName ?? "")'")
      }
      // An update changes the object that is linked already, if nothing but its place says which one is meant.
      if policy == .modified, target.core == nil, case .link(let old) = try storedValue(at: slot),
        let targetBinding = try binding.target(slot, core), targetBinding.primaryKeySlot == nil
      {
        return try core.adopt(target, targetBinding, old, policy: policy)
      }
      value = .link(try core.add(target, policy: policy))
    }
    if policy == .modified, try storedValue(at: slot).isIdentical(to: value) { return }
    try store(at: slot, value)
  }

  /// Sets a link to an embedded object, which is created in place; one that was there is deleted.
  final func setEmbedded(at slot: Int, _ target: ObjectBase?, _ policy: Realm.UpdatePolicy) throws {
    let (core, binding, table) = try writableTable()
    guard let target else {
      if policy == .modified, case .null = try storedValue(at: slot) { return }
      return try store(at: slot, .null)
    }
    if target.isManaged {
      if target.core === core, case .link(let old) = try storedValue(at: slot), old == target.key { return }
      throw RealmFailure.misuse("Can't set link to existing managed embedded object")
    }
    guard let targetBinding = try binding.target(slot, core) else { return }
    guard targetBinding.isClass(of: target) else {
      throw RealmFailure.misuse("Can't set object of type '\(target.currentClassName)' to property of type '\(targetBinding.className)'")
    }
    if policy == .modified, case .link(let old) = try storedValue(at: slot) {
      return try core.adopt(target, targetBinding, old, policy: policy)
    }
    guard targetBinding.isEmbedded else { return try store(at: slot, .link(core.add(target, policy: policy))) }
    let new = try table.setEmbedded(key, binding.columns[slot])
    try core.adopt(target, targetBinding, new, policy: policy)
  }

  /// Stores a scalar of an object that becomes managed.
  final func promote(_ key: UInt32, _ value: Value, _ policy: Realm.UpdatePolicy) throws {
    let slot = Int(key) - 1
    if slot == binding?.primaryKeySlot { return }
    if policy == .modified, try storedValue(at: slot).isIdentical(to: value) { return }
    // The object has just been bound: neither thread nor transaction need be looked at again.
    guard let core, let binding else { return }
    let table = try binding.table(core)
    core.willMutate()
    do throws(StorageError) { try table.set(self.key, binding.columns[slot], value) } catch {
      throw binding.failure(error, setting: value, slot: slot)
    }
  }
}

extension ObjectBase {
  /// The object as a value of a query; nil if no realm holds it.
  var link: Value? {
    guard isManaged, let binding, !isManagedAndGone else { return nil }
    return .typedLink(ObjectLink(table: binding.tableKey, key: key))
  }
}
