import Dispatch
import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// What debuggers show; none of it may stop.
@Suite struct DebugDescriptionTests {
  let directory = TestDirectory()

  private func filled(_ realm: Realm) throws -> OHolder {
    try realm.write {
      let value: [String: Any] = [
        "id": 1, "name": "a\"b", "tag": ["id": 5, "text": "five"], "plain": ["text": "p", "next": ["text": "q"]],
        "part": ["text": "in", "parts": [["leaf"]]], "ints": [1, 2], "tags": [[6]], "intMap": ["k": 3], "any": [1, ["x"]] as [Any],
      ]
      return realm.create(OHolder.self, value: value)
    }
  }

  @Test func aManagedObjectShowsItsClassItsKeyAndItsValues() throws {
    let holder = try filled(directory.objectRealm())
    let key = holder.key.rawValue
    #expect(
      holder.debugDescription == """
        OHolder #\(key) {
          id = 1
          name = "a\\"b"
          tag = OTag #\(try #require(holder.tag).key.rawValue) {id = 5, text = "five", number = 7}
          plain = OPlain #0 {text = "p", number = 7, next = OPlain #1}
          part = OPart #0 {text = "in", number = 7, tag = nil, parts = [OLeaf #0 {text = "leaf"}]}
          ints = [1, 2]
          tags = [OTag #\(holder.tags[0].key.rawValue) (id = 6)]
          plains = []
          parts = []
          intSet = []
          tagSet = []
          intMap = ["k": 3]
          tagMap = []
          plainMap = []
          partMap = []
          any = [1, ["x"]]
          anyList = []
          anySet = []
          anyMap = []
        }
        """)
  }

  @Test func anUnmanagedObjectShowsWhatItHolds() {
    let plain = OPlain()
    plain.next = plain
    #expect(
      plain.debugDescription == """
        OPlain (unmanaged) {
          text = "new"
          number = 7
          next = OPlain (unmanaged) {text = "new", number = 7, next = OPlain (unmanaged)}
        }
        """)
    let holder = OHolder(value: ["id": 2, "ints": [4], "intMap": ["b": 1, "a": 2], "any": 1.5] as [String: Any])
    let text = holder.debugDescription
    for line in ["  id = 2\n", "  name = <default>\n", "  ints = [4]\n", "  intMap = [\"a\": 2, \"b\": 1]\n", "  any = 1.5\n"] {
      #expect(text.contains(line), "\(text)")
    }
  }

  @Test func collectionsShowTheirElementsOneALine() throws {
    let realm = try directory.objectRealm()
    let holder = try filled(realm)
    #expect(holder.ints.debugDescription == "List<Int> (2) [\n  1\n  2\n]")
    #expect(holder.intSet.debugDescription == "MutableSet<Int> (0) []")
    #expect(holder.intMap.debugDescription == "Map<String, Int> (1) [\n  \"k\": 3\n]")
    #expect(holder.anyMap.debugDescription == "Map<String, AnyRealmValue> (0) []")
    let results = realm.objects(OPlain.self).where { $0.text == "q" }
    #expect(results.debugDescription == "Results<OPlain> (1) [\n  OPlain #1 {text = \"q\", number = 7, next = nil}\n]")
    #expect(AnyRealmCollection(holder.ints).debugDescription == "AnyRealmCollection<Int> (2) [\n  1\n  2\n]")
    #expect(try #require(holder.tag).singles.debugDescription.hasPrefix("LinkingObjects<OHolder> (1) [\n  OHolder #"))
    #expect(OTag().singles.debugDescription == "LinkingObjects<OHolder> (0) []")
    let list = List<String?>()
    list.append(objectsIn: ["a", nil])
    #expect(list.debugDescription == "List<Optional<String>> (2) [\n  \"a\"\n  nil\n]")
    let map = Map<String, Int>()
    map["x"] = 1
    #expect(map.debugDescription == "Map<String, Int> (1) [\n  \"x\": 1\n]")
  }

  @Test func countAndLengthAreLimited() throws {
    let realm = try directory.objectRealm()
    let long = String(repeating: "é", count: 10_000)
    try realm.write { for number in 0..<1_000 { realm.create(OPlain.self, value: [long, number]) } }
    let text = realm.objects(OPlain.self).debugDescription
    #expect(text.hasSuffix("\n  … 980 more\n]"))
    #expect(text.utf8.count < 10_000)
    #expect(text.contains("éé\"… (20000 bytes)"))
    let holder = try realm.write { realm.create(OHolder.self, value: ["id": 1, "ints": Array(0..<100)] as [String: Any]) }
    #expect(holder.debugDescription.contains("18, 19, … 80 more]"))
    let part = OPart()
    part.text = long
    let all = OAll()
    all.stringList.append(objectsIn: Array(repeating: long, count: 100))
    #expect(part.debugDescription.utf8.count < 1_000)
    #expect(all.debugDescription.utf8.count < 20_000)
  }

  @Test func whatIsGoneIsSaidToBe() throws {
    let realm = try directory.objectRealm()
    let holder = try filled(realm)
    let (ints, tag, results) = (holder.ints, try #require(holder.tag), realm.objects(OTag.self))
    let key = holder.key.rawValue
    try realm.write { realm.delete(holder) }
    #expect(holder.debugDescription == "OHolder #\(key) <deleted, or its realm was invalidated>")
    #expect(ints.debugDescription.hasPrefix("List<Int> <List is no longer valid."))
    let frozen = realm.freeze()
    let frozenTags = frozen.objects(OTag.self)
    realm.invalidate()
    frozen.invalidate()
    #expect(tag.debugDescription.hasSuffix(" <deleted, or its realm was invalidated>"))
    #expect(results.debugDescription == "Results<OTag> <invalidated>")
    #expect(frozenTags.debugDescription == "Results<OTag> <invalidated>")
    #expect(frozen.debugDescription.contains("frozen"))
    #expect(realm.debugDescription.contains("no version held"))
  }

  /// On its way to another thread, where it may not be used.
  // SAFETY: the value is set once, and debug texts look at the thread before at anything else; the text is read after the semaphore.
  private struct Passage<Value>: @unchecked Sendable { let value: Value }
  private final class Outcome: @unchecked Sendable { var text = "" }

  private func elsewhere<Value>(_ value: Value, _ body: @escaping @Sendable (Value) -> String) -> String {
    let (passage, outcome, done) = (Passage(value: value), Outcome(), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      outcome.text = body(passage.value)
      done.signal()
    }
    done.wait()
    return outcome.text
  }

  @Test func theWrongThreadIsSaidToBe() throws {
    let realm = try directory.objectRealm()
    let holder = try filled(realm)
    let key = holder.key.rawValue
    #expect(elsewhere(holder) { $0.debugDescription } == "OHolder #\(key) <of another thread>")
    #expect(elsewhere(holder.ints) { $0.debugDescription } == "List<Int> <of another thread>")
    #expect(elsewhere(holder.intMap) { $0.debugDescription } == "Map<String, Int> <of another thread>")
    #expect(elsewhere(realm.objects(OTag.self)) { $0.debugDescription } == "Results<OTag> <of another thread>")
    #expect(elsewhere(realm) { $0.debugDescription }.hasSuffix("seen from elsewhere: of another thread)"))
    let secrets = try Realm(configuration: .init(fileURL: URL(fileURLWithPath: directory.file("s.realm")), objectTypes: [OVSecret.self]))
    let secret = try secrets.write { secrets.create(OVSecret.self, value: ["id": 1]) }
    #expect(elsewhere(secret) { $0.debugDescription } == "OVSecret #0 <of another thread>", "not by the description of the class")
    #expect(elsewhere(holder.freeze()) { $0.debugDescription } == holder.debugDescription)
  }

  actor Owner {
    func realm(_ configuration: Realm.Configuration) async throws -> String {
      let realm = try await Realm.open(configuration: configuration)
      return realm.debugDescription
    }
  }

  @Test func aRealmShowsItsFileItsPlaceAndItsVersion() async throws {
    let configuration = directory.configuration()
    let text = try await Owner().realm(configuration)
    #expect(text.hasPrefix("Realm(\"\(configuration.fileURL?.resolvingSymlinksInPath().path ?? "")\", of actor Owner, "), "\(text)")
    let queue = DispatchQueue(label: "mine")
    let texts = try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      realm.beginWrite()
      defer { realm.cancelWrite() }
      return realm.debugDescription
    }
    #expect(texts.contains("of queue \"mine\", in a write transaction, version "), "\(texts)")
    #expect(texts.hasSuffix(", 3 classes)"))
  }

  @Test func sectionsAreShownOnceTheyAreMade() throws {
    let realm = try directory.objectRealm()
    try realm.write { for (text, number) in [("b", 1), ("a", 2), ("b", 3)] { realm.create(OPlain.self, value: [text, number]) } }
    let sections = realm.objects(OPlain.self).sectioned(by: \.text)
    let key = { (index: Int) in sections[index].key }
    #expect(key(0) == "a")
    #expect(
      sections.debugDescription == """
        SectionedResults<String, OPlain> (2) [
          "a": [OPlain #1 {text = "a", number = 2, next = nil}]
          "b": [OPlain #0 {text = "b", number = 1, next = nil}, OPlain #2 {text = "b", number = 3, next = nil}]
        ]
        """)
    #expect(
      sections[0].debugDescription
        == "ResultsSection<String, OPlain> \"a\" (1) [\n  OPlain #1 {text = \"a\", number = 2, next = nil}\n]")
    try realm.write { realm.deleteAll() }
    #expect(sections.debugDescription == "SectionedResults<String, OPlain> <not divided in this version yet>")
    #expect(sections.count == 0)
    #expect(sections.debugDescription == "SectionedResults<String, OPlain> (0) []")
  }

  @Test func schemasShowAPropertyALine() throws {
    let realm = try directory.objectRealm()
    let schema = try #require(realm.schema["OTag"])
    #expect(
      schema.debugDescription == """
        OTag {
          id: int, primary key
          text: string
          number: int
          holders: linking objects<OHolder> from tags
          singles: linking objects<OHolder> from tag
        }
        """)
    #expect(try #require(realm.schema["OHolder"]?["tagMap"]).debugDescription == "tagMap: dictionary<string, OTag>")
    #expect(try #require(realm.schema["OLeaf"]).debugDescription == "OLeaf (embedded) {\n  text: string\n}")
    #expect(realm.schema.debugDescription.hasPrefix("Schema (10) [\n"))
  }

  @Test func aDamagedPropertyIsSaidToBeAndTheOthersAreShown() throws {
    let marker = String(repeating: "damage me ", count: 20)
    try autoreleasepool {
      let realm = try directory.objectRealm()
      try realm.write { realm.create(OPlain.self, value: [marker, 3]) }
    }
    let file = directory.fileURL()
    var bytes = try Data(contentsOf: file)
    let place = try #require(bytes.range(of: Data(marker.utf8))).lowerBound
    // The header of the blob: its size becomes one that ends behind the file.
    bytes.replaceSubrange(place - 3..<place, with: [0xFF, 0xFF, 0xFF])
    try bytes.write(to: file)
    let plain = try #require(directory.objectRealm().objects(OPlain.self).first)
    let text = plain.debugDescription
    #expect(text.hasPrefix("OPlain #0 {\n  text = <"), "\(text)")
    #expect(text.contains("damaged"), "\(text)")
    #expect(text.hasSuffix("\n  number = 3\n  next = nil\n}"))
  }

  @Test func valuesThatAnEnumerationLacksAreShownAsTheyAre() {
    let holder = OUnknowns(value: ["list": [1, 99], "set": [98], "map": ["k": 97]] as [String: Any])
    #expect(holder.debugDescription == "OUnknowns (unmanaged) {\n  list = [1, 99]\n  set = [98]\n  map = [\"k\": 97]\n}")
    #expect(holder.list.debugDescription == "List<ONumber> (2) [\n  1\n  99\n]")
    #expect(holder.set.debugDescription == "MutableSet<ONumber> (1) [\n  98\n]")
    #expect(holder.map.debugDescription == "Map<String, ONumber> (1) [\n  \"k\": 97\n]")
  }

  @Test func aModelClassCanHaveItsOwn() {
    #expect(OSelfDescribed().debugDescription == "mine")
    #expect("\([OSelfDescribed()])" == "[mine]")
  }
}

private class OSelfDescribed: Unlisted {
  override var debugDescription: String { "mine" }
}

private class OUnknowns: Unlisted {
  @Persisted var list: List<ONumber>
  @Persisted var set: MutableSet<ONumber>
  @Persisted var map: Map<String, ONumber>
}
