public import Foundation
import RealmStorage

/// A list of objects or values: the property of an object, or one in memory that belongs to none.
///
/// Every change of a managed list stops on a wrong thread, outside of a write transaction, when the list is frozen, and when the object that owns it
/// is gone. A call that changes nothing, such as one with no elements, may return before that is found out.
public final class List<Element: RealmCollectionValue>: RealmCollection, MutableCollection {
  /// Goes through the elements that were there when it was made.
  public typealias Iterator = RLMIterator<Element>
  /// A part of the collection that refers to it: live, like the collection.
  public typealias SubSequence = Slice<List>
  /// The storage, while the list is not managed.
  private(set) var storage: [Element] {
    get {
      convertAll()
      return converted
    }
    _modify {
      convertAll()
      yield &converted
    }
  }
  private var converted: [Element] = []
  /// Input of which something has no counterpart in the element type, which is seen when it is read.
  private(set) var unconverted: [Any]?
  private(set) var managed: CollectionCore?
  private var cachedResults: ResultsCore?

  /// Makes an unmanaged list without elements.
  public init() {}
  init(managed: CollectionCore) { self.managed = managed }

  /// The managed contents; nil while there are none. Public for technical reasons only.
  public var _resultsBox: _ResultsBox? {
    guard let managed else { return nil }
    if let cachedResults { return _ResultsBox(core: cachedResults) }
    let results = orStop(managed.core) { try ResultsCore(managed) }
    if !managed.core.isFrozen { cachedResults = results }
    return _ResultsBox(core: results)
  }
  /// The elements of an unmanaged collection; none of a managed one.
  public var _unmanagedElements: [Element] { storage }
  /// The name that descriptions begin with.
  public static var _kindName: String { "List" }

  /// Managed lists are equal if they are the same property of the same object in the same realm instance; unmanaged ones if their elements are.
  public static func == (a: List, b: List) -> Bool {
    guard let x = a.managed, let y = b.managed else { return a === b || (a.managed == nil && b.managed == nil && a.storage == b.storage) }
    return x.isSame(y)
  }

  // MARK: Reading

  /// How many elements there are. Of a managed list: stops on a wrong thread, and when the object that owns the list is gone.
  public var count: Int {
    guard let managed else { return unconverted?.count ?? converted.count }
    return orStop(managed.core) { try managed.count() }
  }
  /// Whether the object that owns the list was deleted, or its realm invalidated. False for unmanaged lists.
  public var isInvalidated: Bool { managed?.isInvalidated ?? false }

  /// The element at a position. Stops if there is none; a managed list also on a wrong thread, and when the object that owns it is gone.
  ///
  /// Setting replaces the element as ``replace(index:object:)`` does, and stops where that stops.
  public subscript(position: Int) -> Element {
    get {
      orStop(managed?.core) {
        guard let managed else { return try unmanagedElement(at: position) }
        return try managedResults.load(managed.value(at: position), at: position, as: Element.self)
      }
    }
    set { replace(index: position, object: newValue) }
  }

  /// By itself: the types that it needs are asked of the runtime, which access to a managed list would pay for.
  @inline(never) private func unmanagedElement(at position: Int) throws -> Element {
    try CollectionCore.checkIndex(position, count: count)
    return try unconverted.map { try Element._element(from: $0[position]) } ?? converted[position]
  }

  /// A part of the list, which refers to it and is live. Whether it reaches beyond the list is found out when its elements are asked for.
  ///
  /// Setting replaces these elements by the new ones as `replaceSubrange(_:with:)` does, and stops where that stops.
  /// - Note: What the slice replaces must have its length.
  public subscript(bounds: Range<Int>) -> Slice<List> {
    get { Slice(base: self, bounds: bounds) }
    set { replaceSubrange(bounds, with: Array(newValue)) }
  }

  /// The values of a property of all elements; `self` is the elements themselves. Null casts to `NSNull` and to nil.
  public func value(forKey key: String) -> [AnyObject] { valuesForKey(key).map { $0 as AnyObject } }
  /// The values that a path of property names leads to from all elements, or what a collection operator makes of them.
  ///
  /// Null casts to `NSNull` and to nil. Stops if the path begins with an operator that gives no array, such as `@sum.age`, and for a name that is no
  /// property's.
  /// - Parameter keyPath: names with dots between them, such as `owner.name`; or an operator that gives an array, and a path: `@unionOfObjects.age`.
  public func value(forKeyPath keyPath: String) -> [AnyObject] {
    guard keyPath.hasPrefix("@") else { return valuesForKey(keyPath).map { $0 as AnyObject } }
    return orStop(managed?.core) {
      guard let values = try CollectionOperator(keyPath).value(map { $0 as Any }) as? [Any] else {
        throw RealmFailure.misuse("The key path '\(keyPath)' leads to no array.")
      }
      return values.map { $0 as AnyObject }
    }
  }

  // MARK: Changing

  /// Adds an element at the end.
  ///
  /// Unmanaged objects are added to the realm; an embedded object must not be managed yet. A managed list stops outside of a write transaction, and
  /// for the other reasons that ``List`` gives.
  /// - Parameters:
  ///   - object: the element.
  ///   - file: the caller's, for the text that stops.
  ///   - line: of that file.
  public func append(_ object: Element, file: StaticString = #fileID, line: UInt = #line) {
    orStop(managed?.core, CallSite(file: file, line: line)) { try appendOne(object) }
  }
  /// Adds an element at the end.
  ///
  /// A call takes ``append(_:file:line:)``, whose two more parameters are the place to blame; this form is for naming the member without calling it.
  @_disfavoredOverload public func append(_ object: Element) { orStop(managed?.core) { try appendOne(object) } }

  func appendOne(_ object: Element) throws {
    guard let managed else { return storage.append(object) }
    let filling = try CollectionFilling<TypedElements<Element>>(editing: managed)
    try filling.insert(object, at: managed.count())
  }

  /// Adds elements at the end, in their order. Objects are added to the realm as ``append(_:)`` adds them. A managed list stops outside of a write
  /// transaction, and for the other reasons that ``List`` gives.
  /// - Parameters:
  ///   - objects: the elements; none change nothing.
  ///   - file: the caller's, for the text that stops.
  ///   - line: of that file.
  public func append<S: Sequence>(objectsIn objects: S, file: StaticString = #fileID, line: UInt = #line) where S.Iterator.Element == Element {
    orStop(managed?.core, CallSite(file: file, line: line)) { try appendAll(objects) }
  }
  /// Adds elements at the end, in their order.
  ///
  /// A call takes ``append(objectsIn:file:line:)``, whose two more parameters are the place to blame; this form is for naming the member without calling it.
  @_disfavoredOverload public func append<S: Sequence>(objectsIn objects: S) where S.Iterator.Element == Element {
    orStop(managed?.core) { try appendAll(objects) }
  }

  func appendAll(_ objects: some Sequence<Element>) throws {
    guard let managed else { return storage.append(contentsOf: objects) }
    let elements = Array(objects)
    if elements.isEmpty { return }
    let filling = try CollectionFilling<TypedElements<Element>>(editing: managed)
    try filling.insert(contentsOf: elements, at: managed.count())
  }

  /// Inserts an element, so that it has the position `index`. Stops unless that is from 0 to `count`. Objects are added to the realm as
  /// ``append(_:)`` adds them. A managed list stops outside of a write transaction, and for the other reasons that ``List`` gives.
  /// - Parameters:
  ///   - object: the element.
  ///   - index: the position that it gets.
  ///   - file: the caller's, for the text that stops.
  ///   - line: of that file.
  public func insert(_ object: Element, at index: Int, file: StaticString = #fileID, line: UInt = #line) {
    orStop(managed?.core, CallSite(file: file, line: line)) { try insertOne(object, at: index) }
  }
  /// Inserts an element, so that it has the position `index`.
  ///
  /// A call takes ``insert(_:at:file:line:)``, whose two more parameters are the place to blame; this form is for naming the member without calling it.
  @_disfavoredOverload public func insert(_ object: Element, at index: Int) { orStop(managed?.core) { try insertOne(object, at: index) } }

  func insertOne(_ object: Element, at index: Int) throws {
    guard let managed else {
      try CollectionCore.checkIndex(index, count: storage.count + 1)
      storage.insert(object, at: index)
      return
    }
    let filling = try CollectionFilling<TypedElements<Element>>(editing: managed)
    try CollectionCore.checkIndex(index, count: managed.count() + 1)
    try filling.insert(object, at: index)
  }

  /// Inserts elements, so that the first has the position `index`. Stops unless that is from 0 to `count`. Objects are added to the realm as
  /// ``append(_:)`` adds them. A managed list stops outside of a write transaction, and for the other reasons that ``List`` gives.
  public func insert<C: Collection>(contentsOf newElements: C, at index: Int) where C.Iterator.Element == Element {
    let elements = Array(newElements)
    if elements.isEmpty { return }
    orStop(managed?.core) {
      guard let managed else {
        try CollectionCore.checkIndex(index, count: storage.count + 1)
        storage.insert(contentsOf: elements, at: index)
        return
      }
      let filling = try CollectionFilling<TypedElements<Element>>(editing: managed)
      try CollectionCore.checkIndex(index, count: managed.count() + 1)
      try filling.insert(contentsOf: elements, at: index)
    }
  }

  /// Removes the element at a position; an object is removed from the list and not deleted, unless it is embedded. Stops if there is none. A managed
  /// list stops outside of a write transaction, and for the other reasons that ``List`` gives.
  public func remove(at index: Int) {
    orStop(managed?.core) {
      try CollectionCore.checkIndex(index, count: count)
      guard let managed else {
        storage.remove(at: index)
        return
      }
      try managed.write { try $0.remove(at: index) }
    }
  }

  /// Removes that many elements from the beginning. Stops if there are fewer. A managed list stops outside of a write transaction, and for the other
  /// reasons that ``List`` gives.
  public func removeFirst(_ number: Int = 1) {
    checkRemoval(number)
    removeSubrange(0..<number)
  }
  /// Removes that many elements from the end. Stops if there are fewer. A managed list stops outside of a write transaction, and for the other
  /// reasons that ``List`` gives.
  public func removeLast(_ number: Int = 1) {
    checkRemoval(number)
    let count = count
    removeSubrange(count - number..<count)
  }
  private func checkRemoval(_ number: Int) {
    let count = count
    if number < 0 || number > count {
      stop("It is not possible to remove more objects (\(number)) from a list than it already contains (\(count)).")
    }
  }

  /// Removes all elements; objects are not deleted, unless they are embedded. A managed list stops outside of a write transaction, and for the other
  /// reasons that ``List`` gives.
  public func removeAll() {
    guard let managed else {
      (converted, unconverted) = ([], nil)
      return
    }
    orStop(managed.core) { try managed.write { try $0.removeAll() } }
  }

  /// Removes the elements of a range of positions. Stops if it reaches beyond the list. A managed list stops outside of a write transaction, and for
  /// the other reasons that ``List`` gives.
  public func removeSubrange<R: RangeExpression>(_ boundsExpression: R) where R.Bound == Int {
    remove(atDescending: boundsExpression.relative(to: 0..<count).reversed())
  }
  /// Removes the elements at several positions. Stops if one of them is beyond the list. A managed list stops outside of a write transaction, and for
  /// the other reasons that ``List`` gives.
  public func remove(atOffsets offsets: IndexSet) { remove(atDescending: offsets.reversed()) }

  private func remove(atDescending indexes: [Int]) {
    guard let last = indexes.first, let first = indexes.last else { return }
    orStop(managed?.core) {
      let count = count
      try CollectionCore.checkIndex(first, count: count)
      try CollectionCore.checkIndex(last, count: count)
      guard let managed else {
        for index in indexes { storage.remove(at: index) }
        return
      }
      try managed.write { try $0.remove(atDescending: indexes) }
    }
  }

  /// Puts another element in the place of one. Stops if there is none at that position. Objects are added to the realm as ``append(_:)`` adds them. A
  /// managed list stops outside of a write transaction, and for the other reasons that ``List`` gives.
  public func replace(index: Int, object: Element) { orStop(managed?.core) { try replaceOne(object, at: index) } }

  func replaceOne(_ object: Element, at index: Int) throws {
    try CollectionCore.checkIndex(index, count: managed?.count() ?? storage.count)
    guard let managed else {
      storage[index] = object
      return
    }
    try CollectionFilling(editing: managed).set(object, at: index)
  }

  /// Puts any number of elements in the place of those of a range. Stops if the range reaches beyond the list. Objects are added to the realm as
  /// ``append(_:)`` adds them. A managed list stops outside of a write transaction, and for the other reasons that ``List`` gives.
  public func replaceSubrange<C: Collection, R: RangeExpression>(_ subrange: R, with newElements: C)
  where C.Iterator.Element == Element, R.Bound == Int {
    let range = subrange.relative(to: 0..<count)
    let newElements = lasting(Array(newElements))
    removeSubrange(range)
    insert(contentsOf: newElements, at: range.lowerBound)
  }

  /// Elements that may be collections in this list, without what goes with those.
  private func lasting(_ elements: [Element]) -> [Element] {
    guard let managed, let values = elements as? [AnyRealmValue] else { return elements }
    return orStop(managed.core) { try values.map { try AnyRealmValue._element(from: MixedInput.detached($0)) } } as? [Element] ?? elements
  }

  /// Takes an element out and inserts it so that it has the position `to` afterwards. Stops unless there are elements at both positions. A managed
  /// list stops outside of a write transaction, and for the other reasons that ``List`` gives.
  public func move(from: Int, to: Int) {
    orStop(managed?.core) {
      let count = count
      try CollectionCore.checkIndex(from, count: count)
      try CollectionCore.checkIndex(to, count: count)
      guard let managed else {
        storage.insert(storage.remove(at: from), at: to)
        return
      }
      try managed.write { try $0.move(from: from, to: to) }
    }
  }

  /// Moves the elements at several positions in front of the one at `destination`, in their order: what the `onMove` of SwiftUI's lists asks for.
  ///
  /// Stops if a position is beyond the list. A managed list stops outside of a write transaction, and for the other reasons that ``List`` gives.
  /// - Parameters:
  ///   - offsets: positions before the move.
  ///   - destination: a position before the move, from 0 to `count`, which is the end.
  public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
    var moves: [(from: Int, to: Int)] = []
    var target = destination
    var shift = 0
    for source in offsets {
      if source < destination {
        moves.append((source - shift, destination - 1))
        shift += 1
      } else {
        moves.append((source, target))
        target += 1
      }
    }
    if moves.isEmpty { return }
    orStop(managed?.core) {
      let count = count
      for (from, to) in moves {
        try CollectionCore.checkIndex(from, count: count)
        try CollectionCore.checkIndex(to, count: count)
      }
      guard let managed else {
        for (from, to) in moves { storage.insert(storage.remove(at: from), at: to) }
        return
      }
      try managed.write { for (from, to) in moves { try $0.move(from: from, to: to) } }
    }
  }

  /// Exchanges two elements. Stops if one of the positions is beyond the list. A managed list stops outside of a write transaction, and for the other
  /// reasons that ``List`` gives.
  public func swapAt(_ index1: Int, _ index2: Int) {
    orStop(managed?.core) {
      let count = count
      try CollectionCore.checkIndex(index1, count: count)
      try CollectionCore.checkIndex(index2, count: count)
      guard let managed else { return storage.swapAt(index1, index2) }
      try managed.write { try $0.swap(index1, index2) }
    }
  }

  // MARK: Confinement

  /// The list as it is now, for any thread, unchangeable. Stops for an unmanaged list.
  public func freeze() -> List {
    orStop(managed?.core) {
      guard let managed else { throw Self.unmanaged }
      return try List(managed: managed.frozen())
    }
  }
  /// The live list for the calling thread, of a frozen one; nil if its object is gone. A live list is itself. Stops for an unmanaged list.
  public func thaw() -> List? {
    orStop(managed?.core) {
      guard let managed else { throw Self.unmanaged }
      return try managed.thawed().map { List(managed: $0) }
    }
  }

  /// Becomes the accessor of a property.
  func adopt(_ collection: CollectionCore) {
    managed = collection
    converted = []
    unconverted = nil
    cachedResults = nil
  }

  @inline(__always) private func convertAll() { if unconverted != nil { convertInput() } }
  @inline(never) private func convertInput() {
    guard let input = unconverted else { return }
    converted = orStop { try input.map { try Element._element(from: $0) } }
    unconverted = nil
  }
}

extension List: _Persistable {
  /// The type that the property is stored as: the list itself.
  public typealias PersistedType = List
  /// How values are stored: the type of the column, or of its elements.
  public static var _shape: _Shape { Element._shape.elements(of: .list) }

  /// Reads the property of a managed object, or notes it while a key path is traced.
  public static func _get(_ object: ObjectBase, _ key: UInt32) -> List {
    if let tracer = object.tracer(key) {
      let list = List()
      list.cachedResults = nil
      list.storage = tracer.elements(Element.self)
      return list
    }
    return object.cachedCollection(key) { (core, binding, slot) in
      List(managed: CollectionCore(core: core, owner: binding, key: object.key, slot: slot, kind: .list))
    }
  }
  /// Sets the property of a managed object; stops outside of a write transaction.
  public static func _set(_ object: ObjectBase, _ key: UInt32, _ value: List) {
    orStop(object.core) {
      guard let collection = try object.assignedCollection(key, .list, from: value.managed) else { return }
      let source = Array(value)
      try CollectionFilling(editing: collection).fill(list: source)
    }
  }
  /// The value of a property that has no initial value.
  public static func _defaultValue() -> List { List() }

  /// Hands the value of an object that is being added to its row.
  public func _promote(_ object: ObjectBase, _ key: UInt32, _ policy: Realm.UpdatePolicy) throws {
    try object.promote(key, .list, policy, from: self, input: unconverted, contents: { Array(self) }, adopt: adopt) { collection, contents in
      try CollectionFilling(editing: collection, policy).fill(list: contents, isNew: policy == .error)
    }
  }

  /// Sets the property of an unmanaged object.
  public static func _assignUnmanaged(_ old: List?, _ value: List) -> List {
    let list = old ?? List()
    if list !== value {
      list.unconverted = value.unconverted
      list.converted = value.unconverted == nil ? Array(value) : []
    }
    return list
  }
  /// The value that input of `create(value:)` or of a dynamic setter stands for; throws if there is none.
  public static func _unmanaged(from input: Any) throws -> List {
    let list = List()
    if DynamicInput.isNull(input) { return list }
    if let other = DynamicInput.unwrapped(input) as? List { return _assignUnmanaged(list, other) }
    guard let storage = DynamicInput.elements(of: input) else {
      throw RealmFailure.misuse("Invalid value (\(DynamicInput.shown(input))) for '\(Element.self)' array: value is not enumerable.")
    }
    (list.converted, list.unconverted) = try UnmanagedInput.converted(storage)
    return list
  }
  /// Whether the wrapper keeps its value when the object becomes managed.
  public static var _staysInWrapper: Bool { true }
  /// Whether the value can be stored while the row is made: an empty collection.
  public func _isPlain(_ scope: _Scope) -> Bool { managed == nil && count == 0 }
}

extension List: SelfSettable {
  func setSelf(_ value: Any?) throws {
    let element = try Element._element(from: value ?? NSNull())
    for index in indices { try replaceOne(element, at: index) }
  }
}

extension List: _ManagedCollection {
  /// The managed collection; nil while it is not managed. Public for technical reasons only.
  public var _managedBox: _CollectionBox? { managed.map { _CollectionBox(core: $0) } }
  /// How the elements are stored. Public for technical reasons only.
  public static var _elementShape: _Shape { _shape }
}

extension List: Decodable where Element: Decodable {
  /// An unmanaged list of the elements of an array.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    var container = try decoder.unkeyedContainer()
    while !container.isAtEnd { storage.append(try container.decode(Element.self)) }
  }
}

extension List: Encodable where Element: Encodable {}
