import RealmQuery

// Lists, sets, linking objects and maps in typed queries. Comparing a collection asks for some element.

extension Query where T: RealmCollection {
  /// A property of some element.
  public subscript<V>(dynamicMember member: KeyPath<T.Element, V>) -> Query<V> where T.Element: ObjectBase { self.member(member) }

  public static func == (a: Query<T>, b: T.Element) -> Query<Bool> { a.compare(.equal, b) }
  public static func != (a: Query<T>, b: T.Element) -> Query<Bool> { a.compare(.notEqual, b) }

  public func contains(_ value: T.Element) -> Query<Bool> { containing(value) }
  /// Some element is one of several values.
  public func containsAny<U: Sequence>(in collection: U) -> Query<Bool> where U.Element == T.Element { membership(collection) }

  /// The number of elements.
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
  public func contains(_ range: ClosedRange<T.Element>) -> Query<Bool> { elements(in: range) }
}
extension Query where T: RealmCollection, T.Element: OptionalProtocol, T.Element.Wrapped: Comparable {
  /// All elements lie in the range, and there is one.
  public func contains(_ range: Range<T.Element.Wrapped>) -> Query<Bool> { elements(in: range) }
  public func contains(_ range: ClosedRange<T.Element.Wrapped>) -> Query<Bool> { elements(in: range) }
}
extension Query where T: RealmCollection, T.Element: OptionalProtocol {
  /// A property of some element.
  public subscript<V>(dynamicMember member: KeyPath<T.Element.Wrapped, V>) -> Query<V> where T.Element.Wrapped: ObjectBase {
    self.member(member)
  }
}

extension Query where T: RealmCollection, T.Element.PersistedType: _QueryOrdered {
  public static func > (a: Query<T>, b: T.Element) -> Query<Bool> { a.compare(.greater, b) }
  public static func >= (a: Query<T>, b: T.Element) -> Query<Bool> { a.compare(.greaterOrEqual, b) }
  public static func < (a: Query<T>, b: T.Element) -> Query<Bool> { a.compare(.less, b) }
  public static func <= (a: Query<T>, b: T.Element) -> Query<Bool> { a.compare(.lessOrEqual, b) }
}

extension Query where T: RealmCollection, T.Element.PersistedType: _QueryNumeric {
  public var min: Query<T.Element> { aggregate(.min, of: T.Element.self) }
  public var max: Query<T.Element> { aggregate(.max, of: T.Element.self) }
  public var avg: Query<T.Element> { aggregate(.average, of: T.Element.self) }
  public var sum: Query<T.Element> { aggregate(.sum, of: T.Element.self) }
}

// MARK: Maps

extension Query where T: RealmKeyedCollection {
  /// Some key.
  public var keys: Query<T.Key> { Query<T.Key>(path.appending(.allKeys)) }
  /// Some value.
  public var values: Query<T.Value> { Query<T.Value>(path.appending(.allValues)) }
  /// The value under a key; null if there is none.
  public subscript(key: T.Key) -> Query<T.Value> { Query<T.Value>(path.appending(.entry(key._text))) }
  /// A property of some value.
  public subscript<V>(dynamicMember member: KeyPath<T.Value.Wrapped, V>) -> Query<V>
  where T.Value: OptionalProtocol, T.Value.Wrapped: ObjectBase { self.member(member) }

  public static func == (a: Query<T>, b: T.Value) -> Query<Bool> { a.compare(.equal, b) }
  public static func != (a: Query<T>, b: T.Value) -> Query<Bool> { a.compare(.notEqual, b) }

  /// Whether a value is among the map's values.
  public func contains(_ value: T.Value) -> Query<Bool> { containing(value) }
  /// Some value is one of several.
  public func containsAny<U: Sequence>(in collection: U) -> Query<Bool> where U.Element == T.Value { membership(collection) }

  /// The number of entries.
  public var count: Query<Int> { Query<Int>(path.appending(.count)) }
}

extension Query where T: RealmKeyedCollection, T.Value: Comparable {
  /// All values lie in the range, and there is one.
  public func contains(_ range: Range<T.Value>) -> Query<Bool> { elements(in: range) }
  public func contains(_ range: ClosedRange<T.Value>) -> Query<Bool> { elements(in: range) }
}
extension Query where T: RealmKeyedCollection, T.Value: OptionalProtocol, T.Value.Wrapped: Comparable {
  /// All values lie in the range, and there is one.
  public func contains(_ range: Range<T.Value.Wrapped>) -> Query<Bool> { elements(in: range) }
  public func contains(_ range: ClosedRange<T.Value.Wrapped>) -> Query<Bool> { elements(in: range) }
}

extension Query where T: RealmKeyedCollection, T.Value.PersistedType: _QueryOrdered {
  public static func > (a: Query<T>, b: T.Value) -> Query<Bool> { a.compare(.greater, b) }
  public static func >= (a: Query<T>, b: T.Value) -> Query<Bool> { a.compare(.greaterOrEqual, b) }
  public static func < (a: Query<T>, b: T.Value) -> Query<Bool> { a.compare(.less, b) }
  public static func <= (a: Query<T>, b: T.Value) -> Query<Bool> { a.compare(.lessOrEqual, b) }
}

extension Query where T: RealmKeyedCollection, T.Value.PersistedType: _QueryNumeric {
  public var min: Query<T.Value> { aggregate(.min, of: T.Value.self) }
  public var max: Query<T.Value> { aggregate(.max, of: T.Value.self) }
  public var avg: Query<T.Value> { aggregate(.average, of: T.Value.self) }
  public var sum: Query<T.Value> { aggregate(.sum, of: T.Value.self) }
}
