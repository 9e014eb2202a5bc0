import Foundation
import TestSupport
import Testing

@testable import RealmSwift

class OVSecret: Unlisted {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var word: String
  @Persisted var next: OVSecret?
  override var description: String { "secret \(id)" }
}

class OVMore: Unlisted {
  @Persisted var text: String
  override var description: String { "more than " + super.description }
}

/// With a primary key and an equality of its own.
class OVAlias: Unlisted {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  override func isEqual(_ object: Any?) -> Bool { (object as? OVAlias)?.name == name }
  override var hash: Int { name.hashValue }
}

class OVCard: Unlisted {
  @Persisted var suit: String
  @Persisted var note: String?
  override func isEqual(_ object: Any?) -> Bool { (object as? OVCard)?.suit == suit }
  override var hash: Int { suit.hashValue }
  var unknown: [String: String] = [:]
  override func setValue(_ value: Any?, forUndefinedKey key: String) { unknown[key] = value.map { "\($0)" } ?? "null" }
  override func value(forUndefinedKey key: String) -> Any? { unknown[key] }
}

/// What classes of models override of what `NSObject` has in the original.
@Suite struct OverridesTests {
  let directory = TestDirectory()

  private func makeRealm() throws -> Realm {
    let types = [OVSecret.self, OVMore.self, OVCard.self, OVAlias.self]
    return try Realm(configuration: .init(fileURL: URL(fileURLWithPath: directory.file("o.realm")), objectTypes: types))
  }

  @Test func anOverriddenDescriptionIsWhatOptionalsAndCollectionsPrint() throws {
    let realm = try makeRealm()
    let secret = try realm.write { realm.create(OVSecret.self, value: ["id": 1, "word": "precious"]) }
    let other = OVSecret(value: ["id": 2, "word": "precious"])
    #expect("\(secret as OVSecret?, default: "")" == "secret 1" && String(reflecting: secret) == "secret 1")
    #expect("\([secret, other])" == "[secret 1, secret 2]" && "\(["a": secret])" == "[\"a\": secret 1]")
    #expect("\([secret.freeze()])" == "[secret 1]")
    let more = try realm.write { realm.create(OVMore.self, value: ["text": "t"]) }
    #expect("\([more])" == "[\(more.description)]" && more.description == "more than OVMore {\n\ttext = t;\n}")
    // A class that overrides nothing is described for debuggers.
    #expect("\([OPlain()])".hasPrefix("[OPlain"))
    try realm.write { realm.delete(realm.objects(OVSecret.self)) }
    #expect(secret.debugDescription.contains("deleted"))
  }

  @Test func equalityAndHashesAreThoseOfTheClass() throws {
    let realm = try makeRealm()
    let (a, b, c) = (OVCard(value: ["suit": "hearts"]), OVCard(value: ["suit": "hearts", "note": "n"]), OVCard(value: ["suit": "spades"]))
    #expect(a == b && a != c && a.hashValue == b.hashValue && Set([a, b, c]).count == 2 && [c, a].firstIndex(of: b) == 1)
    try realm.write { realm.add([a, c]) }
    #expect(a == b && Set([a, b, c]).count == 2 && realm.objects(OVCard.self).contains(b) && Array(realm.objects(OVCard.self)).contains(b))
    try realm.write { for id in 0..<6 { realm.create(OVAlias.self, value: ["id": id, "name": "name \(id % 3)"]) } }
    let aliases = realm.objects(OVAlias.self)
    #expect(aliases.filter("id < 2").contains(aliases[3]) && !aliases.filter("id < 2").contains(aliases[5]), "by the class's equality")
    #expect(aliases.firstIndex(of: aliases[4]) == 1 && aliases.contains(OVAlias(value: [9, "name 2"])))
    // Others as ever.
    let (plain, secret) = (OPlain(), OVSecret(value: ["id": 7]))
    #expect(plain.isEqual(plain) && !plain.isEqual(OPlain()) && !plain.isEqual(nil) && !plain.isEqual("text"))
    try realm.write { realm.add(secret) }
    let same = try #require(realm.object(ofType: OVSecret.self, forPrimaryKey: 7))
    #expect(same !== secret && same.isEqual(secret) && same == secret && same.hash == secret.hash && Set([same, secret]).count == 1)
  }

  @Test func namesThatAreNoPropertiesAreLeftToTheClass() throws {
    let realm = try makeRealm()
    let card = OVCard()
    card.setValuesForKeys(["suit": "clubs", "note": NSNull(), "colour": "black"])
    #expect(card.suit == "clubs" && card.note == nil && card.unknown == ["colour": "black"])
    #expect(card.value(forKey: "colour") as? String == "black" && card.value(forKey: "suit") as? String == "clubs")
    try realm.write {
      realm.add(card)
      card.setValue("n", forKey: "note")
      card.setValue(nil, forKey: "shade")
    }
    #expect(card.note == "n" && card.unknown["shade"] == "null")
    let values = card.dictionaryWithValues(forKeys: ["suit", "note", "nothing"])
    #expect(values["suit"] as? String == "clubs" && values["note"] as? String == "n" && values["nothing"] is NSNull && values.count == 3)
    try realm.write { card.note = nil }
    #expect(card.dictionaryWithValues(forKeys: ["note"])["note"] is NSNull)
  }
}
