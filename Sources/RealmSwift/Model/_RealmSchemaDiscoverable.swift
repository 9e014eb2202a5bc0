extension _RealmSchemaDiscoverable {
  /// The type of the column, or of the elements of a collection.
  public static var _rlmType: PropertyType { _shape.type }
  /// Whether the value, or an element of the collection, can be null.
  public static var _rlmOptional: Bool { _shape.isOptional }
}
