public import Foundation

// As for other collections (`RealmCollection+OriginalSignatures`).

extension RealmKeyedCollection {
  /// The objects in the map that satisfy a predicate: live. Stops for an unmanaged map and one of values that are no objects, if the predicate names
  /// something that does not exist, and for predicates with blocks.
  ///
  /// A call takes ``filter(_:file:line:)``, whose two more parameters are the place to blame; this form is for protocols that ask for it, and for
  /// naming the member without calling it.
  @_disfavoredOverload public func filter(_ predicate: NSPredicate) -> Results<Value> {
    filter(predicate, file: #fileID, line: #line)
  }
  /// The objects in the map that satisfy a format with its arguments: live. Stops for an unmanaged map and one of values that are no objects, and if
  /// the format is wrong, names something that does not exist, or has not as many arguments as places for them.
  ///
  /// A call takes ``filter(_:_:file:line:)``, whose two more parameters are the place to blame; this form is for protocols that ask for it, and for
  /// naming the member without calling it.
  @_disfavoredOverload public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Value> {
    orStop(_resultsBox?.core.core) { try filtered(PredicateInput.query(predicateFormat, args)) }
  }
  /// The values in the order of several properties: live. Stops for an unmanaged map, and if a descriptor names something that does not exist or
  /// cannot be sorted by.
  ///
  /// A call takes ``sorted(by:file:line:)``, whose two more parameters are the place to blame; this form is for protocols that ask for it, and for
  /// naming the member without calling it.
  @_disfavoredOverload public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Value> where S.Iterator.Element == SortDescriptor {
    sorted(by: sortDescriptors, file: #fileID, line: #line)
  }
  /// The values in the order of a property: live. Stops for an unmanaged map, and for a name that does not exist or cannot be sorted by.
  ///
  /// A call takes ``sorted(byKeyPath:ascending:file:line:)``, whose two more parameters are the place to blame; this form is for protocols that ask
  /// for it, and for naming the member without calling it.
  @_disfavoredOverload public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> {
    sorted(byKeyPath: keyPath, ascending: ascending, file: #fileID, line: #line)
  }
  /// The smallest value of a property of the objects in the map, or with `self` of its values; nil if there is none. Null and NaN are left out. Stops
  /// if there is no such property, or its type has no order.
  ///
  /// A call takes ``min(ofProperty:file:line:)``, whose two more parameters are the place to blame; this form is for protocols that ask for it, and
  /// for naming the member without calling it.
  @_disfavoredOverload public func min<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
    min(ofProperty: property, file: #fileID, line: #line)
  }
  /// The largest value of a property of the objects in the map, or with `self` of its values; nil if there is none. Null and NaN are left out. Stops
  /// if there is no such property, or its type has no order.
  ///
  /// A call takes ``max(ofProperty:file:line:)``, whose two more parameters are the place to blame; this form is for protocols that ask for it, and
  /// for naming the member without calling it.
  @_disfavoredOverload public func max<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
    max(ofProperty: property, file: #fileID, line: #line)
  }
  /// The sum of a property of the objects in the map, or with `self` of its values; 0 if there is none. Null is left out, and integers wrap around.
  /// Stops if there is no such property, or its type cannot be added up.
  ///
  /// A call takes ``sum(ofProperty:file:line:)``, whose two more parameters are the place to blame; this form is for protocols that ask for it, and
  /// for naming the member without calling it.
  @_disfavoredOverload public func sum<T: _HasPersistedType>(ofProperty property: String) -> T where T.PersistedType: AddableType {
    sum(ofProperty: property, file: #fileID, line: #line)
  }
  /// The mean of a property of the objects in the map, or with `self` of its values; nil if there is none. Null and NaN are left out. Stops if there
  /// is no such property, or its type cannot be added up.
  ///
  /// A call takes ``average(ofProperty:file:line:)``, whose two more parameters are the place to blame; this form is for protocols that ask for it,
  /// and for naming the member without calling it.
  @_disfavoredOverload public func average<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: AddableType {
    average(ofProperty: property, file: #fileID, line: #line)
  }
}
