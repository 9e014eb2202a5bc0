import Foundation
import RealmStorage
import TestSupport
import Testing

@testable import RealmSwift

private class Widths: Unlisted {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var i8: Int8
  @Persisted var i16: Int16?
  @Persisted var i32: List<Int32>
  @Persisted var map: Map<String, Int8?>
  @Persisted var i64: Int64
  @Persisted var other: Widths?
  @Persisted var own: OPointData?
}

/// Integers are stored with 64 bits, whatever the type in Swift.
@Suite struct IntegerWidthTests {
  let directory = TestDirectory()

  private func realm() throws -> Realm {
    try Realm(configuration: .init(fileURL: URL(fileURLWithPath: directory.file("widths.realm")), objectTypes: [Widths.self, OPointData.self]))
  }

  @Test func whatDoesNotFitItsTypeIsRefused() throws {
    let realm = try realm()
    realm.beginWrite()
    defer { realm.cancelWrite() }
    var id = 0
    func refused(_ name: String, _ value: Any) -> String? {
      id += 1
      return failureText { _ = try realm.throwing.create(Widths.self, value: ["id": id, name: value]) }
    }
    #expect(refused("i8", 400)?.contains("Invalid value '400' of type 'Int' for 'int' property 'Widths.i8'.") == true)
    #expect(refused("i8", -129)?.contains("'-129'") == true && refused("i16", 70_000)?.contains("'70000'") == true)
    #expect(refused("i32", [1, 5_000_000_000])?.contains("5000000000") == true)
    #expect(refused("map", ["a": 128])?.contains("128") == true)
    for (name, value) in [("i8", 127), ("i8", -128), ("i16", -32768), ("i32", [Int(Int32.max)]), ("map", ["a": -128]), ("i64", Int.min)]
      as [(String, Any)]
    {
      #expect(refused(name, value) == nil, "\(name) \(value)")
    }
    let object = realm.create(Widths.self, value: ["id": -1])
    #expect(failureText { try object.throwing.setValue(40_000, forKey: "i16") }?.contains("'40000'") == true)
    #expect(failureText { _ = try Widths(checking: ["i8": 400]) }?.contains("400") == true)
  }

  @Test func nothingIsWrittenWhereAnEqualObjectIsAddedWithNilLinks() throws {
    let realm = try realm()
    let other = try realm.write {
      realm.create(Widths.self, value: ["id": 1])
      return realm.create(Widths.self, value: ["id": 2])
    }
    let heard = Locked<Set<Int>>([])
    let isReady = DispatchSemaphore(value: 0)
    let token = realm.objects(Widths.self).observe(on: DispatchQueue(label: "widths")) { change in
      if case .update(_, _, _, let modifications) = change { heard.withLock { $0.formUnion(modifications) } } else { isReady.signal() }
    }
    defer { token.invalidate() }
    isReady.wait()
    try realm.write { realm.add(Widths(value: ["id": 1]), update: .modified) }
    // What is told of this one tells of what was before it, too.
    try realm.write { other.i8 = 3 }
    #expect(waitUntil { heard.withLock { $0.contains(1) } })
    #expect(heard.withLock { $0 } == [1])
  }

  @Test func aQueueThatRunsSeveralThingsAtOnceIsRefused() throws {
    let realm = try realm()
    DispatchQueue.global().sync {
      let text = failureText { _ = try Realm(configuration: realm.configuration, queue: .global()) }
      #expect(text?.contains("Realms can only be confined to serial queues or the main queue") == true, "\(text ?? "opened")")
    }
  }

  @Test func whatIsInMemoryIsForItsUserAlone() throws {
    let realm = try Realm(configuration: .init(inMemoryIdentifier: "private \(UUID())", objectTypes: [Widths.self, OPointData.self]))
    let path = try #require(realm.configuration.inMemoryIdentifier.map { FileManager.default.temporaryDirectory.appendingPathComponent($0).path })
    let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
    #expect(rights?.intValue == 0o600)
  }
}
