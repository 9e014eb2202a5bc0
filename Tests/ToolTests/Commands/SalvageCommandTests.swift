import Foundation
import Randomness
import RealmInspection
import TestSupport
import Testing

@testable import RealmStorage

/// What `realm salvage` saves of damaged files.
@Suite(.mustEnd) struct SalvageCommandTests {
  let directory = TestDirectory()

  @Test(arguments: Fixture.files("realm-core", upTo: 40_000))
  func aSoundFileComesBackWhole(_ fixture: Fixture) throws {
    let source = try directory.copy(fixture.name, as: "source.realm")
    let copy = directory.file("copy.realm")
    let run = try ToolRun.realm("salvage", source, "-o", copy)
    // Integers as keys of dictionaries, which no SDK writes, are not kept.
    if fixture.name == "realm-core/dict_intkeys.realm" {
      return run.expect(status: 1, output: "saved 1 object\n", errors: "lost: IntKeys.d of an object: an entry whose key is an integer (15 times)\n")
    }
    run.expect(status: 0, errors: "")
    #expect(run.output.hasSuffix("; nothing is lost\n"))
    try ToolRun.realm("diff", source, copy).expect(status: 0, output: "")
    try ToolRun.realm("verify", copy).expect(status: 0)
  }

  @Test func onlyObjectsOfClassesAreCounted() throws {
    // The file gets a table of its own beside the class, `metadata` with one row.
    let source = directory.file("source.realm")
    try ToolRun.realm("import", directory.write(Array("a\n1\n2\n3\n".utf8), as: "a.csv"), "-o", source, "--class", "A").expect(status: 0)
    #expect(try OpenFile(path: source).tables.count == 2)
    let copy = directory.file("copy.realm")
    try ToolRun.realm("salvage", source, "-o", copy).expect(status: 0, output: "saved 3 objects; nothing is lost\n", errors: "")
    try ToolRun.realm("diff", source, copy).expect(status: 0, output: "")
  }

  @Test func aLostTableIsNotCalledAClass() throws {
    let path = directory.file("source.realm")
    try ToolRun.realm("import", directory.write(Array("a\n1\n".utf8), as: "a.csv"), "-o", path, "--class", "A").expect(status: 0)
    let ref = try #require(try OpenFile(path: path).tables.first { $0.name == Array("metadata".utf8) }?.ref)
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    try file.seek(toOffset: ref.byteOffset)
    try file.write(contentsOf: Data(repeating: 0xFF, count: 16))
    try file.close()
    let run = try ToolRun.realm("salvage", path, "-o", directory.file("copy.realm"))
    #expect(run.errors.contains("lost: the table metadata: ") && run.output.contains("saved 1 object"), "\(run)")
  }

  /// Rows of a class of numbered objects, by number.
  private func rows(_ path: String) throws -> [Int: String] {
    var rows: [Int: String] = [:]
    for line in try ToolRun.realm("export", path, "--format", "jsonl", "--class", "A").output.split(separator: "\n") {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      rows[try #require(object["id"] as? Int)] = String(line)
    }
    return rows
  }

  @Test func objectsThatTheDamageDoesNotTouchComeBack() throws {
    var random = SeededGenerator(test: 5)
    var text = "id,name,note\n"
    for number in 0..<3000 { text += "\(number),name \(number),\(random.next())\n" }
    let input = try directory.write(Array(text.utf8), as: "a.csv")
    let path = directory.file("a.realm")
    try ToolRun.realm("import", input, "-o", path, "--class", "A", "--primary-key", "id").expect(status: 0)
    let sound = try rows(path)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    // One leaf of strings is overwritten: a cluster has 256 objects, and loses one property of them at most.
    let leaf = try #require(bytes.firstRange(of: Array("name 1000".utf8))).lowerBound
    var damaged = bytes
    for index in leaf - 200..<leaf + 200 { damaged[index] = UInt8.random(in: 0...255, using: &random) }
    let broken = try directory.write(damaged, as: "broken.realm")
    let saved = directory.file("saved.realm")
    let run = try ToolRun.realm("salvage", broken, "-o", saved)
    #expect([0, 1].contains(run.status), "\(run)")
    let found = try rows(saved)
    #expect(found.count == sound.count)
    #expect(sound.filter { found[$0.key] != $0.value }.count <= 256)
    try ToolRun.realm("verify", saved).expect(status: 0)
  }

  /// They are added to the copy together, unless one of them cannot be.
  @Test func propertiesBesideOneThatCannotBeAddedComeBack() throws {
    let path = directory.file("a.realm")
    let input = try directory.write(Array("alpha,alphb,last\n1,2,3\n".utf8), as: "a.csv")
    try ToolRun.realm("import", input, "-o", path, "--class", "A").expect(status: 0)
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    bytes.replaceSubrange(try #require(bytes.firstRange(of: Array("alphb".utf8))), with: Array("alpha".utf8))
    let copy = directory.file("copy.realm")
    let run = try ToolRun.realm("salvage", directory.write(bytes, as: "damaged.realm"), "-o", copy)
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("lost: A.alpha: the name 'alpha' is there already\n"))
    let saved = try ToolRun.realm("export", copy, "--format", "jsonl", "--class", "A").output
    #expect(saved.hasSuffix("\"last\":3}\n"))
  }

  /// The original leaves such in sets that hold NaN.
  @Test func elementsThatASetHasTwiceAreNotDroppedWithoutAWord() throws {
    let source = try directory.copy("queries/querydata.realm", as: "source.realm")
    let run = try ToolRun.realm("salvage", source, "-o", directory.file("saved.realm"))
    #expect(run.status == 1 && !run.output.contains("nothing is lost"), "\(run)")
    #expect(run.errors.contains("lost: an element that a set of an object of Collections has twice: doubleSet: "), "\(run)")
  }

  @Test func aFileWithoutHeaderIsSearchedForItsVersions() throws {
    let source = try directory.copy("realm-core/lists_all.realm", as: "source.realm")
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: source)))
    for index in 0..<24 { bytes[index] = 0xEE }
    let broken = try directory.write(bytes, as: "broken.realm")
    let saved = directory.file("saved.realm")
    let run = try ToolRun.realm("salvage", broken, "-o", saved)
    #expect(run.status == 1 && run.errors.contains("lost: the header"))
    try ToolRun.realm("verify", saved).expect(status: 0)
    #expect(try OpenFile(path: saved).tables.count == OpenFile(path: source).tables.count)
  }

  /// A damaged file that can be read as a whole.
  private func fileWithAnotherText() throws -> String {
    let path = try largeFile()
    try overrun("name 1777", in: path)
    return path
  }

  @Test func damageThatCanBeReadIsNotCalledNoLoss() throws {
    let run = try ToolRun.realm("salvage", fileWithAnotherText(), "-o", directory.file("saved.realm"))
    run.expect(status: 1, output: "saved 4000 objects\n")
    #expect(run.errors.hasPrefix("what is saved may be wrong in places: 'realm verify' finds 1 violation in"), "\(run)")
    #expect(run.errors.contains("column 'name'"), "\(run)")
  }

  @Test(arguments: [[], ["--online"]])
  func aDamagedFileIsNotCompacted(_ options: [String]) throws {
    let broken = try fileWithAnotherText()
    let before = try Data(contentsOf: URL(fileURLWithPath: broken))
    let run = try ToolRun("realm", ["compact"] + options + [broken])
    run.expectError(3, about: broken, "is damaged: 'realm verify' finds 1 violation, the first: table")
    #expect(try Data(contentsOf: URL(fileURLWithPath: broken)) == before)
    let copy = directory.file("copy.realm")
    try ToolRun.realm("copy", broken, copy).expect(status: 0)
    try ToolRun.realm("verify", copy).expect(status: 1)
  }

  /// A file with something else in the place of some of its bytes.
  private func damaged(_ path: String, _ bytes: [UInt8], with others: [UInt8]) throws -> String {
    var contents = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let place = try #require(contents.firstRange(of: bytes))
    contents.replaceSubrange(place.lowerBound..<place.lowerBound + others.count, with: others)
    return try directory.write(contents, as: "broken.realm")
  }

  private func littleEndian<Number: FixedWidthInteger>(_ numbers: [Number]) -> [UInt8] {
    numbers.flatMap { number in withUnsafeBytes(of: number.littleEndian) { Array($0) } }
  }

  @Test func anObjectWithADamagedPrimaryKeyTakesNobodysPlace() throws {
    let path = directory.file("a.realm")
    let lines = (100_000..<103_000).map { "\($0),name \($0)\n" }
    try ToolRun.realm(
      "import", directory.write(Array("id,name\n\(lines.joined())".utf8), as: "a.csv"), "-o", path, "--class", "A", "--primary-key", "id"
    )
    .expect(status: 0)
    let sound = try rows(path)
    // The first object says that it is the last one.
    let broken = try damaged(path, littleEndian([100_000, 100_001, 100_002] as [UInt32]), with: littleEndian([102_999] as [UInt32]))
    let saved = directory.file("saved.realm")
    let run = try ToolRun.realm("salvage", broken, "-o", saved)
    #expect(run.status == 1 && run.errors.contains("lost: the primary key of an object of A: another one has 102999, too\n"), "\(run)")
    #expect(run.errors.contains("lost: the primary key of 1 object of A: it has a new one, 103000\n"), "\(run)")
    // What it had besides is there.
    var expected = sound
    expected[103_000] = sound[100_000].map { $0.replacing("\"id\":100000", with: "\"id\":103000") }
    expected[100_000] = nil
    #expect(try rows(saved) == expected)
  }

  /// The link leads to the fourth object; the first one, or one behind it, says that it is that one.
  @Test(arguments: [([0, 1, 2, 3, 4, 6, 7], 0), ([4, 6, 7, 8, 9, 10], 3)] as [([UInt8], Int)])
  func anObjectWithADamagedKeyTakesNoLinks(_ keys: [UInt8], _ position: Int) throws {
    let path = directory.file("a.realm")
    let lines = (1000..<1600).map { "\($0)\n" }
    try ToolRun.realm("import", directory.write(Array("number\n\(lines.joined())".utf8), as: "a.csv"), "-o", path, "--class", "A").expect(status: 0)
    // Without a gap there is no array of keys.
    try ToolRun.realm("delete", path, "--class", "A", "number == 1005").expect(status: 0)
    try ToolRun.realm("create", "class", path, "B", "a=A").expect(status: 0)
    try ToolRun.realm("insert", path, "--class", "B", "{}").expect(status: 0)
    try ToolRun.realm("link", path, "--class", "B", "TRUEPREDICATE", "a", "3").expect(status: 0)
    var others = keys
    others[position] = 3
    let broken = try damaged(path, keys, with: others)
    let saved = directory.file("saved.realm")
    let run = try ToolRun.realm("salvage", broken, "-o", saved)
    #expect(run.status == 1 && run.errors.contains("lost: the object keys of 1 object of A, "), "\(run)")
    try ToolRun.realm("query", saved, "a.number == 1003", "--class", "B", "--count").expect(status: 0, output: "1\n")
    try ToolRun.realm("query", saved, "number >= 1000", "--class", "A", "--count").expect(status: 0, output: "599\n")
  }

  @Test func objectsWhoseKeysTheDamageMadeEqualAreAllSaved() throws {
    let source = try directory.copy("realm-core/clusters_1200.realm", as: "source.realm")
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: source)))
    // The keys of a cluster.
    for index in 46776..<47032 { bytes[index] = 0xFF }
    let run = try ToolRun.realm("salvage", directory.write(bytes, as: "broken.realm"), "-o", directory.file("saved.realm"))
    run.expect(status: 1, output: "saved 5510 objects\n")
    #expect(run.errors.contains("lost: the object keys of 63 objects of Sparse"), "\(run)")
    try ToolRun.realm("verify", directory.file("saved.realm")).expect(status: 0)
  }

  /// Where a class keeps what is not in its objects.
  enum Part: CaseIterable { case indexes, linkedClasses, linkingProperties, offsets, keys }

  private func place(of part: Part, _ file: OpenFile, _ table: TableDescription) throws -> Ref {
    func first(_ ref: Ref) throws -> Int64 { try file.space.refs(at: ref).element(unchecked: 0) }
    switch part {
    case .indexes: return table.searchIndexesRef
    case .linkedClasses: return table.oppositeTablesRef
    case .linkingProperties: return table.oppositeColumnsRef
    case .offsets: return Ref(UInt64(bitPattern: try first(table.clusterRoot)))
    // Of the cluster behind the header of its node: how many keys there are, where they are 0, 1, 2 and so on.
    case .keys:
      let cluster = try file.space.refs(at: table.clusterRoot).child(3)
      #expect(try first(cluster) & 1 == 1)
      return Ref(cluster.byteOffset + 8)
    }
  }

  @Test(arguments: Part.allCases) func objectsComeBackWhereOnlyWhatLeadsToThemIsDamaged(_ part: Part) throws {
    let text = "id,name\n" + (0..<600).map { "\($0),name \($0)\n" }.joined()
    let path = directory.file("a.realm")
    let input = try directory.write(Array(text.utf8), as: "a.csv")
    // With primary keys the objects' keys are positions, which need no offsets.
    let key = part == .offsets ? [] : ["--primary-key", "id"]
    try ToolRun("realm", ["import", input, "-o", path, "--class", "A"] + key).expect(status: 0)
    try ToolRun.realm("create", "index", path, "A", "name").expect(status: 0)
    let sound = try rows(path)
    let file = try OpenFile(path: path)
    let table = try #require(file.find("A"))
    let ref = try place(of: part, file, table)
    #expect(!ref.isNull)
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    for index in 0..<(part == .keys ? 2 : 8) { bytes[Int(ref.byteOffset) + index] = 0xFF }
    let saved = directory.file("saved.realm")
    let run = try ToolRun.realm("salvage", directory.write(bytes, as: "broken.realm"), "-o", saved)
    run.expect(status: 1, output: "saved 600 objects\n")
    #expect(run.errors.hasPrefix("lost: ") && run.errors.contains(part == .offsets || part == .keys ? "of A: " : " of the class A: "), "\(run)")
    #expect(try rows(saved) == sound)
    #expect(try OpenFile(path: saved).find("A")?.publicColumns.last?.attributes.contains(.indexed) == true)
    try ToolRun.realm("verify", saved).expect(status: 0)
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func whateverTheDamageWhatIsSavedIsSound(_ part: UInt64) throws {
    var random = SeededGenerator(test: part)
    let files = Fixture.files("realm-core", upTo: 20_000)
    for round in 0..<trials(full: 100, tenth: 8) {
      let original = try #require(files.randomElement(using: &random))
      let broken = try directory.write(Damage.apply(to: original.bytes, using: &random), as: "broken\(round).realm")
      let saved = directory.file("saved\(round).realm")
      let run = try ToolRun.realm("salvage", broken, "-o", saved)
      #expect([0, 1, 3].contains(run.status), "\(original.name): \(run)")
      if run.status < 3 { try ToolRun.realm("verify", saved).expect(status: 0) }
      if run.output.hasSuffix("; nothing is lost\n") { try ToolRun.realm("verify", broken).expect(status: 0) }
      #expect(FileManager.default.fileExists(atPath: saved) == (run.status < 3))
    }
  }

  /// A file with many clusters, texts of all lengths, and two classes.
  private func largeFile() throws -> String {
    var random = SeededGenerator(test: 77)
    var text = "id,name,note,weight,born\n"
    for number in 0..<2000 {
      let note = String(repeating: "x", count: Int(random.next() % 90))
      text += "\(number),name \(number),\(note),\(Double(number) / 8),2020-01-\(number % 9 + 10)T00:00:00Z\n"
    }
    let path = directory.file("large.realm")
    try ToolRun.realm("import", directory.write(Array(text.utf8), as: "a.csv"), "-o", path, "--class", "A", "--primary-key", "id").expect(status: 0)
    try ToolRun.realm("import", directory.write(Array(text.utf8), as: "b.csv"), "-o", path, "--class", "B").expect(status: 0)
    return path
  }

  /// Damages a file many times as the fuzzer does, and asks for every object that stands on none of the bytes that differ.
  private func checkUntouchedObjects(_ path: String, rounds: Int, _ random: inout SeededGenerator) throws {
    let original = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let footprint = try SalvageFootprint(path)
    var checkedCount = 0
    for round in 0..<rounds {
      let bytes = Damage.apply(to: original, using: &random)
      let damage = original.indices.filter { $0 >= bytes.count || bytes[$0] != original[$0] }
      guard let untouched = footprint.untouched(by: damage), !untouched.isEmpty else { continue }
      let broken = try directory.write(bytes, as: "broken.realm")
      let saved = directory.file("saved\(round).realm")
      let run = try ToolRun.realm("salvage", broken, "-o", saved)
      guard run.status < 3 else {
        Issue.record("\(path), seed \(testSeed), round \(round): nothing is saved of \(untouched.count) objects: \(run)")
        continue
      }
      let found = try SalvageFootprint.contents(saved)
      for object in untouched {
        checkedCount += 1
        let fields = found[object.table]?[object.identity]
        // A damaged primary key may have become that of another object, and nobody can tell which of the two it was: that is said.
        if run.errors.contains("another one has ") { continue }
        let isEqual = object.fields.allSatisfy { fields?[$0.key] == $0.value }
        if !isEqual {
          Issue.record("\(path), seed \(testSeed), round \(round): \(object.table) \(String(decoding: object.identity, as: UTF8.self)): \(run)")
          break
        }
      }
      try FileManager.default.removeItem(atPath: saved)
    }
    print(checkedCount, "untouched objects in", path)
  }

  @Test(arguments: 0..<3 as Range<UInt64>)
  func everyObjectThatDamageOfTheFuzzerDoesNotTouchComesBack(_ part: UInt64) throws {
    var random = SeededGenerator(test: 900 + part)
    let files = Fixture.files("realm-core", upTo: 60_000).filter { !$0.name.contains("empty") && !$0.name.contains("intkeys") }
    for number in 0..<trials(full: 60, tenth: 5) {
      let file = try #require(files.randomElement(using: &random))
      try checkUntouchedObjects(directory.copy(file.name, as: "sound\(number).realm"), rounds: 3, &random)
    }
  }

  @Test func everyObjectOfALargeFileThatDamageDoesNotTouchComesBack() throws {
    var random = SeededGenerator(test: 910)
    try checkUntouchedObjects(largeFile(), rounds: trials(full: 200, tenth: 12), &random)
  }
}
