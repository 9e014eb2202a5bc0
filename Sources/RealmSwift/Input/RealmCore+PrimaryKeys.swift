import RealmStorage

extension RealmCore {
  func requireUpdatable(_ type: ObjectBase.Type, _ policy: Realm.UpdatePolicy) throws {
    try requireCreating()
    if policy != .error { try requireUpdatable(binding(of: type), policy) }
  }
  func requireUpdatable(_ binding: ClassBinding, _ policy: Realm.UpdatePolicy) throws {
    if policy != .error && binding.primaryKeySlot == nil {
      throw RealmFailure.misuse("'\(binding.className)' does not have a primary key and can not be updated")
    }
  }

  func find<Key>(_ binding: ClassBinding, primaryKey: Key) throws -> ObjectKey? {
    try verifyThread()
    guard let slot = binding.primaryKeySlot else { throw RealmFailure.misuse("'\(binding.className)' does not have a primary key defined") }
    guard binding.hasTable else { return nil }
    let property = binding.schema.properties[slot]
    let table = try binding.table(self)
    if property.type == .int, !property.isOptional, let key = primaryKey as? Int {
      return try table.find(primaryKey: Int64(key))
    }
    if DynamicInput.isNull(primaryKey) && !property.isOptional {
      throw RealmFailure.misuse(DynamicInput.invalidValue(primaryKey, binding.className, property))
    }
    let value = try DynamicInput.scalar(primaryKey, property, className: binding.className)
    return try table.find(primaryKey: value)
  }
}
