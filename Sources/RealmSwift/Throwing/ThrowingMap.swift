public import Foundation
import RealmQuery

/// A map whose errors can be caught; see ``Map/throwing``. Confined as the map is.
public struct ThrowingMap<Key: _MapKey, Value: RealmCollectionValue> {
  let base: Map<Key, Value>

  private func run<Result>(_ body: () throws -> Result) throws -> Result { try orThrow(goingOnIn: base.managed?.core, body) }

  /// As `Map.updateValue(_:forKey:)`.
  /// - Throws: `Realm.Error` for a key with a dot or with `$` in front, for an unmanaged object whose key exists, and for whatever else
  ///   `updateValue` stops for.
  public func updateValue(_ value: Value, forKey key: Key) throws { try run { try base.update(value, key._text) } }

  /// As `Map.setValue(_:forKey:)`.
  /// - Throws: as `updateValue`, and `Realm.Error` for a value of another type.
  public func setValue(_ value: Any?, forKey key: String) throws { try run { try base.set(value, key) } }

  /// As `RealmKeyedCollection.filter`.
  /// - Throws: `Realm.Error` with what is wrong with the text or its arguments.
  public func filter(_ predicateFormat: String, _ args: Any...) throws -> Results<Value> {
    try run { try base.filtered(PredicateInput.query(predicateFormat, args)) }
  }
  /// As `RealmKeyedCollection.filter`.
  /// - Throws: `Realm.Error` with what is wrong with the predicate.
  public func filter(_ predicate: NSPredicate) throws -> Results<Value> { try run { try base.filtered(PredicateInput.query(predicate)) } }

  /// As `RealmKeyedCollection.sorted(byKeyPath:ascending:)`.
  /// - Throws: `Realm.Error` for a property that does not exist or has no order.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) throws -> Results<Value> {
    try run { try base.arranged([SortDescriptor(keyPath: keyPath, ascending: ascending)]) }
  }
}
