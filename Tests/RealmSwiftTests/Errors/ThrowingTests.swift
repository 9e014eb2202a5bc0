import Foundation
import RealmStorage
import TestSupport
import Testing

@testable import RealmSwift

/// A class with a search index.
final class TNumber: Object {
  @Persisted(indexed: true) var number: Int
  @Persisted var other: Int
}

/// The text of what is thrown; "nothing" if nothing is.
private func text(_ body: () throws -> Void) -> String {
  do { try body() } catch let error as Realm.Error { return error.localizedDescription } catch { return "another error: \(error)" }
  return "nothing"
}

/// The members of `throwing`: errors of data, thrown.
@Suite(.mustEnd) struct ThrowingTests {
  private let directory = TestDirectory()

  @Test func aKeyThatExistsIsThrownAndTheTransactionGoesOn() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      try realm.throwing.add(OTag(value: [1]))
      let failure = text { try realm.throwing.add(OTag(value: [1])) }
      #expect(failure == "Attempting to create an object of type 'OTag' with an existing primary key value '1'.")
      #expect(text { try realm.throwing.create(OTag.self, value: [1]) } == failure)
      #expect(text { try realm.throwing.dynamicCreate("OTag", value: [1]) } == failure)
      #expect(text { try realm.throwing.add([OTag(value: [2]), OTag(value: [1])]) } == failure)
      try realm.throwing.add(OTag(value: [1]), update: .modified)
    }
    #expect(realm.objects(OTag.self).map(\.id).sorted() == [1, 2])
  }

  /// Damages every leaf of the search index of `TNumber`.
  private func damageIndex(_ path: String) throws {
    let database = try Database.open(path: path)
    defer { database.close() }
    let offsets = try database.read { (group) throws(StorageError) -> [UInt64] in
      guard let table = try group.table(named: "class_TNumber") else { return [] }
      let root = try group.space.refs(at: table.column(named: "number").indexRef)
      return try (1..<root.count).map { (child) throws(StorageError) in try group.space.refs(at: root.child(child)).child(0).byteOffset }
    }
    #expect(offsets.count > 1, "the index has several leaves")
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    for offset in offsets {
      // The keys have 16 bits instead of 32.
      try file.seek(toOffset: offset + 4)
      try file.write(contentsOf: Data([5]))
    }
    try file.close()
  }

  @Test func whatMetDamageInTheMiddleOfAChangeIsNotCommitted() throws {
    let configuration = directory.configuration([TNumber.self])
    try autoreleasepool {
      let realm = try Realm(configuration: configuration)
      try realm.write { for number in 0..<1000 { realm.create(TNumber.self, value: [number]) } }
    }
    let path = try #require(configuration.fileURL?.path)
    try damageIndex(path)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let realm = try Realm(configuration: configuration)
    let failure = text {
      try realm.write {
        #expect(text { try realm.throwing.create(TNumber.self, value: [5000]) }.contains("is no key array"))
        _ = try? realm.throwing.dynamicObjects("Nope")
      }
    }
    #expect(failure.contains("is no key array"), "the root of the index would be in use and free")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before && realm.objects(TNumber.self).count == 1000)
  }

  @Test func whatMetDamageWhileReadingIsCommitted() throws {
    let configuration = directory.configuration([TNumber.self])
    try autoreleasepool {
      let realm = try Realm(configuration: configuration)
      try realm.write { for number in 0..<1000 { realm.create(TNumber.self, value: [number]) } }
    }
    try damageIndex(try #require(configuration.fileURL?.path))
    let realm = try Realm(configuration: configuration)
    try realm.write {
      let failure = text { _ = try realm.objects(TNumber.self).filter("number == 7").throwing.sum(ofProperty: "number") as Int }
      #expect(failure.contains("is no key array"))
      realm.objects(TNumber.self).first?.other = 3
    }
    #expect(realm.objects(TNumber.self).first?.other == 3)
  }

  @Test func aKeyThatExistsBehindLinksAndInCollectionsIsThrown() throws {
    let realm = try directory.objectRealm()
    try realm.write { realm.add(OTag(value: [1])) }
    let failure = "Attempting to create an object of type 'OTag' with an existing primary key value '1'."
    func failing(_ body: (OHolder) throws -> Void) -> String { text { try realm.write { try body(realm.create(OHolder.self, value: [7])) } } }
    #expect(failing { _ in try realm.throwing.add(OHolder(value: ["id": 1, "tag": OTag(value: [1])] as [String: Any])) } == failure)
    #expect(failing { _ in try realm.throwing.add(OHolder(value: ["id": 1, "tags": [OTag(value: [1])]] as [String: Any])) } == failure)
    #expect(failing { _ in try realm.throwing.add(OHolder(value: ["id": 1, "any": OTag(value: [1])] as [String: Any])) } == failure)
    #expect(failing { try $0.tags.throwing.append(OTag(value: [1])) } == failure)
    #expect(failing { try $0.tags.throwing.append(objectsIn: [OTag(value: [1])]) } == failure)
    #expect(failing { try $0.tags.throwing.insert(OTag(value: [1]), at: 0) } == failure)
    #expect(failing { try $0.tagSet.throwing.insert(OTag(value: [1])) } == failure)
    #expect(failing { try $0.tagSet.throwing.insert(objectsIn: [OTag(value: [1])]) } == failure)
    #expect(failing { try $0.tagMap.throwing.updateValue(OTag(value: [1]), forKey: "a") } == failure)
    #expect(failing { try $0.throwing.setValue(OTag(value: [1]), forKey: "tag") } == failure)
    // Each transaction was cancelled by the error that left it.
    #expect(realm.objects(OHolder.self).isEmpty && realm.objects(OTag.self).count == 1)
  }

  @Test(arguments: ["tags.nope", "tags.@sum.nope", "tags.@nope.id", "tags.@sum", "tagMap.@sum.nope"])
  func mistakesInAPathThroughCollectionsAreThrown(_ path: String) throws {
    let realm = try directory.objectRealm()
    let holder = try realm.write { realm.create(OHolder.self, value: ["id": 1, "tags": [[1]], "tagMap": ["a": [2]]] as [String: Any]) }
    #expect(text { _ = try holder.throwing.value(forKeyPath: path) } != "nothing")
  }

  @Test func valuesThatDoNotFitBehindCollectionsAreThrown() throws {
    let realm = try directory.objectRealm()
    let holder = try realm.write { realm.create(OHolder.self, value: ["id": 1, "tags": [[1]], "intMap": ["a": 1]] as [String: Any]) }
    #expect(text { try realm.write { try holder.throwing.setValue(1, forKeyPath: "tags.nope") } }.contains("nope"))
    #expect(text { try realm.write { try holder.throwing.setValue("x", forKeyPath: "intMap.a") } }.hasPrefix("Invalid value 'x'"))
  }

  @Test func aKeyThatExistsIsThrownWhenElementsThemselvesAreSet() throws {
    let realm = try directory.objectRealm()
    let holder = try realm.write { realm.create(OHolder.self, value: ["id": 1, "tags": [[1]], "tagSet": [[2]]] as [String: Any]) }
    let failure = "Attempting to create an object of type 'OTag' with an existing primary key value '1'."
    #expect(text { try realm.write { try holder.tags.throwing.setValue(OTag(value: [1]), forKey: "self") } } == failure)
    #expect(text { try realm.write { try holder.tagSet.throwing.setValue(OTag(value: [1]), forKey: "self") } } == failure)
    #expect(holder.tags.map(\.id) == [1] && holder.tagSet.map(\.id) == [2])
  }

  @Test func keysThatNoMapCanHaveAreThrown() throws {
    let failure = "Dictionary::insert: key must not contain '.'"
    #expect(text { _ = try OHolder(checking: ["any": ["a.b": 1]]) } == failure)
    #expect(text { _ = try OHolder(checking: ["any": [["a.b": 1]]]) } == failure)
    #expect(text { try OHolder().throwing.setValue(["a.b": 1], forKey: "any") } == failure)
    #expect(text { _ = try OHolder(checking: ["intMap": ["a.b": 1]]) } == failure)
  }

  @Test func valuesThatDoNotFitAreThrown() throws {
    let realm = try directory.objectRealm()
    #expect(text { _ = try OHolder(checking: ["id": "one"]) } == "Invalid value 'one' of type 'String' for 'int' property 'OHolder.id'.")
    #expect(try OHolder(checking: ["id": 4]).id == 4)
    #expect(text { _ = try OPointData(checking: ["x": "one"]) }.hasPrefix("Invalid value 'one'"))
    #expect(text { try OTag().throwing.setValue(1, forKey: "nope") } == "Invalid property name 'nope' for class 'OTag'.")
    #expect(text { _ = try OTag().throwing.value(forKey: "nope") } == "Invalid property name 'nope' for class 'OTag'.")
    let failure = text { _ = try realm.write { try realm.throwing.create(OHolder.self, value: ["id": 1, "ints": ["x"]] as [String: Any]) } }
    #expect(failure.hasPrefix("Invalid value 'x'"), "\(failure)")
    try realm.write {
      let holder = realm.create(OHolder.self, value: [1])
      #expect(text { try holder.intMap.throwing.updateValue(1, forKey: "$a") }.contains("$"))
      #expect(text { try holder.intMap.throwing.setValue("x", forKey: "a") }.hasPrefix("Invalid value 'x'"))
      #expect(text { try holder.ints.throwing.insert(1, at: 1) } == "Index 1 is out of bounds (must be less than 1).")
      #expect(text { try realm.objects(OHolder.self).throwing.setValue("x", forKey: "nope") } != "nothing")
      try holder.throwing.setValue("y", forKey: "name")
      try realm.objects(OHolder.self).throwing.setValue([1, 2], forKey: "ints")
      #expect(holder.name == "y" && Array(holder.ints) == [1, 2])
    }
    #expect(text { _ = try realm.throwing.dynamicObjects("Nope") }.contains("Nope"))
    #expect(text { _ = try realm.throwing.object(ofType: OHolder.self, forPrimaryKey: "one") } != "nothing")
    #expect(text { _ = try realm.throwing.dynamicObject(ofType: "OHolder", forPrimaryKey: "one") } != "nothing")
    #expect(try realm.throwing.object(ofType: OHolder.self, forPrimaryKey: 1)?.name == "y")
  }

  @Test func mistakesInTheTextOfAQueryAreThrown() throws {
    let realm = try directory.objectRealm()
    try realm.write { realm.create(OHolder.self, value: ["id": 1, "ints": [3], "intMap": ["a": 3]] as [String: Any]) }
    let holders = realm.objects(OHolder.self)
    let holder = try #require(holders.first)
    for wrong in ["id ==", "nope == 1", "id == 'x'", "id == %@", "ints CONTAINS 'x'"] {
      #expect(text { _ = try holders.throwing.filter(wrong) } != "nothing", "\(wrong)")
      #expect(text { _ = try holders.throwing.filter(NSPredicate(format: wrong)) } != "nothing", "\(wrong)")
      #expect(text { _ = try holders.throwing.index(matching: wrong) } != "nothing", "\(wrong)")
    }
    #expect(text { _ = try holder.ints.throwing.filter("SELF == 'x'") } != "nothing")
    #expect(text { _ = try holder.intMap.throwing.filter("SELF == 'x'") } != "nothing")
    #expect(text { _ = try holders.throwing.sorted(byKeyPath: "nope") } != "nothing")
    #expect(text { _ = try holders.throwing.distinct(by: ["nope"]) } != "nothing")
    #expect(text { _ = try holders.throwing.sum(ofProperty: "nope") as Int } != "nothing")
    #expect(text { _ = try holders.throwing.max(ofProperty: "nope") as Int? } != "nothing")
    #expect(text { _ = try List<OTag>().throwing.filter("id == 1") } == "This method may only be called on List instances retrieved from a Realm")
    #expect(try holders.throwing.filter("id == %@", 1).count == 1)
    #expect(try holders.throwing.index(matching: "id == 1") == 0)
    #expect(try holders.throwing.sum(ofProperty: "id") == 1)
    #expect(try holder.tags.throwing.filter("id == 3").isEmpty && holder.tagMap.throwing.filter("id == 3").isEmpty)
  }
}

private func prepared() throws -> Realm {
  print("printed before")
  let realm = try TestDirectory().objectRealm()
  realm.beginWrite()
  realm.add(OTag(value: [1]))
  return realm
}

private func holder(in realm: Realm) -> OHolder { realm.create(OHolder.self, value: [1]) }

/// Calls that stop, each with the line that it stands on.
private let stoppingCalls: [(line: Int, stop: @Sendable (Realm) -> Void)] = [
  (#line, { $0.add(OTag(value: [1])) }),
  (#line, { $0.add([OTag(value: [1])]) }),
  (#line, { $0.create(OTag.self, value: [1]) }),
  (#line, { $0.dynamicCreate("OTag", value: [1]) }),
  (#line, { _ = $0.objects(OTag.self).filter("nope == 1") }),
  (#line, { _ = $0.objects(OTag.self).index(matching: "nope == 1") }),
  (#line, { _ = $0.objects(OTag.self).filter(NSPredicate(format: "nope == 1")) }),
  (#line, { _ = $0.objects(OTag.self).index(matching: NSPredicate(format: "nope == 1")) }),
  (#line, { _ = $0.objects(OTag.self).sorted(byKeyPath: "nope") }),
  (#line, { _ = $0.objects(OTag.self).sorted(by: [SortDescriptor(keyPath: "nope")]) }),
  (#line, { _ = $0.objects(OTag.self).distinct(by: ["nope"]) }),
  (#line, { _ = $0.objects(OTag.self).min(ofProperty: "nope") as Int? }),
  (#line, { _ = $0.objects(OTag.self).max(ofProperty: "nope") as Int? }),
  (#line, { _ = $0.objects(OTag.self).sum(ofProperty: "nope") as Int }),
  (#line, { _ = $0.objects(OTag.self).average(ofProperty: "nope") as Double? }),
  (#line, { _ = holder(in: $0).tagMap.filter(NSPredicate(format: "nope == 1")) }),
  (#line, { _ = holder(in: $0).tagMap.sorted(byKeyPath: "nope") }),
  (#line, { _ = holder(in: $0).tagMap.sorted(by: [SortDescriptor(keyPath: "nope")]) }),
  (#line, { _ = holder(in: $0).tagMap.min(ofProperty: "nope") as Int? }),
  (#line, { _ = holder(in: $0).tagMap.max(ofProperty: "nope") as Int? }),
  (#line, { _ = holder(in: $0).tagMap.sum(ofProperty: "nope") as Int }),
  (#line, { _ = holder(in: $0).tagMap.average(ofProperty: "nope") as Double? }),
  (#line, { $0.create(SRecord.self) }),
  (#line, { _ = $0.dynamicObjects("Nope") }),
  (#line, { _ = $0.dynamicObject(ofType: "Nope", forPrimaryKey: 1) }),
  (#line, { _ = $0.object(ofType: OTag.self, forPrimaryKey: "a") }),
  (#line, { holder(in: $0).tags.append(OTag(value: [1])) }),
  (#line, { holder(in: $0).tags.append(objectsIn: [OTag(value: [1])]) }),
  (#line, { holder(in: $0).tags.insert(OTag(value: [1]), at: 0) }),
  (#line, { holder(in: $0).tagSet.insert(OTag(value: [1])) }),
  (#line, { holder(in: $0).intMap.updateValue(1, forKey: "a.b") }),
  (#line, { _ in _ = OTag(value: ["id": "x"]) }),
  (#line, { _ in _ = OPointData(value: ["x": "x"]) }),
]

/// Where members stop that cannot throw.
@Suite(.mustEnd) struct CallSiteTests {
  @Test(.endsProcesses, arguments: stoppingCalls.indices) func theTextNamesTheCallerAndWhatWasPrintedIsNotLost(_ index: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent, \.standardOutputContent]) { [index] in
      stoppingCalls[index].stop(try prepared())
    }
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    let errors = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(output.contains("printed before"))
    #expect(errors.contains("ThrowingTests.swift:\(stoppingCalls[index].line): Fatal error: "), "\(errors.prefix(300))")
  }
}

/// Code that names the signatures of the original SDK goes on to compile.
private protocol Store {
  func add(_ object: Object, update: Realm.UpdatePolicy)
  func create<T: Object>(_ type: T.Type, value: Any, update: Realm.UpdatePolicy) -> T
}
extension Realm: Store {}

@Suite(.mustEnd) struct OriginalSignatureTests {
  @Test func realmsConformToProtocolsWithTheSignaturesOfTheOriginal() throws {
    let directory = TestDirectory()
    let realm = try directory.objectRealm()
    let store: any Store = realm
    try realm.write {
      let holder = realm.create(OHolder.self)
      [1, 2].forEach(holder.ints.append)
      [1, 2].forEach(holder.intSet.insert)
      let find: (OHolder.Type, Int) -> OHolder? = realm.object
      #expect(Array(holder.ints) == [1, 2] && holder.intSet.count == 2 && find(OHolder.self, 0) == holder)
      realm.delete(holder)
      store.add(OTag(value: [1]), update: .error)
      _ = store.create(OTag.self, value: [2], update: .error)
      let add: (Object, Realm.UpdatePolicy) -> Void = realm.add
      add(OTag(value: [3]), .error)
      for tag in [[4], [5]].map(OTag.init(value:)) { realm.add(tag) }
    }
    #expect(realm.objects(OTag.self).count == 5)
  }
}
