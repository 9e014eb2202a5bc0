import RealmQuery
import RealmStorage

extension RealmCollection {
  /// The smallest value of a property; nil if there is none. Null and NaN are left out. Stops if there is no such property, or its type has no order.
  public func min<T: _HasPersistedType>(
    ofProperty property: String, file: StaticString = #fileID, line: UInt = #line
  ) -> T? where T.PersistedType: MinMaxType {
    orStop(results?.core, CallSite(file: file, line: line)) { try Aggregation(self).value(.min, property) }
  }
  /// The largest value of a property; nil if there is none. Null and NaN are left out. Stops if there is no such property, or its type has no order.
  public func max<T: _HasPersistedType>(
    ofProperty property: String, file: StaticString = #fileID, line: UInt = #line
  ) -> T? where T.PersistedType: MinMaxType {
    orStop(results?.core, CallSite(file: file, line: line)) { try Aggregation(self).value(.max, property) }
  }
  /// The sum of the values of a property, or with `self` of the elements; 0 if there is no value. Null is left out, and integers wrap around. Stops
  /// if there is no such property, or its type cannot be added up.
  public func sum<T: _HasPersistedType>(
    ofProperty property: String, file: StaticString = #fileID, line: UInt = #line
  ) -> T where T.PersistedType: AddableType {
    orStop(results?.core, CallSite(file: file, line: line)) { try Aggregation(self).sum(property) }
  }
  /// The mean of the values of a property; nil if there is none. Null and NaN are left out. Stops if its type cannot be added up.
  public func average<T: _HasPersistedType>(
    ofProperty property: String, file: StaticString = #fileID, line: UInt = #line
  ) -> T? where T.PersistedType: AddableType {
    orStop(results?.core, CallSite(file: file, line: line)) { try Aggregation(self).value(.average, property) }
  }
}

extension RealmCollection where Element: ObjectBase {
  /// The smallest value of a property; nil if there is none. Null and NaN are left out.
  public func min<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T? where T.PersistedType: MinMaxType {
    min(ofProperty: _name(for: keyPath))
  }
  /// The largest value of a property; nil if there is none. Null and NaN are left out.
  public func max<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T? where T.PersistedType: MinMaxType {
    max(ofProperty: _name(for: keyPath))
  }
  /// The sum of the values of a property; 0 if there is none. Integers wrap around.
  public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T where T.PersistedType: AddableType {
    sum(ofProperty: _name(for: keyPath))
  }
  /// The mean of the values of a property; nil if there is none. Null and NaN are left out.
  public func average<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T? where T.PersistedType: AddableType {
    average(ofProperty: _name(for: keyPath))
  }
}

extension RealmCollection where Element.PersistedType: MinMaxType {
  /// The smallest element; nil if there is none. Null and NaN are left out.
  public func min() -> Element? { min(ofProperty: "self") }
  /// The largest element; nil if there is none. Null and NaN are left out.
  public func max() -> Element? { max(ofProperty: "self") }
}

extension RealmCollection where Element.PersistedType: AddableType {
  /// The sum of the elements; 0 if there is none. Integers wrap around.
  public func sum() -> Element { sum(ofProperty: "self") }
  /// The mean of the elements; nil if there is none. Null and NaN are left out.
  public func average<T: _HasPersistedType>() -> T? where T.PersistedType: AddableType { average(ofProperty: "self") }
}
