import RealmQuery

// `AnyRealmValue`, enumerations, custom types and shapes in typed queries.

extension Query where T == AnyRealmValue {
  /// An element of a list.
  public subscript(index: Int) -> Query<AnyRealmValue> { Query(path.appending(.index(index))) }
  /// A value of a dictionary.
  public subscript(key: String) -> Query<AnyRealmValue> { Query(path.appending(.key(key))) }
  /// Some element of a list or value of a dictionary.
  public var any: Query<AnyRealmValue> { Query(path.appending(.anyElement)) }
}

// MARK: Raw values

extension Query where T: PersistableEnum {
  /// The property as what is stored.
  public var rawValue: Query<T.RawValue> { Query<T.RawValue>(node) }
}

extension Query where T: OptionalProtocol, T.Wrapped: PersistableEnum {
  /// The property as what is stored.
  public var rawValue: Query<T.Wrapped.RawValue?> { Query<T.Wrapped.RawValue?>(node) }
}

extension Query where T: RealmCollection, T.Element: PersistableEnum, T.Element.RawValue: RealmCollectionValue {
  /// The elements as what is stored.
  public var rawValue: Query<AnyRealmCollection<T.Element.RawValue>> { Query<AnyRealmCollection<T.Element.RawValue>>(node) }
}

extension Query
where
  T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: PersistableEnum,
  T.Element.Wrapped.RawValue: _RealmCollectionValueInsideOptional
{
  /// The elements as what is stored.
  public var rawValue: Query<AnyRealmCollection<T.Element.Wrapped.RawValue?>> { Query<AnyRealmCollection<T.Element.Wrapped.RawValue?>>(node) }
}

extension Query where T: RealmKeyedCollection, T.Value: PersistableEnum, T.Value.RawValue: RealmCollectionValue {
  /// The map's values as what is stored.
  public var rawValue: Query<Map<T.Key, T.Value.RawValue>> { Query<Map<T.Key, T.Value.RawValue>>(node) }
}

extension Query
where
  T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: PersistableEnum,
  T.Value.Wrapped.RawValue: _RealmCollectionValueInsideOptional
{
  /// The map's values as what is stored.
  public var rawValue: Query<Map<T.Key, T.Value.Wrapped.RawValue?>> { Query<Map<T.Key, T.Value.Wrapped.RawValue?>>(node) }
}

// MARK: Persisted values of custom types

extension Query where T: _CustomPersistable {
  /// The property as what is stored.
  public var persistableValue: Query<T.PersistedType> { Query<T.PersistedType>(node) }
}

extension Query where T: OptionalProtocol, T.Wrapped: _CustomPersistable {
  /// The property as what is stored.
  public var persistableValue: Query<T.Wrapped.PersistedType?> { Query<T.Wrapped.PersistedType?>(node) }
}

extension Query where T: RealmCollection, T.Element: _CustomPersistable, T.Element.PersistedType: RealmCollectionValue {
  /// The elements as what is stored.
  public var persistableValue: Query<AnyRealmCollection<T.Element.PersistedType>> { Query<AnyRealmCollection<T.Element.PersistedType>>(node) }
}

extension Query
where
  T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: _CustomPersistable,
  T.Element.Wrapped.PersistedType: _RealmCollectionValueInsideOptional
{
  /// The elements as what is stored.
  public var persistableValue: Query<AnyRealmCollection<T.Element.Wrapped.PersistedType?>> {
    Query<AnyRealmCollection<T.Element.Wrapped.PersistedType?>>(node)
  }
}

extension Query where T: RealmKeyedCollection, T.Value: _CustomPersistable, T.Value.PersistedType: RealmCollectionValue {
  /// The map's values as what is stored.
  public var persistableValue: Query<Map<T.Key, T.Value.PersistedType>> { Query<Map<T.Key, T.Value.PersistedType>>(node) }
}

extension Query
where
  T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: _CustomPersistable,
  T.Value.Wrapped.PersistedType: _RealmCollectionValueInsideOptional
{
  /// The map's values as what is stored.
  public var persistableValue: Query<Map<T.Key, T.Value.Wrapped.PersistedType?>> { Query<Map<T.Key, T.Value.Wrapped.PersistedType?>>(node) }
}

// MARK: Shapes

extension Query where T: OptionalProtocol, T.Wrapped: EmbeddedObject {
  /// The embedded object is a point in GeoJSON form inside the region, and not in one of a polygon's holes.
  public func geoWithin<U: RLMGeospatial>(_ value: U) -> Query<Bool> {
    guard let shape = PredicateInput.geoShape(value) else { stop("A GEOWITHIN query takes a GeoBox, GeoPolygon or GeoCircle, not '\(U.self)'.") }
    return Query<Bool>(.geoWithin(path, value, shape))
  }
}
