import TestSupport
import Testing

@testable import RealmStorage

/// Single faults, each of which must be named.
struct VerificationTests {
  private func violations(_ change: (inout [UInt8]) -> Void) throws -> [String] {
    var bytes = OneObjectFile.bytes
    change(&bytes)
    let directory = TestDirectory()
    return try FileContents.violations(damaged: directory.write(bytes))
  }

  @Test func aLeakedBlockIsNamed() throws {
    // The free list begins 8 bytes later and is 8 bytes shorter.
    let found = try violations {
      $0[0x120] = 0x70
      $0[0x130] = 0x90
    }
    #expect(found == ["bytes [0x168, 0x170) are neither reachable nor free"])
  }

  @Test func aFreeBlockOverANodeIsNamed() throws {
    let found = try violations {
      $0[0x120] = 0x60
      $0[0x130] = 0xA0
    }
    #expect(found.contains { $0.contains("overlaps something in use") })
  }

  @Test func aNodeWithTwoParentsIsNamed() throws {
    // The column "age" refers to the leaf of "name".
    let found = try violations { $0[0xAC] = 0x80 }
    #expect(found.contains { $0.contains("node 0x80 is reachable twice") })
    #expect(found.contains { $0.contains("[0x90, 0xa0) are neither reachable nor free") })
  }

  @Test func aColumnOfTheWrongLengthIsNamed() throws {
    let found = try violations { $0[0x97] = 2 }
    #expect(found == ["table 'class_Dog' column 'age': node 0x90: 2 values for 1 objects"])
  }

  @Test func aColumnKeyThatContradictsTheSpecIsNamed() throws {
    // Nullable in the key only; the leaf then lacks its null slot too.
    let found = try violations { $0[0x6E] = 0x40 }
    #expect(found.contains { $0.contains("column 'age'") && $0.contains("attributes") })
  }

  @Test func aWidthSchemeThatDoesNotExistIsNamed() throws {
    let found = try violations { $0[0x94] = 0x1B }
    #expect(found.contains { $0.contains("width scheme 3") })
  }

  @Test func aNodeThatGrowsIntoAnotherIsNamed() throws {
    let found = try violations { $0[0x13C] = 1 }
    // Width 1 makes the node 16 bytes long, which overlaps the top array.
    #expect(found.contains { $0.contains("overlaps another node") })
  }

  @Test func anEmbeddedObjectWithoutParentIsNoDamage() throws {
    let directory = TestDirectory()
    let database = try Database.open(path: directory.file())
    try database.write { (group) throws(StorageError) in
      let (owner, part) = (try group.addTable("class_Owner"), try group.addTable("class_Part", kind: .embedded))
      let column = try owner.addColumn(ColumnDefinition("part", .link, .nullable, target: part.key))
      for _ in 0..<3 { _ = try owner.setEmbedded(owner.createObject(), column) }
      try owner.abandonEmbedded(owner.keys()[1], column)
    }
    database.close()
    #expect(try FileContents.notes(directory.file()) == ["table 'class_Part' object 1: an embedded object without a parent"])
    #expect(try FileContents.violations(directory.file()) == [])
    if IndependentTools.areThere { #expect(try IndependentTools.violation(directory.file()) == nil) }
  }

  @Test func unitsAreMarkedOnceAndGapsFound() {
    var bitmap = UnitBitmap(byteCount: 4096)
    let insertions = [(24, 1000), (1016, 16), (2048, 2040)].map { bitmap.insert(start: $0.0, byteCount: $0.1) }
    #expect(insertions == [true, false, true])
    var gaps: [Range<UInt64>] = []
    bitmap.forEachGap(from: 24) { gaps.append($0) }
    #expect(gaps == [1032..<2048, 4088..<4096])
    #expect(bitmap.contains(Ref(24)) && !bitmap.contains(Ref(1032)) && !bitmap.contains(Ref(1 << 60)))
  }

  @Test func differencesOfLinksAndBacklinksAreNamedByTarget() {
    var ledger = LinkLedger()
    let column = LinkLedger.Column(targetTable: TableKey(rawValue: 1), originTable: TableKey(rawValue: 0), originColumn: ColumnKey(rawValue: 5))
    let place = ledger.position(column)
    for origin in [3, 1, 2, 1] as [Int64] { ledger.addLink(column, target: 7, origin: origin) }
    for origin in [1, 1, 2, 3] as [Int64] { ledger.addBacklink(at: place, target: 7, origin: origin) }
    #expect(ledger.entries[place].isBalanced)
    ledger.addLink(column, target: 8, origin: 4)
    #expect(!ledger.entries[place].isBalanced)
    let differences = ledger.differences(ledger.entries[place], limit: 10)
    #expect(differences.map(\.target) == [8])
    #expect(differences.first?.links == [4] && differences.first?.backlinks == [])
  }
}
