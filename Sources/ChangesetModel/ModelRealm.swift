package import Changesets

/// A realm as a value, to which changesets are applied as to a file (C5): the yardstick for merges. Simple rather than fast.
package struct ModelRealm: Hashable, Sendable {
  package internal(set) var classes: [String: ModelClass] = [:]

  package init() {}

  /// Adds a class with its objects as they are somewhere else.
  package mutating func add(
    _ name: String, kind: ClassKind, primaryKey: ModelPrimaryKey?, columns: [String: ModelColumn], objects: [ModelKey: ModelObject]
  ) {
    classes[name] = ModelClass(kind: kind, primaryKey: primaryKey, columns: columns, objects: objects)
  }

  /// Executes the instructions in order.
  package mutating func apply(_ changeset: Changeset) throws(ApplicationError) {
    for (number, instruction) in changeset.instructions.enumerated() {
      do throws(ApplicationError.Reason) { try apply(instruction, changeset) } catch { throw ApplicationError(reason: error, instruction: number) }
    }
  }

  private mutating func apply(_ instruction: Instruction, _ changeset: Changeset) throws(ApplicationError.Reason) {
    switch instruction {
    case .addTable(let table, let definition): try addClass(changeset.text(table), definition, changeset)
    case .eraseTable(let table): try eraseClass(changeset.text(table))
    case .addColumn(let table, let field, let column): try addColumn(changeset.text(table), changeset.text(field), column, changeset)
    case .eraseColumn(let table, let field): try eraseColumn(changeset.text(table), changeset.text(field))
    case .createObject(let object): try create(changeset.address(object))
    case .eraseObject(let object):
      let address = changeset.address(object)
      _ = try type(of: address)
      classes[address.className]!.objects[address.key] = nil
    case .update(let place, let value, _): try change(place, .set(changeset.newValue(value)), changeset)
    case .updateElement(let place, let value, let size): try change(place, .setElement(changeset.newValue(value), size: size), changeset)
    case .addInteger(let place, let amount): try change(place, .add(amount), changeset)
    case .arrayInsert(let place, let value, let size): try change(place, .insert(changeset.newValue(value), size: size), changeset)
    case .arrayMove(let place, let target, let size): try change(place, .move(to: target, size: size), changeset)
    case .arrayErase(let place, let size): try change(place, .erase(size: size), changeset)
    case .clear(let place, let kind): try change(place, .clear(kind), changeset)
    case .setInsert(let place, let value): try change(place, .setInsert(changeset.newValue(value)), changeset)
    case .setErase(let place, let value): try change(place, .setErase(changeset.newValue(value)), changeset)
    }
  }

  // MARK: Schema

  private mutating func addClass(_ name: String, _ definition: ClassDefinition, _ changeset: Changeset) throws(ApplicationError.Reason) {
    var primaryKey: ModelPrimaryKey?
    if let key = definition.primaryKey, key.type != .globalKey {
      primaryKey = ModelPrimaryKey(name: changeset.text(key.field), type: key.type, isNullable: key.isNullable)
    }
    guard let present = classes[name] else { return classes[name] = ModelClass(kind: definition.kind, primaryKey: primaryKey) }
    if present.kind != definition.kind || present.primaryKey != primaryKey { throw .differentClass }
  }

  private mutating func eraseClass(_ name: String) throws(ApplicationError.Reason) {
    if classes.contains(where: { $0.key != name && $0.value.columns.values.contains { $0.target == name } }) { throw .linkedClass }
    if classes.removeValue(forKey: name) == nil { throw .missingClass }
  }

  private mutating func addColumn(
    _ name: String, _ field: String, _ definition: ColumnDefinition, _ changeset: Changeset
  ) throws(ApplicationError.Reason) {
    let column = ModelColumn(
      type: definition.type, isNullable: definition.isNullable, collection: definition.collection, target: definition.target.map(changeset.text))
    if let key = classes[name]?.primaryKey, key.name == field {
      if column.type != key.type || column.isNullable != key.isNullable || column.collection != .single { throw .differentProperty }
      return
    }
    guard let present = classes[name]?.columns[field] else {
      if classes[name] == nil || column.target.map({ classes[$0] == nil }) == true { throw .missingClass }
      if let target = column.target, classes[target]?.kind == .asymmetric { throw .wrongType }
      classes[name]!.columns[field] = column
      return changeObjects(of: name) { $0.properties[field] = column.initialValue }
    }
    if present != column { throw .differentProperty }
  }

  private mutating func eraseColumn(_ name: String, _ field: String) throws(ApplicationError.Reason) {
    guard let type = classes[name] else { throw .missingClass }
    if type.primaryKey?.name == field { throw .keyProperty }
    if classes[name]!.columns.removeValue(forKey: field) == nil { throw .missingProperty }
    changeObjects(of: name) { $0.properties[field] = nil }
  }

  /// Embedded ones included.
  private mutating func changeObjects(of name: String, _ body: (inout ModelObject) -> Void) {
    for other in classes.keys {
      for key in classes[other]!.objects.keys { Self.changeObjects(in: &classes[other]!.objects[key]!, of: name, body) }
    }
  }

  private static func changeObjects(in object: inout ModelObject, of name: String, _ body: (inout ModelObject) -> Void) {
    for field in object.properties.keys { changeObjects(in: &object.properties[field]!, of: name, body) }
    if object.className == name { body(&object) }
  }

  private static func changeObjects(in value: inout ModelValue, of name: String, _ body: (inout ModelObject) -> Void) {
    switch value {
    case .object(var object):
      changeObjects(in: &object, of: name, body)
      value = .object(object)
    case .list(var elements):
      for index in elements.indices { changeObjects(in: &elements[index], of: name, body) }
      value = .list(elements)
    case .dictionary(var entries):
      for key in entries.keys { changeObjects(in: &entries[key]!, of: name, body) }
      value = .dictionary(entries)
    default: break
    }
  }

  // MARK: Objects

  private mutating func create(_ address: ModelAddress) throws(ApplicationError.Reason) {
    let type = try type(of: address)
    if type.objects[address.key] == nil { classes[address.className]!.objects[address.key] = newObject(address.className) }
  }

  /// The class of an object that has keys like this one.
  func type(of address: ModelAddress) throws(ApplicationError.Reason) -> ModelClass {
    guard let type = classes[address.className] else { throw .missingClass }
    if type.kind == .embedded { throw .embeddedClass }
    if !address.key.fits(type.primaryKey) { throw .wrongType }
    return type
  }

  func newObject(_ name: String) -> ModelObject {
    ModelObject(className: name, properties: classes[name]?.columns.mapValues { $0.initialValue } ?? [:])
  }

  private mutating func change(_ place: Place, _ change: ModelChange, _ changeset: Changeset) throws(ApplicationError.Reason) {
    let address = changeset.address(place.object)
    guard let object = try type(of: address).objects[address.key] else { throw .missingObject }
    let field = changeset.text(place.field)
    guard let column = classes[address.className]?.columns[field], var value = object.properties[field] else { throw .missingProperty }
    let path = changeset.elements(place.path).map { element in
      switch element {
      case .index(let index): ModelStep.index(Int(index))
      case .key(let key): ModelStep.key(changeset.text(key))
      }
    }
    try apply(change, to: &value, of: .property(column), path[...])
    classes[address.className]!.objects[address.key]!.properties[field] = value
  }
}
