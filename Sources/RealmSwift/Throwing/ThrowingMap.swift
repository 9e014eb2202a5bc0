public import Foundation
import RealmQuery

/// A map whose errors can be caught: what ``Map/throwing`` gives. Confined as the map is.
public struct ThrowingMap<Key: _MapKey, Value: RealmCollectionValue> {
  let base: Map<Key, Value>

  private func run<Result>(_ body: () throws -> Result) throws -> Result { try orThrow(goingOnIn: base.managed?.core, body) }

  /// Sets the value of a key, whether there is one or not. Does what ``Map/updateValue(_:forKey:)`` does, throwing where that ends the process.
  /// - Throws: `Realm.Error` for a key with a dot or with `$` in front, for an unmanaged object whose key exists, and for whatever else `updateValue`
  ///   stops for.
  public func updateValue(_ value: Value, forKey key: Key) throws { try run { try base.update(value, key._text) } }

  /// Sets the value of a key to what `create(value:)` would make of the input; nil removes the entry, unless values can be null. Does what
  /// ``Map/setValue(_:forKey:)`` does, throwing where that ends the process.
  /// - Throws: what ``updateValue(_:forKey:)`` throws, and `Realm.Error` for a value of another type.
  public func setValue(_ value: Any?, forKey key: String) throws { try run { try base.set(value, key) } }

  /// The values that satisfy a format with its arguments: live. Does what ``RealmKeyedCollection/filter(_:_:file:line:)`` does, throwing where that
  /// ends the process.
  /// - Throws: `Realm.Error` with what is wrong with the text or its arguments.
  public func filter(_ predicateFormat: String, _ args: Any...) throws -> Results<Value> {
    try run { try base.filtered(PredicateInput.query(predicateFormat, args)) }
  }
  /// The values that satisfy a predicate: live. Does what ``RealmKeyedCollection/filter(_:file:line:)`` does, throwing where that ends the process.
  /// - Throws: `Realm.Error` with what is wrong with the predicate.
  public func filter(_ predicate: NSPredicate) throws -> Results<Value> { try run { try base.filtered(PredicateInput.query(predicate)) } }

  /// The values in the order of a property: live. Does what ``RealmKeyedCollection/sorted(byKeyPath:ascending:file:line:)`` does, throwing where that
  /// ends the process.
  /// - Throws: `Realm.Error` for a property that does not exist or has no order.
  public func sorted(byKeyPath keyPath: String, ascending: Bool = true) throws -> Results<Value> {
    try run { try base.arranged([SortDescriptor(keyPath: keyPath, ascending: ascending)]) }
  }
}
