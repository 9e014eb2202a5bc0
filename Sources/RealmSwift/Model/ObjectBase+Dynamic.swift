import Foundation
import RealmStorage

// Access to properties by name.

extension ObjectBase {
  /// The class record: of the realm's class when managed, else of the Swift class.
  final func currentSchema() throws -> ObjectSchema {
    if let binding = binding { return binding.schema }
    return try ModelClass.of(type(of: self)).schema
  }

  final var currentClassName: String { binding?.className ?? type(of: self).className() }

  private final func slot(of name: String) throws -> Int {
    let schema = try currentSchema()
    if let slot = binding?.slot(name) { return slot }
    if let slot = schema.properties.firstIndex(where: { $0.name == name }) { return slot }
    if let slot = schema.computedProperties.firstIndex(where: { $0.name == name }) { return schema.properties.count + slot }
    throw RealmFailure.misuse("Invalid property name '\(name)' for class '\(schema.className)'.")
  }

  final func hasProperty(_ name: String) -> Bool { (try? slot(of: name)) != nil }

  /// A property's value; nil is null.
  /// - Parameter converts: enumerations and custom types are read as such; false gives what is stored, whether it can be converted or not, as
  ///   dynamic objects do in any case.
  final func dynamicValue(_ name: String, converts: Bool = true) throws -> Any? {
    let slot = try slot(of: name)
    let value: Any
    if let core, let binding = binding {
      _ = try locate()
      let (isDynamic, isCollection) = (self is DynamicObject, binding.property(at: slot).isCollection)
      guard let model = binding.model, !core.isMigrating, !(isDynamic && isCollection) else {
        return try DynamicProperty(core, binding, slot).value(of: self)
      }
      if isDynamic || !converts, model.isCustom[slot], !isCollection { return try managedPersistedValue(core, binding, slot) }
      let property = binding.property(at: slot)
      if model.isCustom[slot], !isCollection, !property.isOptional, property.type != .object {
        try model.fields[slot].type._checkConversion(of: _StoredValue(storedValue(at: slot)))
      }
      let typed = type(of: self) == model.type ? self : core.accessor(model.type, binding, key)
      value = model.fields[slot].type._readManaged(typed, UInt32(slot + 1))
    } else {
      let field = try ModelClass.of(type(of: self)).fields[slot]
      value = field.type._readUnmanaged(self, field.byteOffset)
    }
    if DynamicInput.isNull(value) { return nil }
    // An `AnyRealmValue` stays one.
    return value is AnyRealmValue ? value : DynamicInput.persisted(DynamicInput.unwrapped(value))
  }

  /// What an enumeration or a custom type is stored as.
  private final func managedPersistedValue(_ core: RealmCore, _ binding: ClassBinding, _ slot: Int) throws -> Any? {
    let value = try storedValue(at: slot)
    guard case .link(let key) = value else { return DynamicProperty.scalar(value) }
    return try binding.target(slot, core).map { core.accessor($0, key) }
  }

  final func setDynamicValue(_ name: String, _ value: Any?) throws {
    let slot = try slot(of: name)
    let input = value ?? NSNull()
    guard core != nil else {
      let model = try ModelClass.of(type(of: self))
      return try setUnmanaged(model, slot, input)
    }
    let (core, binding, _) = try writableTable()
    let property = binding.property(at: slot)
    if property.isComputed { throw RealmFailure.misuse("LinkingObjects properties are read-only") }
    if slot == binding.primaryKeySlot, !core.mayChangePrimaryKeys {
      throw RealmFailure.misuse(
        "Primary key can't be changed to '\(DynamicInput.isNull(input) ? "(null)" : DynamicInput.shown(DynamicInput.unwrapped(input)))' after an object is inserted."
      )
    }
    if property.type == .object, !property.isCollection, let object = DynamicInput.object(DynamicInput.unwrapped(input)) {
      if object is EmbeddedObject { return try setEmbedded(at: slot, object, .error) }
      if object.core != nil && object.core !== core {
        throw RealmFailure.misuse("Object is already managed by another Realm. Use create instead to copy it into this Realm.")
      }
      // In a migration embedded objects are dynamic objects, too.
      if object.isManaged, try binding.target(slot, core)?.isEmbedded == true { return try setEmbedded(at: slot, object, .error) }
      if let object = object as? Object { return try setLink(at: slot, object, .error) }
    }
    try core.assign(binding, key, slot, input, policy: .error, adopts: true)
  }

  private final func setUnmanaged(_ model: ModelClass, _ slot: Int, _ input: Any) throws {
    let field = model.fields[slot]
    let property = model.property(at: slot)
    if property.isCollection, let mismatch = CollectionInput.mismatch(input, property, model.className) { throw mismatch }
    do { try field.type._writeUnmanaged(self, field.byteOffset, input) } catch {
      if property.isCollection, let failure = collectionFailure(input, property, model.className) { throw failure }
      if let failure = error as? RealmFailure, failure.text.hasPrefix("LinkingObjects") { throw failure }
      if DynamicInput.isNull(input), !property.isOptional {
        throw RealmFailure.misuse("Missing value for property '\(model.className).\(property.name)'")
      }
      if let failure = error as? RealmFailure, !failure.text.hasPrefix("Invalid value '") { throw failure }
      throw RealmFailure.misuse(DynamicInput.invalidValue(input, model.className, property))
    }
  }

  /// Why input is no content for a collection property.
  private final func collectionFailure(_ input: Any, _ property: Property, _ className: String) -> (any Error)? {
    let elements = property.isMap ? DynamicInput.entries(of: input)?.map(\.element) : DynamicInput.elements(of: input)
    guard let elements else { return CollectionInput.notEnumerable(input, property, className) }
    if property.type == .object || property.type == .any { return nil }
    for element in elements {
      do { _ = try DynamicInput.scalar(element, property, className: className) } catch { return error }
    }
    return nil
  }

  /// Fills an unmanaged object from input of `init(value:)`.
  final func populate(from input: Any) throws {
    let model = try ModelClass.of(type(of: self))
    let source = try ObjectInput(input, className: model.className, firstProperty: model.schema.properties.first)
    try source.check(model.schema)
    for (slot, property) in model.schema.properties.enumerated() {
      guard let value = try source.value(property, slot: slot) else { continue }
      try setUnmanaged(model, slot, value)
    }
  }
}

/// A property of an object whose Swift class is not known: read by its description in the schema.
struct DynamicProperty {
  private let core: RealmCore
  private let binding: ClassBinding
  private let slot: Int

  init(_ core: RealmCore, _ binding: ClassBinding, _ slot: Int) {
    self.core = core
    self.binding = binding
    self.slot = slot
  }

  func value(of object: ObjectBase) throws -> Any? {
    _ = try object.locate()
    let property = binding.property(at: slot)
    if property.isComputed {
      guard let origin = try binding.target(slot, core), let name = property.linkOriginPropertyName, let originSlot = origin.slot(name) else {
        return nil
      }
      let links = BacklinkSource(owner: binding, key: object.key, epoch: object.epoch, origin: origin, originSlot: originSlot)
      return LinkingObjects<DynamicObject>(ResultsCore(core, .backlinks(links), target: origin), property: name)
    }
    if property.isCollection { return collection(of: object, property) }
    let value = try object.storedValue(at: slot)
    switch value {
    case .null: return property.type == .any ? AnyRealmValue.none : nil
    case .link(let key):
      guard let target = try binding.target(slot, core), !key.isUnresolved else { return nil }
      return core.accessor(DynamicObject.self, target, key)
    case _ where property.type == .any:
      return AnyRealmValue(value, core) { kind in CollectionCore.held(by: object, core, binding, slot: slot, kind) }
    default: return DynamicProperty.scalar(value)
    }
  }

  /// A stored scalar as its Swift type.
  static func scalar(_ value: Value) -> Any? {
    switch value {
    case .int(let value): Int(value)
    case .bool(let value): value
    case .string(let bytes): String(decoding: bytes, as: UTF8.self)
    case .binary(let bytes): Data(bytes)
    case .timestamp(let value): Date(value)
    case .float(let value): value
    case .double(let value): value
    case .decimal(let value): Decimal128(value)
    case .objectID(let value): ObjectId(value)
    case .uuid(let value): UUID(value)
    case .null, .link, .typedLink, .list, .dictionary: nil
    }
  }

  private func collection(of object: ObjectBase, _ property: Property) -> Any {
    let kind = property.collectionKind
    let place = CollectionCore(core: core, owner: binding, key: object.key, slot: slot, kind: kind)
    func make<Element: RealmCollectionValue>(_ type: Element.Type) -> Any {
      switch kind {
      case .list: List<Element>(managed: place)
      case .set: MutableSet<Element>(managed: place)
      case .dictionary: Map<String, Element>(managed: place)
      }
    }
    func make<Element: _RealmCollectionValueInsideOptional>(scalar type: Element.Type) -> Any {
      property.isOptional ? make(Element?.self) : make(type)
    }
    switch property.type {
    case .int: return make(scalar: Int.self)
    case .bool: return make(scalar: Bool.self)
    case .string: return make(scalar: String.self)
    case .data: return make(scalar: Data.self)
    case .date: return make(scalar: Date.self)
    case .float: return make(scalar: Float.self)
    case .double: return make(scalar: Double.self)
    case .objectId: return make(scalar: ObjectId.self)
    case .decimal128: return make(scalar: Decimal128.self)
    case .UUID: return make(scalar: UUID.self)
    case .any: return make(AnyRealmValue.self)
    case .object, .linkingObjects: return kind == .dictionary ? Map<String, DynamicObject?>(managed: place) as Any : make(DynamicObject.self)
    }
  }
}
