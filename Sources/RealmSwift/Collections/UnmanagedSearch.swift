import Foundation
import RealmQuery
import RealmStorage

/// Finds the first element of an unmanaged collection that satisfies a query.
///
/// Conditions are evaluated by the engine, over rows. So the elements, and what they lead to, are copied to a realm in memory that lives as long
/// as the search: whatever a query can ask of managed objects it can ask of these. Managed elements of one realm are asked where they are. Values
/// become objects with one property.
struct UnmanagedSearch {
  private enum Elements {
    case objects([ObjectBase], ObjectBase.Type)
    case values([Any], Property)
  }
  private let elements: Elements

  /// The class of objects that are made of values, and its property, as texts name them. No class of a program has such a name.
  private static let (valueClass, valueProperty) = ("collection element", "self")

  /// - Throws: `RealmFailure` for elements of a custom type that is stored as an embedded object.
  init<Element: RealmCollectionValue>(_ elements: [Element]) throws {
    let shape = Element._shape
    if let type = shape.objectType {
      guard !shape.isCustom else { throw RealmFailure.misuse("Querying is currently only implemented for arrays of Realm Objects") }
      self.elements = .objects(elements.compactMap { DynamicInput.object($0) }, type)
    } else {
      let property = Property(name: Self.valueProperty, type: shape.type, isOptional: shape.isOptional)
      self.elements = .values(elements.map { DynamicInput.persisted($0) }, property)
    }
  }

  var subject: QuerySubject { if case .values = elements { .values(property: Self.valueProperty) } else { .objects } }

  func position(of query: RealmQuery.Query) throws -> Int? {
    switch elements {
    case .objects(let objects, let type):
      if let core = objects.first?.core, objects.allSatisfy({ $0.core === core && !$0.isManagedAndGone }) {
        return try position(of: query, core, core.binding(of: type), objects.map(\.key))
      }
      return try position(of: query, inCopiesOf: objects, as: type.className(), Self.schema(reachedFrom: [type]))
    case .values(let values, let property):
      let holder = ObjectSchema(className: Self.valueClass, properties: [property])
      let reached = try Self.schema(reachedFrom: values.flatMap { Self.types(heldBy: $0) })
      return try position(of: query, inCopiesOf: values.map { [property.name: $0] }, as: Self.valueClass, reached + [holder])
    }
  }

  private func position(
    of query: RealmQuery.Query, inCopiesOf inputs: [Any], as className: String, _ schema: [ObjectSchema]
  ) throws -> Int? {
    var configuration = Realm.Configuration(inMemoryIdentifier: "unmanaged-search-\(UUID())")
    configuration.customSchema = Schema(schema.sorted { $0.className.utf8.lexicographicallyPrecedes($1.className.utf8) })
    // Nobody will ever open a realm of this name again.
    defer { Self.removeFiles(of: configuration) }
    return try autoreleasepool {
      let core = try Realm(configuration: configuration).core
      try core.beginWrite(staysOnThread: true)
      defer { try? core.cancelWrite() }
      let binding = try core.binding(named: className)
      return try position(of: query, core, binding, inputs.map { try core.create(binding, from: $0, policy: .error) })
    }
  }

  private func position(of query: RealmQuery.Query, _ core: RealmCore, _ binding: ClassBinding, _ keys: [ObjectKey]) throws -> Int? {
    // Refuses names and types that do not fit, whatever there is to search.
    var query = query
    query.acceptsTopLevelPoints = true
    let plan = try query.bind(binding.table(core), in: core.group(), names: core.names())
    return try keys.firstIndex { try plan.matches($0) }
  }

  /// Removes what stands beside the realm's place, the lock file included.
  private static func removeFiles(of configuration: Realm.Configuration) {
    guard let path = try? RealmOpening.path(of: configuration) else { return }
    _ = try? Database.deleteFiles(path: path)
    try? FileManager.default.removeItem(atPath: RealmPaths(path).lock)
  }

  // MARK: Schema

  /// Classes with all that their objects can lead to, without what would keep copies apart from each other or from nothing: equal primary keys may
  /// be there twice, and embedded objects have no parent.
  private static func schema(reachedFrom types: [ObjectBase.Type]) throws -> [ObjectSchema] {
    var found: [String: ObjectSchema] = [:]
    var waiting = types
    while let next = waiting.popLast() {
      let model = try ModelClass.of(next)
      if found.updateValue(model.schema.forSearching, forKey: model.className) != nil { continue }
      waiting += model.fields.compactMap { $0.type._shape.objectType }
      if model.schema.properties.contains(where: { $0.type == .any }) { waiting += try modelTypes().filter { found[$0.className()] == nil } }
    }
    return Array(found.values)
  }

  /// The classes of the objects in an `AnyRealmValue`; none for other values.
  private static func types(heldBy value: Any) -> [ObjectBase.Type] {
    guard let value = value as? AnyRealmValue else { return [] }
    return switch value {
    case .object(let object): [type(of: object)]
    case .list(let list): list.flatMap { types(heldBy: $0) }
    case .dictionary(let map): map.flatMap { types(heldBy: $0.value) }
    default: []
    }
  }

  /// What an `AnyRealmValue` can hold.
  private static func modelTypes() throws -> [ObjectBase.Type] { try ModelSchemas.defaultSchema().objectSchema.compactMap(\.modelType) }
}

extension ObjectSchema {
  fileprivate var forSearching: ObjectSchema {
    ObjectSchema(
      className: className, properties: properties.map(\.forSearching), computedProperties: computedProperties, modelType: modelType)
  }
}

extension Property {
  fileprivate var forSearching: Property {
    Property(
      name: name, columnName: columnName, type: type, collection: isCollection ? collectionKind : nil, isOptional: isOptional,
      isFullTextIndexed: isFullTextIndexed, objectClassName: objectClassName, linkOriginPropertyName: linkOriginPropertyName)
  }
}
