import Changesets
import RealmStorage

/// Executes the instructions of a changeset in a write transaction. Source: C5.
///
/// The transaction has to be cancelled when it throws: what was executed before stays done.
struct ChangesetApplier {
  let group: Group
  let changeset: Changeset
  /// What the server calls this file.
  let fileIdent: UInt64

  /// Why an instruction cannot be executed, or why the engine cannot go on.
  enum Failure: Error {
    case reason(ApplicationError.Reason)
    case storage(StorageError)
  }

  static let prefix = "class_"

  /// - Parameter number: of the changeset, for errors.
  func apply(number: Int) throws(SyncError) {
    for (position, instruction) in changeset.instructions.enumerated() {
      do throws(Failure) { try execute(instruction) } catch {
        switch error {
        case .reason(let reason): throw .notApplicable(ApplicationError(reason: reason, instruction: position), number: number)
        case .storage(let error): throw .storage(error)
        }
      }
    }
  }

  private func execute(_ instruction: Instruction) throws(Failure) {
    switch instruction {
    case .addTable(let name, let definition): try addClass(changeset.text(name), definition)
    case .eraseTable(let name):
      let table = try table(name)
      try refusing(.linkedClass) { () throws(StorageError) in try group.removeTable(table.key) }
    case .addColumn(let name, let field, let definition): try addColumn(table(name), changeset.text(field), definition)
    case .eraseColumn(let name, let field):
      let table = try table(name)
      let column = try column(field, of: table)
      // Every later instruction about an object of the class would address nothing.
      guard column.key != table.primaryKeyColumn?.key else { throw .reason(.keyProperty) }
      try refusing(.missingProperty) { () throws(StorageError) in try table.removeColumn(column.key) }
    case .createObject(let object): _ = try create(object)
    case .eraseObject(let object):
      let table = try table(object.table)
      guard let key = try find(object.key, in: table) else { return }
      _ = try engine { () throws(StorageError) in try table.makeTombstone(key) }
    case .update(let place, let value, _): try set(target(place), value)
    case .updateElement(let place, let value, let priorSize): try setElement(element(place, priorSize: priorSize), value)
    case .addInteger(let place, let amount): try add(amount, to: target(place))
    case .arrayInsert(let place, let value, let priorSize): try insert(value, at: element(place, priorSize: priorSize, isInsertion: true))
    case .arrayMove(let place, let to, let priorSize):
      let (list, from) = try element(place, priorSize: priorSize)
      guard to < priorSize else { throw .reason(.wrongIndex) }
      guard from != Int(to) else { throw .reason(.moveToSamePlace) }
      try engine { () throws(StorageError) in try list.move(from: from, to: Int(to)) }
    case .arrayErase(let place, let priorSize):
      let (list, index) = try element(place, priorSize: priorSize)
      try engine { () throws(StorageError) in try list.remove(at: index) }
    case .clear(let place, let kind): try clear(target(place), kind)
    case .setInsert(let place, let value): try change(set: target(place), value, inserts: true)
    case .setErase(let place, let value): try change(set: target(place), value, inserts: false)
    }
  }

  // MARK: Schema

  func table(_ name: StringIndex) throws(Failure) -> Table {
    guard let table = try engine({ () throws(StorageError) in try group.table(named: Self.prefix + changeset.text(name)) }) else {
      throw .reason(.missingClass)
    }
    return table
  }

  func column(_ field: StringIndex, of table: Table) throws(Failure) -> ColumnDescription {
    let name = changeset.bytes(field)
    guard let column = table.publicColumns.first(where: { $0.name.elementsEqual(name) }) else { throw .reason(.missingProperty) }
    return column
  }

  private func addClass(_ name: String, _ definition: ClassDefinition) throws(Failure) {
    let kind: TableKind =
      switch definition.kind {
      case .topLevel: .topLevel
      case .embedded: .embedded
      case .asymmetric: .asymmetric
      }
    let key = definition.primaryKey.flatMap { $0.type == .globalKey ? nil : $0 }
    if let present = try engine({ () throws(StorageError) in try group.table(named: Self.prefix + name) }) {
      let column = present.primaryKeyColumn
      let isSame =
        present.kind == kind && (column == nil) == (key == nil)
        && (key.map { key in
          column?.name.elementsEqual(changeset.bytes(key.field)) == true && column?.isNullable == key.isNullable && column?.changesetType == key.type
        } ?? true)
      if !isSame { throw .reason(.differentClass) }
      return
    }
    try refusing(.differentClass) { () throws(StorageError) in
      let table = try group.addTable(Self.prefix + name, kind: kind)
      guard let key, let type = ColumnType(changesetType: key.type) else { return }
      let column = try table.addColumn(RealmStorage.ColumnDefinition(changeset.text(key.field), type, key.isNullable ? .nullable : []))
      try table.setPrimaryKey(column)
    }
  }

  private func addColumn(_ table: Table, _ field: String, _ definition: Changesets.ColumnDefinition) throws(Failure) {
    var target: Table?
    if let name = definition.target { target = try self.table(name) }
    let name = Array(field.utf8)
    let collection: ColumnAttributes =
      switch definition.collection {
      case .single: []
      case .list: .list
      case .set: .set
      case .dictionary: .dictionary
      }
    if let present = table.publicColumns.first(where: { $0.name == name }) {
      let isSame =
        present.changesetType == definition.type && present.isNullable == definition.isNullable
        && present.attributes.intersection(.collection) == collection && (target == nil || present.oppositeTable == target?.key)
      if !isSame { throw .reason(.differentProperty) }
      return
    }
    guard let type = ColumnType(changesetType: definition.type) else { throw .reason(.wrongType) }
    try refusing(.wrongType) { () throws(StorageError) in
      let attributes = definition.isNullable ? collection.union(.nullable) : collection
      try table.addColumn(RealmStorage.ColumnDefinition(field, type, attributes, target: target?.key))
    }
  }

  // MARK: Objects

  private func create(_ object: ObjectAddress) throws(Failure) -> ObjectKey {
    let table = try table(object.table)
    if table.kind == .embedded { throw .reason(.embeddedClass) }
    if let key = try find(object.key, in: table) { return key }
    if case .globalKey(let high, let low) = object.key {
      let key = localKey(high, low)
      try refusing(.wrongType) { () throws(StorageError) in try table.createObject(withKey: key) }
      return key
    }
    let key = try value(of: object.key, in: table)
    return try refusing(.wrongType) { () throws(StorageError) in try table.createObject(primaryKey: key) }
  }

  /// A live object.
  func find(_ key: PrimaryKey, in table: Table) throws(Failure) -> ObjectKey? {
    if table.kind == .embedded { throw .reason(.embeddedClass) }
    if case .globalKey(let high, let low) = key {
      guard !table.hasPrimaryKey else { throw .reason(.wrongType) }
      let key = localKey(high, low)
      return try engine { () throws(StorageError) in try table.contains(key) } ? key : nil
    }
    let key = try value(of: key, in: table)
    return try engine { () throws(StorageError) in try table.find(primaryKey: key) }
  }

  func localKey(_ high: Int64, _ low: Int64) -> ObjectKey {
    GlobalKey(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low)).squeezed(fileIdent: fileIdent)
  }

  /// - Throws: `.wrongType` unless the class has keys of this type.
  func value(of key: PrimaryKey, in table: Table) throws(Failure) -> Value {
    guard let column = table.primaryKeyColumn else { throw .reason(.wrongType) }
    let value: Value
    switch key {
    case .null: value = .null
    case .int(let number): value = .int(number)
    case .string(let name): value = .string(Array(changeset.bytes(name)))
    case .objectID(let number): value = .objectID(Self.objectID(number))
    case .uuid(let number): value = .uuid(Self.uuid(number))
    case .globalKey: throw .reason(.wrongType)
    }
    let isFitting = if case .null = key { column.isNullable } else { column.changesetType == key.type }
    guard isFitting else { throw .reason(.wrongType) }
    return value
  }

  // MARK: Errors

  func engine<Result>(_ body: () throws(StorageError) -> Result) throws(Failure) -> Result {
    do throws(StorageError) { return try body() } catch { throw .storage(error) }
  }

  /// What the engine refuses is the instruction's fault.
  @discardableResult
  func refusing<Result>(_ reason: ApplicationError.Reason, _ body: () throws(StorageError) -> Result) throws(Failure) -> Result {
    do throws(StorageError) { return try body() } catch {
      switch error {
      case .invalidArgument, .typeMismatch, .noSuchObject, .noSuchColumn, .noSuchTable, .duplicateName, .duplicatePrimaryKey:
        throw .reason(reason)
      default: throw .storage(error)
      }
    }
  }
}
