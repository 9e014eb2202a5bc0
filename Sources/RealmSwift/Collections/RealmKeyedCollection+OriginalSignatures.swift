public import Foundation
import RealmQuery

// As for other collections (`RealmCollection+OriginalSignatures`).

extension RealmKeyedCollection {
  /// The signature of the original SDK.
  @_disfavoredOverload public func filter(_ predicate: NSPredicate) -> Results<Value> {
    orStop(_resultsBox?.core.core) { try filtered(PredicateInput.query(predicate)) }
  }
  /// The signature of the original SDK.
  @_disfavoredOverload public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Value> {
    orStop(_resultsBox?.core.core) { try filtered(PredicateInput.query(predicateFormat, args)) }
  }
  /// The signature of the original SDK.
  @_disfavoredOverload public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Value> where S.Iterator.Element == SortDescriptor {
    orStop(_resultsBox?.core.core) { try arranged(sortDescriptors) }
  }
  /// The signature of the original SDK.
  @_disfavoredOverload public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }
  /// The signature of the original SDK.
  @_disfavoredOverload public func min<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
    orStop(_resultsBox?.core.core) { try Aggregation(keyed: self).value(.min, property) }
  }
  /// The signature of the original SDK.
  @_disfavoredOverload public func max<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
    orStop(_resultsBox?.core.core) { try Aggregation(keyed: self).value(.max, property) }
  }
  /// The signature of the original SDK.
  @_disfavoredOverload public func sum<T: _HasPersistedType>(ofProperty property: String) -> T where T.PersistedType: AddableType {
    orStop(_resultsBox?.core.core) { try Aggregation(keyed: self).sum(property) }
  }
  /// The signature of the original SDK.
  @_disfavoredOverload public func average<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: AddableType {
    orStop(_resultsBox?.core.core) { try Aggregation(keyed: self).value(.average, property) }
  }
}
