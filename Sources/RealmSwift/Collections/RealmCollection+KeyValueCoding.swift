import Foundation
import RealmQuery
import RealmStorage

extension RealmCollection {
  /// The values of a property of all elements; `self` is the elements themselves.
  public func value(forKey key: String) -> Any? { valuesForKey(key) as [Any] }

  /// As `value(forKey:)`, along links, and with operators such as `@sum.age` in front.
  public func value(forKeyPath keyPath: String) -> Any? {
    if keyPath.hasPrefix("@") {
      return orStop(results?.core) { try CollectionOperator(keyPath).value(map { $0 as Any }) }
    }
    return valuesForKey(keyPath) as [Any]
  }

  /// Sets a property of all elements.
  public func setValue(_ value: Any?, forKey key: String) {
    orStop(results?.core) {
      if let results {
        try results.core.verifyThread()
        guard results.core.isInWriteTransaction else { throw RealmFailure.misuse("Cannot modify managed objects outside of a write transaction.") }
        try results.requireValid()
        if let target = results.target, let slot = target.slot(key), slot == target.primaryKeySlot, !results.core.mayChangePrimaryKeys {
          throw RealmFailure.misuse("Cannot modify primary key after creation: '\(target.className).\(key)'")
        }
      }
      for element in self {
        guard let object = DynamicInput.unwrapped(element) as? ObjectBase else {
          throw RealmFailure.misuse("Values of '\(Element.self)' have no properties.")
        }
        try object.setDynamicValue(key, value)
      }
    }
  }

  func valuesForKey(_ keyPath: String) -> [Any] {
    orStop(results?.core) { try KeyPathText.values(of: map { $0 as Any }, keyPath) }
  }
}
