import Foundation
import RealmSwift
import TestSupport
import Testing

private final class DogView: Projection<Dog> {
  @Projected(\Dog.name) var title
  @Projected(\Dog.age) var years
}

/// From here links lead one step, and no further.
private class SectionedNote: Unlisted {
  @Persisted var text = ""
  @Persisted var extra: Extra?
}

@Suite(.mustEnd) struct SectionedResultsTests {
  let directory = TestDirectory()

  private func realm() throws -> Realm {
    let realm = try Realm(configuration: directory.configuration())
    guard realm.isEmpty else { return realm }
    try realm.write {
      for (name, age, weight) in [("Cora", 3, 1.5), ("Ben", 1, 2.5), ("Alf", 3, nil), ("Bob", 2, 1.5), ("Carl", 1, nil)] as [(String, Int, Double?)] {
        realm.create(Dog.self, value: ["name": name, "age": age, "weight": weight as Any] as [String: Any])
      }
    }
    return realm
  }

  @Test func aPropertyDividesInItsOrder() throws {
    let sections = try realm().objects(Dog.self).sectioned(by: \.age)
    #expect(sections.allKeys == [1, 2, 3])
    #expect(sections.count == 3)
    #expect(sections.map { $0.map(\.name) } == [["Ben", "Carl"], ["Bob"], ["Cora", "Alf"]])
    #expect(sections[2].key == 3)
    #expect(sections[2].id == 3)
    #expect(sections[IndexPath(indexes: [2, 1])].name == "Alf")
    #expect(try realm().objects(Dog.self).sectioned(by: \.age, ascending: false).allKeys == [3, 2, 1])
  }

  @MainActor @Test func elementsOfNewSectionsAreReportedAndEachSectionByItsNumber() async throws {
    let realm = try realm()
    let sections = realm.objects(Dog.self).sectioned(by: \.age)
    var reports: [String] = []
    func note<C>(_ name: String, _ change: SectionedResultsChange<C>) {
      guard case .update(_, let deletions, let insertions, let modifications, let inserted, let deleted) = change else { return reports.append(name) }
      func text(_ paths: [IndexPath]) -> String { paths.map { "\($0[0]).\($0[1])" }.joined(separator: " ") }
      reports.append(
        "\(name): -[\(text(deletions))] +[\(text(insertions))] ~[\(text(modifications))] +sections \(Array(inserted)) -sections \(Array(deleted))")
    }
    let tokens = [sections.observe { note("all", $0) }, sections[1].observe { note("one", $0) }]
    #expect(try await eventually { reports.sorted() == ["all", "one"] })
    reports = []
    // Ben and Carl were the first section, Bob the second one, Cora and Alf the third one.
    try realm.write {
      realm.delete(realm.objects(Dog.self).where { $0.age == 1 })
      realm.create(Dog.self, value: ["name": "Dot", "age": 2])
      for name in ["Eve", "Fay"] { realm.create(Dog.self, value: ["name": name, "age": 9]) }
    }
    #expect(try await eventually { reports.count == 2 })
    #expect(
      reports.sorted() == [
        "all: -[] +[0.1 2.0 2.1] ~[] +sections [2] -sections [0]", "one: -[] +[0.1] ~[] +sections [] -sections []",
      ])
    reports = []
    try realm.write {
      realm.create(Dog.self, value: ["name": "Gus", "age": 0])
      realm.objects(Dog.self).where { $0.name == "Bob" }.first?.weight = 9
      realm.delete(realm.objects(Dog.self).where { $0.name == "Dot" })
    }
    #expect(try await eventually { reports.count == 2 })
    #expect(
      reports.sorted() == [
        "all: -[0.1] +[0.0] ~[0.0] +sections [0] -sections []", "one: -[0.1] +[] ~[0.0] +sections [] -sections []",
      ])
    for token in tokens { token.invalidate() }
  }

  @Test func keysMayBeNil() throws {
    let sections = try realm().objects(Dog.self).sectioned(by: \.weight)
    #expect(sections.allKeys == [nil, 1.5, 2.5])
    #expect(sections[0].count == 2)
  }

  @Test func sortDescriptorsOrderInsideSections() throws {
    let sections = try realm().objects(Dog.self).sectioned(
      by: \.age, sortDescriptors: [SortDescriptor(keyPath: "age"), SortDescriptor(keyPath: \Dog.name, ascending: false)])
    #expect(sections.map { $0.map(\.name) } == [["Carl", "Ben"], ["Bob"], ["Cora", "Alf"]])
  }

  @Test func blocksGatherMembersInTheSectionThatCameFirst() throws {
    let dogs = try realm().objects(Dog.self)
    let byInitial = dogs.sectioned(by: { String($0.name.prefix(1)) }, sortDescriptors: [SortDescriptor(keyPath: "name")])
    #expect(byInitial.allKeys == ["A", "B", "C"])
    let byAge = dogs.sectioned(sortDescriptors: [SortDescriptor(keyPath: "name")]) { $0.age }
    #expect(byAge.allKeys == [3, 1, 2])
    #expect(byAge[0].map(\.name) == ["Alf", "Cora"])
  }

  @Test func valuesAreDividedByABlock() throws {
    let realm = try realm()
    let person = try realm.write { realm.create(Person.self, value: ["_id": ObjectId.generate(), "scores": [5, 2, 4, 1, 3]] as [String: Any]) }
    let sections = person.scores.sectioned(by: { $0 % 2 == 0 }, ascending: false)
    #expect(sections.allKeys == [false, true])
    #expect(sections.map { Array($0) } == [[5, 3, 1], [4, 2]])
  }

  @Test func projectionsAreDividedByTheirProperties() throws {
    let sections = try realm().objects(DogView.self).sectioned(by: \.years)
    #expect(sections.allKeys == [1, 2, 3])
    #expect(sections[0].map(\.title) == ["Ben", "Carl"])
  }

  @Test func sectionsAreLive() throws {
    let realm = try realm()
    let sections = realm.objects(Dog.self).sectioned(by: \.age)
    let ones = sections[0]
    let first = ones[0]
    try realm.write {
      first.age = 2
      #expect(ones.count == 1)
      #expect(sections[1].count == 2)
      ones[0].age = 2
      #expect(ones.isEmpty)
    }
    #expect(sections.allKeys == [2, 3])
    try realm.write { first.age = 1 }
    #expect(ones.map(\.name) == [first.name])
  }

  @Test func frozenSectionsKeepTheirVersion() throws {
    let realm = try realm()
    let sections = realm.objects(Dog.self).sectioned(by: \.age)
    let (frozen, section) = (sections.freeze(), sections[0].freeze())
    try realm.write { realm.delete(realm.objects(Dog.self)) }
    #expect(frozen.isFrozen)
    #expect(section.isFrozen)
    #expect(frozen.allKeys == [1, 2, 3])
    #expect(section.map(\.name) == ["Ben", "Carl"])
    #expect(sections.isEmpty)
    #expect(frozen.thaw()?.count == 0)
    #expect(section.thaw()?.count == 0)
  }

  @MainActor @Test func numbersThatAreNoneAreOneSection() async throws {
    let realm = try realm()
    let named = { (name: String) in realm.object(ofType: Dog.self, forPrimaryKey: name) }
    try realm.write { for name in ["Ben", "Bob"] { named(name)?.weight = .nan } }
    let sections = realm.objects(Dog.self).sectioned(by: \.weight)
    #expect(sections.map { $0.map(\.name) } == [["Alf", "Carl"], ["Ben", "Bob"], ["Cora"]])
    #expect(sections[1].key?.isNaN == true)
    #expect(sections[1] == sections[1] && sections[1] != sections[2])
    var reports: [String] = []
    let token = sections.observe { change in
      guard case .update(_, let deletions, let insertions, _, let inserted, let deleted) = change else { return reports.append("initial") }
      reports.append("-\(deletions.map(Array.init)) +\(insertions.map(Array.init)) +\(Array(inserted)) -\(Array(deleted))")
    }
    #expect(try await eventually { reports == ["initial"] })
    try realm.write {
      if let cora = named("Cora") { realm.delete(cora) }
      realm.create(Dog.self, value: ["name": "Dot", "weight": Double.nan] as [String: Any])
    }
    #expect(try await eventually { reports.count == 2 })
    #expect(reports.last == "-[] +[[1, 2]] +[] -[2]")
    token.invalidate()
  }

  /// What decides about keys is followed along links, which end here.
  @MainActor @Test func sectionsByABlockAreObservedWhereLinksEnd() async throws {
    let realm = try await Realm(configuration: directory.configuration([Extra.self, SectionedNote.self]))
    let text = SortDescriptor(keyPath: "text")
    let extras = realm.objects(Extra.self).sectioned(by: { String($0.text.prefix(1)) }, sortDescriptors: [text])
    let order = [SortDescriptor(keyPath: "extra.text"), text]
    let notes = realm.objects(SectionedNote.self).sectioned(by: { $0.extra?.text ?? "none" }, sortDescriptors: order)
    var reports: [String] = []
    func note<C>(_ name: String, _ change: SectionedResultsChange<C>) {
      guard case .update(_, _, let insertions, _, let inserted, let deleted) = change else { return reports.append(name) }
      reports.append("\(name) +\(insertions.map(Array.init)) +\(Array(inserted)) -\(Array(deleted))")
    }
    let tokens = [extras.observe { note("extras", $0) }, notes.observe { note("notes", $0) }]
    #expect(try await eventually { reports.sorted() == ["extras", "notes"] })
    reports = []
    try realm.write { realm.add(SectionedNote(value: ["text": "first", "extra": ["text": "a"]] as [String: Any])) }
    #expect(try await eventually { reports.sorted() == ["extras +[[0, 0]] +[0] -[]", "notes +[[0, 0]] +[0] -[]"] })
    reports = []
    try realm.write { extras[0][0].text = "b" }
    #expect(try await eventually { reports.sorted() == ["extras +[[0, 0]] +[0] -[0]", "notes +[[0, 0]] +[0] -[0]"] })
    #expect(extras.allKeys == ["b"] && notes.allKeys == ["b"])
    for token in tokens { token.invalidate() }
  }

  @Test func equalityIsIdentity() throws {
    let dogs = try realm().objects(Dog.self)
    let sections = dogs.sectioned(by: \.age)
    let copy = sections
    #expect(sections == copy)
    #expect(sections[0] == copy[0])
    #expect(sections[0] != sections[1])
    #expect(sections != dogs.sectioned(by: \.age))
  }

  private static func stopText(_ result: ExitTest.Result?) -> String { String(decoding: result?.standardErrorContent ?? [], as: UTF8.self) }

  @Test(.endsProcesses) func theFirstDescriptorHasToBeTheKeyPath() async {
    let mismatch = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let directory = TestDirectory()
      let realm = try Realm(configuration: directory.configuration())
      _ = realm.objects(Dog.self).sectioned(by: \.age, sortDescriptors: [SortDescriptor(keyPath: "name")])
    }
    #expect(Self.stopText(mismatch).contains("The section key path must match the primary sort descriptor."))
    let empty = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let directory = TestDirectory()
      let realm = try Realm(configuration: directory.configuration())
      _ = realm.objects(Dog.self).sectioned(by: \.age, sortDescriptors: [])
    }
    #expect(Self.stopText(empty).contains("Can not section Results with empty sortDescriptor parameter."))
    let none = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let directory = TestDirectory()
      let realm = try Realm(configuration: directory.configuration())
      _ = realm.objects(Dog.self).sectioned(sortDescriptors: []) { $0.age }
    }
    #expect(Self.stopText(none).contains("There must be at least one SortDescriptor when using SectionedResults."))
  }

  @Test(.endsProcesses) func aSectionThatDoesNotExistStops() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let directory = TestDirectory()
      let realm = try Realm(configuration: directory.configuration())
      _ = realm.objects(Dog.self).sectioned(by: \.age)[0]
    }
    #expect(Self.stopText(result).contains("Index 0 is out of bounds (must be less than 0)."))
  }
}
