import RealmStorage

/// Called while a file with an older schema version is opened.
/// - Parameters:
///   - migration: the old and the new objects; must not leave the block.
///   - oldSchemaVersion: the version that the file has.
public typealias MigrationBlock = @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64) -> Void
/// An object in a migration: its properties are reached by name.
public typealias MigrationObject = DynamicObject
/// Called with an object as it was and as it is now. The first is nil for a class that the file did not have, the second for one that is gone.
public typealias MigrationObjectEnumerateBlock = (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) -> Void

/// The state of a file before and after a change of its schema.
public final class Migration {
  private let old: RealmCore
  private let new: RealmCore
  private let steps: any MigrationMechanics

  init(old: RealmCore, new: RealmCore, steps: any MigrationMechanics) {
    self.old = old
    self.new = new
    self.steps = steps
  }

  /// The classes that the file has: those of before the migration.
  public var oldSchema: Schema { old.schema }
  /// The classes that the program has: those of after the migration.
  public var newSchema: Schema { new.schema }

  /// Calls `block` with every object of a class as it was and as it is now. Objects that the block adds are left out; for a class that neither schema
  /// has, it is not called.
  public func enumerateObjects(ofType typeName: String, _ block: MigrationObjectEnumerateBlock) {
    orStop(new) { try enumerate(typeName, block) }
  }

  private func enumerate(_ typeName: String, _ block: MigrationObjectEnumerateBlock) throws {
    let oldBinding: ClassBinding? = old.schema[typeName] == nil ? nil : try old.binding(named: typeName)
    let newBinding: ClassBinding? = new.schema[typeName] == nil ? nil : try new.binding(named: typeName)
    let oldKeys = try oldBinding.map { binding in try keys(old, binding) }
    let newKeys = try newBinding.map { binding in try keys(new, binding) }
    switch (oldBinding, newBinding) {
    case (let oldBinding?, let newBinding?):
      for key in oldKeys ?? [] {
        let table = try newBinding.table(new)
        guard try table.contains(key) else { continue }
        block(old.accessor(DynamicObject.self, oldBinding, key), new.accessor(DynamicObject.self, newBinding, key))
      }
    case (let oldBinding?, nil): for key in oldKeys ?? [] { block(old.accessor(DynamicObject.self, oldBinding, key), nil) }
    case (nil, let newBinding?): for key in newKeys ?? [] { block(nil, new.accessor(DynamicObject.self, newBinding, key)) }
    case (nil, nil): return
    }
  }

  private func keys(_ core: RealmCore, _ binding: ClassBinding) throws -> [ObjectKey] {
    guard binding.hasTable else { return [] }
    let table = try binding.table(core)
    return try table.keys()
  }

  /// A new object of a class of the new schema. Stops for a class that it does not have, for values that do not fit, and for a primary key that
  /// exists.
  /// - Parameters:
  ///   - typeName: the name of the class.
  ///   - value: what ``Realm/create(_:value:update:file:line:)`` takes. What it lacks gets its default.
  @discardableResult
  public func create(_ typeName: String, value: Any = [Any]()) -> MigrationObject {
    orStop(new) {
      let binding: ClassBinding = try new.binding(named: typeName)
      guard !binding.isEmbedded else { throw RealmFailure.misuse("Embedded objects cannot be created directly") }
      return new.accessor(DynamicObject.self, binding, try new.create(binding, from: value, policy: .error))
    }
  }

  /// Deletes an object of the new schema. Stops for one of the old schema, and for one that was deleted.
  public func delete(_ object: MigrationObject) { orStop(new) { try new.delete(object) } }

  /// Deletes all objects of a class, and its table if the class is not part of the new schema.
  /// - Returns: whether the file knew the class.
  @discardableResult
  public func deleteData(forType typeName: String) -> Bool {
    orStop(new) {
      new.willMutate()
      return try steps.deleteData(typeName)
    }
  }

  /// Keeps the values of a property under a new name.
  ///
  /// Stops for a class that the file or the new schema does not have, for an old name that the file does not have or the new schema still has, and if
  /// the type of the property is another one.
  /// - Parameters:
  ///   - typeName: the name of the class.
  ///   - oldName: the name that the property has in the file.
  ///   - newName: a property of the class in the new schema.
  public func renameProperty(onType typeName: String, from oldName: String, to newName: String) {
    orStop(new) {
      new.willMutate()
      try steps.rename(typeName, from: oldName, to: newName)
      try new.rebind(typeName)
    }
  }
}

/// What a migration does to tables and columns.
protocol MigrationMechanics {
  func deleteData(_ className: String) throws -> Bool
  func rename(_ className: String, from oldName: String, to newName: String) throws
}
