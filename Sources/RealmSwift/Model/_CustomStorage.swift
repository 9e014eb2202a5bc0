import Foundation
import RealmStorage

/// A type that a custom type can be stored as: a scalar or an embedded object. Public for technical reasons only.
public protocol _CustomStorage: RealmCollectionValue {
  /// Reads a property that is not optional: nil only for an embedded object that is missing.
  static func _customGet(_ object: ObjectBase, _ key: UInt32) -> Self?
  /// Reads an optional property; nil for null.
  static func _customGetOptional(_ object: ObjectBase, _ key: UInt32) -> Self?
  /// Sets a property, optional or not.
  static func _customSet(_ object: ObjectBase, _ key: UInt32, _ value: Self?)
  /// Hands the value of an object that is being added to its row.
  static func _customPromote(_ object: ObjectBase, _ key: UInt32, _ value: Self?, _ policy: Realm.UpdatePolicy) throws
  /// The value that input stands for; nil for null; throws if there is none.
  static func _customUnmanaged(from input: Any) throws -> Self?
  /// The value of a property that has no initial value.
  static func _customDefault() -> Self
}

extension _CustomStorage where Self: _PersistableInsideOptional {
  /// Reads the property that a custom type stands on; nil for null.
  public static func _customGet(_ object: ObjectBase, _ key: UInt32) -> Self? { _get(object, key) }
  /// Reads the optional property that a custom type stands on.
  public static func _customGetOptional(_ object: ObjectBase, _ key: UInt32) -> Self? { _getOptional(object, key) }
  /// Sets the property that a custom type stands on.
  public static func _customSet(_ object: ObjectBase, _ key: UInt32, _ value: Self?) { _setOptional(object, key, value) }
  /// Hands the value that a custom type stands on to the row of an object that is being added.
  public static func _customPromote(_ object: ObjectBase, _ key: UInt32, _ value: Self?, _ policy: Realm.UpdatePolicy) throws {
    try _promoteOptional(object, key, value, policy)
  }
  /// The value below a custom type that input stands for; nil for null; throws if there is none.
  public static func _customUnmanaged(from input: Any) throws -> Self? { try _unmanagedOptional(from: input) }
  /// The value below a custom type of a property that has no initial value.
  public static func _customDefault() -> Self { _defaultValue() }
}

extension Int: _CustomStorage {}
extension Int8: _CustomStorage {}
extension Int16: _CustomStorage {}
extension Int32: _CustomStorage {}
extension Int64: _CustomStorage {}
extension Bool: _CustomStorage {}
extension Float: _CustomStorage {}
extension Double: _CustomStorage {}
extension String: _CustomStorage {}
extension Data: _CustomStorage {}
extension Date: _CustomStorage {}
extension UUID: _CustomStorage {}
extension ObjectId: _CustomStorage {}
extension Decimal128: _CustomStorage {}
