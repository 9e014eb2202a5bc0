import Foundation
import RealmStorage

/// Makes the texts of `debugDescription`: for people who look at a value in a debugger or in what a failed test prints.
///
/// Unlike `description` it never stops. Values are read as they are stored, without instances of model classes and conversions, and whatever
/// keeps one from being read is said in its place. Count, depth and length are bounded, so that a realm of any size has a short text.
struct DebugText {
  /// Shown of a collection, and of the properties of an object.
  private static let countLimit = 20
  /// Of the properties of the object that is asked for.
  private static let propertyLimit = 100
  /// Objects that are reached by more steps than this are named, not shown.
  private static let depthLimit = 1
  /// The same for embedded objects and nested collections, which are part of what they are in.
  private static let nestingLimit = 3
  /// Of one string.
  private static let stringLimit = 100
  /// Of the whole text, in bytes; what is under way when it is reached is ended.
  private static let totalLimit = 8_000

  private var text = ""
  private var isFull: Bool { text.utf8.count >= Self.totalLimit }

  private static func make(_ body: (inout DebugText) -> Void) -> String {
    var text = DebugText()
    body(&text)
    return text.text
  }

  /// Writes what `body` does, or why it cannot.
  private mutating func attempt(_ body: (inout DebugText) throws -> Void) {
    do { try body(&self) } catch { text += "<\(ErrorBorder.text(of: error, path: nil))>" }
  }

  // MARK: Objects

  static func of(_ object: ObjectBase) -> String { make { $0.write(object, depth: 0) } }

  private mutating func write(_ object: ObjectBase, depth: Int) {
    guard let core = object.core, let binding = object.binding else { return writeUnmanaged(object, depth: depth) }
    if let obstacle = core.obstacle {
      text += "\(Self.name(binding, object.key)) <\(obstacle)>"
    } else if object.epoch.wasDeleted || core.isGone(object.epoch, object.key, binding: binding) {
      text += "\(Self.name(binding, object.key)) <deleted, or its realm was invalidated>"
    } else {
      write(core, binding, object.key, depth: depth)
    }
  }

  /// `Dog #3`: the class and the number of the row.
  private static func name(_ binding: ClassBinding, _ key: ObjectKey) -> String { "\(binding.className) #\(key.rawValue)" }

  private mutating func write(_ core: RealmCore, _ binding: ClassBinding, _ key: ObjectKey, depth: Int) {
    text += Self.name(binding, key)
    if key.isUnresolved { return text += " <not there yet>" }
    attempt { text in
      let table = try binding.table(core)
      guard try table.contains(key) else { return text.text += " <deleted>" }
      if depth > (binding.isEmbedded ? Self.nestingLimit : Self.depthLimit) {
        guard let slot = binding.primaryKeySlot else { return }
        text.text += " (\(binding.schema.properties[slot].name) = "
        text.attempt { text in text.write(try table.value(key, binding.columns[slot])) }
        text.text += ")"
        return
      }
      text.writeProperties(binding.schema.properties, depth: depth) { (text, slot, property) throws in
        if property.isCollection {
          let collection = CollectionCore(core: core, owner: binding, key: key, slot: slot, kind: property.collectionKind)
          return try text.write(collection, depth: depth + 1)
        }
        let value = try table.value(key, binding.columns[slot])
        text.write(value, core, try binding.target(slot, core), depth: depth + 1) { kind in
          CollectionCore(core: core, owner: binding, key: key, slot: slot, kind: kind)
        }
      }
    }
  }

  private mutating func writeUnmanaged(_ object: ObjectBase, depth: Int) {
    let type = type(of: object)
    text += "\(type) (unmanaged)"
    if depth > (object is EmbeddedObject ? Self.nestingLimit : Self.depthLimit) { return }
    // A class that is just being made known has no record yet.
    guard !ModelClass.isBeingBuiltHere, let model = try? ModelClass.of(type) else { return }
    writeProperties(model.schema.properties, depth: depth) { (text, slot, _) in
      let field = model.fields[slot]
      guard let value = (field.type as? any PeekableWrapper.Type)?.peeked(object, field.byteOffset) else {
        text.text += "<default>"
        return
      }
      text.write(swift: value, depth: depth + 1)
    }
  }

  /// The properties of the object that is asked for one a line, those of others in one.
  private mutating func writeProperties(
    _ properties: [Property], depth: Int, _ write: (inout DebugText, Int, Property) throws -> Void
  ) {
    let isOuter = depth == 0
    text += isOuter ? " {\n" : " {"
    for (slot, property) in properties.enumerated() {
      if slot > 0 && !isOuter { text += ", " }
      if isOuter { text += "  " }
      if isFull || slot == (isOuter ? Self.propertyLimit : Self.countLimit) {
        text += isOuter ? "…\n" : "…"
        break
      }
      text += "\(property.name) = "
      attempt { text in try write(&text, slot, property) }
      if isOuter { text += "\n" }
    }
    text += "}"
  }

  // MARK: Values

  /// - Parameter nested: the collection that the value is, if it is one.
  private mutating func write(
    _ value: Value, _ core: RealmCore, _ target: ClassBinding?, depth: Int, nested: (CollectionKind) throws -> CollectionCore?
  ) {
    attempt { text in
      switch value {
      case .link(let key):
        guard let target else { return text.write(value) }
        text.write(core, target, key, depth: depth)
      case .typedLink(let link): text.write(core, try core.binding(ofTable: link.table), link.key, depth: depth)
      case .list, .dictionary:
        let kind: CollectionKind = if case .list = value { .list } else { .dictionary }
        if depth > Self.nestingLimit { return text.text += "[…]" }
        guard let collection = try nested(kind) else { return text.write(value) }
        try text.write(collection, depth: depth + 1)
      default: text.write(value)
      }
    }
  }

  private mutating func write(_ value: Value) {
    switch value {
    case .null: text += "nil"
    case .bool(let flag): text += "\(flag)"
    case .string(let bytes): write(string: String(decoding: bytes.prefix(4 * Self.stringLimit), as: UTF8.self), of: bytes.count)
    default: text += DynamicInput.text(value)
    }
  }

  private mutating func write(string: String, of byteCount: Int) {
    let shown = string.prefix(Self.stringLimit)
    text += String(shown).debugDescription
    if shown.utf8.count < byteCount { text += "… (\(byteCount) bytes)" }
  }

  /// A value of a property or collection that is not managed.
  private mutating func write(swift value: Any, depth: Int) {
    if DynamicInput.isNull(value) { return text += "nil" }
    switch DynamicInput.unwrapped(value) {
    case let object as ObjectBase: write(object, depth: depth)
    case .object(let object) as AnyRealmValue: write(object, depth: depth)
    case .list(let list) as AnyRealmValue: write(list.managed, list.storage, depth: depth)
    case .dictionary(let map) as AnyRealmValue: write(map.managed, map.entries, depth: depth)
    case let collection as any PeekableCollection: collection.write(to: &self, depth: depth)
    case let string as String: write(string: string, of: string.utf8.count)
    case let other:
      if let value = DynamicInput.engineValue(other) { return write(value) }
      write(string: "\(other)", of: "\(other)".utf8.count)
    }
  }

  // MARK: Collections

  /// A collection by itself.
  static func of(_ name: String, _ collection: some PeekableCollection) -> String {
    make { text in
      text.text += "\(name) "
      collection.write(to: &text, depth: 0)
    }
  }

  static func of(_ name: String, _ results: ResultsCore?, _ elements: [some Any]) -> String {
    make { text in
      text.text += "\(name) "
      if let results { text.write(results) } else { text.write(elements, depth: 0) }
    }
  }

  mutating func write(_ managed: CollectionCore?, _ elements: [some Any], depth: Int) {
    guard let managed else { return write(elements, depth: depth) }
    attempt { text in try text.write(managed, depth: depth) }
  }

  mutating func write(_ managed: CollectionCore?, _ entries: [EntryKey: some Any], depth: Int) {
    if let managed { return attempt { text in try text.write(managed, depth: depth) } }
    let names = entries.keys.map(\.text).sorted()
    writeElements(names.count, depth: depth) { (text, index) in
      text.write(string: names[index], of: names[index].utf8.count)
      text.text += ": "
      if let value = entries[EntryKey(names[index])] { text.write(swift: value, depth: depth + 1) }
    }
  }

  private mutating func write(_ collection: CollectionCore, depth: Int) throws {
    let core = collection.core
    if let obstacle = core.obstacle { return text += "<\(obstacle)>" }
    let stored = try collection.reading()
    let target = try collection.scope().target
    try writeElements(stored.count(), depth: depth) { (text, index) in
      if collection.kind == .dictionary {
        let name = String(decoding: try stored.key(at: index), as: UTF8.self)
        text.write(string: name, of: name.utf8.count)
        text.text += ": "
      }
      text.write(try stored.value(at: index), core, target, depth: depth + 1) { kind in
        guard collection.kind == .dictionary else { return try collection.nested(at: index, kind) }
        return collection.nested(.key(try stored.key(at: index)), kind)
      }
    }
  }

  private mutating func write(_ results: ResultsCore) {
    if let obstacle = results.core.obstacle { return text += "<\(obstacle)>" }
    if results.isInvalidated { return text += "<invalidated>" }
    attempt { text in
      text.writeElements(try results.count(), depth: 0) { (text, index) in
        text.write(try results.value(at: index), results, at: index)
      }
    }
  }

  private mutating func write(_ value: Value, _ results: ResultsCore, at index: Int) {
    write(value, results.core, results.target, depth: 1) { _ in try results.nestedCollection(value, at: index) }
  }

  private mutating func write(_ elements: [some Any], depth: Int) {
    writeElements(elements.count, depth: depth) { (text, index) in text.write(swift: elements[index], depth: depth + 1) }
  }

  /// The elements of what is asked for one a line, those of other collections in one.
  private mutating func writeElements(_ count: Int, depth: Int, _ write: (inout DebugText, Int) throws -> Void) {
    let isOuter = depth == 0
    if isOuter { text += "(\(count)) " }
    text += "["
    for index in 0..<count {
      text += isOuter ? "\n  " : index > 0 ? ", " : ""
      if isFull || index == Self.countLimit {
        text += "… \(count - index) more"
        break
      }
      attempt { text in try write(&text, index) }
    }
    text += isOuter && count > 0 ? "\n]" : "]"
  }

  // MARK: Sections

  static func of<Key, Element>(_ name: String, sections core: SectionedCore<Key, Element>) -> String {
    make { text in
      text.text += "\(name) "
      guard let sections = text.known(core) else { return }
      text.writeElements(sections.keys.count, depth: 0) { (text, index) in
        let key = sections.keys[index].value
        text.write(swift: key, depth: 1)
        text.text += ": "
        text.write(sections, key, core.results, depth: 1)
      }
    }
  }

  static func of<Key, Element>(_ name: String, section key: Key, of core: SectionedCore<Key, Element>) -> String {
    make { text in
      text.text += "\(name) "
      text.write(swift: key, depth: 1)
      text.text += " "
      if let sections = text.known(core) { text.write(sections, key, core.results, depth: 0) }
    }
  }

  /// The sections, if they have been made: making them calls the program's own function, which may do anything.
  private mutating func known<Key, Element>(_ core: SectionedCore<Key, Element>) -> SectionedCore<Key, Element>.Sections? {
    if let obstacle = core.results.core.obstacle {
      text += "<\(obstacle)>"
    } else if core.results.isInvalidated {
      text += "<invalidated>"
    } else if let sections = core.known {
      return sections
    } else {
      text += "<not divided in this version yet>"
    }
    return nil
  }

  private mutating func write<Key, Element>(
    _ sections: SectionedCore<Key, Element>.Sections, _ key: Key, _ results: ResultsCore, depth: Int
  ) {
    let place = SectionKey(key)
    writeElements(sections.index.count(of: place), depth: depth) { (text, index) in
      let position = sections.index.position(index, in: place)
      text.write(sections.value(at: position), results, at: position)
    }
  }
}

/// The wrapper of a property, read without making its default value, which runs code of the program.
protocol PeekableWrapper {
  static func peeked(_ object: ObjectBase, _ offset: Int) -> Any?
}
