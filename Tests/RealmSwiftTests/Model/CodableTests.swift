import Foundation
import TestSupport
import Testing

@testable import RealmSwift

private class CLeaf: UnlistedEmbedded, Codable { @Persisted var text: String }
private class CItem: Unlisted, Codable {
  @Persisted var name: String
}
private class CModel: Unlisted, Codable {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var name: String
  @Persisted var flag: Bool
  @Persisted var number: Double
  @Persisted var when: Date
  @Persisted var bytes: Data
  @Persisted var oid: ObjectId
  @Persisted var money: Decimal128
  @Persisted var token: UUID
  @Persisted var word: OWord
  @Persisted var maybe: String?
  @Persisted var maybeDate: Date?
  @Persisted var item: CItem?
  @Persisted var leaf: CLeaf?
  @Persisted var ints: List<Int>
  @Persisted var maybes: List<Int?>
  @Persisted var items: List<CItem>
  @Persisted var words: MutableSet<String>
  @Persisted var map: Map<String, Int>
  @Persisted var itemMap: Map<String, CItem?>
}

@Suite struct CodableTests {
  let directory = TestDirectory()

  private let json = """
    {"id": 5, "name": "n", "flag": true, "number": 1.5, "when": 10, "bytes": "AQI=", "oid": "0123456789abcdef01234567", "money": "1.25",
     "token": "137DECC8-B300-4954-A233-F89909F4FD89", "word": "b", "item": {"name": "i"}, "leaf": {"text": "l"}, "ints": [1, 2],
     "maybes": [1, null], "items": [{"name": "a"}, {"name": "b"}], "words": ["x", "x"], "map": {"k": 1}, "itemMap": {"p": {"name": "q"}, "r": null}}
    """

  @Test func modelsAreDecoded() throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    let model = try decoder.decode(CModel.self, from: Data(json.utf8))
    #expect(model.id == 5)
    #expect(model.name == "n")
    #expect(model.flag)
    #expect(model.number == 1.5)
    #expect(model.when == Date(timeIntervalSince1970: 10))
    #expect(model.bytes == Data([1, 2]))
    #expect(model.oid.stringValue == "0123456789abcdef01234567")
    #expect(model.money == 1.25)
    #expect(model.token.uuidString == "137DECC8-B300-4954-A233-F89909F4FD89")
    #expect(model.word == .b)
    #expect(model.maybe == nil)
    #expect(model.maybeDate == nil)
    #expect(model.item?.name == "i")
    #expect(model.leaf?.text == "l")
    #expect(Array(model.ints) == [1, 2])
    #expect(Array(model.maybes) == [1, nil])
    #expect(model.items.map(\.name) == ["a", "b"])
    #expect(Array(model.words) == ["x"])
    #expect(model.map["k"] == 1)
    #expect(model.itemMap["p"]??.name == "q")
    #expect(model.itemMap["r"] == .some(nil))
    let realm = try Realm(configuration: directory.configuration([CModel.self, CItem.self, CLeaf.self]))
    try realm.write { realm.add(model) }
    #expect(realm.object(ofType: CModel.self, forPrimaryKey: 5)?.leaf?.text == "l")
  }

  @Test func unmanagedModelsAreEncoded() throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    let model = try decoder.decode(CModel.self, from: Data(json.utf8))
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .secondsSince1970
    let again = try decoder.decode(CModel.self, from: encoder.encode(model))
    #expect(again.when == model.when)
    #expect(again.oid == model.oid)
    #expect(again.money == model.money)
    #expect(again.item?.name == "i")
    #expect(Array(again.maybes) == [1, nil])
    #expect(again.itemMap.count == 2)
    #expect(again.maybe == nil)
    let object = try #require(JSONSerialization.jsonObject(with: encoder.encode(model)) as? [String: Any])
    #expect(object["oid"] as? String == "0123456789abcdef01234567")
    #expect(object["money"] as? String == "1.25")
    #expect(object["maybe"] is NSNull)
  }

  @Test func nullForARequiredPropertyIsATypeMismatch() throws {
    let error = try #require(throws: DecodingError.self) { try JSONDecoder().decode(CItem.self, from: Data(#"{"name": null}"#.utf8)) }
    guard case .typeMismatch(let type, let context) = error else {
      Issue.record("\(error)")
      return
    }
    #expect("\(type)" == "String")
    #expect(context.debugDescription == "Cannot convert nil to String")
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(CItem.self, from: Data("{}".utf8)) }
  }

  @Test func managedModelsAreNotEncodedAutomatically() throws {
    let realm = try Realm(configuration: directory.configuration([CModel.self, CItem.self, CLeaf.self]))
    let item = try realm.write { realm.create(CItem.self, value: ["x"]) }
    let error = try #require(throws: EncodingError.self) { try JSONEncoder().encode(item) }
    guard case .invalidValue(_, let context) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(
      context.debugDescription
        == "Only unmanaged Realm objects can be encoded using automatic Codable synthesis. You must explicitly define encode(to:) on your model class to support managed Realm objects."
    )
  }

  @Test func collectionsOfValuesAreCoded() throws {
    let realm = try Realm(configuration: directory.configuration([CModel.self, CItem.self, CLeaf.self]))
    let model = try realm.write {
      realm.create(CModel.self, value: ["id": 1, "ints": [3, 1], "words": ["b", "a"], "map": ["k": 2]] as [String: Any])
    }
    func text<T: Encodable>(_ value: T) throws -> String { String(decoding: try JSONEncoder().encode(value), as: UTF8.self) }
    #expect(try text(model.ints) == "[3,1]")
    #expect(try text(model.words) == #"["a","b"]"#)
    #expect(try text(model.map) == #"{"k":2}"#)
    #expect(try text(AnyRealmCollection(model.ints)) == "[3,1]")
    let list = try JSONDecoder().decode(List<String?>.self, from: Data(#"["a", null]"#.utf8))
    #expect(Array(list) == ["a", nil])
    #expect(try JSONDecoder().decode(MutableSet<Int>.self, from: Data("[1, 1]".utf8)).count == 1)
  }

  @Test(arguments: ["a.b", "$a"]) func aKeyThatNoMapCanHaveIsADecodingError(_ key: String) {
    let json = Data("{\"\(key)\": 1}".utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Map<String, Int>.self, from: json) }
  }
}
