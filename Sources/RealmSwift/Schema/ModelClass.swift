import RealmStorage
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the process knows of one model class. Made on first use and kept for good.
final class ModelClass: Sendable {
  let type: ObjectBase.Type
  /// The class's properties; its name is the one in the file.
  let schema: ObjectSchema
  /// By slot: the persisted properties in schema order, then the computed ones.
  let fields: [PersistedField]
  /// The same without names, for those who go through all of them for each object.
  let places: [FieldPlace]
  /// Slots whose values may lead to something that has to be added first: links, collections, `AnyRealmValue`s.
  let leadingSlots: [Int]
  /// Some property is a list, set or map.
  let hasCollections: Bool
  /// The slot of the primary key.
  let primaryKeySlot: Int?
  /// Nothing of an instance but its place in the realm tells one accessor from another: all its stored properties are `@Persisted`, and none
  /// keeps anything of its own while managed.
  let isInterchangeable: Bool
  /// By slot: enumerations and custom types, whose values are converted.
  let isCustom: [Bool]
  private let slots: [String: Int]

  var className: String { schema.className }

  init(type: ObjectBase.Type, schema: ObjectSchema, fields: [PersistedField]) {
    self.type = type
    self.schema = schema
    self.fields = fields
    places = fields.map(\.place)
    leadingSlots = schema.properties.indices.filter { slot in
      let property = schema.properties[slot]
      return property.isCollection || property.type == .object || property.type == .any
    }
    hasCollections = schema.properties.contains { $0.isCollection }
    isInterchangeable = !hasOtherStoredProperties(type) && !fields.contains { $0.type._keepsState }
    isCustom = fields.map { $0.type._shape.isCustom }
    primaryKeySlot = schema.properties.firstIndex { $0.isPrimary }
    slots = Dictionary(fields.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The slot of a property by its name in Swift.
  func slot(_ name: String) -> Int? { slots[name] }
  func property(at slot: Int) -> Property {
    slot < schema.properties.count ? schema.properties[slot] : schema.computedProperties[slot - schema.properties.count]
  }

  // MARK: Registry

  private static let registry = Locked<[ObjectIdentifier: ModelClass]>([:])

  /// The record of a class that is known already.
  static func registered(_ type: ObjectBase.Type) -> ModelClass? { registry.withLock { $0[ObjectIdentifier(type)] } }

  /// The record of a class. Creates an instance of the class the first time, which runs code of the user.
  static func of(_ type: ObjectBase.Type) throws -> ModelClass {
    if let known = registered(type) { return known }
    return try build {
      // Somebody else may have waited less.
      if let known = registered(type) { return known }
      let new = try ModelClassBuilder.build(type)
      registry.withLock { $0[ObjectIdentifier(type)] = new }
      return new
    }
  }

  // MARK: One at a time

  private static let buildLock = Locked<Void>(())
  private static let builder = Atomic<UInt>(0)

  /// Whether the calling code runs inside an initialiser that the SDK calls to learn a class's properties.
  static var isBeingBuiltHere: Bool { builder.load(ordering: .relaxed) == threadNumber() }

  /// - Throws: when model code that `body` runs gets here again.
  private static func build(_ body: () throws -> ModelClass) throws -> ModelClass {
    guard !isBeingBuiltHere else {
      throw RealmFailure.misuse(
        "Illegal recursive call of +[RealmSwift.Schema sharedSchema]. Note: Properties of Swift `Object` classes must not be prepopulated "
          + "with queried results from a Realm.")
    }
    return try buildLock.withLock { _ in
      builder.store(threadNumber(), ordering: .relaxed)
      defer { builder.store(0, ordering: .relaxed) }
      return try body()
    }
  }

  /// Never 0.
  private static func threadNumber() -> UInt {
    #if canImport(Glibc)
      UInt(pthread_self())
    #else
      UInt(bitPattern: pthread_self())
    #endif
  }
}
