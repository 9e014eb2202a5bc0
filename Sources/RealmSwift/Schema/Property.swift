import RealmStorage

/// One persisted or computed property of a class, as it is stored. A value type over immutable data.
public struct Property: Equatable, Sendable {
  /// The name that the property has in Swift.
  public let name: String
  /// The name of the column in the file: `name` unless `propertiesMapping()` says otherwise.
  public let columnName: String
  /// The type of the value, or of a collection's elements.
  public let type: PropertyType
  /// Whether it is a `List`.
  public let isArray: Bool
  /// Whether it is a `MutableSet`.
  public let isSet: Bool
  /// Whether it is a `Map`.
  public let isMap: Bool
  /// True for a primary key, too.
  public let isIndexed: Bool
  /// Whether a value, or an element of the collection, can be null. True for links, false for `AnyRealmValue`, which has a null of its own.
  public let isOptional: Bool
  /// The class that a link, a collection of objects or a `LinkingObjects` property leads to.
  public let objectClassName: String?

  let isPrimary: Bool
  let isFullTextIndexed: Bool
  /// Of `LinkingObjects`: the property of `objectClassName` whose links are shown.
  let linkOriginPropertyName: String?

  init(
    name: String, columnName: String? = nil, type: PropertyType, collection: CollectionKind? = nil, isOptional: Bool = false,
    isIndexed: Bool = false, isPrimary: Bool = false, isFullTextIndexed: Bool = false, objectClassName: String? = nil,
    linkOriginPropertyName: String? = nil
  ) {
    self.name = name
    self.columnName = columnName ?? name
    self.type = type
    (isArray, isSet, isMap) = (collection == .list, collection == .set, collection == .dictionary)
    self.isOptional = isOptional
    self.isIndexed = isIndexed || isPrimary
    self.isPrimary = isPrimary
    self.isFullTextIndexed = isFullTextIndexed
    self.objectClassName = objectClassName
    self.linkOriginPropertyName = linkOriginPropertyName
  }

  var isCollection: Bool { isArray || isSet || isMap }
  /// Of a collection property.
  var collectionKind: CollectionKind { isArray ? .list : isSet ? .set : .dictionary }
  /// Has no column of its own.
  var isComputed: Bool { type == .linkingObjects }

  /// Compares name, type, target, optionality and indexes; not the kind of collection, nor the name of the column.
  public static func == (a: Property, b: Property) -> Bool {
    a.type == b.type && a.isIndexed == b.isIndexed && a.isPrimary == b.isPrimary && a.isOptional == b.isOptional && a.name == b.name
      && a.objectClassName == b.objectClassName && a.linkOriginPropertyName == b.linkOriginPropertyName
  }
}

/// The place of a property in its class.
public typealias PropertyKey = UInt16
