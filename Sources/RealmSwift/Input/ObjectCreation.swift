import Foundation
import RealmStorage

/// The value that an object is created or updated from: `create(value:)`, `init(value:)`.
enum ObjectInput {
  case dictionary([String: Any])
  case array([Any])
  /// - className: what the values are for.
  case object(ObjectBase, className: String)

  init(_ input: Any, className: String, firstProperty: Property?) throws(RealmFailure) {
    if DynamicInput.isNull(input) { throw .misuse("Must provide a non-nil value.") }
    func persisted<T: _CustomPersistable>(_ custom: T) -> Any { custom.persistableValue }
    var input = DynamicInput.unwrapped(input)
    // A custom type that is stored as an embedded object.
    if let custom = input as? any _CustomPersistable { input = persisted(custom) }
    if let object = input as? ObjectBase {
      if object.isInvalidated { throw .misuse("Object has been deleted or invalidated.") }
      self = .object(object, className: className)
    } else if let custom = input as? any _CustomPersistable, let object = DynamicInput.persisted(custom) as? ObjectBase {
      self = .object(object, className: className)
    } else if let entries = DynamicInput.entries(of: input) {
      self = .dictionary(entries)
    } else if let elements = DynamicInput.elements(of: input) {
      self = .array(elements)
    } else {
      throw .misuse("Invalid value '\(input)' to initialize object of type '\(className)': missing key '\(firstProperty?.name ?? "")'")
    }
  }

  func check(_ schema: ObjectSchema) throws(RealmFailure) {
    if case .array(let values) = self, values.count > schema.properties.count {
      throw .misuse("Invalid array input: more values (\(values.count)) than properties (\(schema.properties.count)).")
    }
  }

  /// - Returns: nil if the input says nothing of the property.
  func value(_ property: Property, slot: Int) throws(RealmFailure) -> Any? {
    switch self {
    case .dictionary(let entries): return entries[property.name]
    case .array(let values): return slot < values.count ? values[slot] : nil
    case .object(let object, let className):
      guard try object.currentSchema()[property.name] != nil else {
        throw .misuse("Invalid value '\(object)' to initialize object of type '\(className)': missing key '\(property.name)'")
      }
      return try object.dynamicValue(property.name) ?? NSNull()
    }
  }
}

extension RealmCore {
  /// `Realm.create`: a new object with copies of the input's values, or the object with the same primary key updated from them.
  func create(_ binding: ClassBinding, from input: Any, policy: Realm.UpdatePolicy) throws(RealmFailure) -> ObjectKey {
    try requireCreating()
    let input = try ObjectInput(input, className: binding.className, firstProperty: binding.schema.properties.first)
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
      let key = try opened { () throws(StorageError) in try table.createObject() }
      try fill(binding, key, from: input, defaults, policy: policy, isNew: true)
      return key
    }
    let property = binding.schema.properties[slot]
    var given = try input.value(property, slot: slot)
    if given == nil { given = try defaults.value(slot) }
    guard let given else {
      throw .misuse("Missing value for property '\(binding.className).\(property.name)'")
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
  ) throws(RealmFailure) {
    try input.check(binding.schema)
    if case .object(let object, _) = input { copies.remember(object, binding, key) }
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
  ) throws(RealmFailure) {
    let property = binding.property(at: slot)
    if property.isCollection {
      let kind: CollectionKind = property.isArray ? .list : property.isSet ? .set : .dictionary
      let collection = CollectionCore(core: self, owner: binding, key: key, slot: slot, kind: kind)
      return try CollectionFilling(collection, property, className: binding.className, policy: policy, adopts: adopts).fill(from: input)
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
        let old = try opened { () throws(StorageError) in try table.value(key, column) }
        if old.isIdentical(to: value) { return }
      }
      willMutate()
      do throws(StorageError) { try table.set(key, column, value) } catch { throw failure(error, setting: value, in: binding, slot: slot) }
    }
  }

  private func assignLink(
    _ binding: ClassBinding, _ table: Table, _ key: ObjectKey, _ slot: Int, _ target: ClassBinding, _ input: Any,
    _ policy: Realm.UpdatePolicy
  ) throws(RealmFailure) {
    let column = binding.columns[slot]
    let old = try opened { () throws(StorageError) in try table.value(key, column) }
    willMutate()
    if DynamicInput.isNull(input) {
      if policy == .modified, case .null = old { return }
      return try opened { () throws(StorageError) in try table.set(key, column, .null) }
    }
    let object = DynamicInput.unwrapped(input) as? ObjectBase
    if let object, object.currentClassName != target.className {
      throw .misuse(DynamicInput.invalidValue(object, binding.className, binding.property(at: slot)))
    }
    if target.schema.isEmbedded {
      if let object, object.core === self, case .link(let current) = old, object.key == current, policy != .all { return }
      let source = try ObjectInput(input, className: target.className, firstProperty: target.schema.properties.first)
      if policy == .modified, case .link(let current) = old {
        return try fill(target, current, from: source, FreshDefaults(target), policy: policy, isNew: false)
      }
      let new = try opened { () throws(StorageError) in try table.setEmbedded(key, column) }
      return try fill(target, new, from: source, FreshDefaults(target), policy: policy, isNew: true)
    }
    if policy == .modified, target.primaryKeySlot == nil, object?.core == nil, copies.key(of: object, target) == nil,
      case .link(let current) = old
    {
      let source = try ObjectInput(input, className: target.className, firstProperty: target.schema.properties.first)
      return try fill(target, current, from: source, FreshDefaults(target), policy: policy, isNew: false)
    }
    let new = try linkKey(from: input, target, policy: policy)
    if policy == .modified, case .link(let current) = old, current == new { return }
    willMutate()
    try opened { () throws(StorageError) in try table.set(key, column, .link(new)) }
  }

  /// The object that input stands for: a managed one of this realm itself, else a new (or updated) copy.
  func linkKey(from input: Any, _ target: ClassBinding, policy: Realm.UpdatePolicy) throws(RealmFailure) -> ObjectKey {
    if let object = DynamicInput.unwrapped(input) as? ObjectBase, object.core === self {
      if object.isManagedAndGone { throw .misuse("Object has been deleted or invalidated.") }
      return object.key
    }
    return try create(target, from: input, policy: policy)
  }
}

/// Default values of a class, taken from a new instance when the first one is asked for.
final class FreshDefaults {
  private let binding: ClassBinding
  private var instance: ObjectBase?

  init(_ binding: ClassBinding) { self.binding = binding }

  /// - Returns: nil for classes that are known from the file only.
  func value(_ slot: Int) throws(RealmFailure) -> Any? {
    guard let model = binding.model, let type = binding.schema.modelType else { return nil }
    let object = instance ?? type.init()
    instance = object
    let field = model.fields[slot]
    return field.type._readUnmanaged(object, field.byteOffset)
  }
}

/// Fills a collection property from input.
struct CollectionFilling {
  private let collection: CollectionCore
  private let property: Property
  private let className: String
  private let policy: Realm.UpdatePolicy
  /// Unmanaged objects become managed instead of being copied.
  private let adopts: Bool

  init(_ collection: CollectionCore, _ property: Property, className: String, policy: Realm.UpdatePolicy, adopts: Bool = false) {
    self.adopts = adopts
    self.collection = collection
    self.property = property
    self.className = className
    self.policy = policy
  }

  func fill(from input: Any) throws(RealmFailure) {
    if DynamicInput.isNull(input) {
      try collection.write { (collection) throws(StorageError) in try collection.removeAll() }
      return
    }
    if isItself(input) { return }
    if let mismatch = Self.mismatch(input, property, className) { throw mismatch }
    switch collection.kind {
    case .list: try fillList(elements(input))
    case .set: try fillSet(elements(input))
    case .dictionary:
      guard let entries = DynamicInput.entries(of: input) else { throw notEnumerable(input) }
      try fillDictionary(entries)
    }
  }

  /// Assigning a collection to itself changes nothing.
  private func isItself(_ input: Any) -> Bool {
    (DynamicInput.unwrapped(input) as? any _ManagedCollection)?._managed.map { $0.isSame(collection) } ?? false
  }

  private func elements(_ input: Any) throws(RealmFailure) -> [Any] {
    guard let elements = DynamicInput.elements(of: input) else { throw notEnumerable(input) }
    return elements
  }

  private func notEnumerable(_ input: Any) -> RealmFailure { Self.notEnumerable(input, property, className) }
  static func notEnumerable(_ input: Any, _ property: Property, _ className: String) -> RealmFailure {
    .misuse(
      "Invalid value (\(DynamicInput.unwrapped(input))) for '\(property.elementText)'\(property.collectionText) property "
        + "'\(className).\(property.name)': value is not enumerable.")
  }

  /// A collection of the SDK with elements of another type.
  static func mismatch(_ input: Any, _ property: Property, _ className: String) -> RealmFailure? {
    guard let given = DynamicInput.unwrapped(input) as? any _ManagedCollection else { return nil }
    let text = given._managed?.property.elementText ?? type(of: given)._elementShape.elementText
    if text == property.elementText { return nil }
    let name = given is any _MapInput ? "RLMDictionary<string, \(text)>" : given is any _SetInput ? "RLMSet<\(text)>" : "RLMArray<\(text)>"
    return .misuse("\(name) does not match expected type '\(property.elementText)' for property '\(className).\(property.name)'.")
  }

  private func fillList(_ elements: [Any]) throws(RealmFailure) {
    let scope = try collection.scope(policy)
    guard policy == .modified else {
      try collection.write { (collection) throws(StorageError) in try collection.removeAll() }
      return try insert(contentsOf: elements, scope)
    }
    let count = try collection.count()
    for (index, element) in elements.enumerated() {
      if index < count { try update(element, at: index, scope) } else { try insert(element, at: index, scope) }
    }
    for index in stride(from: count - 1, through: elements.count, by: -1) where index >= elements.count {
      try collection.write { (collection) throws(StorageError) in try collection.remove(at: index) }
    }
  }

  private func insert(contentsOf elements: [Any], _ scope: _Scope) throws(RealmFailure) {
    if let target = scope.target, target.schema.isEmbedded {
      for index in elements.indices { try insert(elements[index], at: index, scope) }
    } else if property.type == .any, let core = scope.core {
      try mixed(core).insert(contentsOf: elements, at: 0, collection)
    } else {
      var values: [Value] = []
      for element in elements { values.append(try value(element, scope)) }
      let stored = values
      try collection.write { (collection) throws(StorageError) in try collection.insert(contentsOf: stored, at: 0) }
    }
  }

  private func insert(_ element: Any, at index: Int, _ scope: _Scope) throws(RealmFailure) {
    if let target = scope.target, target.schema.isEmbedded, let core = scope.core {
      if let object = try adopted(element, target) {
        let key = try collection.write { (collection) throws(StorageError) in try collection.insertEmbedded(at: index) }
        return try core.adopt(object, target, key, policy: policy)
      }
      let source = try ObjectInput(element, className: target.className, firstProperty: target.schema.properties.first)
      let key = try collection.write { (collection) throws(StorageError) in try collection.insertEmbedded(at: index) }
      return try core.fill(target, key, from: source, FreshDefaults(target), policy: policy, isNew: true)
    }
    if property.type == .any, let core = scope.core { return try mixed(core).insert(element, at: index, collection) }
    let value = try value(element, scope)
    try collection.write { (collection) throws(StorageError) in try collection.insert(at: index, value) }
  }

  private func mixed(_ core: RealmCore) -> MixedInput { MixedInput(core, policy, copies: !adopts) }

  /// The unmanaged embedded object that an element is, if it shall become managed.
  private func adopted(_ element: Any, _ target: ClassBinding) throws(RealmFailure) -> ObjectBase? {
    guard adopts, let object = DynamicInput.unwrapped(element) as? ObjectBase, !object.isManaged else { return nil }
    guard object.currentClassName == target.className else { throw .misuse(DynamicInput.invalidValue(object, className, property)) }
    return object
  }

  private func update(_ element: Any, at index: Int, _ scope: _Scope) throws(RealmFailure) {
    let old = try collection.value(at: index)
    if let target = scope.target, let core = scope.core, case .link(let key) = old,
      target.primaryKeySlot == nil, target.schema.isEmbedded || (DynamicInput.unwrapped(element) as? ObjectBase)?.core == nil,
      core.copies.key(of: DynamicInput.unwrapped(element) as? ObjectBase, target) == nil
    {
      if let object = DynamicInput.unwrapped(element) as? ObjectBase, object.core === core, object.key == key { return }
      let source = try ObjectInput(element, className: target.className, firstProperty: target.schema.properties.first)
      return try core.fill(target, key, from: source, FreshDefaults(target), policy: policy, isNew: false)
    }
    if property.type == .any, let core = scope.core { return try mixed(core).set(element, at: index, collection) }
    let value = try value(element, scope)
    if old.isIdentical(to: value) { return }
    try collection.write { (collection) throws(StorageError) in try collection.set(at: index, value) }
  }

  private func fillSet(_ elements: [Any]) throws(RealmFailure) {
    let scope = try collection.scope(policy)
    if policy != .modified { try collection.write { (collection) throws(StorageError) in try collection.removeAll() } }
    for element in elements {
      let value = try value(element, scope)
      _ = try collection.write { (collection) throws(StorageError) in try collection.insert(value) }
    }
  }

  private func fillDictionary(_ entries: [String: Any]) throws(RealmFailure) {
    let scope = try collection.scope(policy)
    if policy != .modified { try collection.write { (collection) throws(StorageError) in try collection.removeAll() } }
    for (name, element) in entries.sorted(by: { $0.key < $1.key }) {
      try DictionaryKey.check(name)
      let key = Array(name.utf8)
      if let target = scope.target, target.schema.isEmbedded, let core = scope.core, !DynamicInput.isNull(element) {
        let source = try ObjectInput(element, className: target.className, firstProperty: target.schema.properties.first)
        let old = try collection.read { (collection) throws(StorageError) in try collection.value(for: key) }
        if policy == .modified, let link = old?.linkTarget {
          try core.fill(target, link, from: source, FreshDefaults(target), policy: policy, isNew: false)
          continue
        }
        let new = try collection.write { (collection) throws(StorageError) in try collection.setEmbedded(key: key) }
        if let object = try adopted(element, target) {
          try core.adopt(object, target, new, policy: policy)
          continue
        }
        try core.fill(target, new, from: source, FreshDefaults(target), policy: policy, isNew: true)
        continue
      }
      if property.type == .any, let core = scope.core {
        try mixed(core).set(element, forKey: name, collection)
        continue
      }
      let value = DynamicInput.isNull(element) && scope.target != nil ? Value.null : try value(element, scope)
      if policy == .modified, let old = try collection.read({ (collection) throws(StorageError) in try collection.value(for: key) }),
        old.isIdentical(to: value)
      {
        continue
      }
      try collection.write { (collection) throws(StorageError) in try collection.set(key: key, value) }
    }
  }

  private func value(_ element: Any, _ scope: _Scope) throws(RealmFailure) -> Value {
    if let target = scope.target, let core = scope.core {
      if DynamicInput.isNull(element) { throw .misuse(DynamicInput.invalidValue(element, className, property)) }
      if let object = DynamicInput.unwrapped(element) as? ObjectBase {
        guard object.currentClassName == target.className else { throw .misuse(DynamicInput.invalidValue(object, className, property)) }
        if adopts { return .link(try core.add(object, policy: policy)) }
      }
      return .link(try core.linkKey(from: element, target, policy: policy))
    }
    if property.type == .any, let core = scope.core { return try mixed(core).scalar(element) }
    return try collection.owner.scalar(element, collection.slot)
  }
}

/// A collection that may be managed. Public for technical reasons only.
public protocol _ManagedCollection {
  /// The managed collection; nil while it is not managed.
  var _managedBox: _CollectionBox? { get }
  /// How the elements are stored.
  static var _elementShape: _Shape { get }
  /// The Swift type of the elements.
  static var _elementType: Any.Type { get }
}
/// Hides the core of a managed collection. Public for technical reasons only.
public struct _CollectionBox {
  let core: CollectionCore
}
extension _ManagedCollection {
  var _managed: CollectionCore? { _managedBox?.core }
}

extension ClassBinding {
  /// The stored form of input for a scalar property, or for an element of a collection of scalars.
  func scalar(_ input: Any, _ slot: Int) throws(RealmFailure) -> Value {
    let value = try DynamicInput.scalar(input, property(at: slot), className: className)
    guard let model, model.isCustom[slot] else { return value }
    let type = model.fields[slot].type
    guard type._accepts(_StoredValue(value)) else { throw .misuse("Could not convert value '\(input)' to type '\(type._convertedType)'.") }
    return value
  }
}
