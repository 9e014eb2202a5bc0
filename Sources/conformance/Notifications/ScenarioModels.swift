import RealmSwift

/// The class of the recorded scenarios. Names and order of the properties are those of the recording.
final class Item: Object {
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  @Persisted(primaryKey: true) var id = 0
  @Persisted var n = 0
  @Persisted var s: String?
  @Persisted var d: Double?
  @Persisted var any: AnyRealmValue
  @Persisted var link: Item?
  @Persisted var list: List<Item>
  @Persisted var set: MutableSet<Item>
  @Persisted var map: Map<String, Item?>
  @Persisted var ints: List<Int>
  @Persisted var strs: MutableSet<String>
  @Persisted var nums: Map<String, Int>
  @Persisted var emb: Emb?
  @Persisted var embs: List<Emb>
  @Persisted(originProperty: "link") var linkers: LinkingObjects<Item>
  @Persisted(originProperty: "list") var listers: LinkingObjects<Item>
}

/// What items embed.
final class Emb: EmbeddedObject {
  override class func shouldIncludeInDefaultSchema() -> Bool { false }
  @Persisted var v = 0
  @Persisted var link: Item?

  convenience init(v: Int, link: Item?) {
    self.init()
    (self.v, self.link) = (v, link)
  }
}
