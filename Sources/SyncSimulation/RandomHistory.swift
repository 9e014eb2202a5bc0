package import ChangesetModel
package import Changesets
import Randomness

/// Makes random changes of a realm that can be merged, as a file's own transactions would.
///
/// Left out is what the original merges so that files differ (C8), and what it refuses. Also the removal of a class, or of a
/// property that leads to it, after the property was added: two files that both make and remove the class do not come together then.
package struct RandomHistory {
  private var random: SeededGenerator
  /// What the changes lead to.
  package private(set) var realm: ModelRealm
  private var changeset = Changeset()
  private let file: UInt64
  private let erasesSchema: Bool

  /// - Parameters:
  ///   - seed: gives the same changes each time.
  ///   - file: that makes them.
  ///   - realm: what they start from.
  ///   - erasesSchema: whether classes and properties go, too.
  package init(_ seed: UInt64, file: UInt64, from realm: ModelRealm, erasesSchema: Bool = true) {
    random = SeededGenerator(seed: seed)
    (self.realm, self.file, self.erasesSchema) = (realm, file, erasesSchema)
  }

  /// What every history starts from.
  package static let base: ModelRealm = {
    var realm = ModelRealm()
    // The instructions are those of a test: if they do not apply, nothing else works.
    try! realm.apply(baseChangeset)
    return realm
  }()

  /// What makes it.
  package static let baseChangeset: Changeset = {
    var writer = Self(0, file: 1, from: ModelRealm())
    writer.addSchema()
    return writer.changeset
  }()

  /// The changesets of some transactions, at random times.
  package mutating func changesets(transactions: Int, changes: Int) -> [OriginatedItem] {
    (0..<transactions).map { _ in
      changeset = Changeset()
      for _ in 0..<1 + random.below(changes) { addChange() }
      return OriginatedItem(changeset: changeset, timestamp: Int64(random.below(6)), file: file)
    }
  }

  /// A changeset, when it was made and by whom.
  package struct OriginatedItem {
    package let changeset: Changeset
    package let timestamp: Int64
    package let file: UInt64
  }

  // MARK: Parts of instructions

  private mutating func add(_ instruction: Instruction) {
    changeset.append(instruction)
    var single = changeset
    single.instructions = [instruction]
    // Changes are chosen so that they fit what is there.
    try! realm.apply(single)
  }

  private mutating func object(_ name: String, _ key: ModelKey) -> ObjectAddress {
    let table = changeset.intern(name)
    switch key {
    case .int(let value): return ObjectAddress(table: table, key: .int(value))
    case .string(let value): return ObjectAddress(table: table, key: .string(changeset.intern(value)))
    default: preconditionFailure("no key of these histories")
    }
  }

  private enum Step { case index(Int), key(String) }

  private mutating func place(_ key: Int64, _ field: String, _ path: [Step] = []) -> Place {
    let object = object("P", .int(key))
    let field = changeset.intern(field)
    let elements = path.map { step in
      switch step {
      case .index(let index): PathElement.index(UInt32(index))
      case .key(let key): PathElement.key(changeset.intern(key))
      }
    }
    return Place(object: object, field: field, path: changeset.add(path: elements))
  }

  private mutating func text() -> Payload { .string(changeset.add(ArraySlice(["red", "green", "blue"][random.below(3)].utf8))) }
  private mutating func number() -> Payload { .int(Int64(random.below(5))) }
  private mutating func link() -> Payload { .link(changeset.intern("T"), .string(changeset.intern(["t1", "t2", "t3"][random.below(3)]))) }
  private mutating func coin() -> Bool { random.below(2) == 0 }

  // MARK: Schema

  private mutating func addColumn(
    _ name: String, _ field: String, _ type: ValueType, _ collection: CollectionKind = .single, isNullable: Bool = false, to target: String? = nil
  ) {
    let column = ColumnDefinition(
      type: type, isNullable: isNullable, collection: collection, target: target.map { changeset.intern($0) },
      keyType: collection == .dictionary ? .string : nil)
    add(.addColumn(changeset.intern(name), field: changeset.intern(field), column))
  }

  private mutating func addClass(_ name: String, _ keyType: ValueType?) {
    let key = keyType.map { PrimaryKeyDefinition(field: changeset.intern("_id"), type: $0, isNullable: false) }
    add(.addTable(changeset.intern(name), ClassDefinition(kind: key == nil ? .embedded : .topLevel, primaryKey: key)))
  }

  private mutating func addSchema() {
    addClass("P", .int)
    addClass("T", .string)
    addClass("E", nil)
    addClass("Q", .int)
    addColumn("T", "n", .int)
    addColumn("E", "x", .int)
    addColumn("E", "li", .int, .list)
    addColumn("E", "mx", .null, isNullable: true)
    addColumn("P", "i", .int)
    addColumn("P", "s", .string, isNullable: true)
    addColumn("P", "mx", .null, isNullable: true)
    addColumn("P", "l", .link, isNullable: true, to: "T")
    addColumn("P", "li", .int, .list)
    addColumn("P", "ll", .link, .list, to: "T")
    addColumn("P", "si", .int, .set)
    addColumn("P", "ss", .string, .set)
    addColumn("P", "di", .int, .dictionary)
    addColumn("P", "dm", .null, .dictionary, isNullable: true)
    addColumn("P", "e", .link, isNullable: true, to: "E")
    addColumn("P", "le", .link, .list, to: "E")
    for key in ["t1", "t2", "t3"] { add(.createObject(object("T", .string(key)))) }
    for key: Int64 in 1...2 {
      add(.createObject(object("P", .int(key))))
      for index in 0..<3 { add(.arrayInsert(place(key, "li", [.index(index)]), .int(Int64(index)), priorSize: UInt32(index))) }
      for index in 0..<2 { add(.arrayInsert(place(key, "le", [.index(index)]), .objectValue, priorSize: UInt32(index))) }
      add(.arrayInsert(place(key, "ll", [.index(0)]), link(), priorSize: 0))
      add(.update(place(key, "e"), .objectValue, isDefault: false))
      add(.update(place(key, "mx"), .list, isDefault: false))
      add(.arrayInsert(place(key, "mx", [.index(0)]), .int(0), priorSize: 0))
      add(.arrayInsert(place(key, "mx", [.index(1)]), .dictionary, priorSize: 1))
      add(.update(place(key, "mx", [.index(1), .key("a")]), .int(1), isDefault: false))
    }
  }

  private mutating func changeSchema() {
    let name = ["Q", "R"][random.below(2)]
    if realm.classes[name] == nil {
      addClass(name, .int)
      // What links to a class is added after it, in the same transaction.
      if coin(), realm.classes["P"]?.columns["to\(name)"] == nil { addColumn("P", "to\(name)", .link, isNullable: true, to: name) }
    } else if erasesSchema, random.below(3) == 0, realm.classes["P"]?.columns["to\(name)"] == nil {
      add(.eraseTable(changeset.intern(name)))
    } else if erasesSchema, random.below(4) == 0, realm.classes[name]?.columns["v"] != nil {
      add(.eraseColumn(changeset.intern(name), field: changeset.intern("v")))
    } else if realm.classes[name]?.columns["v"] == nil {
      addColumn(name, "v", .int)
    } else {
      add(.createObject(object(name, .int(Int64(random.below(2))))))
    }
  }

  // MARK: Objects

  private mutating func addChange() {
    switch random.below(20) {
    case 0: changeSchema()
    case 1: add(.createObject(object("P", .int(Int64(1 + random.below(3))))))
    case 2: add(.eraseObject(object("P", .int(Int64(1 + random.below(3))))))
    case 3:
      let key = object("T", .string(["t1", "t2", "t3"][random.below(3)]))
      add(coin() ? .createObject(key) : .eraseObject(key))
    default:
      let key = Int64(1 + random.below(3))
      guard let object = realm.classes["P"]?.objects[.int(key)] else { return add(.createObject(self.object("P", .int(key)))) }
      change(key, object)
    }
  }

  private mutating func change(_ key: Int64, _ object: ModelObject) {
    switch random.below(13) {
    case 0: add(.update(place(key, "i"), number(), isDefault: random.below(4) == 0))
    case 1: add(.addInteger(place(key, "i"), Int64(1 + random.below(3))))
    case 2: add(.update(place(key, "s"), coin() ? text() : .null, isDefault: random.below(4) == 0))
    case 3: add(.update(place(key, "l"), coin() ? link() : .null, isDefault: false))
    case 4, 5: changeList(key, "li", [], object.properties["li"], moves: true) { history, _ in history.number() }
    case 6: changeList(key, "ll", [], object.properties["ll"], moves: true) { history, _ in history.link() }
    case 7: changeSet(key, coin() ? "si" : "ss")
    case 8: changeDictionary(key, "di", [], object.properties["di"]) { history, _ in history.number() }
    case 9: changeDictionary(key, "dm", [], object.properties["dm"]) { $0.mixed(replacing: $1) }
    case 10: changeEmbedded(key, "e", [], object.properties["e"])
    case 11: changeElements(key, object.properties["le"])
    default: changeMixed(key, "mx", [], object.properties["mx"], depth: 0)
    }
  }

  /// An element of a list is not cleared: the original has no rule for that and an insertion in front of it, so that another element is cleared.
  private static func isElement(_ path: [Step]) -> Bool { if case .index? = path.last { true } else { false } }

  private mutating func changeList(
    _ key: Int64, _ field: String, _ path: [Step], _ value: ModelValue?, moves: Bool, _ element: (inout Self, ModelValue?) -> Payload
  ) {
    guard case .list(let elements)? = value else { return }
    let count = elements.count
    let size = UInt32(count)
    func at(_ index: Int, _ history: inout Self) -> Place { history.place(key, field, path + [.index(index)]) }
    switch random.below(10) {
    case 0 where count > 0 && !Self.isElement(path): add(.clear(place(key, field, path), .list))
    case 1...2 where count > 0: add(.arrayErase(at(random.below(count), &self), priorSize: size))
    case 3...4 where count > 0:
      let index = random.below(count)
      add(.updateElement(at(index, &self), element(&self, elements[index]), priorSize: size))
    case 5...6 where count > 1 && moves:
      let (from, to) = (random.below(count), random.below(count))
      if from != to { add(.arrayMove(at(from, &self), to: UInt32(to), priorSize: size)) }
    default: add(.arrayInsert(at(random.below(count + 1), &self), element(&self, nil), priorSize: size))
    }
  }

  private mutating func changeSet(_ key: Int64, _ field: String) {
    let value = field == "si" ? number() : text()
    switch random.below(7) {
    case 0: add(.clear(place(key, field), .set))
    case 1...3: add(.setInsert(place(key, field), value))
    default: add(.setErase(place(key, field), value))
    }
  }

  private mutating func changeDictionary(
    _ key: Int64, _ field: String, _ path: [Step], _ value: ModelValue?, _ element: (inout Self, ModelValue?) -> Payload
  ) {
    guard case .dictionary(let entries)? = value else { return }
    let name = ["a", "b"][random.below(2)]
    let entry = Step.key(name)
    switch random.below(7) {
    case 0 where !Self.isElement(path): add(.clear(place(key, field, path), .dictionary))
    case 1: add(.update(place(key, field, path + [entry]), .erased, isDefault: false))
    default: add(.update(place(key, field, path + [entry]), element(&self, entries[name]), isDefault: false))
    }
  }

  private mutating func changeEmbedded(_ key: Int64, _ field: String, _ path: [Step], _ value: ModelValue?) {
    guard case .object(let object)? = value else { return add(.update(place(key, field, path), .objectValue, isDefault: false)) }
    switch random.below(6) {
    case 0 where path.isEmpty: add(.update(place(key, field), .null, isDefault: false))
    case 1: add(.update(place(key, field, path + [.key("x")]), number(), isDefault: false))
    case 2: add(.addInteger(place(key, field, path + [.key("x")]), 1))
    case 3: changeMixed(key, field, path + [.key("mx")], object.properties["mx"], depth: 0)
    default: changeList(key, field, path + [.key("li")], object.properties["li"], moves: true) { history, _ in history.number() }
    }
  }

  private mutating func changeElements(_ key: Int64, _ value: ModelValue?) {
    guard case .list(let elements)? = value else { return }
    let index = random.below(elements.count + 1)
    if index < elements.count, random.below(3) > 0 { return changeEmbedded(key, "le", [.index(index)], elements[index]) }
    let size = UInt32(elements.count)
    if index < elements.count, coin() { return add(.arrayErase(place(key, "le", [.index(index)]), priorSize: size)) }
    add(.arrayInsert(place(key, "le", [.index(index)]), .objectValue, priorSize: size))
  }

  /// A collection never takes the place of one of its kind: the original keeps the elements then, unless something else was there in between.
  private mutating func mixed(replacing old: ModelValue?) -> Payload {
    switch (random.below(6), old) {
    case (0, _): return .null
    case (1, _): return text()
    case (2, .list?), (3, .dictionary?): return number()
    case (2, _): return .list
    case (3, _): return .dictionary
    default: return number()
    }
  }

  private mutating func changeMixed(_ key: Int64, _ field: String, _ path: [Step], _ value: ModelValue?, depth: Int) {
    if random.below(4) > 0 {
      switch value {
      case .list(let elements)?:
        if depth < 3, coin(), !elements.isEmpty {
          let index = random.below(elements.count)
          switch elements[index] {
          case .list, .dictionary: return changeMixed(key, field, path + [.index(index)], elements[index], depth: depth + 1)
          default: break
          }
        }
        return changeList(key, field, path, value, moves: false) { $0.mixed(replacing: $1) }
      case .dictionary(let entries)?:
        if depth < 3, coin(), let entry = entries["a"] {
          switch entry {
          case .list, .dictionary: return changeMixed(key, field, path + [.key("a")], entry, depth: depth + 1)
          default: break
          }
        }
        return changeDictionary(key, field, path, value) { $0.mixed(replacing: $1) }
      default: break
      }
    }
    // An element of a list is set as such.
    if Self.isElement(path) { return }
    add(.update(place(key, field, path), mixed(replacing: value), isDefault: false))
  }
}
