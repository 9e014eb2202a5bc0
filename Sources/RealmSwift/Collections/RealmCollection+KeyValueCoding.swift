import Foundation
import RealmQuery
import RealmStorage

extension RealmCollection {
  /// The values of a property of all elements, as an array, of a set as a set; `self` is the elements themselves.
  ///
  /// Numbers are boxed, so that the array casts to one of any type of number that can hold them; null casts to nil and to `NSNull`.
  public func value(forKey key: String) -> Any? { shaped(valuesForKey(key)) }

  /// The values that a path of property names leads to from all elements, as an array, of a set as a set; or what a collection operator makes of
  /// them.
  ///
  /// Numbers and null are as ``value(forKey:)`` gives them. Stops for a name that is no property's, and for an operator that does not exist.
  /// - Parameter keyPath: names with dots between them, such as `owner.name`; or an operator, and a path where it needs one: `@count`, `@sum.age`.
  public func value(forKeyPath keyPath: String) -> Any? { orStop(results?.core) { try valueAtPath(keyPath) } }
  func valueAtPath(_ keyPath: String) throws -> Any? {
    if keyPath.hasPrefix("@") { return try CollectionOperator(keyPath).value(map { $0 as Any }) }
    return shaped(try KeyPathText.values(of: map { $0 as Any }, keyPath))
  }

  /// Sets a property of all elements. With `self` all elements of a list become the value, and a set gets it as its only element.
  ///
  /// A managed collection stops on a wrong thread, outside of a write transaction, when it is frozen, and when it is gone. Stops also for a name that
  /// is no property's, for a value that does not fit, for the primary key of managed objects, and for elements that are no objects.
  /// - Parameters:
  ///   - value: what ``Realm/create(_:value:update:file:line:)`` would take for the property. Nil is null.
  ///   - key: the name of a property, or `self`.
  public func setValue(_ value: Any?, forKey key: String) { orStop(results?.core) { try set(value, key) } }

  /// Sets the property at the end of a path from all elements: of what the path before it leads to. Does nothing for an element from which an object
  /// on the way is missing.
  ///
  /// Stops where ``setValue(_:forKey:)`` does: of a managed collection for example outside of a write transaction.
  /// - Parameters:
  ///   - value: what ``Realm/create(_:value:update:file:line:)`` would take for the property. Nil is null.
  ///   - keyPath: names with dots between them, such as `owner.name`.
  public func setValue(_ value: Any?, forKeyPath keyPath: String) {
    orStop(results?.core) {
      guard keyPath.contains(".") else { return try set(value, keyPath) }
      try checkWriting()
      for object in try objects() { try KeyPathText.set(value, of: object, keyPath) }
    }
  }

  func set(_ value: Any?, _ key: String) throws {
    if key == "self", let collection = self as? any SelfSettable { return try collection.setSelf(value) }
    if let target = results?.target, let slot = target.slot(key), slot == target.primaryKeySlot, results?.core.mayChangePrimaryKeys == false {
      try checkWriting()
      throw RealmFailure.misuse("Cannot modify primary key after creation: '\(target.className).\(key)'")
    }
    try checkWriting()
    for object in try objects() { try object.setDynamicValue(key, value) }
  }

  private func checkWriting() throws {
    guard let results else { return }
    try results.core.verifyThread()
    guard results.core.isInWriteTransaction else { throw RealmFailure.misuse("Cannot modify managed objects outside of a write transaction.") }
    try results.requireValid()
  }

  /// The elements, which must be objects. All of them before the first is changed: results may lose some by that.
  private func objects() throws -> [ObjectBase] {
    var objects: [ObjectBase] = []
    for element in self {
      guard let object = DynamicInput.object(DynamicInput.unwrapped(element)) else {
        throw RealmFailure.misuse("Values of '\(Element.self)' have no properties.")
      }
      objects.append(object)
    }
    return objects
  }

  func valuesForKey(_ keyPath: String) -> [Any] {
    orStop(results?.core) { try KeyPathText.values(of: map { $0 as Any }, keyPath) }
  }

  private func shaped(_ values: [Any]) -> Any { isSet ? NSSet(array: values) : values }

  /// Whether it is a set, perhaps behind an `AnyRealmCollection`.
  private var isSet: Bool {
    if self is any _SetInput || (self as? AnyRealmCollection<Element>)?.unmanaged is any _SetInput { return true }
    guard case .collection(let collection)? = results?.source else { return false }
    return collection.kind == .set
  }
}

/// `Map`, whatever its types: an entry can be set by key-value coding.
protocol EntrySettable {
  func set(_ value: Any?, _ key: String) throws
}

/// Collections whose elements themselves can be set by key-value coding.
protocol SelfSettable {
  func setSelf(_ value: Any?) throws
}
