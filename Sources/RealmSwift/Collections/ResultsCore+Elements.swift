import Foundation
import RealmQuery
import RealmStorage

extension ResultsCore {
  /// The Swift value of an element.
  func load<Element: RealmCollectionValue>(_ value: Value, at position: Int, as type: Element.Type) throws -> Element {
    if value.isNestedCollection { return try loadNested(value, position) }
    guard let element = Element._load(_StoredValue(value), scope) else { throw DynamicInput.noCounterpart(value, Element.self) }
    return element
  }

  private func loadNested<Element: RealmCollectionValue>(_ value: Value, _ position: Int) throws -> Element {
    guard let collection = try nestedCollection(value, at: position) else { throw RealmFailure.misuse("The nested collection cannot be reached.") }
    guard let element = AnyRealmValue(value, core, nested: { _ in collection }) as? Element else {
      throw RealmFailure.misuse("The element is a collection.")
    }
    return element
  }

  /// The nested collection that an element is.
  func nestedCollection(_ value: Value, at position: Int) throws -> CollectionCore? {
    guard let base = baseCollection else { return nil }
    var position = position
    if case .results = source {
      // Sorted or thinned out: the roots tell the collections apart.
      guard let place = try base.allValues().firstIndex(where: { $0.isIdentical(to: value) }) else { return nil }
      position = place
    }
    let kind: CollectionKind = if case .list = value { .list } else { .dictionary }
    return try base.nested(at: position, kind)
  }

  func index<Element: RealmCollectionValue>(of element: Element) throws -> Int? {
    if let object = DynamicInput.object(element) ?? (element as? any ProjectionObservable)?.projectedObject {
      guard object.core === core else { return nil }
      if object.isManagedAndGone { throw RealmFailure.misuse("Object has been deleted or invalidated.") }
      if let target, object.binding !== target, object.binding?.className != target.className {
        throw RealmFailure.misuse("Object of type '\(object.binding?.className ?? "")' does not match Results type '\(target.className)'.")
      }
      return try position(of: object.key)
    }
    let value: Value
    if let mixed = element as? AnyRealmValue {
      switch mixed {
      case .object(let object):
        guard object.core === core, let binding = object.binding else { return nil }
        value = .typedLink(ObjectLink(table: binding.tableKey, key: object.key))
      case .list, .dictionary: return nil
      default: value = mixed.scalar ?? .null
      }
    } else if Element._shape.type == .object, !DynamicInput.isNull(element) {
      // A custom type over an embedded class, whose objects are made anew.
      return nil
    } else {
      value = try element._store(_Scope(core: nil, target: nil)).value
    }
    return try values().firstIndex { Value.compare($0, value) == 0 }
  }

  /// The position of the first element that is an object of the class; nil if it is none of them.
  ///
  /// O(log n) among all objects of the class; a list is read to there, without finding out what all of its elements are.
  func position(of key: ObjectKey) throws -> Int? {
    try core.verifyThread()
    try requireValid()
    if let binding = plainTable { return binding.hasTable ? try binding.table(core).position(of: key) : nil }
    if case .collection(let collection) = source, step == nil, target != nil, collection.kind != .dictionary {
      return try collection.read { try $0.position(ofLink: key) }
    }
    guard case .keys(let keys) = try contents() else { return try self.keys().firstIndex(of: key) }
    return keys.position(of: key)
  }
}
