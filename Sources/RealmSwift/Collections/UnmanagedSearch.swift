import Foundation
import RealmQuery
import RealmStorage

/// Finds the first element of an unmanaged collection that satisfies a query.
///
/// Conditions are evaluated by the engine, over rows. So the elements, and what they lead to, are copied to a realm in memory that lives as long
/// as the search: whatever a query can ask of managed objects it can ask of these. Managed elements of one realm are asked where they are.
struct UnmanagedSearch {
  private let elements: [ObjectBase]
  private let type: ObjectBase.Type

  /// - Throws: `RealmFailure` for elements that are no objects.
  init<Element: RealmCollectionValue>(_ elements: [Element]) throws {
    guard let type = Element._shape.objectType, !Element._shape.isCustom else {
      throw RealmFailure.misuse("Querying is currently only implemented for arrays of Realm Objects")
    }
    self.type = type
    self.elements = elements.compactMap { DynamicInput.object($0) }
  }

  func position(of query: RealmQuery.Query) throws -> Int? {
    if let core = elements.first?.core, elements.allSatisfy({ $0.core === core && !$0.isManagedAndGone }) {
      return try position(of: query, core, core.binding(of: type), elements.map(\.key))
    }
    var configuration = Realm.Configuration(inMemoryIdentifier: "unmanaged-search-\(UUID())")
    configuration.customSchema = try searchSchema()
    // Nobody will ever open a realm of this name again.
    defer { Self.removeFiles(of: configuration) }
    return try autoreleasepool {
      let core = try Realm(configuration: configuration).core
      try core.beginWrite(staysOnThread: true)
      defer { try? core.cancelWrite() }
      let binding = try core.binding(of: type)
      return try position(of: query, core, binding, elements.map { try core.create(binding, from: $0, policy: .error) })
    }
  }

  private func position(of query: RealmQuery.Query, _ core: RealmCore, _ binding: ClassBinding, _ keys: [ObjectKey]) throws -> Int? {
    // Refuses names and types that do not fit, whatever there is to search.
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

  /// The class with all that its objects can lead to, without what would keep copies apart from each other or from nothing: equal primary keys may
  /// be there twice, and embedded objects have no parent.
  private func searchSchema() throws -> Schema {
    var found: [String: ObjectSchema] = [:]
    var waiting = [type]
    while let next = waiting.popLast() {
      let model = try ModelClass.of(next)
      if found.updateValue(model.schema.forSearching, forKey: model.className) != nil { continue }
      waiting += model.fields.compactMap { $0.type._shape.objectType }
      if model.schema.properties.contains(where: { $0.type == .any }) {
        waiting += try ModelSchemas.defaultSchema().objectSchema.compactMap(\.modelType).filter { found[$0.className()] == nil }
      }
    }
    return Schema(found.values.sorted { $0.className.utf8.lexicographicallyPrecedes($1.className.utf8) })
  }
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
