import Foundation
import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// Adding several properties at once does what adding one after the other does, down to the bytes of the file.
@Suite(.mustEnd) struct AddColumnsTests {
  /// A file with classes that link to each other, with objects, removed properties and a Mixed property that links.
  private final class Sample {
    let directory = TestDirectory()
    let database: Database
    private var random: SeededGenerator

    init(seed: UInt64) throws {
      database = try Database.open(path: directory.file())
      random = SeededGenerator(seed: seed)
      var random = random
      try database.write { (group) throws(StorageError) in
        let tables = try (0..<3).map { (number) throws(StorageError) in
          try group.addTable("class_T\(number)", kind: number == 2 ? .embedded : .topLevel)
        }
        for table in tables {
          let first = try (0..<Int.random(in: 1...8, using: &random)).map { (number) throws(StorageError) in
            try table.addColumn(ColumnDefinition("first\(number)", number % 2 == 0 ? .int : .string))
          }
          for column in first where Bool.random(using: &random) { try table.removeColumn(column) }
        }
        let any = try tables[0].addColumn(ColumnDefinition("any", .mixed))
        let objects = try (0..<Int.random(in: 1...600, using: &random)).map { (_) throws(StorageError) in try tables[0].createObject() }
        if Bool.random(using: &random) {
          try tables[0].set(objects[0], any, .typedLink(ObjectLink(table: tables[1].key, key: tables[1].createObject())))
        }
      }
      self.random = random
    }

    func definitions(_ group: Group) throws(StorageError) -> [ColumnDefinition] {
      var random = random
      let types: [ColumnType] = [.int, .bool, .string, .binary, .mixed, .double, .link, .link, .link, .objectID]
      var result: [ColumnDefinition] = []
      for number in 0..<Int.random(in: 0...30, using: &random) {
        let type = types.randomElement(using: &random)!
        var attributes = [ColumnAttributes(), [], .list, .dictionary, .set].randomElement(using: &random)!
        if Bool.random(using: &random) { attributes.insert(.nullable) }
        guard type == .link else {
          result.append(ColumnDefinition("new\(number)", type, attributes))
          continue
        }
        let name = "class_T\(Int.random(in: 0..<3, using: &random))"
        if name == "class_T2" { attributes.remove(.set) }
        result.append(ColumnDefinition("new\(number)", type, attributes, target: try group.table(named: name)?.key))
      }
      return result
    }

    func add(_ body: (Table, [ColumnDefinition]) throws(StorageError) -> [ColumnKey]) throws -> (keys: [ColumnKey], file: Data, log: [UInt8]) {
      var (keys, log): ([ColumnKey], [UInt8]) = ([], [])
      try database.write { (group) throws(StorageError) in
        guard let table = try group.table(named: "class_T0") else { throw .noSuchTable(name: "class_T0") }
        (keys, log) = (try body(table, definitions(group)), group.log.bytes)
      }
      database.close()
      #expect(try FileContents.violations(directory.file()) == [])
      return (keys, try Data(contentsOf: URL(fileURLWithPath: directory.file())), log)
    }
  }

  @Test(arguments: 0..<60) func addingAtOnceMakesTheSameFileAsAddingOneByOne(_ seed: UInt64) throws {
    let together = try Sample(seed: seed).add { (table, definitions) throws(StorageError) in try table.addColumns(definitions) }
    let single = try Sample(seed: seed).add { (table, definitions) throws(StorageError) in
      try definitions.map { (definition) throws(StorageError) in try table.addColumn(definition) }
    }
    #expect(together.keys == single.keys, "seed \(seed)")
    #expect(together.log == single.log, "seed \(seed)")
    #expect(together.file == single.file, "seed \(seed)")
  }

  @Test func aPropertyThatCannotBeAddedKeepsTheOthersOut() throws {
    let file = try TestScratch()
    let group = try Group(writing: file.scratch, top: .null)
    let (table, target) = (try group.addTable("class_A"), try group.addTable("class_B"))
    let before = group.log.bytes
    let (number, link) = (ColumnDefinition("number", .int), ColumnDefinition("b", .link, target: target.key))
    #expect(throws: StorageError.duplicateName(name: "number")) { try table.addColumns([number, link, number]) }
    #expect(throws: StorageError.self) { try table.addColumns([number, link, ColumnDefinition("", .int)]) }
    #expect(throws: StorageError.self) { try table.addColumns([link, ColumnDefinition("c", .link, target: TableKey(rawValue: 77))]) }
    #expect(table.publicColumns.isEmpty)
    #expect(target.backlinkColumns.isEmpty)
    #expect(group.log.bytes == before)
    #expect(try table.addColumns([]).isEmpty)
    #expect(try table.addColumns([number, link]).count == 2)
  }

  /// Room for a column is looked for before anything changes, too.
  @Test func moreColumnsThanATableHoldsAreRefusedTogether() throws {
    let file = try TestScratch()
    let group = try Group(writing: file.scratch, top: .null)
    let table = try group.addTable("class_A")
    let many = (0..<0x10000).map { ColumnDefinition("n\($0)", .int) }
    #expect(throws: StorageError.invalidArgument(reason: "a table has at most 65535 columns")) { try table.addColumns(many) }
    #expect(table.publicColumns.isEmpty)
    #expect(try table.addColumns(Array(many.prefix(5000))).map(\.leafIndex) == Array(0..<5000))
  }
}
