import RealmSwift

/// An object with a property of each kind, and collections of each kind of links to others like it.
class Item: Object {
  @Persisted(primaryKey: true) var id: Int
  @Persisted var number: Int
  @Persisted(indexed: true) var group: String
  @Persisted(indexed: true) var rank: Int
  @Persisted var note: String
  @Persisted var anything: AnyRealmValue
  @Persisted var next: Item?
  @Persisted(originProperty: "next") var previous: LinkingObjects<Item>
  @Persisted(originProperty: "list") var boxes: LinkingObjects<Box>

  convenience init(_ id: Int) {
    self.init()
    self.id = id
    number = id * 7919 % 10_007
    group = "group \(id % 10)"
    rank = id
    note = "a note about \(id)"
  }
}

class Part: EmbeddedObject {
  @Persisted var name: String
  @Persisted var item: Item?

  convenience init(_ number: Int) {
    self.init()
    name = "part \(number)"
  }
}

/// All collections, which hold as many elements as are measured.
class Box: Object {
  @Persisted var list: List<Item>
  @Persisted var set: MutableSet<Item>
  @Persisted var map: Map<String, Item?>
  @Persisted var parts: List<Part>
  @Persisted var partMap: Map<String, Part?>
  @Persisted var numbers: List<Int>
  @Persisted var numberSet: MutableSet<Int>
  @Persisted var texts: List<String>
  @Persisted var textSet: MutableSet<String>
  @Persisted var textMap: Map<String, String>
  @Persisted var anyList: List<AnyRealmValue>
  @Persisted var anySet: MutableSet<AnyRealmValue>
  @Persisted var anyMap: Map<String, AnyRealmValue>
  @Persisted var anything: AnyRealmValue
}

/// Texts with an index of their words.
class Page: Object {
  @Persisted(primaryKey: true) var path: String
  @Persisted(fullTextIndexed: true) var text: String
}
