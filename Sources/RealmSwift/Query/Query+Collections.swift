import RealmQuery

// Lists, sets, linking objects and maps in typed queries. Comparing a collection asks for some element.

extension Query where T: RealmCollection {
  /// A property of some element.
  public subscript<V>(dynamicMember member: KeyPath<T.Element, V>) -> Query<V> where T.Element: ObjectBase { self.member(member) }

  /// Some element equals a value.
  public static func == (a: Query<T>, b: T.Element) -> Query<Bool> { a.compare(.equal, b) }
  /// Some element differs from a value.
  public static func != (a: Query<T>, b: T.Element) -> Query<Bool> { a.compare(.notEqual, b) }

  /// A value is among the elements.
  public func contains(_ value: T.Element) -> Query<Bool> { containing(value) }
  /// Some element is one of several values.
  public func containsAny<U: Sequence>(in collection: U) -> Query<Bool> where U.Element == T.Element { membership(collection) }

  /// The number of elements of the collection.
  public var count: Query<Int> { Query<Int>(path.appending(.count)) }
}

extension Query {
  func containing(_ value: Any) -> Query<Bool> { Query<Bool>(.containment(path, QueryNode.plain(value))) }

  /// All elements lie in a range, and there is one.
  func elements<Bound>(in range: Range<Bound>) -> Query<Bool> {
    aggregate(.min).compare(.greaterOrEqual, range.lowerBound) && aggregate(.max).compare(.less, range.upperBound)
  }
  func elements<Bound>(in range: ClosedRange<Bound>) -> Query<Bool> {
    aggregate(.min).compare(.greaterOrEqual, range.lowerBound) && aggregate(.max).compare(.lessOrEqual, range.upperBound)
  }
  private func aggregate(_ function: AggregateFunction) -> Query<T> { Query(path.appending(.aggregate(function))) }
  fileprivate func aggregate<Element>(_ function: AggregateFunction, of type: Element.Type) -> Query<Element> {
    Query<Element>(path.appending(.aggregate(function)))
  }
}

extension Query where T: RealmCollection, T.Element: Comparable {
  /// All elements lie in the range, and there is one.
  public func contains(_ range: Range<T.Element>) -> Query<Bool> { elements(in: range) }
  /// All elements lie in the range, and there is one.
  public func contains(_ range: ClosedRange<T.Element>) -> Query<Bool> { elements(in: range) }
}
extension Query where T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: Comparable {
  /// All elements lie in the range, and there is one.
  public func contains(_ range: Range<T.Element.Wrapped>) -> Query<Bool> { elements(in: range) }
  /// All elements lie in the range, and there is one.
  public func contains(_ range: ClosedRange<T.Element.Wrapped>) -> Query<Bool> { elements(in: range) }
}
extension Query where T: RealmCollection, T.Element: OptionalProtocol {
  /// A property of some element.
  public subscript<V>(dynamicMember member: KeyPath<T.Element.Wrapped, V>) -> Query<V> where T.Element.Wrapped: ObjectBase {
    self.member(member)
  }
}

extension Query where T: RealmCollection, T.Element.PersistedType: _QueryOrdered {
  /// Some element is greater than a value.
  public static func > (a: Query<T>, b: T.Element) -> Query<Bool> { a.compare(.greater, b) }
  /// Some element is greater than a value, or equal to it.
  public static func >= (a: Query<T>, b: T.Element) -> Query<Bool> { a.compare(.greaterOrEqual, b) }
  /// Some element is less than a value.
  public static func < (a: Query<T>, b: T.Element) -> Query<Bool> { a.compare(.less, b) }
  /// Some element is less than a value, or equal to it.
  public static func <= (a: Query<T>, b: T.Element) -> Query<Bool> { a.compare(.lessOrEqual, b) }
}

extension Query where T: RealmCollection, T.Element.PersistedType: _QueryNumeric {
  /// The smallest element; null if there is none.
  public var min: Query<T.Element> { aggregate(.min, of: T.Element.self) }
  /// The largest element; null if there is none.
  public var max: Query<T.Element> { aggregate(.max, of: T.Element.self) }
  /// The mean of the elements; null if there is none.
  public var avg: Query<T.Element> { aggregate(.average, of: T.Element.self) }
  /// The sum of the elements; 0 if there is none.
  public var sum: Query<T.Element> { aggregate(.sum, of: T.Element.self) }
}

// MARK: Maps

extension Query where T: RealmKeyedCollection {
  /// Stands for some key of the map: a comparison with it holds if there is a key for which it does.
  public var keys: Query<T.Key> { Query<T.Key>(path.appending(.allKeys)) }
  /// Stands for some value of the map: a comparison with it holds if there is a value for which it does.
  public var values: Query<T.Value> { Query<T.Value>(path.appending(.allValues)) }
  /// The value under a key; null if there is none.
  public subscript(key: T.Key) -> Query<T.Value> { Query<T.Value>(path.appending(.entry(key._text))) }
  /// A property of some value.
  public subscript<V>(dynamicMember member: KeyPath<T.Value.Wrapped, V>) -> Query<V>
  where T.Value: OptionalProtocol, T.Value.Wrapped: ObjectBase { self.member(member) }

  /// Some value of the map equals a value.
  public static func == (a: Query<T>, b: T.Value) -> Query<Bool> { a.compare(.equal, b) }
  /// Some value of the map differs from a value.
  public static func != (a: Query<T>, b: T.Value) -> Query<Bool> { a.compare(.notEqual, b) }

  /// Whether a value is among the map's values.
  public func contains(_ value: T.Value) -> Query<Bool> { containing(value) }
  /// Some value is one of several.
  public func containsAny<U: Sequence>(in collection: U) -> Query<Bool> where U.Element == T.Value { membership(collection) }

  /// The number of entries of the map.
  public var count: Query<Int> { Query<Int>(path.appending(.count)) }
}

extension Query where T: RealmKeyedCollection, T.Value: Comparable {
  /// All values lie in the range, and there is one.
  public func contains(_ range: Range<T.Value>) -> Query<Bool> { elements(in: range) }
  /// All values lie in the range, and there is one.
  public func contains(_ range: ClosedRange<T.Value>) -> Query<Bool> { elements(in: range) }
}
extension Query where T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: Comparable {
  /// All values lie in the range, and there is one.
  public func contains(_ range: Range<T.Value.Wrapped>) -> Query<Bool> { elements(in: range) }
  /// All values lie in the range, and there is one.
  public func contains(_ range: ClosedRange<T.Value.Wrapped>) -> Query<Bool> { elements(in: range) }
}

extension Query where T: RealmKeyedCollection, T.Value.PersistedType: _QueryOrdered {
  /// Some value of the map is greater than a value.
  public static func > (a: Query<T>, b: T.Value) -> Query<Bool> { a.compare(.greater, b) }
  /// Some value of the map is greater than a value, or equal to it.
  public static func >= (a: Query<T>, b: T.Value) -> Query<Bool> { a.compare(.greaterOrEqual, b) }
  /// Some value of the map is less than a value.
  public static func < (a: Query<T>, b: T.Value) -> Query<Bool> { a.compare(.less, b) }
  /// Some value of the map is less than a value, or equal to it.
  public static func <= (a: Query<T>, b: T.Value) -> Query<Bool> { a.compare(.lessOrEqual, b) }
}

extension Query where T: RealmKeyedCollection, T.Value.PersistedType: _QueryNumeric {
  /// The smallest value of the map; null if there is none.
  public var min: Query<T.Value> { aggregate(.min, of: T.Value.self) }
  /// The largest value of the map; null if there is none.
  public var max: Query<T.Value> { aggregate(.max, of: T.Value.self) }
  /// The mean of the map's values; null if there is none.
  public var avg: Query<T.Value> { aggregate(.average, of: T.Value.self) }
  /// The sum of the map's values; 0 if there is none.
  public var sum: Query<T.Value> { aggregate(.sum, of: T.Value.self) }
}
