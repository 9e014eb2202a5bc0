/// The properties of one class. A value type over immutable data.
public struct ObjectSchema: CustomStringConvertible, Equatable, Sendable {
  /// The name in the schema: that of the table without its prefix.
  public let className: String
  /// Persisted properties: those of the superclass first, then in the order of their declarations.
  public let properties: [Property]
  /// `LinkingObjects` properties, found by subscript only.
  let computedProperties: [Property]
  public let isEmbedded: Bool
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
  public var primaryKeyProperty: Property? { properties.first { $0.isPrimary } }

  public subscript(propertyName: String) -> Property? {
    properties.first { $0.name == propertyName } ?? computedProperties.first { $0.name == propertyName }
  }

  public static func == (a: ObjectSchema, b: ObjectSchema) -> Bool {
    a.properties == b.properties && a.computedProperties == b.computedProperties
  }
}
