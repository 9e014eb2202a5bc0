public import Foundation

// As for other collections (`RealmCollection+OriginalSignatures`).

extension RealmKeyedCollection {
  /// The signature of the original SDK.
  @_disfavoredOverload public func filter(_ predicate: NSPredicate) -> Results<Value> {
    filter(predicate, file: #fileID, line: #line)
  }
  /// The signature of the original SDK.
  @_disfavoredOverload public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Value> {
    orStop(_resultsBox?.core.core) { try filtered(PredicateInput.query(predicateFormat, args)) }
  }
  /// The signature of the original SDK.
  @_disfavoredOverload public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Value> where S.Iterator.Element == SortDescriptor {
    sorted(by: sortDescriptors, file: #fileID, line: #line)
  }
  /// The signature of the original SDK.
  @_disfavoredOverload public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> {
    sorted(byKeyPath: keyPath, ascending: ascending, file: #fileID, line: #line)
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
