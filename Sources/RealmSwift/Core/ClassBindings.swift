import RealmStorage

/// The classes of one realm, bound to the columns of its file: those of the schema, and others that links led to.
final class ClassBindings {
  private var all: [ClassBinding] = []
  private var byName: [String: ClassBinding] = [:]
  private var byType: [ObjectIdentifier: ClassBinding] = [:]
  private var byTable: [TableKey: ClassBinding] = [:]
  /// The class that was asked for last, mostly the one that is asked for next.
  private var last: (type: ObjectBase.Type, binding: ClassBinding)?
  /// Objects may still point at them.
  private var retired: [ClassBinding] = []

  /// Binds all classes of a schema, or throws.
  init(_ schema: Schema, in group: Group) throws(StorageError) {
    for objectSchema in schema.objectSchema { add(try ClassBinding(objectSchema, in: group)) }
  }

  /// Classes whose links lead to each other, or to themselves, would keep each other.
  deinit { for binding in all + retired { binding.forgetTargets() } }

  private func add(_ binding: ClassBinding) {
    all.append(binding)
    byName[binding.className] = binding
    if let type = binding.schema.modelType { byType[ObjectIdentifier(type)] = binding }
    if binding.hasTable { byTable[binding.tableKey] = binding }
  }

  // MARK: Finding

  func named(_ name: String) -> ClassBinding? { byName[name] }
  func ofTable(_ key: TableKey) -> ClassBinding? { byTable[key] }

  /// - Parameter remembers: not in a frozen realm, at which several threads may look.
  func ofType(_ type: ObjectBase.Type, remembers: Bool) -> ClassBinding? {
    if let last, last.type == type { return last.binding }
    guard let binding = byType[ObjectIdentifier(type)] else { return nil }
    if remembers { last = (type, binding) }
    return binding
  }

  /// The tables of the classes, as far as the file has them.
  var tables: [TableKey] { all.compactMap { $0.hasTable ? $0.tableKey : nil } }

  // MARK: Changing

  /// Binds a class that is not part of the schema, for dynamic objects.
  func addClass(ofTable key: TableKey, in group: Group) throws(StorageError) -> ClassBinding {
    let binding = try ClassBinding(SchemaStore.objectSchema(of: group.table(key), in: group), in: group)
    all.append(binding)
    byTable[key] = binding
    return binding
  }

  /// Finds the columns of a class of the schema anew.
  func rebind(_ schema: ObjectSchema, in group: Group) throws(StorageError) {
    guard let old = byName[schema.className] else { return }
    let new = try ClassBinding(schema, in: group)
    retired.append(old)
    last = nil
    all.removeAll { $0 === old }
    add(new)
    for binding in all {
      for slot in binding.targets.indices where binding.targets[slot] === old { binding.setTarget(slot, new) }
    }
  }

  /// Forgets the tables of a version that is over.
  func forgetTables() { for binding in all { binding.forgetTable() } }

  /// Finds the tables of the present version.
  /// - Throws: what others have done to the schema, if a class is not what it was any more.
  func findTables(_ core: RealmCore) throws { for binding in all where binding.hasTable { _ = try binding.table(core) } }

  /// Finds everything that is otherwise found when it is asked for: several threads will read.
  func complete(_ core: RealmCore, in group: Group) throws {
    for key in try group.tableKeys() where byTable[key] == nil {
      // Links in `AnyRealmValue`s may lead to classes that are not part of the schema.
      if try group.table(key).nameText.hasPrefix(SchemaStore.prefix) { _ = try addClass(ofTable: key, in: group) }
    }
    for binding in all where binding.hasTable {
      _ = try binding.table(core)
      for slot in binding.targets.indices { binding.setTarget(slot, try core.target(of: binding.property(at: slot))) }
    }
  }
}
