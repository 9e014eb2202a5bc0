import Foundation
import RealmSwift
import TestSupport
import Testing

/// What users write compiles; what it finds is tested where queries are evaluated.
@Suite(.mustEnd) struct WhereTests {
  let directory = TestDirectory()

  private func realm() throws -> Realm {
    let realm = try Realm(configuration: directory.configuration(queryTypes))
    guard realm.isEmpty else { return realm }
    try realm.write {
      for id in 0..<10 {
        let pets: [[String: Any]] = (0..<id % 4).map { ["name": "pet \(id).\($0)", "age": id + $0, "isGood": $0 == 0] }
        realm.create(
          QueryPerson.self,
          value: [
            "id": id, "a": id, "b": 5, "s": "Name \(id)", "flag": id % 2 == 0, "pets": pets, "ints": Array(0..<id), "map": ["k": id],
            "pet": id == 3 ? ["name": "Rex", "nickname": NSNull()] as [String: Any] as Any : NSNull(), "level": 1 + id % 2,
            "pair": ["left": id, "right": "x"] as [String: Any],
          ] as [String: Any])
      }
    }
    return realm
  }

  private func ids(_ isIncluded: (Query<QueryPerson>) -> Query<Bool>) throws -> [Int] {
    try realm().objects(QueryPerson.self).where(isIncluded).map(\.id)
  }

  @Test func conditionsFindTheirObjects() throws {
    #expect(try ids { $0.a > 7 } == [8, 9])
    #expect(try ids { $0.a > 6 && $0.s.starts(with: "name 8", options: .caseInsensitive) } == [8])
    #expect(try ids { $0.a == $0.b } == [5])
    #expect(try ids { $0.flag && !$0.a.contains(2...8) } == [0])
    #expect(try ids { $0.level == .high && $0.a < 4 } == [1, 3])
    #expect(try ids { $0.pet.nickname == nil && $0.pet.name == "Rex" } == [3])
    #expect(try ids { $0.a.in([1, 3, 99]) } == [1, 3])
    #expect(try ids { $0.pair == QueryPair(left: 4, right: "x") } == [4])
  }

  @Test func collectionsAreSearched() throws {
    #expect(try ids { $0.pets.age > 8 } == [7, 9])
    #expect(try ids { $0.pets.count == 3 } == [3, 7])
    #expect(try ids { ($0.pets.age > 3 && $0.pets.isGood).count > 0 } == [5, 6, 7, 9])
    #expect(try ids { $0.pets.age.max >= 7 } == [6, 7, 9])
    #expect(try ids { $0.ints.contains(8) } == [9])
    #expect(try ids { $0.ints.containsAny(in: [7, 8]) } == [8, 9])
    #expect(try ids { $0.ints.sum == 3 } == [3])
    #expect(try ids { $0.map["k"] == 3 } == [3])
    #expect(try ids { $0.map.values >= 8 && $0.map.keys == "k" } == [8, 9])
  }

  @Test func positionsAndOtherCollectionsAreSearched() throws {
    let realm = try realm()
    let people = realm.objects(QueryPerson.self)
    #expect(people.index(matching: { $0.a == 4 }) == 4)
    #expect(people.index(matching: { $0.a == 44 }) == nil)
    #expect(people[3].pets.where { $0.age > 3 }.map(\.age) == [4, 5])
    #expect(people.where { $0.a > 3 }.where { $0.a < 6 }.map(\.id) == [4, 5])
  }

  @Test(.endsProcesses) func valuesCannotBeSearched() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let directory = TestDirectory()
      let realm = try Realm(configuration: directory.configuration(queryTypes))
      let person = try realm.write { realm.create(QueryPerson.self, value: ["id": 1]) }
      _ = person.ints.where { $0 > 3 }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Querying is currently only implemented for arrays of Realm Objects"))
  }
}

class QueryArticle: Object {
  @Persisted(fullTextIndexed: true) var text: String
  @Persisted(fullTextIndexed: true) var note: String?
  @Persisted var place: QueryPlace?
}

@Suite(.mustEnd) struct SpecialConditionTests {
  private let directory = TestDirectory()

  private func articles() throws -> Results<QueryArticle> {
    let realm = try Realm(configuration: directory.configuration([QueryArticle.self, QueryPlace.self]))
    try realm.write {
      for (text, latitude) in [("the quick brown fox", 10.0), ("a quick lazy dog", 20.0), ("nothing here", 60.0)] {
        realm.create(QueryArticle.self, value: ["text": text, "place": ["coordinates": [5.0, latitude]]] as [String: Any])
      }
    }
    return realm.objects(QueryArticle.self)
  }

  @Test func wordsAreFoundByTheirIndex() throws {
    let articles = try articles()
    #expect(articles.where { $0.text.fullText("quick") }.count == 2)
    #expect(articles.where { $0.text.fullText("quick -dog") }.map(\.text) == ["the quick brown fox"])
    #expect(articles.filter("text TEXT %@", "lazy").map(\.text) == ["a quick lazy dog"])
    #expect(articles.filter("text text 'quick' AND text CONTAINS 'fox'").count == 1)
    try articles.realm?.write { articles[1].note = "to be read" }
    #expect(articles.where { $0.note.fullText("read") }.map(\.text) == ["a quick lazy dog"])
    #expect(articles.where { !$0.note.fullText("read") }.count == 2)
  }

  @Test func unmanagedListsAreSearchedForPlaces() throws {
    let articles = List<QueryArticle>()
    for latitude in [60.0, 10] { articles.append(QueryArticle(value: ["place": ["coordinates": [5.0, latitude]]])) }
    let box = try #require(GeoBox(bottomLeft: (5, 0), topRight: (25, 10)))
    #expect(articles.index(matching: { $0.place.geoWithin(box) }) == 1)
    #expect(articles.index(matching: NSPredicate(format: "place IN %@", box)) == 1)
  }

  @Test func regionsHoldTheirPoints() throws {
    let articles = try articles()
    let box = try #require(GeoBox(bottomLeft: (5, 0), topRight: (25, 10)))
    #expect(articles.where { $0.place.geoWithin(box) }.count == 2)
    #expect(articles.where { !$0.place.geoWithin(box) }.map(\.text) == ["nothing here"])
    let circle = GeoCircle(center: try #require(GeoPoint(latitude: 10, longitude: 5)), radius: try #require(.kilometers(100)))
    #expect(articles.where { $0.place.geoWithin(circle) && $0.text.contains("fox") }.count == 1)
    #expect(articles.filter("place IN %@", circle).count == 1)
    let triangle = try #require(GeoPolygon(outerRing: [(15, 0), (15, 10), (25, 5), (15, 0)]))
    #expect(articles.where { $0.place.geoWithin(triangle) }.map(\.text) == ["a quick lazy dog"])
  }
}
