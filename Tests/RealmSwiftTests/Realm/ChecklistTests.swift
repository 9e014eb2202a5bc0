import Dispatch
import Foundation
import RealmStorage
import TestSupport
import Testing

@testable import RealmSwift

/// Statements of the original's documentation that no other test states.
@Suite(.mustEnd) struct ChecklistTests {
  let directory = TestDirectory()
  private var configuration: Realm.Configuration { directory.configuration([Extra.self]) }
  private static let payload = 1000

  private func fill(_ realm: Realm, _ count: Int) throws {
    try realm.write { for _ in 0..<count { realm.add(Extra(value: ["text": String(repeating: "x", count: Self.payload)])) } }
  }

  // MARK: Space

  @Test func aFileIsLargerThanWhatItHolds() throws {
    let realm = try Realm(configuration: configuration)
    #expect(try directory.byteCount() > 0)
    try fill(realm, 500)
    #expect(try directory.byteCount() > 500 * Self.payload)
  }

  @Test func whatIsDeletedMakesRoomForWhatIsNew() throws {
    let realm = try Realm(configuration: configuration)
    try fill(realm, 2000)
    try realm.write { realm.deleteAll() }
    let size = try directory.byteCount()
    for _ in 0..<3 {
      try fill(realm, 2000)
      try realm.write { realm.deleteAll() }
    }
    #expect(try directory.byteCount() <= size + 1 << 20)
  }

  @Test func aHookThatDeclinesLeavesTheFileAlone() throws {
    do { try fill(try Realm(configuration: configuration), 2000) }
    let size = try directory.byteCount()
    let node = try FileManager.default.attributesOfItem(atPath: directory.fileURL().path)[.systemFileNumber] as? Int
    var configuration = configuration
    configuration.shouldCompactOnLaunch = { _, _ in false }
    do { #expect(try Realm(configuration: configuration).objects(Extra.self).count == 2000) }
    #expect(try directory.byteCount() >= size)
    #expect(try FileManager.default.attributesOfItem(atPath: directory.fileURL().path)[.systemFileNumber] as? Int == node)
  }

  @Test func compactionReplacesTheFileAndToleratesWhatAnotherLeftBehind() throws {
    do {
      let realm = try Realm(configuration: configuration)
      try fill(realm, 3000)
      try realm.write { realm.delete(Array(realm.objects(Extra.self))[100...]) }
    }
    try Data(repeating: 7, count: 100_000).write(to: directory.fileURL("test.realm.tmp_compaction_space"))
    let node = try FileManager.default.attributesOfItem(atPath: directory.fileURL().path)[.systemFileNumber] as? Int
    let told = Locked<(Int, Int)?>(nil)
    var configuration = configuration
    configuration.shouldCompactOnLaunch = { totalBytes, usedBytes in
      told.withLock { $0 = (totalBytes, usedBytes) }
      let twentyMB = 20 * 1024 * 1024
      return totalBytes < twentyMB && Double(usedBytes) / Double(totalBytes) < 0.5
    }
    let before = try directory.byteCount()
    let realm = try Realm(configuration: configuration)
    let (total, used) = try #require(told.withLock { $0 })
    #expect(total == before)
    #expect(used <= total / 2)
    #expect(try directory.byteCount() < used * 2)
    #expect(realm.objects(Extra.self).count == 100)
    #expect(try FileManager.default.attributesOfItem(atPath: directory.fileURL().path)[.systemFileNumber] as? Int != node)
    #expect(!FileManager.default.fileExists(atPath: directory.fileURL("test.realm.tmp_compaction_space").path))
  }

  @Test func dataMayBeSplitOverSeveralFiles() throws {
    var other = configuration
    other.fileURL = directory.fileURL("other.realm")
    let (first, second) = (try Realm(configuration: configuration), try Realm(configuration: other))
    first.beginWrite()
    try second.write { second.add(Extra(value: ["text": "second"])) }
    first.add(Extra(value: ["text": "first"]))
    first.cancelWrite()
    #expect(first.isEmpty)
    #expect(second.objects(Extra.self).count == 1)
  }

  @Test(.endsProcesses) func tooLittleAddressSpaceIsAnError() async {
    await #expect(processExitsWith: .success) { [path = directory.path as String] in
      var configuration = TestDirectory.configuration(in: path, [Extra.self])
      do { _ = try Realm(configuration: configuration, queue: nil) }
      configuration.fileURL = URL(fileURLWithPath: path + "/other.realm")
      do {
        let pages = try OwnProcess.text("statm").split(separator: " ")[0]
        var limit = rlimit()
        limit.rlim_cur = UInt(pages)! * UInt(getpagesize()) + 500_000
        limit.rlim_max = limit.rlim_cur
        #expect(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
      }
      #expect {
        _ = try Realm(configuration: configuration, queue: nil)
      } throws: {
        ($0 as? Realm.Error)?.code == .addressSpaceExhausted
      }
    }
  }

  // MARK: Versions

  @Test func aRealmReleasedInAPoolOrAQueuePinsNothing() throws {
    let (configuration, queue) = (configuration, DispatchQueue(label: "background"))
    let realm = try Realm(configuration: configuration)
    for round in 0..<5 {
      try otherThread {
        try autoreleasepool {
          let realm = try Realm(configuration: configuration)
          #expect(realm.objects(Extra.self).count == round)
        }
      }
      queue.sync {
        let realm = try! Realm(configuration: configuration, queue: queue)
        #expect(realm.objects(Extra.self).count == round)
      }
      try realm.write { realm.add(Extra()) }
      // The one that was written and the one before: nobody else holds any.
      #expect(realm.core.file.database.numberOfVersions == 2)
    }
    let pinning = realm.freeze()
    for _ in 0..<3 { try realm.write { realm.add(Extra()) } }
    #expect(realm.core.file.database.numberOfVersions == 3)
    #expect(pinning.objects(Extra.self).count == 5)
  }

  @Test func aReaderSeesTheSameThroughAThousandCommits() throws {
    let configuration = configuration
    let realm = try Realm(configuration: configuration)
    try realm.write { for index in 0..<50 { realm.add(Extra(value: ["text": "\(index)"])) } }
    let (start, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let failures = Locked(0)
    let isWritten = Locked(false)
    Thread.detachNewThread {
      let realm = try! Realm(configuration: configuration)
      let texts = realm.objects(Extra.self)
      let before = Array(texts.map(\.text))
      start.signal()
      repeat { if Array(texts.map(\.text)) != before { failures.withLock { $0 += 1 } } } while !isWritten.withLock { $0 }
      if Array(texts.map(\.text)) != before { failures.withLock { $0 += 1 } }
      realm.refresh()
      if texts.first?.text != "changed 999" { failures.withLock { $0 += 1 } }
      end.signal()
    }
    start.wait()
    let first = try #require(realm.objects(Extra.self).first)
    for round in 0..<1000 { try realm.write { first.text = "changed \(round)" } }
    isWritten.withLock { $0 = true }
    end.wait()
    #expect(failures.withLock { $0 } == 0)
  }

  @Test func aRefreshReleasesWhatTheOldVersionHeld() throws {
    func growth(_ name: String, refreshing: Bool) throws -> Int {
      var configuration = configuration
      configuration.fileURL = directory.fileURL(name)
      let shared = configuration
      let reader = try Realm(configuration: configuration)
      try fill(reader, 2000)
      for _ in 0..<4 {
        if refreshing { reader.refresh() } else { _ = reader.isEmpty }
        try otherThread {
          let realm = try Realm(configuration: shared)
          try realm.write { for extra in realm.objects(Extra.self) { extra.text = String(repeating: "y", count: 1000) } }
        }
      }
      return try directory.byteCount(name)
    }
    let (pinned, free) = (try growth("pinned.realm", refreshing: false), try growth("free.realm", refreshing: true))
    #expect(free <= pinned)
    #expect(free < 10_000_000)
  }

  // MARK: Files and the engine, as an app sees them

  @Test func anOpenRealmHasItsFamilyOfFiles() throws {
    let realm = try Realm(configuration: configuration)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
    #expect(names == ["test.realm", "test.realm.lock", "test.realm.management", "test.realm.note"])
    var isDirectory: ObjCBool = false
    #expect(
      FileManager.default.fileExists(atPath: directory.fileURL("test.realm.management").path, isDirectory: &isDirectory) && isDirectory.boolValue)
    withExtendedLifetime(realm) {}
  }

  @Test func theDataFileIsMappedReadOnly() throws {
    let realm = try Realm(configuration: configuration)
    try fill(realm, 10)
    let path = directory.fileURL().resolvingSymlinksInPath().path
    let lines = try OwnProcess.text("maps").split(separator: "\n").filter { $0.hasSuffix(path) }
    #expect(!lines.isEmpty)
    #expect(lines.allSatisfy { $0.split(separator: " ")[1].hasPrefix("r--") })
    withExtendedLifetime(realm) {}
  }

  @Test func aFileIsIndependentOfItsPlace() throws {
    do { try fill(try Realm(configuration: configuration), 10) }
    let moved = directory.fileURL("moved.realm")
    try FileManager.default.copyItem(at: directory.fileURL(), to: moved)
    var configuration = configuration
    configuration.fileURL = moved
    #expect(try Realm(configuration: configuration).objects(Extra.self).count == 10)
  }

  @Test func aValueAgainstTheSchemaLeavesNoTraceAfterACancel() throws {
    let realm = try Realm(configuration: directory.configuration())
    realm.beginWrite()
    realm.add(Dog(value: ["Rex", 1]))
    let text = failureText {
      _ = try realm.core.create(realm.core.binding(of: Dog.self), from: ["name": "Bella", "age": "old"] as [String: Any], policy: .error)
    }
    #expect(text == "Invalid value 'old' of type 'String' for 'int' property 'Dog.age'.")
    realm.cancelWrite()
    #expect(realm.isEmpty)
  }
}
