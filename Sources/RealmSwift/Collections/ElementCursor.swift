import RealmStorage

/// Goes through the elements of a collection as they were when it was made. Public for technical reasons only.
///
/// Elements that are deleted meanwhile appear as invalidated objects; values as they were.
public final class _ElementCursor {
  private let core: RealmCore?
  private let binding: ClassBinding?
  private let keys: [ObjectKey]
  private let values: [Value]
  /// Of the elements that are collections.
  private let nested: [Int: CollectionCore]
  private var position = 0
  /// The row of the last object, while the realm has not changed since.
  private var row: Row?
  private var stamp: UInt64 = 0
  /// The last object, if another accessor of its class may take its place once nobody else has it.
  private var last: ObjectBase?

  init(_ results: ResultsCore) throws(RealmFailure) {
    core = results.core
    binding = results.target
    switch try results.contents() {
    case .keys(let keys): (self.keys, values) = (keys, [])
    case .values(let values): (keys, self.values) = ([], values)
    }
    var nested: [Int: CollectionCore] = [:]
    for index in values.indices where values[index].isNestedCollection { nested[index] = try results.nestedCollection(values[index], at: index) }
    self.nested = nested
  }

  /// For objects: the next one, as an instance of the given class.
  @usableFromInline func _nextObject(_ type: ObjectBase.Type) -> ObjectBase? {
    guard let core, let binding else { return nil }
    guard position < keys.count else { return nextTypedLink(type) }
    let key = keys[position]
    position += 1
    let object = accessor(type, key, core, binding)
    if unsafe core.access.pointee.stamp != stamp || row?.advance(to: key) != true { findRow(key, core, binding) }
    if let row {
      object.place = RowPlace(row)
      object.stamp = stamp
    } else {
      object.stamp = 0
    }
    return object
  }

  /// The accessor of the element before, if the caller has dropped it, or a new one.
  @inline(__always) private func accessor(
    _ type: ObjectBase.Type, _ key: ObjectKey, _ core: RealmCore, _ binding: ClassBinding
  ) -> ObjectBase {
    if let last, isUnshared(last) {
      last.rebind(core, key)
      return last
    }
    let object = type.init()
    object.bind(binding, core, key)
    if binding.isInterchangeable { last = object }
    return object
  }

  @inline(never) private func findRow(_ key: ObjectKey, _ core: RealmCore, _ binding: ClassBinding) {
    row = nil
    guard let table = try? binding.table(core) else { return }
    stamp = core.cell.stamp
    row = try? table.row(key)
  }

  @inline(never) private func nextTypedLink(_ type: ObjectBase.Type) -> ObjectBase? {
    guard let core, let binding, position < values.count else { return nil }
    defer { position += 1 }
    guard case .typedLink(let link) = values[position] else { return nil }
    let object = type.init()
    object.bind(binding, core, link.key)
    return object
  }

  @usableFromInline func _nextValue() -> _StoredValue? {
    if position < keys.count {
      defer { position += 1 }
      return _StoredValue(.link(keys[position]))
    }
    guard position < values.count else { return nil }
    defer { position += 1 }
    return _StoredValue(values[position])
  }

  @usableFromInline var _scope: _Scope { _Scope(core: core, target: binding) }

  /// An `AnyRealmValue` element, which may be a collection.
  func nextMixed() -> AnyRealmValue? {
    let index = position
    guard let value = _nextValue()?.value else { return nil }
    return AnyRealmValue(value, core) { _ in nested[index] }
  }
}

/// Iterates over a collection.
@frozen public struct RLMIterator<Element: RealmCollectionValue>: IteratorProtocol {
  @usableFromInline let cursor: _ElementCursor?
  @usableFromInline var elements: IndexingIterator<[Element]>

  init(_ results: ResultsCore) {
    cursor = orStop { () throws(RealmFailure) in try _ElementCursor(results) }
    elements = [].makeIterator()
  }
  /// Over an unmanaged collection.
  init(_ elements: [Element]) {
    cursor = nil
    self.elements = elements.makeIterator()
  }

  @inlinable public mutating func next() -> Element? {
    if let cursor { return Element._next(cursor) }
    return elements.next()
  }
}

extension RealmCollectionValue {
  @inlinable public static func _next(_ cursor: _ElementCursor) -> Self? {
    guard let stored = cursor._nextValue() else { return nil }
    return _load(stored, cursor._scope)
  }
}
extension Object {
  @inlinable public static func _next(_ cursor: _ElementCursor) -> Self? {
    cursor._nextObject(self).map { unsafe unsafeDowncast($0, to: Self.self) }
  }
}
extension EmbeddedObject {
  @inlinable public static func _next(_ cursor: _ElementCursor) -> Self? {
    cursor._nextObject(self).map { unsafe unsafeDowncast($0, to: Self.self) }
  }
}
extension AnyRealmValue {
  public static func _next(_ cursor: _ElementCursor) -> AnyRealmValue? { cursor.nextMixed() }
}
