// Members that blame their caller have two parameters more than in the original SDK. Those of the original are here, for protocols that
// collections are made to conform to and for code that names a member without calling it; a call prefers the other ones.

public import Foundation

extension RealmCollection {
  /// The position of the first element that satisfies a predicate; nil if there is none. Of an unmanaged collection it searches copies of the
  /// elements. Stops for a managed collection of values, if the predicate names something that does not exist, and for predicates with blocks.
  ///
  /// A call takes ``index(matching:file:line:)``, whose two more parameters are the place to blame; this form is for protocols that ask for it, and
  /// for naming the member without calling it.
  @_disfavoredOverload public func index(matching predicate: NSPredicate) -> Int? {
    index(matching: predicate, file: #fileID, line: #line)
  }
  /// The position of the first element that satisfies a format with its arguments; nil if there is none. Of an unmanaged collection it searches
  /// copies of the elements. Stops for a managed collection of values, and if the format is wrong, names something that does not exist, or has not as
  /// many arguments as places for them.
  ///
  /// A call takes ``index(matching:_:file:line:)``, whose two more parameters are the place to blame; this form is for protocols that ask for it, and
  /// for naming the member without calling it.
  @_disfavoredOverload public func index(matching predicateFormat: String, _ args: Any...) -> Int? {
    orStop(results?.core) { try position { try PredicateInput.query(predicateFormat, args, about: $0) } }
  }
  /// The elements that satisfy a format with its arguments: live, in the same order. Stops for an unmanaged collection and one of values, and if the
  /// format is wrong, names something that does not exist, or has not as many arguments as places for them.
  ///
  /// A call takes ``filter(_:_:file:line:)``, whose two more parameters are the place to blame; this form is for protocols that ask for it, and for
  /// naming the member without calling it.
  @_disfavoredOverload public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Element> {
    orStop(results?.core) { try filtered(PredicateInput.query(predicateFormat, args)) }
  }
  /// The elements that satisfy a predicate: live, in the same order. Stops for an unmanaged collection and one of values, if the predicate names
  /// something that does not exist, and for predicates with blocks.
  ///
  /// A call takes ``filter(_:file:line:)``, whose two more parameters are the place to blame; this form is for protocols that ask for it, and for
  /// naming the member without calling it.
  @_disfavoredOverload public func filter(_ predicate: NSPredicate) -> Results<Element> {
    filter(predicate, file: #fileID, line: #line)
  }
  /// The elements in another order, by the first descriptor, where that is equal by the second, and so on: live. Stops for an unmanaged collection,
  /// and if a descriptor names something that does not exist or cannot be sorted by.
  ///
  /// A call takes ``sorted(by:file:line:)``, whose two more parameters are the place to blame; this form is for protocols that ask for it, and for
  /// naming the member without calling it.
  @_disfavoredOverload public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Element> where S.Iterator.Element == SortDescriptor {
    sorted(by: sortDescriptors, file: #fileID, line: #line)
  }
  /// Keeps the first element of each group with equal values of the properties that are named: live. Stops for an unmanaged collection, and for a
  /// name that does not exist or cannot be compared.
  ///
  /// A call takes ``distinct(by:file:line:)``, whose two more parameters are the place to blame; this form is for protocols that ask for it, and for
  /// naming the member without calling it.
  @_disfavoredOverload public func distinct<S: Sequence>(by keyPaths: S) -> Results<Element> where S.Iterator.Element == String {
    distinct(by: keyPaths, file: #fileID, line: #line)
  }
  /// The smallest value of a property; nil if there is none. Null and NaN are left out. Stops if there is no such property, or its type has no order.
  ///
  /// A call takes ``min(ofProperty:file:line:)``, whose two more parameters are the place to blame; this form is for protocols that ask for it, and
  /// for naming the member without calling it.
  @_disfavoredOverload public func min<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
    min(ofProperty: property, file: #fileID, line: #line)
  }
  /// The largest value of a property; nil if there is none. Null and NaN are left out. Stops if there is no such property, or its type has no order.
  ///
  /// A call takes ``max(ofProperty:file:line:)``, whose two more parameters are the place to blame; this form is for protocols that ask for it, and
  /// for naming the member without calling it.
  @_disfavoredOverload public func max<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
    max(ofProperty: property, file: #fileID, line: #line)
  }
  /// The sum of the values of a property, or with `self` of the elements; 0 if there is no value. Null is left out, and integers wrap around. Stops
  /// if there is no such property, or its type cannot be added up.
  ///
  /// A call takes ``sum(ofProperty:file:line:)``, whose two more parameters are the place to blame; this form is for protocols that ask for it, and
  /// for naming the member without calling it.
  @_disfavoredOverload public func sum<T: _HasPersistedType>(ofProperty property: String) -> T where T.PersistedType: AddableType {
    sum(ofProperty: property, file: #fileID, line: #line)
  }
  /// The mean of the values of a property; nil if there is none. Null and NaN are left out. Stops if there is no such property, or its type cannot be
  /// added up.
  ///
  /// A call takes ``average(ofProperty:file:line:)``, whose two more parameters are the place to blame; this form is for protocols that ask for it,
  /// and for naming the member without calling it.
  @_disfavoredOverload public func average<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: AddableType {
    average(ofProperty: property, file: #fileID, line: #line)
  }
}

extension RealmCollection where Element: KeypathSortable {
  /// The elements in the order of a property, or of one behind links (`owner.name`): live. Stops for an unmanaged collection, and for a name that
  /// does not exist or cannot be sorted by.
  ///
  /// A call takes ``sorted(byKeyPath:ascending:file:line:)``, whose two more parameters are the place to blame; this form is for protocols that ask
  /// for it, and for naming the member without calling it.
  @_disfavoredOverload public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Element> {
    sorted(byKeyPath: keyPath, ascending: ascending, file: #fileID, line: #line)
  }
}
