import RealmQuery
import RealmStorage

/// Goes through the elements of a collection as they were when it was made. Public for technical reasons only.
///
/// Elements that are deleted meanwhile appear as invalidated objects; values as they were.
@safe public final class _ElementCursor {
  private let core: RealmCore?
  private let binding: ClassBinding?
  // SAFETY: the same two, for those who only look at them.
  private let references: (core: Unmanaged<RealmCore>, binding: Unmanaged<ClassBinding>)?
  /// What is left of the keys, chunk by chunk.
  private var keys: [ObjectKey] = []
  private var laterKeys: ArraySlice<[ObjectKey]> = []
  private let values: [Value]
  /// Of the elements that are collections.
  private let nested: [Int: CollectionCore]
  private var position = 0
  /// The row of the last object, while the realm has not changed since.
  // SAFETY: no access to this one or to `last` lasts while other code runs; the check for that would cost more than the rest.
  @exclusivity(unchecked) private var row: Row?
  private var stamp: UInt64 = 0
  /// The last object, if another accessor of its class may take its place once nobody else has it.
  // SAFETY: retained here, `spare` times more than once, and released in `deinit` or when another takes its place. Held without Swift's help, which
  // would retain it once more to look at its counts.
  @exclusivity(unchecked) private var last: Unmanaged<ObjectBase>?
  /// References to `last` that can be handed out without counting: many are counted at once.
  // SAFETY: as of `row`.
  @exclusivity(unchecked) private var spare: UInt32 = 0
  /// The counts of `last` when nobody else has it.
  // SAFETY: as of `row`.
  @exclusivity(unchecked) private var ownCounts: UInt = 0

  init(_ results: ResultsCore) throws {
    core = results.core
    binding = results.target
    unsafe references = results.target.map { unsafe (Unmanaged.passUnretained(results.core), Unmanaged.passUnretained($0)) }
    switch try results.contents() {
    case .keys(let keys):
      values = []
      laterKeys = keys.chunks[...]
    case .values(let values): self.values = values
    }
    var nested: [Int: CollectionCore] = [:]
    for index in values.indices where values[index].isNestedCollection { nested[index] = try results.nestedCollection(values[index], at: index) }
    self.nested = nested
  }

  deinit { unsafe last.map { unsafe SharingProbe.release($0, spare + 1) } }

  /// For objects: the next one, as an instance of the given class.
  @usableFromInline func _nextObject(_ type: ObjectBase.Type) -> ObjectBase? {
    guard position < keys.count || goToNextChunk() else { return nextTypedLink(type) }
    guard let references = unsafe references else { return nil }
    return unsafe references.core._withUnsafeGuaranteedRef { core in
      unsafe references.binding._withUnsafeGuaranteedRef { nextAccessor(type, core, $0) }
    }
  }

  /// - Returns: false behind the last key.
  @inline(never) private func goToNextChunk() -> Bool {
    guard let chunk = laterKeys.popFirst() else { return false }
    (keys, position) = (chunk, 0)
    return true
  }

  @inline(__always) private func nextAccessor(_ type: ObjectBase.Type, _ core: RealmCore, _ binding: ClassBinding) -> ObjectBase {
    let key = keys[position]
    position += 1
    let (object, isReused) = accessor(type, key, core, binding)
    if unsafe core.access.pointee.stamp == stamp, unsafe row?.advance(to: key) == true {
      if isReused, object.stamp == stamp {
        unsafe object.step(to: row.unsafelyUnwrapped.row)
      } else {
        unsafe object.advance(to: row.unsafelyUnwrapped, stamp)
      }
    } else {
      findRow(object, key, core, binding)
    }
    return object
  }

  /// The accessor of the element before, if the caller has dropped it, or a new one.
  @inline(__always) private func accessor(
    _ type: ObjectBase.Type, _ key: ObjectKey, _ core: RealmCore, _ binding: ClassBinding
  ) -> (ObjectBase, isReused: Bool) {
    if let last = unsafe last, unsafe SharingProbe.counts(last.toOpaque()) == ownCounts {
      if unsafe spare == 0 { unsafe retainMany(last) }
      unsafe spare &-= 1
      unsafe ownCounts &-= SharingProbe.strongReference
      let object = unsafe last.takeRetainedValue()
      object.rebind(core, key)
      return (object, true)
    }
    let object = binding.accessorClass(type).init()
    object.bind(binding, core, key)
    if binding.isInterchangeable {
      unsafe last.map { unsafe SharingProbe.release($0, spare + 1) }
      unsafe last = Unmanaged.passRetained(object)
      unsafe (spare, ownCounts) = (0, SharingProbe.newObjectCounts)
    }
    return (object, false)
  }

  @inline(never) private func retainMany(_ last: Unmanaged<ObjectBase>) {
    unsafe SharingProbe.retain(last, SharingProbe.batch)
    unsafe spare += SharingProbe.batch
    unsafe ownCounts &+= UInt(SharingProbe.batch) &* SharingProbe.strongReference
  }

  @inline(never) private func findRow(_ object: ObjectBase, _ key: ObjectKey, _ core: RealmCore, _ binding: ClassBinding) {
    unsafe row = nil
    object.stamp = 0
    guard let table = try? binding.table(core), let found = try? table.row(key) else { return }
    unsafe row = found
    stamp = core.cell.stamp
    object.advance(to: found, stamp)
  }

  @inline(never) private func nextTypedLink(_ type: ObjectBase.Type) -> ObjectBase? {
    guard let core, position < values.count else { return nil }
    defer { position += 1 }
    guard let binding, case .typedLink(let link) = values[position] else {
      // Untyped access to a collection of values.
      return orStop(core) { throw DynamicInput.noCounterpart(values[position], type) }
    }
    let object = binding.accessorClass(type).init()
    object.bind(binding, core, link.key)
    return object
  }

  @usableFromInline func _nextValue() -> _StoredValue? {
    if position < keys.count || goToNextChunk() {
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

/// Goes through the elements that a collection had when the iteration began.
@frozen public struct RLMIterator<Element: RealmCollectionValue>: IteratorProtocol {
  @usableFromInline let cursor: _ElementCursor?
  @usableFromInline var elements: IndexingIterator<[Element]>

  init(_ results: ResultsCore) {
    cursor = orStop(results.core) { try _ElementCursor(results) }
    elements = [].makeIterator()
  }
  /// Over an unmanaged collection.
  init(_ elements: [Element]) {
    cursor = nil
    self.elements = elements.makeIterator()
  }

  /// The next element; nil at the end. Changes of the collection after the iteration has begun do not change which elements come.
  @inlinable public mutating func next() -> Element? {
    // SAFETY: held by the iterator, to the end of the call. The optimiser would retain it once more for each element.
    guard let cursor = unsafe cursor.map({ unsafe Unmanaged.passUnretained($0) }) else { return elements.next() }
    defer { extendLifetime(self.cursor) }
    return unsafe cursor._withUnsafeGuaranteedRef { Element._next($0) }
  }
}
