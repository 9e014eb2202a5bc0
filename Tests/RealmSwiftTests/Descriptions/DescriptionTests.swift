import Foundation
import TestSupport
import Testing

@testable import RealmSwift

@Suite struct DescriptionTests {
  let directory = TestDirectory()

  /// Addresses differ from run to run.
  private func normal(_ text: String) -> String { text.replacing(/0x[0-9a-f]+/, with: "0x1") }

  @Test func objectsShowTheirProperties() throws {
    let realm = try directory.objectRealm()
    let unmanaged = ODescribed(
      value: [
        "flag": true, "text": "", "when": Date(timeIntervalSince1970: 1), "bytes": Data([1, 255]), "word": "b", "money": 1.5,
        "plain": ["text": "p", "number": 1], "ints": [1, 2], "map": ["k": 1],
      ] as [String: Any])
    let managed = try realm.write { realm.create(ODescribed.self, value: unmanaged) }
    let expected = """
      ODescribed {
      \tflag = 1;
      \tmaybe = (null);
      \ttext = ;
      \twhen = 1970-01-01 00:00:01 +0000;
      \tbytes = <01ff>;
      \tword = b;
      \tmoney = 1.5;
      \tplain = OPlain {
      \t\ttext = p;
      \t\tnumber = 1;
      \t\tnext = (null);
      \t};
      \tints = List<int> <0x1> (
      \t\t[0] 1,
      \t\t[1] 2
      \t);
      \tmap = Map<string, int> <0x1> (
      \t[k]: 1
      \t);
      }
      """
    #expect(normal(unmanaged.description) == expected)
    #expect(normal(managed.description) == expected)
    let dynamic = try #require(realm.dynamicObjects("ODescribed").first)
    #expect(normal(dynamic.description) == expected)
  }

  @Test func depthAndLengthAreLimited() throws {
    let realm = try directory.objectRealm()
    let first = OPlain()
    first.next = first
    let text = first.description
    #expect(text.contains("<Maximum depth exceeded>"))
    #expect(text.components(separatedBy: "OPlain {").count - 1 == 5)
    let data = ODescribed(value: ["bytes": Data(repeating: 0xAB, count: 30)])
    #expect(data.description.contains("<\(String(repeating: "ab", count: 24)) — 30 total bytes>"))
    let holder = try realm.write { realm.create(OHolder.self, value: ["id": 1, "ints": Array(0..<102)] as [String: Any]) }
    #expect(holder.ints.description.hasSuffix("\t[99] 99\n\t... 2 objects skipped.\n)"))
  }

  @Test func collectionsShowTheirElements() throws {
    let realm = try directory.objectRealm()
    try realm.write {
      let holder = realm.create(
        OHolder.self, value: ["id": 1, "ints": [1], "intSet": [2], "plains": [["a", 1]], "intMap": ["k": 3]] as [String: Any])
      #expect(normal(holder.ints.description) == "List<int> <0x1> (\n\t[0] 1\n)")
      #expect(normal(holder.intSet.description) == "MutableSet<int> <0x1> (\n\t[0] 2\n)")
      #expect(normal(holder.tags.description) == "List<OTag> <0x1> (\n\n)")
      #expect(normal(holder.intMap.description) == "Map<string, int> <0x1> (\n[k]: 3\n)")
      #expect(normal(realm.objects(OTag.self).description) == "Results<OTag> <0x1> (\n\n)")
      #expect(
        normal(holder.plains.description)
          == "List<OPlain> <0x1> (\n\t[0] OPlain {\n\t\ttext = a;\n\t\tnumber = 1;\n\t\tnext = (null);\n\t}\n)")
      #expect(normal(AnyRealmCollection(holder.ints).description) == "AnyRealmCollection<int> <0x1> (\n\t[0] 1\n)")
      let tag = realm.create(OTag.self, value: [1])
      #expect(normal(tag.holders.description) == "LinkingObjects<OHolder> <0x1> (\n\n)")
    }
    #expect(normal(List<Int?>().description).hasPrefix("List<int?> <0x1>"))
  }
}

class ODescribed: Unlisted {
  @Persisted var flag: Bool
  @Persisted var maybe: Int?
  @Persisted var text: String
  @Persisted var when: Date
  @Persisted var bytes: Data
  @Persisted var word: OWord
  @Persisted var money: Decimal128
  @Persisted var plain: OPlain?
  @Persisted var ints: List<Int>
  @Persisted var map: Map<String, Int>
}
