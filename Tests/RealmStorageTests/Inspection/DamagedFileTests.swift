import Foundation
import RealmInspection
import Testing

@testable import RealmStorage

/// Whatever the bytes: an error or a list of violations, never a trap, and the same verdict as the independent reader.
struct DamagedFileTests {
  /// Reads a file in every way there is.
  /// - Returns: whether verification found nothing wrong.
  @discardableResult private func readEverything(_ path: String) -> Bool {
    let isClean = (try? OpenFile(path: path, depth: .header).verify().isClean) ?? false
    guard let file = try? OpenFile(path: path) else { return isClean }
    try? Exporter(file, digestLimit: nil, to: MemorySink()).writeJSON()
    try? Exporter(file, digestLimit: 3, to: MemorySink()).writeJSON()
    try? Exporter(file, digestLimit: nil, to: MemorySink()).writeJSONLines()
    if let table = file.tables.first { try? Exporter(file, digestLimit: nil, to: MemorySink()).writeCSV(table: table) }
    _ = try? Statistics(file)
    _ = try? HistoryEntries(file).forEach { (entry) throws(StorageError) in
      _ = try? entry.instructions()
      return true
    }
    _ = SchemaText.json(file)
    _ = SchemaText.swiftSource(file)
    _ = try? Dump(file, start: nil, previewLimit: 4, to: MemorySink()).write()
    return isClean
  }

  @Test func everyFlippedBitOfASmallFileIsSurvived() throws {
    let directory = try TemporaryDirectory()
    let image = OneObjectFile.bytes
    for bit in 0..<0x168 * 8 {
      var bytes = image
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      readEverything(try directory.file("flipped.realm", bytes))
    }
  }

  @Test func everyTruncationOfASmallFileIsRefused() throws {
    let directory = try TemporaryDirectory()
    for count in 0..<OneObjectFile.bytes.count where count % 8 == 0 || count < 100 {
      let path = try directory.file("truncated.realm", Array(OneObjectFile.bytes.prefix(count)))
      #expect(!readEverything(path), "\(count) bytes")
    }
  }

  @Test(.enabled(if: Fixtures.arePresent, Comment(rawValue: Fixtures.absence)), arguments: 0..<4)
  func damagedFixturesNeverTrap(_ part: Int) throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    print("damagedFixturesNeverTrap seed \(seed)")
    let directory = try TemporaryDirectory()
    let files = Fixtures.files("realm-core", "older", "history", upTo: 20_000)
    for _ in 0..<60 {
      let path = try #require(files.randomElement(using: &random))
      let original = [UInt8](try #require(FileManager.default.contents(atPath: path)))
      readEverything(try directory.file("damaged.realm", Damage.apply(to: original, using: &random)))
    }
  }

  /// One Python process judges all damaged files.
  private static let judge = """
    import io, sys, realm_inspect
    for path in sys.stdin.read().split() if len(sys.argv) < 2 else sys.argv[1:]:
        print(realm_inspect.run(['check', '--quiet', path], io.StringIO()))
    """

  @Test(.enabled(if: Fixtures.arePresent, Comment(rawValue: Fixtures.absence)))
  func theVerdictOnDamagedFilesIsThatOfTheIndependentReader() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    let directory = try TemporaryDirectory()
    let files = Fixtures.files("realm-core", "older", upTo: 10_000)
    var cases: [(path: String, origin: String)] = []
    for number in 0..<120 {
      let origin = try #require(files.randomElement(using: &random))
      let original = [UInt8](try #require(FileManager.default.contents(atPath: origin)))
      cases.append((try directory.file("damaged\(number).realm", Damage.apply(to: original, using: &random)), origin))
    }
    guard let answer = try Fixtures.python(["-c", Self.judge] + cases.map(\.path)) else { return }
    let verdicts = String(decoding: answer.output, as: UTF8.self).split(separator: "\n").map { $0 == "0" }
    try #require(verdicts.count == cases.count)
    for (verdict, damaged) in zip(verdicts, cases) {
      let ours = try? OpenFile(path: damaged.path, depth: .header).verify()
      // The independent reader does not look at the bytes of nulls (F3.5, F3.6); we do.
      let first = ours?.violations.first ?? ""
      if verdict && (first.contains("null flag") || first.contains("is not followed by zeros")) { continue }
      #expect(
        ours?.isClean ?? false == verdict,
        "seed \(seed), \(damaged.path) from \(damaged.origin): \(ours?.violations.prefix(3) ?? [])")
    }
  }
}
