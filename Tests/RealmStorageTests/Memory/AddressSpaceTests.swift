import Foundation
import TestSupport
import Testing

@testable import RealmStorage

/// Each in a process of its own, whose mappings nobody else changes.
@Suite(.mustEnd) struct AddressSpaceTests {
  let directory = TestDirectory()

  @Test(.endsProcesses) func aThousandOpensLeaveNoMappings() async {
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      let sizes = [1, 10, 100, 1000, 30_000, 300_000, 3_000_000]
      func file(_ index: Int) -> String { path + "/\(index).realm" }
      for (index, size) in sizes.enumerated() { try Blobs.make(file(index), count: 1, byteCount: size) }
      // A gigabyte; but for the full run most of it is a hole: its length stays while somebody has it open.
      let large = path + "/large.realm"
      for _ in 0..<(isFullRun ? 16 : 1) { try Blobs.make(large, count: 4, byteCount: isFullRun ? 16_000_000 : 1_000_000) }
      let holder = try Database.open(path: large)
      if isFullRun { #expect(try holder.spaceUse().usedByteCount > 1_000_000_000) } else { #expect(truncate(large, 1 << 30) == 0) }
      let largeByteCount = try holder.fileByteCount()
      func openAll(_ rounds: Range<Int>) throws {
        for round in rounds {
          let isLarge = round % 10 == 0
          var options = DatabaseOptions()
          if round % 4 == 1 { options.encryptionKey = TestKey.make() }
          let database = try Database.open(
            path: isLarge ? large : file(round % sizes.count) + (round % 4 == 1 ? ".encrypted" : ""), options: isLarge ? DatabaseOptions() : options)
          if isLarge { #expect(try database.fileByteCount() == largeByteCount && largeByteCount > 1_000_000_000) }
          let snapshot = try database.snapshot()
          if !snapshot.topRef.isNull { _ = try snapshot.openGroup().tableKeys() }
        }
      }
      // Whatever is set up once.
      try openAll(0..<40)
      let before = ProcessMemory.now()
      try openAll(0..<1000)
      let after = ProcessMemory.now()
      #expect(after.mappingCount <= before.mappingCount + 20, "\(before) -> \(after)")
      #expect(after.addressByteCount <= before.addressByteCount + 512 << 20, "\(before) -> \(after)")
      #expect(after.descriptorCount <= before.descriptorCount, "\(before) -> \(after)")
      withExtendedLifetime(holder) {}
    }
  }

  @Test(.endsProcesses) func hundredsOfRealmsAreOpenAtTheSameTime() async {
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      var databases: [Database] = []
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
      limit.rlim_cur = limit.rlim_max
      setrlimit(__rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue)), &limit)
      let before = ProcessMemory.now()
      for index in 0..<200 {
        databases.append(try Database.open(path: path + "/\(index).realm"))
        try databases[index].write { (group) throws(StorageError) in _ = try group.addTable("class_A") }
      }
      let during = ProcessMemory.now()
      databases.removeAll()
      let after = ProcessMemory.now()
      // Address space is reserved, memory is not: some pages for each.
      #expect(during.mappingCount >= before.mappingCount + 400, "\(before) -> \(during)")
      #expect(during.residentByteCount - before.residentByteCount < 200 * 256 << 10, "\(before) -> \(during)")
      #expect(after.mappingCount <= before.mappingCount + 20, "\(before) -> \(after)")
    }
  }

  @Test(.endsProcesses) func whatIsMappedGrowsWithWhatIsRead() async {
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      let file = path + "/blobs.realm"
      try Blobs.make(file, count: 8, byteCount: 8 << 20)
      let before = ProcessMemory.now().fileByteCount
      let database = try Database.open(path: file)
      let opened = ProcessMemory.now().fileByteCount
      #expect(opened - before < 4 << 20, "opening mapped \(opened - before) bytes")
      var last = opened
      for count in [2, 4, 8] {
        try Blobs.read(database, count: count)
        let now = ProcessMemory.now().fileByteCount
        #expect(now - opened >= count * 8 << 20 - 1 << 20 && now > last, "\(count) blobs read, \(now - opened) bytes mapped")
        #expect(now - opened < (count * 8 + 6) << 20, "\(count) blobs read, \(now - opened) bytes mapped")
        last = now
      }
      database.close()
    }
  }
}

/// Files that consist of large values.
enum Blobs {
  static func make(_ path: String, count: Int, byteCount: Int, key: EncryptionKey? = nil) throws {
    var options = DatabaseOptions()
    options.encryptionKey = key
    let database = try Database.open(path: path, options: options)
    try database.write { (group) throws(StorageError) in
      if try group.table(named: "class_Blob") == nil { try group.addTable("class_Blob").addColumn(ColumnDefinition("data", .binary)) }
      guard let table = try group.table(named: "class_Blob") else { throw .noSuchTable(name: "class_Blob") }
      let column = try table.column(named: "data").key
      for index in 0..<count {
        try table.set(table.createObject(), column, .binary(bytes(index, byteCount)))
      }
    }
    database.close()
  }

  /// No byte is 0, as those of a page that was given back would be.
  static func bytes(_ index: Int, _ count: Int) -> [UInt8] { [UInt8](repeating: UInt8(index % 200 + 1), count: count) }

  /// Looks at the first values.
  static func read(_ database: Database, count: Int) throws {
    let snapshot = try database.snapshot()
    let table = try #require(try snapshot.openGroup().table(named: "class_Blob"))
    let column = try table.column(named: "data").key
    for (index, key) in try table.keys().prefix(count).enumerated() {
      guard case .binary(let bytes) = try table.value(key, column) else { throw StorageError.typeMismatch(reason: "no binary") }
      #expect(bytes.last == UInt8(index % 200 + 1))
    }
  }
}

/// What the system says about this process.
struct ProcessMemory {
  /// Mappings of files, and others that are larger than those that the allocator and threads make for themselves (64 MiB).
  let mappingCount: Int
  let addressByteCount: Int
  let residentByteCount: Int
  /// Resident pages of mapped files.
  let fileByteCount: Int
  let descriptorCount: Int

  static func now() -> ProcessMemory {
    let status = ((try? OwnProcess.text("status")) ?? "").split(separator: "\n")
    func kibibytes(_ label: String) -> Int {
      let words = status.first { $0.hasPrefix(label + ":") }?.split(whereSeparator: { $0 == " " || $0 == "\t" }) ?? []
      return (words.count > 1 ? Int(words[1]) ?? 0 : 0) << 10
    }
    let mappings = ((try? OwnProcess.text("maps")) ?? "").split(separator: "\n").filter { line in
      let words = line.split(separator: " ")
      let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
      return words.count > 5 || ends[1] - ends[0] > 64 << 20
    }
    return ProcessMemory(
      mappingCount: mappings.count, addressByteCount: kibibytes("VmSize"), residentByteCount: kibibytes("VmRSS"),
      fileByteCount: kibibytes("RssFile"), descriptorCount: ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).count)
  }
}
