public import Dispatch
public import Foundation
import RealmQuery
import RealmStorage

/// A collection of values under keys: `Map`.
public protocol RealmKeyedCollection: Sequence, ThreadConfined, CustomStringConvertible {
  /// What values are found by: only `String`.
  associatedtype Key: _MapKey
  /// The type of the values that the map holds.
  associatedtype Value: RealmCollectionValue

  /// The managed contents, nil for an unmanaged collection. Public for technical reasons only.
  var _resultsBox: _ResultsBox? { get }
  /// How many entries there are.
  var count: Int { get }
  /// All keys, in the order of iteration.
  var keys: [Key] { get }
  /// All values, in the order of their keys.
  var values: [Value] { get }
  /// The value of a key; nil if there is none. Setting nil removes the entry. Setting stops where ``updateValue(_:forKey:)`` does.
  subscript(key: Key) -> Value? { get set }
  /// Sets the value of a key, whether there is one or not. A managed map stops on a wrong thread, outside of a write transaction, when frozen, and
  /// when its object is gone.
  func updateValue(_ value: Value, forKey key: Key)
  /// Removes the entry of a key, if there is one. Stops where ``updateValue(_:forKey:)`` does.
  func removeObject(for key: Key)
  /// Removes all entries. Stops where ``updateValue(_:forKey:)`` does.
  func removeAll()
  /// The value of a key; nil if there is none.
  func value(forKey key: String) -> AnyObject?
  /// The value of a key or what a path from there leads to, or what an operator such as `@sum.age` makes of all values.
  func value(forKeyPath keyPath: String) -> AnyObject?
  /// Sets the value of a key to what `create(value:)` would make of the input. Stops for a value of another type, and where
  /// ``updateValue(_:forKey:)`` does.
  func setValue(_ value: Any?, forKey key: String)
  /// Calls `block` once with `.initial`, and then with `.update` whenever entries come, go or are changed.
  func observe(keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (RealmMapChange<Self>) -> Void) -> NotificationToken
  /// Whether one of the entries satisfies a condition.
  func contains(where predicate: @escaping (_ key: Key, _ value: Value) -> Bool) -> Bool
}

extension RealmKeyedCollection {
  static var unmanaged: RealmFailure { .misuse("This method may only be called on Map instances retrieved from a Realm") }

  /// The managed contents; throws for an unmanaged map.
  var managedResults: ResultsCore {
    get throws {
      guard let box = _resultsBox else { throw Self.unmanaged }
      return box.core
    }
  }

  /// The objects in the map that satisfy a predicate: live. Stops for an unmanaged map and one of values that are no objects, if the predicate names
  /// something that does not exist, and for predicates with blocks.
  /// - Parameters:
  ///   - predicate: a condition on the objects.
  ///   - file: the caller's, for the text that stops.
  ///   - line: of that file.
  public func filter(_ predicate: NSPredicate, file: StaticString = #fileID, line: UInt = #line) -> Results<Value> {
    orStop(_resultsBox?.core.core, CallSite(file: file, line: line)) { try filtered(PredicateInput.query(predicate)) }
  }
  /// The objects in the map that satisfy a format with its arguments: live.
  ///
  /// Stops for an unmanaged map and one of values that are no objects, and if the format is wrong, names something that does not exist, or has not as
  /// many arguments as places for them. For a text that comes from outside of the program, `throwing.filter` is the member to call.
  /// - Parameters:
  ///   - predicateFormat: in the language of Cocoa's predicates; see Documentation/Queries/README.md.
  ///   - args: what `%@`, `%K` and their like stand for, in their order.
  ///   - file: the caller's, for the text that stops.
  ///   - line: of that file.
  public func filter(_ predicateFormat: String, _ args: Any..., file: StaticString = #fileID, line: UInt = #line) -> Results<Value> {
    orStop(_resultsBox?.core.core, CallSite(file: file, line: line)) { try filtered(PredicateInput.query(predicateFormat, args)) }
  }

  func filtered(_ query: @autoclosure () throws -> RealmQuery.Query) throws -> Results<Value> { Results(try managedResults.filtered(query())) }
  /// The values in their own order: live. Stops for an unmanaged map.
  public func sorted(ascending: Bool = true) -> Results<Value> { sorted(by: [SortDescriptor(keyPath: "self", ascending: ascending)]) }
  /// The values in the order of a property: live. Stops for an unmanaged map.
  public func sorted(
    byKeyPath keyPath: String, ascending: Bool = true, file: StaticString = #fileID, line: UInt = #line
  ) -> Results<Value> {
    sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)], file: file, line: line)
  }
  /// The values in the order of several properties: live. Stops for an unmanaged map.
  public func sorted<S: Sequence>(
    by sortDescriptors: S, file: StaticString = #fileID, line: UInt = #line
  ) -> Results<Value> where S.Iterator.Element == SortDescriptor {
    orStop(_resultsBox?.core.core, CallSite(file: file, line: line)) { try arranged(sortDescriptors) }
  }
  func arranged(_ descriptors: some Sequence<SortDescriptor>) throws -> Results<Value> { Results(try managedResults.sorted(Array(descriptors))) }
}
