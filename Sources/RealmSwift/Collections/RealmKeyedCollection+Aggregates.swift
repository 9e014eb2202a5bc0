import RealmQuery
import RealmStorage

extension RealmKeyedCollection {
  /// The smallest value of a property of the objects in the map, or with `self` of its values; nil if there is none. Null and NaN are left out. Stops
  /// if there is no such property, or its type has no order.
  public func min<T: _HasPersistedType>(
    ofProperty property: String, file: StaticString = #fileID, line: UInt = #line
  ) -> T? where T.PersistedType: MinMaxType {
    orStop(_resultsBox?.core.core, CallSite(file: file, line: line)) { try Aggregation(keyed: self).value(.min, property) }
  }
  /// The largest value of a property of the objects in the map, or with `self` of its values; nil if there is none. Null and NaN are left out. Stops
  /// if there is no such property, or its type has no order.
  public func max<T: _HasPersistedType>(
    ofProperty property: String, file: StaticString = #fileID, line: UInt = #line
  ) -> T? where T.PersistedType: MinMaxType {
    orStop(_resultsBox?.core.core, CallSite(file: file, line: line)) { try Aggregation(keyed: self).value(.max, property) }
  }
  /// The sum of a property of the objects in the map, or with `self` of its values; 0 if there is none. Integers wrap around. Null is left out. Stops
  /// if there is no such property, or its type cannot be added up.
  public func sum<T: _HasPersistedType>(
    ofProperty property: String, file: StaticString = #fileID, line: UInt = #line
  ) -> T where T.PersistedType: AddableType {
    orStop(_resultsBox?.core.core, CallSite(file: file, line: line)) { try Aggregation(keyed: self).sum(property) }
  }
  /// The mean of a property of the objects in the map, or with `self` of its values; nil if there is none. Null and NaN are left out. Stops if there
  /// is no such property, or its type cannot be added up.
  public func average<T: _HasPersistedType>(
    ofProperty property: String, file: StaticString = #fileID, line: UInt = #line
  ) -> T? where T.PersistedType: AddableType {
    orStop(_resultsBox?.core.core, CallSite(file: file, line: line)) { try Aggregation(keyed: self).value(.average, property) }
  }
}

extension RealmKeyedCollection where Value: OptionalProtocol, Value.Wrapped: ObjectBase {
  /// The smallest value of a property of the objects in the map; nil if there is none.
  public func min<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T? where T.PersistedType: MinMaxType {
    min(ofProperty: _name(for: keyPath))
  }
  /// The largest value of a property of the objects in the map; nil if there is none.
  public func max<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T? where T.PersistedType: MinMaxType {
    max(ofProperty: _name(for: keyPath))
  }
  /// The sum of a property of the objects in the map; 0 if there is none. Integers wrap around.
  public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T where T.PersistedType: AddableType {
    sum(ofProperty: _name(for: keyPath))
  }
  /// The mean of a property of the objects in the map; nil if there is none.
  public func average<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T? where T.PersistedType: AddableType {
    average(ofProperty: _name(for: keyPath))
  }
  /// The objects in the map in the order of a property. Stops for an unmanaged map.
  public func sorted<T: _HasPersistedType>(by keyPath: KeyPath<Value.Wrapped, T>, ascending: Bool = true) -> Results<Value>
  where T.PersistedType: SortableType {
    sorted(by: [SortDescriptor(keyPath: _name(for: keyPath), ascending: ascending)])
  }
}

extension RealmKeyedCollection where Value.PersistedType: MinMaxType {
  /// The smallest value in the map; nil if there is none. Null and NaN are left out.
  public func min() -> Value? { min(ofProperty: "self") }
  /// The largest value in the map; nil if there is none. Null and NaN are left out.
  public func max() -> Value? { max(ofProperty: "self") }
}

extension RealmKeyedCollection where Value.PersistedType: AddableType {
  /// The sum of the values in the map; 0 if there is none. Integers wrap around.
  public func sum() -> Value { sum(ofProperty: "self") }
  /// The mean of the values in the map; nil if there is none. Null and NaN are left out.
  public func average<T: _HasPersistedType>() -> T? where T.PersistedType: AddableType { average(ofProperty: "self") }
}
