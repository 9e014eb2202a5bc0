import Randomness
import TestSupport
import Testing

@testable import RealmStorage

private let t0 = TableKey(rawValue: 0), t1 = TableKey(rawValue: 1)
private let columnA = ColumnKey(rawValue: 0), columnB = ColumnKey(rawValue: 131073), list = ColumnKey(rawValue: 134_217_730)
private let mixed = ColumnKey(rawValue: 67_502_080)

private func log(_ operations: (inout LogEncoder) -> Void) -> String {
  var encoder = LogEncoder()
  operations(&encoder)
  return encoder.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
}

@Test func integersHaveTheDocumentedBytes() throws {
  let cases: [(Int64, String)] = [
    (0, "00"), (1, "01"), (63, "3f"), (64, "c0 00"), (127, "ff 00"), (128, "80 01"), (8191, "ff 3f"), (8192, "80 c0 00"),
    (-1, "40"), (-2, "41"), (-64, "7f"), (-65, "c0 40"), (131073, "81 80 08"), (134_217_730, "82 80 80 c0 00"),
    (.max, "ff ff ff ff ff ff ff ff ff 00"), (.min, "ff ff ff ff ff ff ff ff ff 40"),
  ]
  for (value, hex) in cases {
    #expect(log { $0.removeObject(t0, ObjectKey(value)) } == "0a 00 00 0c " + hex)
    #expect(try LogDecoder.instructions(of: bytes(hex: "0c" + hex)) == [.removeObject(ObjectKey(value))])
  }
}

@Test func everyWayToCutALogIntoChunksGivesTheSameInstructions() throws {
  let whole = bytes(hex: "0a 00 83 80 04 2d 80 80 98 20 00 02 49 c0 00 21 01 80 01 26 02 02 61 62 c0 00 2b 85 80 98 20 01")
  let expected = try LogDecoder.instructions(of: whole)
  #expect(
    expected == [
      .selectTable(TableKey(rawValue: 65539)), .selectNestedCollection(mixed, ObjectKey(0), path: [-10, 64]),
      .collectionMove(from: 1, to: 128), .collectionSet(index: 64), .typedLinkChange(ColumnKey(rawValue: 67_502_085), target: t1),
    ])
  for first in 0...whole.count {
    for second in first...whole.count {
      var decoder = LogDecoder(chunks: [Array(whole[..<first]), Array(whole[first..<second]), [], Array(whole[second...])])
      var instructions: [LogInstruction] = []
      while let instruction = try decoder.next() { instructions.append(instruction) }
      #expect(instructions == expected && decoder.instructionOffset == 26)
    }
  }
}

@Test func obsoleteInstructionsReadAsTheirSuccessors() throws {
  #expect(
    try LogDecoder.instructions(of: bytes(hex: "25 02 01 61 03 26 02 00 04 27 02 02 61 62 05 28 06 29 07 2a 08 2c 09")) == [
      .collectionInsert(index: 3), .collectionSet(index: 4), .collectionErase(index: 5), .collectionInsert(index: 6),
      .collectionErase(index: 7), .collectionClear(oldCount: 8), .collectionClear(oldCount: 9),
    ])
}

@Test(arguments: [
  "00", "0e", "0f", "17", "22", "2e", "ff", "0c", "0c 80", "0d 00", "0a 01 00", "0a 00", "0a 00 40", "1f 40", "24 41", "2d 00 00 02 01",
  "2d 00 00 40", "2d 00 00 ff ff ff ff 07 00", "01 ff ff ff ff 1f", "01 80 80 80 80 80 00", "0c ff ff ff ff ff ff ff ff ff 01",
  "0c 80 80 80 80 80 80 80 80 80 80 00", "25 00 00 00", "25 02 05 61", "25 02 ff ff ff ff ff ff ff ff ff 00 61", "21 00",
]) func aDamagedLogIsRefused(_ hex: String) {
  #expect { try LogDecoder.instructions(of: bytes(hex: hex)) } throws: { error in
    guard case StorageError.invalidArgument(let reason) = error else { return false }
    return reason.hasPrefix("Bad transaction log: ")
  }
}

@Test(arguments: 0..<4) func randomBytesAreInstructionsOrAnError(_ number: UInt64) {
  let seed = testSeed &+ number
  var random = SeededGenerator(seed: seed)
  for _ in 0..<2000 {
    let log = (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...130, using: &random) }
    _ = try? LogDecoder.instructions(of: log)
  }
}

@Test func theNewestObjectOfATableIsNotMentionedAgain() {
  let bytes = log {
    $0.createObject(t0, ObjectKey(0))
    $0.set(t0, columnA, ObjectKey(0))
    $0.createObject(t0, ObjectKey(1))
    $0.set(t0, columnA, ObjectKey(1))
    $0.set(t0, columnA, ObjectKey(0))
    $0.createObject(t1, ObjectKey(0))
    $0.set(t0, columnA, ObjectKey(1))
    $0.collectionInsert(t0, list, ObjectKey(1), path: [], index: 0)
    $0.createObject(t1, ObjectKey(1))
  }
  #expect(bytes == "0a 00 00 0b 00 0b 01 0d 00 00 0a 00 01 0b 00 0b 01")
}

@Test func repeatedSetsAreAllWritten() {
  let bytes = log {
    for (column, object) in [(columnA, 0), (columnA, 0), (columnB, 0), (columnA, 0), (columnA, 1)] as [(ColumnKey, Int64)] {
      $0.set(t0, column, ObjectKey(object))
    }
  }
  #expect(bytes == "0a 00 00 0d 00 00 0d 00 00 0d 81 80 08 00 0d 00 00 0d 00 01")
}

@Test func aCollectionStaysSelectedWhileItsObjectDoes() {
  let object = ObjectKey(0)
  let bytes = log {
    for index in 0..<3 { $0.collectionInsert(t0, list, object, path: [], index: index) }
    $0.collectionSet(t0, list, object, path: [], index: 0)
    $0.set(t0, columnA, object)
    $0.collectionMove(t0, list, object, path: [], from: 0, to: 2)
    $0.collectionMove(t0, list, object, path: [], from: 1, to: 1)
    $0.collectionErase(t0, list, object, path: [], index: 1)
    $0.set(t0, columnA, ObjectKey(1))
    $0.collectionClear(t0, list, object, path: [], oldCount: 2)
    $0.collectionClear(t0, columnB, object, path: [], oldCount: 0)
  }
  #expect(
    bytes == "0a 00 00 1e 82 80 80 c0 00 00 1f 00 1f 01 1f 02 20 00 0d 00 00 21 00 02 23 01 0d 00 01 1e 82 80 80 c0 00 00 24 02")
}

@Test func nestedCollectionsAreSelectedByPath() {
  let object = ObjectKey(0)
  let bytes = log {
    $0.collectionInsert(t0, mixed, object, path: [], index: 0)
    $0.collectionInsert(t0, mixed, object, path: [-10], index: 0)
    $0.collectionInsert(t0, mixed, object, path: [-10], index: 1)
    $0.collectionErase(t0, mixed, object, path: [-10, 5], index: 0)
  }
  #expect(bytes == "0a 00 00 1e 80 80 98 20 00 1f 00 2d 80 80 98 20 00 01 49 1f 00 1f 01 2d 80 80 98 20 00 02 49 05 23 00")
}

@Test func instructionsAboutTablesEndTheSelection() {
  let bytes = log {
    $0.insertColumn(t0, ColumnKey(rawValue: 65545))
    $0.renameColumn(t0, columnA)
    $0.insertTable(TableKey(rawValue: 3))
    $0.eraseColumn(t0, columnB)
    $0.eraseTable(TableKey(rawValue: 3))
    $0.renameTable(TableKey(rawValue: 65539))
    $0.typedLinkChange(t0, ColumnKey(rawValue: 67_502_085), target: t1)
    $0.set(t0, ColumnKey(rawValue: 67_502_085), ObjectKey(1))
  }
  #expect(
    bytes == "0a 00 00 14 89 80 04 16 00 01 03 0a 00 00 15 81 80 08 02 03 03 83 80 04 0a 00 00 2b 85 80 98 20 01 0d 85 80 98 20 01")
}

@Test func anEmbeddedObjectIsAnnouncedByItsParentOnly() {
  let bytes = log {
    $0.set(t0, columnA, ObjectKey(0))
    $0.createEmbeddedObject(t1, ObjectKey(7))
    $0.set(t1, columnA, ObjectKey(7))
    $0.set(t1, columnA, ObjectKey(6))
    $0.removeObject(t1, ObjectKey(7))
    $0.set(t1, columnA, ObjectKey(7))
  }
  #expect(bytes == "0a 00 00 0d 00 00 0a 00 01 0d 00 06 0c 07 0d 00 07")
}

@Test func aResetEncoderStartsOver() {
  var encoder = LogEncoder()
  encoder.createObject(t0, ObjectKey(1))
  encoder.createObject(t1, ObjectKey(1))
  encoder.reset()
  encoder.set(t1, columnA, ObjectKey(1))
  encoder.set(t0, columnA, ObjectKey(1))
  #expect(encoder.bytes == bytes(hex: "0a 00 01 0d 00 01 0a 00 00 0d 00 01"))
}

/// Replays decoded logs with the selection a reader keeps, and compares with what was done.
@Test(arguments: 0..<20) func aReaderFindsEveryOperationInItsPlace(_ number: UInt64) throws {
  let seed = testSeed &+ number
  var random = SeededGenerator(seed: seed)
  var encoder = LogEncoder()
  var expected: [String] = []
  var newest: [TableKey: ObjectKey] = [:]
  for _ in 0..<400 {
    let table = TableKey(rawValue: UInt32.random(in: 0..<3, using: &random))
    let object = ObjectKey(Int64.random(in: -3...70, using: &random))
    let column = ColumnKey(rawValue: Int64.random(in: 0..<4, using: &random) << 30)
    let path = (0..<Int.random(in: 0...2, using: &random)).map { _ in Int64.random(in: -1...0, using: &random) }
    let index = Int.random(in: 1...200, using: &random)
    let place = "\(table.rawValue)/\(column.rawValue)/\(object.rawValue)"
    let isSuppressed = newest[table] == object
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      encoder.createObject(table, object)
      newest[table] = object
      expected.append("create \(table.rawValue)/\(object.rawValue)")
    case 1:
      encoder.removeObject(table, object)
      if isSuppressed { newest[table] = nil }
      expected.append("remove \(table.rawValue)/\(object.rawValue)")
    case 2:
      encoder.set(table, column, object)
      if !isSuppressed { expected.append("set \(place)") }
    case 3:
      encoder.collectionInsert(table, column, object, path: path, index: index)
      if !isSuppressed { expected.append("insert \(place)/\(path) \(index)") }
    case 4:
      encoder.collectionClear(table, column, object, path: path, oldCount: index)
      if !isSuppressed { expected.append("clear \(place)/\(path) \(index)") }
    default:
      encoder.collectionMove(table, column, object, path: path, from: index, to: 0)
      if !isSuppressed { expected.append("move \(place)/\(path) \(index)") }
    }
  }
  #expect(try operations(in: encoder.bytes) == expected, "seed \(seed)")
}

private func operations(in log: [UInt8]) throws -> [String] {
  var table: TableKey?, collection = "none", found: [String] = []
  let place = { (column: ColumnKey, object: ObjectKey) in "\(table?.rawValue ?? 99)/\(column.rawValue)/\(object.rawValue)" }
  for instruction in try LogDecoder.instructions(of: log) {
    switch instruction {
    case .selectTable(let key): (table, collection) = (key, "none")
    case .createObject(let object): found.append("create \(table?.rawValue ?? 99)/\(object.rawValue)")
    case .removeObject(let object): found.append("remove \(table?.rawValue ?? 99)/\(object.rawValue)")
    case .set(let column, let object): found.append("set \(place(column, object))")
    case .selectCollection(let column, let object): collection = place(column, object) + "/[]"
    case .selectNestedCollection(let column, let object, let path): collection = place(column, object) + "/\(path)"
    case .collectionInsert(let index): found.append("insert \(collection) \(index)")
    case .collectionClear(let count): found.append("clear \(collection) \(count)")
    case .collectionMove(let from, _): found.append("move \(collection) \(from)")
    default: found.append("unexpected \(instruction)")
    }
  }
  return found
}
