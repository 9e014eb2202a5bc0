import Foundation
import TestSupport
import Testing

@testable import RealmSwift

/// `index(matching:)` of unmanaged lists finds what it finds in managed ones.
@Suite struct UnmanagedSearchTests {
  let directory = TestDirectory()

  /// Holders of many shapes; the same ones each time.
  private func holders() -> [OHolder] {
    (0..<12).map { id in
      let holder = OHolder()
      holder.id = id
      holder.name = id % 4 == 0 ? nil : "name \(id)"
      holder.any = [.int(id), .string("a"), .none, .double(2.5)][id % 4]
      if id % 3 == 1 { holder.tag = OTag(value: [id, "text \(id)", id * 2] as [Any]) }
      if id % 5 == 2 { holder.part = OPart(value: ["part \(id)", id] as [Any]) }
      holder.ints.append(objectsIn: 0..<id % 4)
      holder.tags.append(objectsIn: (0..<id % 3).map { OTag(value: [100 * id + $0, "listed", $0] as [Any]) })
      holder.parts.append(objectsIn: (0..<id % 2).map { OPart(value: ["listed \($0)"]) })
      holder.intSet.insert(id % 3)
      holder.intMap["k"] = id
      holder.tagMap["t"] = .some(id % 2 == 0 ? nil : OTag(value: [10_000 + id]))
      return holder
    }
  }

  @Test(.endsProcesses) func aSearchLeavesNoFilesBehind() async {
    await #expect(processExitsWith: .success) {
      let directory = TestDirectory()
      // Others search at the same time.
      setenv("TMPDIR", directory.fileURL("").path, 1)
      let tags = List<OTag>()
      tags.append(OTag(value: [1]))
      let isFound = tags.index(matching: "id == 1") == 0
      let left = try FileManager.default.contentsOfDirectory(atPath: directory.fileURL("").path)
      exit(isFound && left.isEmpty ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  private static let formats = [
    "id == 7", "id > 100", "name == nil", "name CONTAINS '1'", "name ENDSWITH[c] 'E 5'", "name LIKE 'n*7'", "id IN {9, 4}", "id BETWEEN {3, 5}",
    "tag != nil", "tag.number >= 8", "tag.text == 'text 10'", "part.number == 7", "ANY ints == 2", "ints.@count == 3", "ints.@sum == 1",
    "ints.@max == 2", "ANY tags.number == 1", "tags.@count > 1", "tags.@max.number == 1", "NONE ints == 0", "ANY intSet == 2", "intMap['k'] == 6",
    "ANY intMap.@allKeys == 'k'", "ANY intMap.@allValues == 11", "ANY parts.text == 'listed 0'",
    "SUBQUERY(tags, $t, $t.number == 1 AND $t.text == 'listed').@count == 1", "NOT (id < 4)", "TRUEPREDICATE", "FALSEPREDICATE",
    "id == 3 OR (name != nil AND tag.number == 20)", "tag.singles.@count == 1",
  ]

  @Test func formatsFindWhatTheyFindInManagedLists() throws {
    let realm = try directory.objectRealm()
    let managed = List<OHolder>()
    managed.append(objectsIn: holders())
    try realm.write { for holder in managed { realm.add(holder) } }
    let stored = Array(realm.objects(OHolder.self).sorted(byKeyPath: "id"))
    let unmanaged = List<OHolder>()
    unmanaged.append(objectsIn: holders())
    let ofManaged = List<OHolder>()
    ofManaged.append(objectsIn: stored)
    let mixed = List<OHolder>()
    mixed.append(objectsIn: zip(holders(), stored).enumerated().map { $0 % 2 == 0 ? $1.0 : $1.1 })
    for format in Self.formats {
      let expected = realm.objects(OHolder.self).filter(format).map(\.id).min()
      #expect(unmanaged.index(matching: format) == expected, "\(format)")
      #expect(ofManaged.index(matching: format) == expected, "\(format)")
      #expect(mixed.index(matching: format) == expected, "\(format)")
      #expect(unmanaged.index(matching: NSPredicate(format: format)) == expected, "\(format)")
      #expect(AnyRealmCollection(unmanaged).index(matching: format) == expected, "\(format)")
      #expect(try unmanaged.throwing.index(matching: format) == expected, "\(format)")
    }
  }

  @Test func closuresFindObjects() throws {
    let list = List<OHolder>()
    list.append(objectsIn: holders())
    #expect(list.index(matching: { $0.id == 7 }) == 7)
    #expect(list.index(matching: { $0.tag.number > 8 }) == 7)
    #expect(list.index(matching: { $0.tags.text == "listed" && $0.ints.contains(1) }) == 2)
    #expect(list.index(matching: { $0.any == .string("a") }) == 1)
    #expect(list.index(matching: { $0.name == "nobody" }) == nil)
  }

  @Test func argumentsFillPlaces() throws {
    let list = List<OTag>()
    list.append(objectsIn: (0..<5).map { OTag(value: [$0, "t\($0)"] as [Any]) })
    #expect(list.index(matching: "id == %@ AND text == %@", 3, "t3") == 3)
    #expect(list.index(matching: "id IN %@", [4, 2]) == 2)
  }

  /// Elements may be there twice, with equal primary keys, and lead to each other.
  @Test func equalKeysAndCyclesAreNoHindrance() throws {
    let tag = OTag(value: [1, "a"] as [Any])
    let tags = List<OTag>()
    tags.append(objectsIn: [tag, tag, OTag(value: [1, "b"] as [Any])])
    #expect(tags.index(matching: "text == 'b'") == 2)
    let (first, second) = (UntouchedInt(value: ["id": 1]), UntouchedInt(value: ["id": 1]))
    (first.next, second.next) = (second, first)
    let ring = List<UntouchedInt>()
    ring.append(objectsIn: [first, second])
    #expect(ring.index(matching: "next.next.id == 1") == 0)
    (first.next, second.next) = (nil, nil)
  }

  @Test func embeddedObjectsAreFound() throws {
    let holder = OHolder(value: ["parts": [["x"], ["y"], ["z"]]])
    #expect(holder.parts.index(matching: "text == 'y'") == 1)
    #expect(holder.parts.index(matching: { $0.text == "z" }) == 2)
  }

  @Test func thereIsNothingInAnEmptyList() {
    #expect(List<OTag>().index(matching: "id == 1") == nil)
    #expect(OTag().holders.index(matching: "id == 1") == nil)
  }

  @Test func whatCannotBeAskedIsRefused() throws {
    let tags = List<OTag>()
    tags.append(OTag())
    let text = failureText { _ = try tags.position { try PredicateInput.query("nope == 1", [], about: $0) } }
    #expect(text == "Invalid keypath 'nope': Property 'nope' not found in object of type 'OTag'")
    #expect(
      failureText { _ = try tags.position { try PredicateInput.query("SELF == 1", [], about: $0) } }
        == "Predicate expressions must compare a keypath and another keypath or a constant value")
  }

  @Test func aWriteTransactionIsNotDisturbed() throws {
    let realm = try directory.objectRealm()
    let list = List<OTag>()
    list.append(objectsIn: [OTag(value: [1]), OTag(value: [2])])
    try realm.write {
      realm.add(OTag(value: [5]))
      #expect(list.index(matching: "id == 2") == 1)
    }
    #expect(realm.objects(OTag.self).count == 1)
  }
}
