import Foundation
import RealmStorage

extension RealmCore {
  /// `Realm.create`: a new object with copies of the input's values, or the object with the same primary key updated from them.
  func create(_ binding: ClassBinding, from input: Any, policy: Realm.UpdatePolicy) throws -> ObjectKey {
    try requireCreating()
    let input = try ObjectInput(input, for: binding)
    if case .object(let object, _) = input {
      if policy != .error, object.core === self, object.binding === binding { return object.key }
      if let copy = copies.key(of: object, binding) { return copy }
    }
    copies.begin()
    defer { copies.end() }
    willMutate()
    let defaults = FreshDefaults(binding)
    guard let slot = binding.primaryKeySlot else {
      let table = try binding.table(self)
      let key = try table.createObject()
      try fill(binding, key, from: input, defaults, policy: policy, isNew: true)
      return key
    }
    let property = binding.schema.properties[slot]
    var given = try input.value(property, slot: slot)
    if given == nil { given = try defaults.value(slot) }
    guard let given else {
      throw RealmFailure.misuse("Missing value for property '\(binding.className).\(property.name)'")
    }
    let primaryKey = try binding.scalar(given, slot)
    let (key, isNew) = try row(binding, binding.table(self), primaryKey, policy)
    try fill(binding, key, from: input, defaults, policy: policy, isNew: isNew)
    return key
  }

  /// Stores the input's values in a row.
  /// - Parameter isNew: properties that the input lacks get their defaults.
  func fill(
    _ binding: ClassBinding, _ key: ObjectKey, from input: ObjectInput, _ defaults: FreshDefaults, policy: Realm.UpdatePolicy, isNew: Bool
  ) throws {
    try input.check(binding.schema)
    if case .object(let object, _) = input { copies.remember(object, binding, key) }
    if waitingRows.isTooDeep {
      return waitingRows.wait { [self] in
        // Another object may have taken its place while it waited.
        guard try binding.table(self).contains(key) else { return }
        try store(binding, key, input, defaults, policy, isNew: isNew)
      }
    }
    try fillRow { try store(binding, key, input, defaults, policy, isNew: isNew) }
  }

  private func store(
    _ binding: ClassBinding, _ key: ObjectKey, _ input: ObjectInput, _ defaults: FreshDefaults, _ policy: Realm.UpdatePolicy, isNew: Bool
  ) throws {
    for (slot, property) in binding.schema.properties.enumerated() where slot != binding.primaryKeySlot {
      var value = try input.value(property, slot: slot)
      if value == nil && isNew { value = try defaults.value(slot) }
      guard let value else {
        // Neither given nor known: the default of the type is there already.
        continue
      }
      try assign(binding, key, slot, value, policy: policy)
    }
  }

  /// Sets a property from input, whatever its type.
  /// - Parameter adopts: unmanaged objects in the input become managed; otherwise they are copied.
  func assign(
    _ binding: ClassBinding, _ key: ObjectKey, _ slot: Int, _ input: Any, policy: Realm.UpdatePolicy, adopts: Bool = false
  ) throws {
    let property = binding.property(at: slot)
    if property.isCollection {
      let collection = CollectionCore(core: self, owner: binding, key: key, slot: slot, kind: property.collectionKind)
      return try CollectionFilling.fill(collection, from: input, policy, adopts: adopts)
    }
    let table = try binding.table(self)
    let column = binding.columns[slot]
    switch property.type {
    case .object:
      guard let target = try binding.target(slot, self) else { return }
      try assignLink(binding, table, key, slot, target, input, policy)
    case .any: try MixedInput(self, policy, copies: !adopts).assign(input, table, key, column, binding, slot)
    default:
      let value = try binding.scalar(input, slot)
      if policy == .modified {
        let old = try table.value(key, column)
        if old.isIdentical(to: value) { return }
      }
      willMutate()
      do throws(StorageError) { try table.set(key, column, value) } catch { throw binding.failure(error, setting: value, slot: slot) }
    }
  }

  private func assignLink(
    _ binding: ClassBinding, _ table: Table, _ key: ObjectKey, _ slot: Int, _ target: ClassBinding, _ input: Any,
    _ policy: Realm.UpdatePolicy
  ) throws {
    let column = binding.columns[slot]
    let old = try table.value(key, column)
    willMutate()
    if DynamicInput.isNull(input) {
      if policy == .modified, case .null = old { return }
      return try table.set(key, column, .null)
    }
    let object = DynamicInput.object(DynamicInput.unwrapped(input))
    if let object, object.currentClassName != target.className {
      throw RealmFailure.misuse(DynamicInput.invalidValue(object, binding.className, binding.property(at: slot)))
    }
    if target.isEmbedded {
      if let object, object.core === self, case .link(let current) = old, object.key == current, policy != .all { return }
      let source = try ObjectInput(input, for: target)
      if policy == .modified, case .link(let current) = old {
        return try fill(target, current, from: source, FreshDefaults(target), policy: policy, isNew: false)
      }
      let new = try table.setEmbedded(key, column)
      return try fill(target, new, from: source, FreshDefaults(target), policy: policy, isNew: true)
    }
    if policy == .modified, target.primaryKeySlot == nil, object?.core == nil, copies.key(of: object, target) == nil,
      case .link(let current) = old
    {
      let source = try ObjectInput(input, for: target)
      return try fill(target, current, from: source, FreshDefaults(target), policy: policy, isNew: false)
    }
    let new = try linkKey(from: input, target, policy: policy)
    if policy == .modified, case .link(let current) = old, current == new { return }
    willMutate()
    try table.set(key, column, .link(new))
  }

  /// The object that input stands for: a managed one of this realm itself, else a new (or updated) copy.
  func linkKey(from input: Any, _ target: ClassBinding, policy: Realm.UpdatePolicy) throws -> ObjectKey {
    if let object = DynamicInput.object(DynamicInput.unwrapped(input)), object.core === self {
      if object.isManagedAndGone { throw RealmFailure.misuse("Object has been deleted or invalidated.") }
      return object.key
    }
    return try create(target, from: input, policy: policy)
  }
}
