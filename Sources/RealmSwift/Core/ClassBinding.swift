import Observation
import RealmStorage

/// One class in one realm: the Swift class, its columns in the file, and its table in the present version.
///
/// Belongs to its `RealmCore` (or to a tracer), which outlives every object that points here.
@safe final class ClassBinding {
  let schema: ObjectSchema
  /// Nil for a class that is known from the file only.
  let model: ModelClass?
  /// Null if the file lacks the table, which read-only realms accept.
  let tableKey: TableKey
  /// By slot: persisted properties in schema order. Computed ones have no column.
  let columns: [ColumnKey]
  // SAFETY: this and the next are copies of `columns`, `targets` and offsets of the model's fields, allocated in `init` and freed in `deinit`.
  // Objects that keep one keep the realm that owns the binding.
  let columnPointer: UnsafePointer<ColumnKey>
  private let targetPointer: UnsafeMutablePointer<Unmanaged<ClassBinding>?>
  private let fieldOffsets: UnsafePointer<Int>
  private let fieldCount: Int
  /// The class whose instances have the fields.
  private let fieldClass: ObjectBase.Type?
  /// By slot, of persisted properties.
  private let columnNames: [[UInt8]]
  /// See `ModelClass`.
  let isInterchangeable: Bool
  let primaryKeySlot: Int?
  /// Whether the table's objects have owners. While a migration block runs, those of a class that becomes embedded have none yet.
  let isEmbedded: Bool
  let hasEnumeratedStrings: Bool
  /// The class wants its reads to be told to whoever tracks them.
  let isTrackable: Bool
  /// One of both.
  let isSpecial: Bool
  /// While key paths are traced.
  var tracer: KeyPathTracer?

  /// By slot, as far as they were asked for; they live as long as the realm does.
  private(set) var targets: [ClassBinding?]
  private let slots: [String: Int]
  private var cachedTable: Table?

  init(
    _ schema: ObjectSchema, model: ModelClass?, tableKey: TableKey, columns: [ColumnKey], isEmbedded: Bool, hasEnumeratedStrings: Bool
  ) {
    self.schema = schema
    self.model = model
    self.tableKey = tableKey
    self.columns = columns
    let copy = UnsafeMutablePointer<ColumnKey>.allocate(capacity: max(columns.count, 1))
    unsafe copy.initialize(from: columns, count: columns.count)
    unsafe columnPointer = UnsafePointer(copy)
    self.hasEnumeratedStrings = hasEnumeratedStrings
    isTrackable = model?.type is any Observable.Type
    isSpecial = hasEnumeratedStrings || isTrackable
    columnNames = schema.properties.map { Array($0.columnName.utf8) }
    primaryKeySlot = schema.properties.firstIndex { $0.isPrimary }
    self.isEmbedded = isEmbedded
    let names = schema.properties.map(\.name) + schema.computedProperties.map(\.name)
    targets = [ClassBinding?](repeating: nil, count: names.count)
    unsafe targetPointer = .allocate(capacity: max(names.count, 1))
    unsafe targetPointer.initialize(repeating: nil, count: max(names.count, 1))
    let offsets = model?.places.map(\.byteOffset) ?? []
    let offsetsCopy = UnsafeMutablePointer<Int>.allocate(capacity: max(offsets.count, 1))
    unsafe offsetsCopy.initialize(from: offsets, count: offsets.count)
    unsafe fieldOffsets = UnsafePointer(offsetsCopy)
    fieldCount = offsets.count
    fieldClass = model?.type
    isInterchangeable = model?.isInterchangeable ?? false
    slots = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Finds the table and columns of a class in the present version of a realm.
  convenience init(_ schema: ObjectSchema, in group: Group) throws(StorageError) {
    let model = schema.modelType.flatMap { ModelClass.registered($0) }
    guard let table = try SchemaStore.table(schema.className, in: group) else {
      self.init(
        schema, model: model, tableKey: .null, columns: schema.properties.map { _ in .null }, isEmbedded: schema.isEmbedded,
        hasEnumeratedStrings: false)
      return
    }
    var columns: [ColumnKey] = []
    for property in schema.properties { columns.append(try table.column(named: property.columnName).key) }
    let isEnumerated = table.publicColumns.contains { !$0.enumKeysRef.isNull }
    self.init(
      schema, model: model, tableKey: table.key, columns: columns, isEmbedded: table.kind == .embedded, hasEnumeratedStrings: isEnumerated)
  }

  deinit {
    unsafe columnPointer.deallocate()
    unsafe targetPointer.deallocate()
    unsafe fieldOffsets.deallocate()
  }

  func setTarget(_ slot: Int, _ binding: ClassBinding?) {
    targets[slot] = binding
    unsafe targetPointer[slot] = binding.map { unsafe Unmanaged.passUnretained($0) }
  }

  /// At the end of the realm.
  func forgetTargets() { for slot in targets.indices { setTarget(slot, nil) } }

  /// The class that a link leads to, if it has been asked for before; not retained for the caller.
  @inline(__always) func knownTarget(_ slot: Int) -> Unmanaged<ClassBinding>? { unsafe targetPointer[slot] }

  var className: String { schema.className }
  var hasTable: Bool { tableKey != .null }

  /// The class's table now.
  @inline(__always) func table(_ core: RealmCore) throws -> Table {
    let group = try core.group()
    if let cachedTable, cachedTable.group === group { return cachedTable }
    return try findTable(core, group)
  }

  @inline(never) private func findTable(_ core: RealmCore, _ group: Group) throws -> Table {
    let table: Table
    let isAsBound: Bool
    do throws(StorageError) {
      table = try group.table(tableKey)
      isAsBound = try self.isAsBound(table)
    } catch {
      if let failure = try core.externalSchemaFailure(group) { throw failure }
      throw error
    }
    if !isAsBound, let failure = try core.externalSchemaFailure(group) { throw failure }
    // A frozen realm is read by several threads, and fills this before they see it.
    cachedTable = table
    return table
  }

  /// Whether the table still is what the class takes it for: another process may have removed columns, or given them and the primary key another
  /// meaning, after which their keys are the same.
  private func isAsBound(_ table: Table) throws(StorageError) -> Bool {
    for slot in schema.properties.indices where try table.column(columns[slot]).name != columnNames[slot] { return false }
    return table.primaryKeyColumn?.key == primaryKeySlot.map { columns[$0] } && (table.kind == .embedded) == schema.isEmbedded
  }

  /// Forgets the table of a version that is over.
  func forgetTable() { cachedTable = nil }

  func slot(_ name: String) -> Int? { slots[name] }
  /// Whether an unmanaged object can become an accessor of one of this class's rows: an instance of a derived class has other properties.
  func isClass(of object: ObjectBase) -> Bool { model.map { $0.type == type(of: object) } ?? false }
  /// - Parameter key: slot plus one.
  func property(_ key: UInt32) -> Property { property(at: Int(key) - 1) }
  func property(at slot: Int) -> Property {
    slot < schema.properties.count ? schema.properties[slot] : schema.computedProperties[slot - schema.properties.count]
  }

  /// An error of storing a value, in words that name the property if the value does not fit it.
  func failure(_ error: StorageError, setting value: Value, slot: Int) -> any Error {
    guard case .typeMismatch = error else { return error }
    let property = property(at: slot)
    if case .null = value { return RealmFailure.misuse("Missing value for property '\(className).\(property.name)'") }
    return RealmFailure.misuse(DynamicInput.invalidValue(value, className, property))
  }

  /// The class of accessors where one is asked for: the model's own if that derives from it, as where a class is known at run time only
  /// (`realm.objects(type)` with an `Object.Type`).
  @inline(__always) func accessorClass(_ type: ObjectBase.Type) -> ObjectBase.Type {
    type == fieldClass ? type : derivedClass(type)
  }

  @inline(never) private func derivedClass(_ type: ObjectBase.Type) -> ObjectBase.Type {
    var ancestor: AnyClass? = fieldClass
    while let current = ancestor {
      if current == type { return fieldClass ?? type }
      ancestor = _getSuperclass(current)
    }
    return type
  }

  /// Tells the wrappers of an instance which slot each of them is.
  @inline(__always) func bindFields(of object: ObjectBase) {
    guard let fieldClass, type(of: object) == fieldClass else { return }
    // SAFETY: the offsets are those of `Persisted` fields, whose first field is the key (`ModelClass` checks both).
    let base = unsafe Unmanaged.passUnretained(object).toOpaque()
    for slot in 0..<fieldCount { unsafe (base + fieldOffsets[slot]).storeBytes(of: UInt32(truncatingIfNeeded: slot &+ 1), as: UInt32.self) }
  }
}

extension ClassBinding {
  /// The class that a property leads to.
  func target(_ slot: Int, _ core: RealmCore) throws -> ClassBinding? {
    if let known = targets[slot] { return known }
    guard let target = try core.target(of: property(at: slot)) else { return nil }
    // A frozen realm is read by several threads and does not remember.
    if !core.isFrozen { setTarget(slot, target) }
    return target
  }
}
