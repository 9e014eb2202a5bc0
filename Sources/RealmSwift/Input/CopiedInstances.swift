import RealmStorage

/// What one call of `create` has copied so far: an instance that is reached again, for instance by a cycle of links, stands for the same row.
struct CopiedInstances {
  private enum Identity: Hashable {
    case instance(ObjectIdentifier)
    /// Accessors of other realms are made anew whenever a link is followed.
    case row(ObjectIdentifier, TableKey, ObjectKey)
  }
  private struct Copy: Hashable {
    let source: Identity
    /// What was made of it; input may be of another class.
    let table: TableKey
  }
  private var depth = 0
  /// With the instances, so that no other one gets the address of one.
  private var copies: [Copy: (key: ObjectKey, instance: ObjectBase)] = [:]

  mutating func begin() { depth += 1 }
  mutating func end() {
    depth -= 1
    if depth == 0, !copies.isEmpty { copies = [:] }
  }

  mutating func remember(_ object: ObjectBase, _ binding: ClassBinding, _ key: ObjectKey) {
    if depth > 0, !binding.isEmbedded { copies[copy(object, binding)] = (key, object) }
  }

  func key(of object: ObjectBase?, _ binding: ClassBinding) -> ObjectKey? {
    guard let object, !copies.isEmpty else { return nil }
    return copies[copy(object, binding)]?.key
  }

  private func copy(_ object: ObjectBase, _ binding: ClassBinding) -> Copy {
    guard let core = object.core, let own = object.binding else {
      return Copy(source: .instance(ObjectIdentifier(object)), table: binding.tableKey)
    }
    return Copy(source: .row(ObjectIdentifier(core), own.tableKey, object.key), table: binding.tableKey)
  }
}
