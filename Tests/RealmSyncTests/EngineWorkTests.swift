import ChangesetModel
import Changesets
import Randomness
import RealmStorage
import RealmSync
import SyncSimulation
import TestSupport
import Testing

/// Whatever is done to a file, a peer that is told comes to the same.
@Suite struct EngineWorkTests {
  @Test func aPeerComesToTheSameByWhatWasWrittenDown() throws {
    var seeds = SeededGenerator(test: 77)
    for _ in 0..<(isFullRun ? 300 : 12) {
      let seed = seeds.next()
      var worker = try EngineWorker(seed: seed)
      let peer = try SyncFile()
      try peer.database.setFileIdent(4, salt: 6)
      for version in 1...8 {
        let bytes = try worker.work(version == 1 ? 0 : 12)
        do { try peer.receive(bytes, serverVersion: UInt64(2 * version), origin: 3) } catch {
          Issue.record("seed \(seed), transaction \(version): \(error)\n\(try worker.lines(bytes))")
          return
        }
        let (mine, others) = (try worker.file.realm(), try peer.realm())
        guard mine == others else {
          let comment = "seed \(seed), transaction \(version): \(others.difference(to: mine))\n\(try worker.lines(bytes))"
          Issue.record(Comment(rawValue: comment))
          return
        }
        // What somebody else erases leaves links that wait for it, in lists too.
        let erasure = try worker.erasure()
        try worker.file.receiveKnowing(erasure, serverVersion: UInt64(2 * version + 1))
        try peer.receive(erasure, serverVersion: UInt64(2 * version + 1), origin: 9)
      }
      #expect(try worker.file.violations().isEmpty && peer.violations().isEmpty, "seed \(seed)")
    }
  }
}

extension SyncFile {
  fileprivate func realm() throws -> ModelRealm { try database.read { (group) throws(StorageError) in try ModelRealm(group) } }
}

/// Does random things to a file.
private struct EngineWorker {
  let file: SyncFile
  private var random: SeededGenerator
  /// What the last transaction did, for people.
  private(set) var steps: [String] = []

  init(seed: UInt64) throws {
    file = try SyncFile()
    try file.database.setFileIdent(3, salt: 5)
    random = SeededGenerator(seed: seed)
  }

  /// One transaction.
  /// - Parameter count: of the things that are done; 0 to make the classes.
  /// - Returns: what peers are told.
  mutating func work(_ count: Int) throws -> [UInt8] {
    steps = []
    var worker = self
    let bytes = try file.write { group in
      if count == 0 { try Self.makeClasses(group) }
      for _ in 0..<count { try worker.step(group) }
    }
    self = worker
    return bytes
  }

  /// A changeset of somebody else's that erases some objects.
  mutating func erasure() throws -> [UInt8] {
    var changeset = Changeset()
    for name in ["P", "N"] {
      for key in try (file.realm().classes[name]?.objects.keys.sorted { "\($0)" < "\($1)" } ?? []) where random.below(4) == 0 {
        let table = changeset.intern(name)
        let address: PrimaryKey =
          switch key {
          case .string(let text): .string(changeset.intern(text))
          case .globalKey(let high, let low): .globalKey(high: high, low: low)
          default: .null
          }
        changeset.append(.eraseObject(ObjectAddress(table: table, key: address)))
      }
    }
    return changeset.encoded()
  }

  private static func makeClasses(_ group: Group) throws {
    let person = try group.addTable("class_P")
    try person.setPrimaryKey(person.addColumn(RealmStorage.ColumnDefinition("id", .string, .nullable)))
    let nameless = try group.addTable("class_N")
    let embedded = try group.addTable("class_E", kind: .embedded)
    for (number, table) in [person, nameless, embedded].enumerated() {
      try table.addColumn(RealmStorage.ColumnDefinition("i", .int, number == 0 ? .nullable : []))
      try table.addColumn(RealmStorage.ColumnDefinition("m", .mixed))
      try table.addColumn(RealmStorage.ColumnDefinition("d", .double))
      for (suffix, attributes) in [("", ColumnAttributes.nullable), ("l", .list), ("s", .set), ("d", .dictionary)] {
        try table.addColumn(RealmStorage.ColumnDefinition("p" + suffix, .link, attributes, target: person.key))
        if attributes != .set { try table.addColumn(RealmStorage.ColumnDefinition("e" + suffix, .link, attributes, target: embedded.key)) }
        if attributes != .nullable {
          try table.addColumn(RealmStorage.ColumnDefinition("m" + suffix, .mixed, attributes))
          try table.addColumn(RealmStorage.ColumnDefinition("t" + suffix, .string, attributes.union(.nullable)))
        }
      }
    }
  }

  /// The last transaction: what was done, and what was written down.
  func lines(_ bytes: [UInt8]) throws -> String {
    let changeset = try Changeset(parsing: bytes)
    return (steps + changeset.instructions.map(changeset.line)).joined(separator: "\n")
  }

  private mutating func note(_ text: String) { steps.append(text) }

  private mutating func step(_ group: Group) throws {
    let tables = try ["class_P", "class_N", "class_E"].map { try #require(try group.table(named: $0)) }
    switch random.below(10) {
    case 0: try create(tables[random.below(2)])
    case 1: try remove(tables[random.below(3)])
    default:
      let table = tables[random.below(3)]
      guard let key = try object(table) else { return try create(tables[0]) }
      let columns = table.publicColumns.filter { $0.key != table.primaryKeyColumn?.key }
      let column = columns[random.below(columns.count)]
      note("\(table.nameText) \(key.rawValue) \(String(decoding: column.name, as: UTF8.self)):")
      if column.isCollection { try change(table.collection(key, column.key), group) } else { try set(table, key, column, group) }
    }
  }

  private mutating func object(_ table: Table) throws -> ObjectKey? {
    let keys = try table.keys()
    return keys.isEmpty ? nil : keys[random.below(keys.count)]
  }

  private mutating func create(_ table: Table) throws {
    note("create \(table.nameText)")
    guard table.hasPrimaryKey else {
      try table.createObject()
      return
    }
    let number = random.below(9)
    _ = try table.findOrCreateObject(primaryKey: number == 0 ? .null : .string(Array("k\(number)".utf8)))
  }

  private mutating func remove(_ table: Table) throws {
    note("remove from \(table.nameText)")
    let keys = try table.keys()
    switch random.below(12) {
    case 0: try table.removeAllObjects()
    case 1...3: try table.remove(keys.filter { _ in random.below(3) == 0 })
    default: if let key = try object(table) { try table.remove(key) }
    }
  }

  private mutating func value(_ group: Group, _ column: ColumnDescription, nests: Bool) throws -> Value {
    let number = random.below(4)
    switch column.type {
    case .int: return .int(Int64(number))
    case .double: return .double(Double(number))
    case .string: return number == 0 ? .null : .string(Array("t\(number)".utf8))
    case .link:
      let target = try group.table(column.oppositeTable)
      guard target.kind != .embedded, let key = try object(target) else { return .null }
      return .link(key)
    default: break
    }
    switch random.below(8) {
    case 0: return .null
    case 1: return .int(Int64(number))
    case 2: return .string(Array("m\(number)".utf8))
    case 3, 4:
      let target = try #require(try group.table(named: random.below(2) == 0 ? "class_P" : "class_N"))
      guard let key = try object(target) else { return .bool(true) }
      return .typedLink(ObjectLink(table: target.key, key: key))
    case 5: return nests ? .list(.null) : .bool(false)
    case 6: return nests ? .dictionary(.null) : .double(Double(number))
    default: return .timestamp(Timestamp(seconds: Int64(number), nanoseconds: 5))
    }
  }

  private mutating func set(_ table: Table, _ key: ObjectKey, _ column: ColumnDescription, _ group: Group) throws {
    let old = try table.value(key, column.key)
    if old.isNestedCollection, random.below(4) > 0 { return try change(table.collection(key, column.key), group) }
    if column.type == .link, try group.table(column.oppositeTable).kind == .embedded {
      if random.below(3) == 0 { try table.set(key, column.key, .null) } else { _ = try table.setEmbedded(key, column.key) }
      return note("  embedded")
    }
    if case .int = old, random.below(2) == 0 { return try table.addInteger(key, column.key, 3) }
    let new = try value(group, column, nests: true)
    note("  \(new)")
    try table.set(key, column.key, new)
  }

  private mutating func change(_ collection: ObjectCollection, _ group: Group, depth: Int = 0) throws {
    let (kind, count) = (try collection.kind(), try collection.count())
    if count > 0, depth < 3, random.below(2) == 0 {
      let index = random.below(count)
      if try collection.value(at: index).isNestedCollection {
        let step: PathStep =
          kind == .dictionary ? .key(try collection.key(at: index)) : random.below(2) == 0 ? try collection.step(at: index) : .index(index)
        note("  inside \(index)")
        return try change(collection.nested(step), group, depth: depth + 1)
      }
    }
    let column = collection.column
    let isOwning = try column.type == .link && group.table(column.oppositeTable).kind == .embedded
    let new = try value(group, column, nests: kind != .set)
    if !isOwning, case .null = new, column.type == .link, kind != .dictionary { return }
    note("  \(kind) of \(count): \(new)")
    if random.below(12) == 0 { return try collection.removeAll() }
    switch kind {
    case .list: try change(list: collection, count, isOwning, new)
    case .set:
      let removed = random.below(3) == 0 && count > 0 ? try collection.value(at: random.below(count)) : nil
      if let removed { _ = try collection.remove(removed) } else { _ = try collection.insert(new) }
    case .dictionary:
      let key = Array("e\(random.below(4))".utf8)
      switch random.below(4) {
      case 0: _ = try collection.removeEntry(key: key)
      case _ where isOwning: _ = try collection.setEmbedded(key: key)
      default: try collection.set(key: key, new)
      }
    }
  }

  private mutating func change(list: ObjectCollection, _ count: Int, _ isOwning: Bool, _ new: Value) throws {
    let index = random.below(max(count, 1))
    let other = random.below(max(count, 1))
    let choice = count == 0 ? 0 : random.below(9)
    steps[steps.count - 1] += ", \(choice) at \(index)"
    switch choice {
    case 0, 1: if isOwning { _ = try list.insertEmbedded(at: index) } else { try list.insert(at: index, new) }
    case 2: if isOwning { _ = try list.setEmbedded(at: index) } else { try list.set(at: index, new) }
    case 3: try list.remove(at: index)
    case 4: try list.move(from: index, to: other)
    case 5: try list.swap(index, other)
    case 6: try list.removeSubrange(min(index, other)..<max(index, other))
    case 7: if !isOwning, !new.isNestedCollection { try list.insert(contentsOf: [new, new], at: index) }
    default: try list.remove(atDescending: (0..<count).reversed().filter { $0 % 2 == index % 2 })
    }
  }
}
