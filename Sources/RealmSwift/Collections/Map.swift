import Foundation
import RealmStorage

/// A dictionary with String keys: the property of an object, or one in memory that belongs to none.
///
/// Keys must not contain a dot nor start with `$`.
public final class Map<Key: _MapKey, Value: RealmCollectionValue>: RealmKeyedCollection, Sequence, Equatable {
  private(set) var entries: [String: Value] = [:]
  private(set) var managed: CollectionCore?
  private var cachedResults: ResultsCore?
  /// While a key path is traced: what every key leads to.
  private var traced: Value?

  /// An empty unmanaged map.
  public init() {}
  init(managed: CollectionCore) { self.managed = managed }

  public var _resultsBox: _ResultsBox? {
    guard let managed else { return nil }
    if let cachedResults { return _ResultsBox(core: cachedResults) }
    let results = orStop(managed.core) { try ResultsCore(managed) }
    if !managed.core.isFrozen { cachedResults = results }
    return _ResultsBox(core: results)
  }

  public static func == (a: Map, b: Map) -> Bool {
    guard let x = a.managed, let y = b.managed else { return a === b || (a.managed == nil && b.managed == nil && a.entries == b.entries) }
    return x.isSame(y)
  }

  public var realm: Realm? { managed.map { Realm($0.core) } }
  public var isInvalidated: Bool { managed?.isInvalidated ?? false }
  public var isFrozen: Bool { managed?.core.isFrozen ?? false }

  // MARK: Reading

  public var count: Int {
    guard let managed else { return entries.count }
    return orStop(managed.core) { try managed.count() }
  }

  public var keys: [Key] { keyTexts.map { Key(_text: $0) } }
  private var keyTexts: [String] {
    guard let managed else { return Array(entries.keys) }
    return orStop(managed.core) { try managed.allKeys() }
  }

  public var values: [Value] {
    guard managed != nil else { return Array(entries.values) }
    return keyTexts.compactMap { value($0) }
  }

  private func value(_ key: String) -> Value? {
    guard let managed else { return entries[key] ?? traced }
    return orStop(managed.core) {
      guard let stored = try managed.read({ try $0.value(for: Array(key.utf8)) }) else { return nil }
      return try load(stored, key, managed)
    }
  }

  private func load(_ stored: RealmStorage.Value, _ key: String, _ managed: CollectionCore) throws -> Value? {
    let bytes = Array(key.utf8)
    switch stored {
    case .list: return AnyRealmValue.list(List(managed: managed.nested(.key(bytes), .list))) as? Value
    case .dictionary: return AnyRealmValue.dictionary(Map<String, AnyRealmValue>(managed: managed.nested(.key(bytes), .dictionary))) as? Value
    default: return Value._load(_StoredValue(stored), try managed.scope())
    }
  }

  public subscript(key: Key) -> Value? {
    get { value(key._text) }
    set {
      if let newValue { updateValue(newValue, forKey: key) } else { removeObject(for: key) }
    }
  }

  public func object(forKey key: AnyObject) -> AnyObject? { (key as? String).flatMap { value($0) }.map { $0 as AnyObject } }
  public func value(forKey key: String) -> AnyObject? { value(key).map { $0 as AnyObject } }
  /// The value of a key, or what an operator such as `@sum.age` makes of all values.
  public func value(forKeyPath keyPath: String) -> AnyObject? {
    guard keyPath.hasPrefix("@") else { return value(keyPath).map { $0 as AnyObject } }
    return orStop(managed?.core) { try CollectionOperator(keyPath).value(values) }.map { $0 as AnyObject }
  }
  public func setValue(_ value: Any?, forKey key: String) {
    orStop(managed?.core) {
      // A null entry is possible where the values are optional.
      guard let value, !DynamicInput.isNull(value) || Value._shape.isOptional else {
        self[Key(_text: key)] = nil
        return
      }
      do { self[Key(_text: key)] = try Value._element(from: value) } catch {
        throw RealmFailure.misuse("Invalid value '\(value)' of type '\(type(of: value))' for expected type '\(Value._shape.type.nameInErrors)'.")
      }
    }
  }

  public func contains(where predicate: @escaping (_ key: Key, _ value: Value) -> Bool) -> Bool {
    for entry in self where predicate(entry.key, entry.value) { return true }
    return false
  }

  public func makeIterator() -> RLMMapIterator<SingleMapEntry<Key, Value>> {
    RLMMapIterator(keyTexts.compactMap { key in value(key).map { SingleMapEntry(key: Key(_text: key), value: $0) } })
  }
  public func asKeyValueSequence() -> KeyValueSequence<Key, Value> {
    KeyValueSequence(keyTexts.compactMap { key in value(key).map { (key: Key(_text: key), value: $0) } })
  }

  // MARK: Changing

  public func updateValue(_ value: Value, forKey key: Key) {
    guard let managed else {
      orStop { try DictionaryKey.check(key._text) }
      entries[key._text] = value
      return
    }
    orStop(managed.core) { try ElementEditing(managed).set(value, forKey: key._text) }
  }

  public func removeObject(for key: Key) {
    guard let managed else {
      entries[key._text] = nil
      return
    }
    _ = orStop(managed.core) {
      try managed.write { try $0.removeEntry(key: Array(key._text.utf8)) }
    }
  }

  public func removeAll() {
    guard let managed else { return entries.removeAll() }
    orStop(managed.core) { try managed.write { try $0.removeAll() } }
  }

  public func merge<S: Sequence>(_ sequence: S, uniquingKeysWith combine: (Value, Value) throws -> Value) rethrows
  where S.Element == (key: Key, value: Value) {
    for (key, value) in sequence {
      if let old = self[key] { self[key] = try combine(old, value) } else { self[key] = value }
    }
  }
  public func merge(_ other: Map<Key, Value>, uniquingKeysWith combine: (Value, Value) throws -> Value) rethrows {
    try merge(Array(other.asKeyValueSequence()), uniquingKeysWith: combine)
  }

  // MARK: Confinement

  public func freeze() -> Self {
    orStop(managed?.core) {
      guard let managed else { throw RealmFailure.misuse("Unmanaged dictionaries cannot be frozen.") }
      return try Self(managed: managed.frozen())
    }
  }
  public func thaw() -> Self? {
    orStop(managed?.core) {
      guard let managed else { throw RealmFailure.misuse("Unmanaged dictionaries cannot be thawed.") }
      return try managed.thawed().map { Self(managed: $0) }
    }
  }

  public var description: String { CollectionText.describe(self) }
}

/// An entry of a map. Equal when the values are.
public struct SingleMapEntry<Key: _MapKey, Value: RealmCollectionValue>: Hashable {
  public var key: Key
  public var value: Value
  public static func == (a: SingleMapEntry, b: SingleMapEntry) -> Bool { a.value == b.value }
  public func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

public struct RLMMapIterator<Element>: IteratorProtocol {
  private var base: IndexingIterator<[Element]>
  init(_ elements: [Element]) { base = elements.makeIterator() }
  public mutating func next() -> Element? { base.next() }
}

/// The entries of a map as pairs.
public struct KeyValueSequence<Key: _MapKey, Value: RealmCollectionValue>: Sequence {
  private let pairs: [(key: Key, value: Value)]
  init(_ pairs: [(key: Key, value: Value)]) { self.pairs = pairs }
  public func makeIterator() -> IndexingIterator<[(key: Key, value: Value)]> { pairs.makeIterator() }
}

extension Map: _MapInput {
  public var _entries: [String: Any] {
    guard managed != nil else { return entries }
    var result: [String: Any] = [:]
    for entry in self { result[entry.key._text] = entry.value }
    return result
  }
}

extension Map: _ManagedCollection {
  public var _managedBox: _CollectionBox? { managed.map { _CollectionBox(core: $0) } }
  public static var _elementShape: _Shape { _shape }
  public static var _elementType: Any.Type { Value.self }
}

extension Map: _HasPersistedType, _Persistable {
  public typealias PersistedType = Map
  public static var _shape: _Shape { Value._shape.elements(of: .dictionary) }

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
  public static func _set(_ object: ObjectBase, _ key: UInt32, _ value: Map) {
    orStop(object.core) {
      guard let collection = try object.assignedCollection(key, .dictionary, from: value.managed) else { return }
      let source = Array(value.asKeyValueSequence())
      let editing = try ElementEditing(collection)
      try collection.write { try $0.removeAll() }
      for (key, value) in source.sorted(by: { $0.key._text < $1.key._text }) { try editing.set(value, forKey: key._text) }
    }
  }
  public static func _defaultValue() -> Map { Map() }

  public func _promote(_ object: ObjectBase, _ key: UInt32, _ policy: Realm.UpdatePolicy) {
    orStop(object.core) {
      guard let collection = try object.promoteCollection(key, .dictionary, from: managed) else { return }
      let source = Array(asKeyValueSequence())
      if managed == nil {
        managed = collection
        entries = [:]
      }
      let editing = try ElementEditing(collection, policy)
      if policy == .all, try collection.count() > 0 {
        try collection.write { try $0.removeAll() }
      }
      for (key, value) in source.sorted(by: { $0.key._text < $1.key._text }) {
        if policy == .modified { try editing.update(value, forKey: key._text) } else { try editing.set(value, forKey: key._text) }
      }
    }
  }

  public static func _assignUnmanaged(_ old: Map?, _ value: Map) -> Map {
    let map = old ?? Map()
    if map !== value {
      var entries: [String: Value] = [:]
      for (key, value) in value.asKeyValueSequence() { entries[key._text] = value }
      map.entries = entries
    }
    return map
  }
  public static func _unmanaged(from input: Any) throws -> Map {
    let map = Map()
    if DynamicInput.isNull(input) { return map }
    guard let entries = DynamicInput.entries(of: input) else {
      throw RealmFailure.misuse("Invalid value (\(input)) for '\(Value.self)' dictionary: value is not enumerable.")
    }
    for (key, value) in entries {
      try DictionaryKey.check(key)
      map.entries[key] = try Value._element(from: value)
    }
    return map
  }
  public static var _staysInWrapper: Bool { true }
  public static func _accepts(_ stored: _StoredValue) -> Bool { Value._load(stored, _Scope(core: nil, target: nil)) != nil }
}

extension Map: Decodable where Key: Decodable, Value: Decodable {
  public convenience init(from decoder: any Decoder) throws {
    self.init()
    let container = try decoder.container(keyedBy: MapCodingKey.self)
    for key in container.allKeys { entries[key.stringValue] = try container.decode(Value.self, forKey: key) }
  }
}
extension Map: Encodable where Key: Encodable, Value: Encodable {
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
