import Foundation
import RealmStorage

/// A dictionary with String keys: the property of an object, or one in memory that belongs to none.
///
/// Keys must not contain a dot nor start with `$`.
///
/// Every change of a managed map stops on a wrong thread, outside of a write transaction, when the map is frozen, and when the object that owns it is
/// gone.
public final class Map<Key: _MapKey, Value: RealmCollectionValue>: RealmKeyedCollection, Sequence, Equatable {
  private(set) var entries: [EntryKey: Value] {
    get {
      convertAll()
      return converted
    }
    _modify {
      convertAll()
      yield &converted
    }
  }
  private var converted: [EntryKey: Value] = [:]
  /// Input of which something has no counterpart in the value type, which is seen when it is read.
  private(set) var unconverted: [EntryKey: Any]?
  private(set) var managed: CollectionCore?
  private var cachedResults: ResultsCore?
  /// While a key path is traced: what every key leads to.
  private var traced: Value?

  /// Makes an unmanaged map without entries.
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

  /// Managed maps are equal if they are the same property of the same object in the same realm instance; unmanaged ones if their entries are.
  public static func == (a: Map, b: Map) -> Bool {
    guard let x = a.managed, let y = b.managed else { return a === b || (a.managed == nil && b.managed == nil && a.entries == b.entries) }
    return x.isSame(y)
  }

  /// The realm that the map belongs to; nil for an unmanaged one.
  public var realm: Realm? { managed.map { Realm($0.core) } }
  /// Whether the object that owns the map was deleted, or its realm invalidated. False for unmanaged maps.
  public var isInvalidated: Bool { managed?.isInvalidated ?? false }
  /// Whether it is an unchangeable map of a frozen realm.
  public var isFrozen: Bool { managed?.core.isFrozen ?? false }

  // MARK: Reading

  /// How many entries there are. Of a managed map: stops on a wrong thread, and when the object that owns the map is gone.
  public var count: Int {
    guard let managed else { return unconverted?.count ?? converted.count }
    return orStop(managed.core) { try managed.count() }
  }

  /// All keys, in the order of iteration.
  public var keys: [Key] { keyTexts.map { Key(_text: $0) } }
  private var keyTexts: [String] {
    guard let managed else { return (unconverted.map { Array($0.keys) } ?? Array(converted.keys)).map(\.text) }
    return orStop(managed.core) { try managed.allKeys() }
  }

  /// All values, in the order of their keys.
  public var values: [Value] {
    guard managed != nil else { return Array(entries.values) }
    return pairs { $1 }
  }

  /// What `make` gives of all entries.
  private func pairs<Entry>(_ make: (Key, Value) -> Entry) -> [Entry] {
    guard let managed else { return keyTexts.compactMap { key in value(key).map { make(Key(_text: key), $0) } } }
    return orStop(managed.core) {
      let (keys, values) = try managed.read { (try $0.allKeys(), try $0.all()) }
      return try zip(keys, values).compactMap { key, stored in
        let text = String(decoding: key, as: UTF8.self)
        return try load(stored, text, managed).map { make(Key(_text: text), $0) }
      }
    }
  }

  private func value(_ key: String) -> Value? {
    guard let managed else {
      if let input = unconverted { return orStop { try input[EntryKey(key)].map { try Value._element(from: $0) } } }
      return converted[EntryKey(key)] ?? traced
    }
    return orStop(managed.core) {
      guard let stored = try managed.read({ try $0.value(for: Array(key.utf8)) }) else { return nil }
      return try load(stored, key, managed)
    }
  }

  /// The value of a key for descriptions: what is stored where not everything that is has a counterpart in the type.
  func described(_ key: String) -> Any? {
    if let input = unconverted { return input[EntryKey(key)] }
    guard Value._shape.isCustomScalar, let managed else { return value(key) }
    return orStop(managed.core) { try managed.read { try $0.value(for: Array(key.utf8)) } }
  }

  private func load(_ stored: RealmStorage.Value, _ key: String, _ managed: CollectionCore) throws -> Value? {
    switch stored {
    case .list: return AnyRealmValue.list(List(managed: try managed.nested(under: key, .list))) as? Value
    case .dictionary: return AnyRealmValue.dictionary(Map<String, AnyRealmValue>(managed: try managed.nested(under: key, .dictionary))) as? Value
    default:
      guard let value = Value._load(_StoredValue(stored), try managed.scope()) else { throw DynamicInput.noCounterpart(stored, Value.self) }
      return value
    }
  }

  /// The value of a key; nil if there is none. Setting nil removes the entry; an entry that *is* null is set by `updateValue`. Setting stops where
  /// ``updateValue(_:forKey:)`` does: a managed map for example outside of a write transaction.
  public subscript(key: Key) -> Value? {
    get { value(key._text) }
    set {
      if let newValue { updateValue(newValue, forKey: key) } else { removeObject(for: key) }
    }
  }

  /// The value of a key that is a string; nil if there is none.
  public func object(forKey key: AnyObject) -> AnyObject? { (key as? String).flatMap { value(forKey: $0) } }
  /// The value of a key; nil if there is none, `NSNull` for null.
  public func value(forKey key: String) -> AnyObject? { value(key).map { Boxed.element($0) as AnyObject } }
  /// The value of a key or what a path from there leads to, or what an operator such as `@sum.age` makes of all values.
  public func value(forKeyPath keyPath: String) -> AnyObject? {
    if keyPath.hasPrefix("@") { return orStop(managed?.core) { try CollectionOperator(keyPath).value(values) }.map { $0 as AnyObject } }
    guard let dot = keyPath.firstIndex(of: ".") else { return value(forKey: keyPath) }
    guard let start = value(String(keyPath[..<dot])) else { return nil }
    let rest = String(keyPath[keyPath.index(after: dot)...])
    return orStop(managed?.core) { try KeyPathText.value(of: start, rest) }.map { $0 as AnyObject }
  }
  /// Sets the value of a key to what `create(value:)` would make of the input. Nil removes the entry, unless values can be null. Stops for a value of
  /// another type, and where ``updateValue(_:forKey:)`` does. A managed map stops outside of a write transaction, and for the other reasons that
  /// ``Map`` gives.
  public func setValue(_ value: Any?, forKey key: String) {
    orStop(managed?.core) { try set(value, key) }
  }

  func set(_ value: Any?, _ key: String) throws {
    // A null entry is possible where the values are optional.
    guard let value, !DynamicInput.isNull(value) || Value._shape.isOptional else { return try remove(key) }
    let element: Value
    do { element = try Value._element(from: value) } catch {
      throw RealmFailure.misuse(
        "Invalid value '\(DynamicInput.shown(value))' of type '\(type(of: value))' for expected type '\(Value._shape.type.nameInErrors)'.")
    }
    try update(element, key)
  }

  /// Whether one of the entries satisfies a condition. Asks one after the other.
  public func contains(where predicate: @escaping (_ key: Key, _ value: Value) -> Bool) -> Bool {
    for entry in self where predicate(entry.key, entry.value) { return true }
    return false
  }

  /// Goes through the entries that are there now, each with its key and value. The order is not that of insertion.
  public func makeIterator() -> RLMMapIterator<SingleMapEntry<Key, Value>> {
    RLMMapIterator(pairs { SingleMapEntry(key: $0, value: $1) })
  }
  /// The entries that are there now as pairs, for `for (key, value) in`.
  public func asKeyValueSequence() -> KeyValueSequence {
    KeyValueSequence(pairs { (key: $0, value: $1) })
  }

  // MARK: Changing

  /// Sets the value of a key, whether there is one or not.
  ///
  /// Unmanaged objects are added to the realm; an embedded object must not be managed yet. Stops for a key that contains a dot or starts with `$`. A
  /// managed map stops outside of a write transaction, and for the other reasons that ``Map`` gives.
  /// - Parameters:
  ///   - value: the value.
  ///   - key: its key.
  ///   - file: the caller's, for the text that stops.
  ///   - line: of that file.
  public func updateValue(_ value: Value, forKey key: Key, file: StaticString = #fileID, line: UInt = #line) {
    orStop(managed?.core, CallSite(file: file, line: line)) { try update(value, key._text) }
  }
  /// Sets the value of a key, whether there is one or not.
  ///
  /// A call takes ``updateValue(_:forKey:file:line:)``, whose two more parameters are the place to blame; this form is for naming the member without calling it.
  @_disfavoredOverload public func updateValue(_ value: Value, forKey key: Key) { orStop(managed?.core) { try update(value, key._text) } }

  func update(_ value: Value, _ key: String) throws {
    guard let managed else {
      try DictionaryKey.check(key)
      entries[EntryKey(key)] = value
      return
    }
    try CollectionFilling(editing: managed).set(value, forKey: key)
  }

  /// Removes the entry of a key, if there is one; an object is not deleted, unless it is embedded. A managed map stops outside of a write
  /// transaction, and for the other reasons that ``Map`` gives.
  public func removeObject(for key: Key) { orStop(managed?.core) { try remove(key._text) } }

  private func remove(_ key: String) throws {
    guard let managed else {
      entries[EntryKey(key)] = nil
      return
    }
    _ = try managed.write { try $0.removeEntry(key: Array(key.utf8)) }
  }

  /// Removes all entries; objects are not deleted, unless they are embedded. A managed map stops outside of a write transaction, and for the other
  /// reasons that ``Map`` gives.
  public func removeAll() {
    guard let managed else {
      converted.removeAll()
      unconverted = nil
      return
    }
    orStop(managed.core) { try managed.write { try $0.removeAll() } }
  }

  /// Sets the values of several keys. Stops where ``updateValue(_:forKey:)`` does. A managed map stops outside of a write transaction, and for the
  /// other reasons that ``Map`` gives.
  ///
  /// - Parameters:
  ///   - sequence: keys with their values.
  ///   - combine: makes one value of the old and the new one where a key is there already. What it throws ends the merging where it is.
  /// - Throws: what `combine` throws.
  public func merge<S: Sequence>(_ sequence: S, uniquingKeysWith combine: (Value, Value) throws -> Value) rethrows
  where S.Element == (key: Key, value: Value) {
    for (key, value) in sequence {
      if let old = self[key] { self[key] = try combine(old, value) } else { self[key] = value }
    }
  }
  /// Sets the values of all keys of another map. Stops where ``updateValue(_:forKey:)`` does. A managed map stops outside of a write transaction, and
  /// for the other reasons that ``Map`` gives.
  ///
  /// - Parameters:
  ///   - other: a map, managed or not; its entries are read before the first is set.
  ///   - combine: makes one value of the old and the new one where a key is there already. What it throws ends the merging where it is.
  /// - Throws: what `combine` throws.
  public func merge(_ other: Map<Key, Value>, uniquingKeysWith combine: (Value, Value) throws -> Value) rethrows {
    try merge(Array(other.asKeyValueSequence()), uniquingKeysWith: combine)
  }

  @inline(__always) private func convertAll() { if unconverted != nil { convertInput() } }
  @inline(never) private func convertInput() {
    guard let input = unconverted else { return }
    converted = orStop { try input.mapValues { try Value._element(from: $0) } }
    unconverted = nil
  }

  // MARK: Confinement

  /// The map as it is now, for any thread, unchangeable. Stops for an unmanaged map.
  public func freeze() -> Self {
    orStop(managed?.core) {
      guard let managed else { throw Self.unmanaged }
      return try Self(managed: managed.frozen())
    }
  }
  /// The live map for the calling thread, of a frozen one; nil if its object is gone. A live map is itself. Stops for an unmanaged map.
  public func thaw() -> Self? {
    orStop(managed?.core) {
      guard let managed else { throw Self.unmanaged }
      return try managed.thawed().map { Self(managed: $0) }
    }
  }

  /// The first hundred entries, one a line, nested objects included.
  public var description: String { CollectionText.describe(self) }
}

/// An entry of a map. Equal when the values are.
public struct SingleMapEntry<Key: _MapKey, Value: RealmCollectionValue>: Hashable {
  /// The key of the entry.
  public var key: Key
  /// The value of the entry.
  public var value: Value
  /// Compares the values only, as the original does.
  public static func == (a: SingleMapEntry, b: SingleMapEntry) -> Bool { a.value == b.value }
  /// Hashes the key only, as the original does.
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

/// Goes through the entries that a map had when the iteration began.
public struct RLMMapIterator<Element>: IteratorProtocol {
  private var base: IndexingIterator<[Element]>
  init(_ elements: [Element]) { base = elements.makeIterator() }
  /// The next entry; nil at the end.
  public mutating func next() -> Element? { base.next() }
}

/// Goes through the entries that a map had when the iteration began, as pairs.
public struct RLMKeyValueIterator<Key: _MapKey, Value: RealmCollectionValue>: IteratorProtocol {
  private var base: IndexingIterator<[(key: Key, value: Value)]>
  init(_ pairs: [(key: Key, value: Value)]) { base = pairs.makeIterator() }
  /// The next pair; nil at the end.
  public mutating func next() -> (key: Key, value: Value)? { base.next() }
}

extension Map {
  /// The entries of a map as pairs.
  public struct KeyValueSequence: Sequence {
    private let pairs: [(key: Key, value: Value)]
    init(_ pairs: [(key: Key, value: Value)]) { self.pairs = pairs }
    /// Makes what goes through the pairs, from the first.
    public func makeIterator() -> RLMKeyValueIterator<Key, Value> { RLMKeyValueIterator(pairs) }
  }
}

extension Map: _MapInput {
  /// The entries with the texts of their keys. Public for technical reasons only.
  public var _entries: [(name: String, element: Any)] { pairs { (name: $0._text, element: $1) } }
}

extension Map: EntrySettable {}

extension Map: _ManagedCollection {
  /// The managed collection; nil while it is not managed. Public for technical reasons only.
  public var _managedBox: _CollectionBox? { managed.map { _CollectionBox(core: $0) } }
  /// How the elements are stored. Public for technical reasons only.
  public static var _elementShape: _Shape { _shape }
}

extension Map: _HasPersistedType, _Persistable {
  /// The type that the property is stored as: the map itself.
  public typealias PersistedType = Map
  /// How values are stored: the type of the column, or of its elements.
  public static var _shape: _Shape { Value._shape.elements(of: .dictionary) }

  /// Reads the property of a managed object, or notes it while a key path is traced.
  public static func _get(_ object: ObjectBase, _ key: UInt32) -> Map {
    if let tracer = object.tracer(key) {
      let map = Map()
      map.traced = tracer.elements(Value.self).first
      return map
    }
    return object.cachedCollection(key) { (core, binding, slot) in
      Map(managed: CollectionCore(core: core, owner: binding, key: object.key, slot: slot, kind: .dictionary))
    }
  }
  /// Sets the property of a managed object; stops outside of a write transaction.
  public static func _set(_ object: ObjectBase, _ key: UInt32, _ value: Map) {
    orStop(object.core) {
      guard let collection = try object.assignedCollection(key, .dictionary, from: value.managed) else { return }
      let source = value.asKeyValueSequence().map { (name: $0.key._text, element: $0.value) }
      try CollectionFilling(editing: collection).fill(dictionary: source)
    }
  }
  /// The value of a property that has no initial value.
  public static func _defaultValue() -> Map { Map() }

  /// Hands the value of an object that is being added to its row.
  public func _promote(_ object: ObjectBase, _ key: UInt32, _ policy: Realm.UpdatePolicy) throws {
    let input = unconverted.map { DetachedEntries(_entries: $0.map { (name: $0.key.text, element: $0.value) }) }
    try object.promote(
      key, .dictionary, policy, from: self, input: input, contents: { asKeyValueSequence().map { (name: $0.key._text, element: $0.value) } },
      adopt: adopt
    ) { collection, contents in
      try CollectionFilling(editing: collection, policy).fill(dictionary: contents, isNew: policy == .error)
    }
  }

  private func adopt(_ collection: CollectionCore) {
    removeAll()
    managed = collection
  }

  /// Sets the property of an unmanaged object.
  public static func _assignUnmanaged(_ old: Map?, _ value: Map) -> Map {
    let map = old ?? Map()
    if map !== value, value.unconverted != nil {
      (map.converted, map.unconverted) = ([:], value.unconverted)
    } else if map !== value {
      var entries: [EntryKey: Value] = [:]
      for (key, value) in value.asKeyValueSequence() { entries[EntryKey(key._text)] = value }
      (map.converted, map.unconverted) = (entries, nil)
    }
    return map
  }
  /// The value that input of `create(value:)` or of a dynamic setter stands for; throws if there is none.
  public static func _unmanaged(from input: Any) throws -> Map {
    let map = Map()
    if DynamicInput.isNull(input) { return map }
    guard let entries = DynamicInput.entries(of: input) else {
      throw RealmFailure.misuse("Invalid value (\(DynamicInput.shown(input))) for '\(Value.self)' dictionary: value is not enumerable.")
    }
    (map.converted, map.unconverted) = try UnmanagedInput.converted(entries)
    return map
  }
  /// Whether the wrapper keeps its value when the object becomes managed.
  public static var _staysInWrapper: Bool { true }
  /// Whether the value can be stored while the row is made: an empty collection.
  public func _isPlain(_ scope: _Scope) -> Bool { managed == nil && count == 0 }
}

extension Map: Decodable where Key: Decodable, Value: Decodable {
  /// An unmanaged map of the entries of a dictionary. A key that no map can have, with a dot or with `$` in front, is a `DecodingError`.
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: MapCodingKey.self)
    for key in container.allKeys {
      do { try DictionaryKey.check(key.stringValue) } catch {
        throw DecodingError.dataCorruptedError(forKey: key, in: container, debugDescription: "\(error)")
      }
      entries[EntryKey(key.stringValue)] = try container.decode(Value.self, forKey: key)
    }
  }
}

extension Map: Encodable where Key: Encodable, Value: Encodable {
  /// Encodes the map as a dictionary of its entries.
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: MapCodingKey.self)
    for entry in self { try container.encode(entry.value, forKey: MapCodingKey(stringValue: entry.key._text)) }
  }
}

private struct MapCodingKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
