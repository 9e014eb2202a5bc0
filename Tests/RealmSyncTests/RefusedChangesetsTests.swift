import ChangesetModel
import Changesets
import Foundation
import Merge
import Randomness
import RealmStorage
import RealmSync
import SyncSimulation
import TestSupport
import Testing

/// Downloads that cannot be integrated leave the file as it is, and say what is wrong with what.
@Suite struct RefusedChangesetsTests {
  /// A file with classes and an object of each kind of property.
  private struct Subject {
    let file: SyncFile

    init() throws {
      file = try SyncFile()
      try database.setFileIdent(3, salt: 5)
      try receive([Self.base()], version: 1)
    }

    var database: Database { file.database }

    func receive(_ changesets: [[UInt8]], version: UInt64) throws { try file.receive(changesets, firstVersion: version, origin: 9) }

    /// Everything that a refused download must not change.
    func contents() throws -> Data { try #require(FileManager.default.contents(atPath: file.path)) }

    func realm() throws -> ModelRealm { try database.read { (group) throws(StorageError) in try ModelRealm(group) } }

    private static func base() -> [UInt8] {
      var writer = Writer()
      writer.addClass("Address", .embedded)
      writer.addColumn("Address", "city", Changesets.ColumnDefinition(type: .string, isNullable: false, collection: .single))
      writer.addClass("Person", .topLevel, key: ("id", .int))
      for (name, type, collection) in [
        ("name", ValueType.string, Changesets.CollectionKind.single), ("tags", .string, .list), ("scores", .int, .set), ("notes", .null, .dictionary),
        ("anything", .null, .single),
      ] {
        let keyType: ValueType? = collection == .dictionary ? .string : nil
        writer.addColumn("Person", name, Changesets.ColumnDefinition(type: type, isNullable: type == .null, collection: collection, keyType: keyType))
      }
      writer.addColumn(
        "Person", "home", Changesets.ColumnDefinition(type: .link, isNullable: true, collection: .single, target: writer.name("Address")))
      for field in ["friend", "partner"] {
        writer.addColumn(
          "Person", field, Changesets.ColumnDefinition(type: .link, isNullable: true, collection: .single, target: writer.name("Person")))
      }
      writer.add(.createObject(writer.person(1)))
      writer.add(.update(writer.place(1, "partner"), .link(writer.name("Person"), .int(1)), isDefault: false))
      for (index, tag) in ["a", "b", "c"].enumerated() {
        writer.add(.arrayInsert(writer.place(1, "tags", [.index(UInt32(index))]), writer.text(tag), priorSize: UInt32(index)))
      }
      return writer.bytes
    }
  }

  /// Writes instructions by names.
  private struct Writer {
    private(set) var changeset = Changeset()

    var bytes: [UInt8] { changeset.encoded() }

    mutating func name(_ text: String) -> StringIndex { changeset.intern(text) }
    mutating func text(_ text: String) -> Payload { .string(changeset.add(ArraySlice(text.utf8))) }
    mutating func person(_ id: Int64) -> ObjectAddress { ObjectAddress(table: name("Person"), key: .int(id)) }
    mutating func place(_ id: Int64, _ field: String, _ path: [PathElement] = []) -> Place {
      Place(object: person(id), field: name(field), path: changeset.add(path: path))
    }
    mutating func add(_ instruction: Instruction) { changeset.append(instruction) }
    mutating func addClass(_ className: String, _ kind: ClassKind, key: (name: String, type: ValueType)? = nil) {
      let key = key.map { PrimaryKeyDefinition(field: name($0.name), type: $0.type, isNullable: false) }
      add(.addTable(name(className), ClassDefinition(kind: kind, primaryKey: key)))
    }
    mutating func addColumn(_ className: String, _ field: String, _ definition: Changesets.ColumnDefinition) {
      add(.addColumn(name(className), field: name(field), definition))
    }
  }

  /// The instructions that cannot be executed in the subject, by what is wrong with them.
  private static func instructions(_ reason: ApplicationError.Reason, _ writer: inout Writer) -> [Instruction] {
    schemaInstructions(reason, &writer) + valueInstructions(reason, &writer) + listInstructions(reason, &writer)
  }

  /// Those about classes and properties.
  private static func schemaInstructions(_ reason: ApplicationError.Reason, _ writer: inout Writer) -> [Instruction] {
    switch reason {
    case .missingClass:
      return [
        .eraseTable(writer.name("Ghost")), .createObject(ObjectAddress(table: writer.name("Ghost"), key: .int(1))),
        .eraseColumn(writer.name("Ghost"), field: writer.name("x")),
        .update(writer.place(1, "friend"), .link(writer.name("Ghost"), .int(1)), isDefault: false),
      ]
    case .differentClass:
      return [
        .addTable(writer.name("Person"), ClassDefinition(kind: .embedded)),
        .addTable(
          writer.name("Person"),
          ClassDefinition(kind: .topLevel, primaryKey: PrimaryKeyDefinition(field: writer.name("id"), type: .string, isNullable: false))),
        .addTable(
          writer.name("Person"),
          ClassDefinition(kind: .topLevel, primaryKey: PrimaryKeyDefinition(field: writer.name("key"), type: .int, isNullable: false))),
      ]
    case .linkedClass: return [.eraseTable(writer.name("Address"))]
    case .keyProperty: return [.eraseColumn(writer.name("Person"), field: writer.name("id"))]
    case .missingProperty:
      return [
        .update(writer.place(1, "ghost"), .null, isDefault: false), .eraseColumn(writer.name("Person"), field: writer.name("ghost")),
        .addInteger(writer.place(1, "ghost"), 1), .clear(writer.place(1, "ghost"), .list),
      ]
    case .differentProperty:
      return [
        .addColumn(
          writer.name("Person"), field: writer.name("name"), Changesets.ColumnDefinition(type: .int, isNullable: false, collection: .single)),
        .addColumn(
          writer.name("Person"), field: writer.name("name"), Changesets.ColumnDefinition(type: .string, isNullable: true, collection: .single)),
        .addColumn(
          writer.name("Person"), field: writer.name("tags"), Changesets.ColumnDefinition(type: .string, isNullable: false, collection: .set)),
        .addColumn(
          writer.name("Person"), field: writer.name("friend"),
          Changesets.ColumnDefinition(type: .link, isNullable: true, collection: .single, target: writer.name("Address"))),
      ]
    case .embeddedClass:
      return [
        .createObject(ObjectAddress(table: writer.name("Address"), key: .int(1))),
        .eraseObject(ObjectAddress(table: writer.name("Address"), key: .int(1))),
      ]
    default: return []
    }
  }

  /// Those about values.
  private static func valueInstructions(_ reason: ApplicationError.Reason, _ writer: inout Writer) -> [Instruction] {
    let sizes: (right: UInt32, wrong: UInt32) = (3, 2)
    switch reason {
    case .missingObject:
      return [
        .update(writer.place(7, "name"), writer.text("x"), isDefault: false), .addInteger(writer.place(7, "name"), 1),
        .arrayErase(writer.place(7, "tags", [.index(0)]), priorSize: sizes.right), .setInsert(writer.place(7, "scores"), .int(1)),
      ]
    case .wrongType:
      return [
        .update(writer.place(1, "name"), .int(1), isDefault: false), .update(writer.place(1, "name"), .null, isDefault: false),
        .update(writer.place(1, "tags"), writer.text("x"), isDefault: false), .update(writer.place(1, "name"), .list, isDefault: false),
        .update(writer.place(1, "name"), .objectValue, isDefault: false), .update(writer.place(1, "friend"), .objectValue, isDefault: false),
        .update(writer.place(1, "partner"), .objectValue, isDefault: false),
        .update(writer.place(1, "friend"), .link(writer.name("Person"), .string(writer.name("x"))), isDefault: false),
        .arrayInsert(writer.place(1, "tags", [.index(0)]), .int(1), priorSize: sizes.right), .setInsert(writer.place(1, "scores"), writer.text("x")),
        .setErase(writer.place(1, "scores"), writer.text("x")), .setErase(writer.place(1, "scores"), .null),
        .clear(writer.place(1, "tags"), .set), .clear(writer.place(1, "name"), .list), .clear(writer.place(1, "name"), .single),
        .clear(writer.place(1, "anything"), .single),
        .createObject(ObjectAddress(table: writer.name("Person"), key: .string(writer.name("x")))),
      ]
    case .wrongPath:
      return [
        .update(writer.place(1, "name", [.key(writer.name("x"))]), .null, isDefault: false),
        .update(writer.place(1, "home", [.key(writer.name("city"))]), writer.text("x"), isDefault: false),
        .update(writer.place(1, "tags", [.key(writer.name("x"))]), .null, isDefault: false),
        .update(writer.place(1, "notes", [.key(writer.name("absent")), .key(writer.name("x"))]), .null, isDefault: false),
        .updateElement(writer.place(1, "anything", [.index(0)]), .null, priorSize: 0), .setInsert(writer.place(1, "tags"), writer.text("x")),
      ]
    default: return []
    }
  }

  /// Those about elements of a list, which has three.
  private static func listInstructions(_ reason: ApplicationError.Reason, _ writer: inout Writer) -> [Instruction] {
    let sizes: (right: UInt32, wrong: UInt32) = (3, 2)
    switch reason {
    case .wrongIndex:
      return [
        .updateElement(writer.place(1, "tags", [.index(3)]), writer.text("x"), priorSize: sizes.right),
        .arrayInsert(writer.place(1, "tags", [.index(4)]), writer.text("x"), priorSize: sizes.right),
        .arrayErase(writer.place(1, "tags", [.index(3)]), priorSize: sizes.right),
        .arrayMove(writer.place(1, "tags", [.index(0)]), to: 3, priorSize: sizes.right),
      ]
    case .wrongSize:
      return [
        .arrayErase(writer.place(1, "tags", [.index(0)]), priorSize: sizes.wrong),
        .arrayInsert(writer.place(1, "tags", [.index(0)]), writer.text("x"), priorSize: sizes.wrong),
        .updateElement(writer.place(1, "tags", [.index(0)]), writer.text("x"), priorSize: sizes.wrong),
      ]
    case .moveToSamePlace: return [.arrayMove(writer.place(1, "tags", [.index(1)]), to: 1, priorSize: sizes.right)]
    default: return []
    }
  }

  /// Runs an integration that has to fail.
  private func expectRefusal(_ subject: Subject, _ changesets: [[UInt8]], _ comment: Comment, _ check: (SyncError) -> Bool) throws {
    let (before, status) = (try subject.contents(), try subject.database.syncStatus())
    do {
      try subject.receive(changesets, version: 2)
      Issue.record("\(comment): was integrated")
    } catch let error as SyncError {
      #expect(check(error), "\(comment): \(error)")
    }
    #expect(try subject.contents() == before, "\(comment): the file was changed")
    #expect(try subject.database.syncStatus() == status, "\(comment)")
  }

  @Test(arguments: ApplicationError.Reason.allCases)
  func anInstructionThatDoesNotFitIsNamedAndChangesNothing(_ reason: ApplicationError.Reason) throws {
    var writer = Writer()
    let instructions = Self.instructions(reason, &writer)
    #expect(!instructions.isEmpty)
    let subject = try Subject()
    for (number, instruction) in instructions.enumerated() {
      // Behind a changeset and an instruction that fit, which must be undone.
      var (first, second) = (Writer(), writer)
      first.add(.createObject(first.person(2)))
      second.add(.createObject(second.person(3)))
      second.add(instruction)
      try expectRefusal(subject, [first.bytes, second.bytes], "\(reason), \(number)") { error in
        guard case .notApplicable(let error, let number) = error else { return false }
        return error == ApplicationError(reason: reason, instruction: 1) && number == 1
      }
    }
    // It goes on with what fits.
    var next = Writer()
    next.add(.createObject(next.person(2)))
    try subject.receive([next.bytes], version: 2)
    #expect(try subject.realm().classes["Person"]?.objects.count == 2)
  }

  /// Clients before version 13 of the original name no kind, and servers pass that on.
  @Test func clearingWithoutAKindEmptiesWhateverThePropertyHolds() throws {
    let subject = try Subject()
    var writer = Writer()
    writer.add(.setInsert(writer.place(1, "scores"), .int(4)))
    writer.add(.update(writer.place(1, "notes", [.key(writer.name("x"))]), .int(1), isDefault: false))
    for field in ["tags", "scores", "notes"] { writer.add(.clear(writer.place(1, field), .single)) }
    try subject.receive([writer.bytes], version: 2)
    let realm = try subject.realm()
    let object = try #require(realm.classes["Person"]?.objects[.int(1)])
    #expect(object.properties["tags"] == .list([]))
    #expect(object.properties["scores"] == .set([]))
    #expect(object.properties["notes"] == .dictionary([:]))
  }

  @Test func damagedBytesAreNamedByInstructionAndOffset() throws {
    let subject = try Subject()
    var writer = Writer()
    writer.add(.createObject(writer.person(2)))
    let whole = writer.bytes
    writer.add(.createObject(writer.person(3)))
    let (more, count) = (writer.bytes, whole.count)
    for end in count + 1..<more.count {
      try expectRefusal(subject, [whole, Array(more[..<end])], "\(end) bytes") { error in
        guard case .malformed(let error, number: 1) = error else { return false }
        return error.instruction == 1 && error.offset == end && error.reason == .truncated
      }
    }
    try expectRefusal(subject, [whole + [0x3e]], "no code") { error in
      guard case .malformed(let error, number: 0) = error else { return false }
      return error.reason == .unknownInstruction && error.instruction == 1 && error.offset == count + 1
    }
  }

  @Test func whatContradictsOwnChangesChangesNothing() throws {
    let subject = try Subject()
    try subject.file.write { group in
      let table = try #require(try group.table(named: "class_Person"))
      let key = try #require(try table.find(primaryKey: .int(1)))
      try table.collection(key, try table.column(named: "tags").key).insert(at: 0, .string(Array("own".utf8)))
    }
    var writer = Writer()
    writer.add(.arrayErase(writer.place(1, "tags", [.index(0)]), priorSize: 2))
    try expectRefusal(subject, [writer.bytes], "other size") { error in
      guard case .contradiction(let error) = error else { return false }
      return error.reason == .sizesDiffer
    }
  }

  /// Damaged changesets of random histories: a file and the model take the same ones and come to the same realm; the file stays sound, and as it was if it
  /// does not take one.
  @Test func filesTakeDamagedChangesetsThatAModelTakes() throws {
    var seeds = SeededGenerator(test: 11)
    var (taken, refused) = (0, 0)
    for _ in 0..<trials(full: 6000, tenth: 300) {
      let seed = seeds.next()
      var random = SeededGenerator(seed: seed)
      let file = try SyncFile()
      try file.database.setFileIdent(3, salt: 5)
      var history = RandomHistory(random.next(), file: 9, from: RandomHistory.base)
      try file.receive(RandomHistory.baseChangeset.encoded(), serverVersion: 1, origin: 9)
      for version in 2..<4 {
        try file.receive(history.changesets(transactions: 1, changes: 8)[0].changeset.encoded(), serverVersion: UInt64(version), origin: 9)
      }
      let model = history.realm
      let whole = history.changesets(transactions: 1, changes: 6)[0].changeset.encoded()
      for _ in 0..<20 where !whole.isEmpty {
        var bytes = whole
        bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
        guard let changeset = try? Changeset(parsing: bytes, .strict) else { continue }
        let text = Comment(rawValue: "seed \(seed)\n\(changeset.instructions.map(changeset.line).joined(separator: "\n"))")
        var after = model
        var refusal: ApplicationError?
        do throws(ApplicationError) { try after.apply(changeset) } catch { refusal = error }
        let before = FileManager.default.contents(atPath: file.path)
        do {
          try file.receive(bytes, serverVersion: 4, origin: 9)
          taken += 1
          #expect(refusal == nil, text)
          let realm = try file.database.read { (group) throws(StorageError) in try ModelRealm(group) }
          #expect(refusal != nil || realm == after, text)
          break
        } catch let error as SyncError {
          refused += 1
          guard case .notApplicable(let error, number: 0) = error else { throw error }
          #expect(error.instruction == refusal?.instruction, text)
          #expect(FileManager.default.contents(atPath: file.path) == before, "the file was changed: \(text)")
        }
      }
      #expect(try file.violations().isEmpty, "seed \(seed)")
    }
    #expect([taken, refused].allSatisfy { $0 > trials(full: 100, tenth: 100) / 4 }, "\(taken) taken, \(refused) refused")
  }
}
