/// The properties of one class. A value type over immutable data.
public struct ObjectSchema: Equatable, Sendable {
  /// The name in the schema: that of the table without its prefix.
  public let className: String
  /// Persisted properties: those of the superclass first, then in the order of their declarations.
  public let properties: [Property]
  /// `LinkingObjects` properties, found by subscript only.
  let computedProperties: [Property]
  /// Whether its objects are part of others.
  public let isEmbedded: Bool
  /// Whether its objects would only be sent to a server; no local realm takes such a class.
  public let isAsymmetric: Bool
  /// Nil when the schema was read from a file and no Swift class is known.
  let modelType: ObjectBase.Type?

  init(
    className: String, properties: [Property], computedProperties: [Property] = [], isEmbedded: Bool = false, isAsymmetric: Bool = false,
    modelType: ObjectBase.Type? = nil
  ) {
    self.className = className
    self.properties = properties
    self.computedProperties = computedProperties
    self.isEmbedded = isEmbedded
    self.isAsymmetric = isAsymmetric
    self.modelType = modelType
  }

  /// The Swift class; `DynamicObject` where none is known.
  public var objectClass: AnyClass { modelType ?? DynamicObject.self }
  /// The property that identifies objects; nil if the class has none.
  public var primaryKeyProperty: Property? { properties.first { $0.isPrimary } }

  /// A persisted or computed property by its name in Swift; nil if there is none.
  public subscript(propertyName: String) -> Property? {
    properties.first { $0.name == propertyName } ?? computedProperties.first { $0.name == propertyName }
  }

  /// Compares the properties in their order, and not the names of the classes.
  public static func == (a: ObjectSchema, b: ObjectSchema) -> Bool {
    a.properties == b.properties && a.computedProperties == b.computedProperties
  }
}
