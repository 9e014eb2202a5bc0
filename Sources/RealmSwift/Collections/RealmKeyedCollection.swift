public import Foundation
import RealmQuery
import RealmStorage

/// A collection of values under keys: `Map`.
public protocol RealmKeyedCollection: Sequence, ThreadConfined, CustomStringConvertible {
  associatedtype Key: _MapKey
  associatedtype Value: RealmCollectionValue

  /// The managed contents, nil for an unmanaged collection. Public for technical reasons only.
  var _resultsBox: _ResultsBox? { get }
  var count: Int { get }
  var keys: [Key] { get }
  var values: [Value] { get }
  subscript(key: Key) -> Value? { get set }
  func updateValue(_ value: Value, forKey key: Key)
  func removeObject(for key: Key)
  func removeAll()
  func contains(where predicate: @escaping (_ key: Key, _ value: Value) -> Bool) -> Bool
}

extension RealmKeyedCollection {
  var managedResults: ResultsCore {
    guard let box = _resultsBox else { stop("This method may only be called on RLMDictionary instances retrieved from an RLMRealm") }
    return box.core
  }

  public func filter(_ predicate: NSPredicate) -> Results<Value> {
    orStop(_resultsBox?.core.core) { Results(try managedResults.filtered(PredicateInput.query(predicate))) }
  }
  public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Value> {
    orStop(_resultsBox?.core.core) { Results(try managedResults.filtered(PredicateInput.query(predicateFormat, args))) }
  }
  public func sorted(ascending: Bool = true) -> Results<Value> { sorted(by: [SortDescriptor(keyPath: "self", ascending: ascending)]) }
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
  }
  public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Value> where S.Iterator.Element == SortDescriptor {
    orStop(_resultsBox?.core.core) { Results(try managedResults.sorted(Array(sortDescriptors))) }
  }
}
