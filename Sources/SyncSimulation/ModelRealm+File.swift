package import ChangesetModel
import Changesets
package import RealmStorage

extension ModelRealm {
  /// What a file holds, with links to objects that are not there. Classes that peers never see are left out.
  package init(_ group: Group) throws(StorageError) {
    self.init()
    let status = group.syncFileIdent
    for key in try group.tableKeys() {
      let table = try group.table(key)
      guard let name = Self.className(table) else { continue }
      let reader = ObjectReader(table: table, fileIdent: status)
      var objects: [ModelKey: ModelObject] = [:]
      if table.kind != .embedded { for object in try table.keys() { objects[try reader.key(of: object)] = try reader.object(object) } }
      let columns = try reader.columns()
      add(name, kind: Self.kind(table), primaryKey: reader.primaryKey, columns: columns, objects: objects)
    }
  }

  static func className(_ table: Table) -> String? { table.nameText.hasPrefix("class_") ? String(table.nameText.dropFirst(6)) : nil }

  private static func kind(_ table: Table) -> ClassKind {
    switch table.kind {
    case .topLevel: .topLevel
    case .embedded: .embedded
    case .asymmetric: .asymmetric
    }
  }
}

/// Reads objects of one table.
private struct ObjectReader {
  let table: Table
  let fileIdent: UInt64

  var primaryKey: ModelPrimaryKey? {
    table.primaryKeyColumn.map { ModelPrimaryKey(name: Self.name($0), type: $0.changesetType, isNullable: $0.isNullable) }
  }

  private static func name(_ column: ColumnDescription) -> String { String(decoding: column.name, as: UTF8.self) }

  func columns() throws(StorageError) -> [String: ModelColumn] {
    var result: [String: ModelColumn] = [:]
    for column in table.publicColumns where column.key != table.primaryKeyColumn?.key {
      let target = column.type == .link ? ModelRealm.className(try table.group.table(column.oppositeTable)) : nil
      result[Self.name(column)] = ModelColumn(
        type: column.changesetType, isNullable: column.isNullable, collection: column.changesetCollection, target: target)
    }
    return result
  }

  func key(of object: ObjectKey) throws(StorageError) -> ModelKey {
    guard let column = table.primaryKeyColumn else {
      let global = GlobalKey(squeezed: object.isUnresolved ? object.unresolved : object, fileIdent: fileIdent)
      return .globalKey(high: Int64(bitPattern: global.high), low: Int64(bitPattern: global.low))
    }
    switch try table.value(object, column.key) {
    case .int(let number): return .int(number)
    case .string(let bytes): return .string(String(decoding: bytes, as: UTF8.self))
    case .objectID(let id): return .objectID(UInt128(id.high) << 32 | UInt128(id.low))
    case .uuid(let uuid): return .uuid(UInt128(uuid.high) << 64 | UInt128(uuid.low))
    default: return .null
    }
  }

  func object(_ key: ObjectKey) throws(StorageError) -> ModelObject {
    var properties: [String: ModelValue] = [:]
    for column in table.publicColumns where column.key != table.primaryKeyColumn?.key {
      let name = Self.name(column)
      if column.isCollection {
        properties[name] = try collection(table.collection(key, column.key))
        continue
      }
      let value = try table.value(key, column.key)
      properties[name] = value.isNestedCollection ? try collection(table.collection(key, column.key)) : try single(value, column)
    }
    return ModelObject(className: ModelRealm.className(table) ?? "", properties: properties)
  }

  private func collection(_ collection: ObjectCollection) throws(StorageError) -> ModelValue {
    let kind = try collection.kind()
    var values: [ModelValue] = []
    var keys: [String] = []
    for (index, value) in try collection.all().enumerated() {
      let key = kind == .dictionary ? try collection.key(at: index) : []
      if kind == .dictionary { keys.append(String(decoding: key, as: UTF8.self)) }
      let step: PathStep = kind == .dictionary ? .key(key) : .index(index)
      values.append(value.isNestedCollection ? try self.collection(collection.nested(step)) : try single(value, collection.column))
    }
    switch kind {
    case .list: return .list(values)
    case .set: return .set(Set(values))
    case .dictionary: return .dictionary(Dictionary(zip(keys, values)) { $1 })
    }
  }

  private func single(_ value: Value, _ column: ColumnDescription) throws(StorageError) -> ModelValue {
    switch value {
    case .null, .list, .dictionary: return .null
    case .int(let number): return .int(number)
    case .bool(let flag): return .bool(flag)
    case .string(let bytes): return .string(String(decoding: bytes, as: UTF8.self))
    case .binary(let bytes): return .binary(bytes)
    case .timestamp(let time): return .timestamp(seconds: time.seconds, nanoseconds: Int64(time.nanoseconds))
    case .float(let number): return .float(number.bitPattern)
    case .double(let number): return .double(number.bitPattern)
    case .decimal(let number): return .decimal(DecimalBits(bits: UInt128(number.high) << 64 | UInt128(number.low)))
    case .objectID(let id): return .objectID(UInt128(id.high) << 32 | UInt128(id.low))
    case .uuid(let uuid): return .uuid(UInt128(uuid.high) << 64 | UInt128(uuid.low))
    case .link(let key): return try link(ObjectLink(table: column.oppositeTable, key: key))
    case .typedLink(let link): return try self.link(link)
    }
  }

  private func link(_ link: ObjectLink) throws(StorageError) -> ModelValue {
    let reader = ObjectReader(table: try table.group.table(link.table), fileIdent: fileIdent)
    if reader.table.kind == .embedded { return .object(try reader.object(link.key)) }
    return .link(ModelAddress(className: ModelRealm.className(reader.table) ?? "", key: try reader.key(of: link.key)))
  }
}
