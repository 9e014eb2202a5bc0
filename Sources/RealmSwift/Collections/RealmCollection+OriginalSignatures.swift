// Members that blame their caller have two parameters more than in the original SDK. Those of the original are here, for protocols that
// collections are made to conform to and for code that names a member without calling it; a call prefers the other ones.

public import Foundation

extension RealmCollection {
  /// The signature of the original SDK.
  @_disfavoredOverload public func index(matching predicate: NSPredicate) -> Int? {
    index(matching: predicate, file: #fileID, line: #line)
  }
  /// The signature of the original SDK.
  @_disfavoredOverload public func index(matching predicateFormat: String, _ args: Any...) -> Int? {
    orStop(results?.core) { try position { try PredicateInput.query(predicateFormat, args, about: $0) } }
  }
  /// The signature of the original SDK.
  @_disfavoredOverload public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Element> {
    orStop(results?.core) { try filtered(PredicateInput.query(predicateFormat, args)) }
  }
  /// The signature of the original SDK.
  @_disfavoredOverload public func filter(_ predicate: NSPredicate) -> Results<Element> {
    filter(predicate, file: #fileID, line: #line)
  }
  /// The signature of the original SDK.
  @_disfavoredOverload public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Element> where S.Iterator.Element == SortDescriptor {
    sorted(by: sortDescriptors, file: #fileID, line: #line)
  }
  /// The signature of the original SDK.
  @_disfavoredOverload public func distinct<S: Sequence>(by keyPaths: S) -> Results<Element> where S.Iterator.Element == String {
    distinct(by: keyPaths, file: #fileID, line: #line)
  }
  /// The signature of the original SDK.
  @_disfavoredOverload public func min<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
    min(ofProperty: property, file: #fileID, line: #line)
  }
  /// The signature of the original SDK.
  @_disfavoredOverload public func max<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
    max(ofProperty: property, file: #fileID, line: #line)
  }
  /// The signature of the original SDK.
  @_disfavoredOverload public func sum<T: _HasPersistedType>(ofProperty property: String) -> T where T.PersistedType: AddableType {
    sum(ofProperty: property, file: #fileID, line: #line)
  }
  /// The signature of the original SDK.
  @_disfavoredOverload public func average<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: AddableType {
    average(ofProperty: property, file: #fileID, line: #line)
  }
}

extension RealmCollection where Element: KeypathSortable {
  /// The signature of the original SDK.
  @_disfavoredOverload public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Element> {
    sorted(byKeyPath: keyPath, ascending: ascending, file: #fileID, line: #line)
  }
}
