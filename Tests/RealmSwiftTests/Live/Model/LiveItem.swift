import RealmSwift

/// A class with every kind of property that observers have to look at.
final class LiveItem: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var number = 0
  @Persisted var text: String?
  @Persisted var any: AnyRealmValue
  @Persisted var link: LiveItem?
  @Persisted var list: List<LiveItem>
  @Persisted var set: MutableSet<LiveItem>
  @Persisted var map: Map<String, LiveItem?>
  @Persisted var numbers: List<Int>
  @Persisted var texts: MutableSet<String>
  @Persisted var counts: Map<String, Int>
  @Persisted var values: List<AnyRealmValue>
  @Persisted var bag: Map<String, AnyRealmValue>
  @Persisted var part: LivePart?
  @Persisted var parts: List<LivePart>
  @Persisted var partMap: Map<String, LivePart?>
  @Persisted(originProperty: "link") var linkers: LinkingObjects<LiveItem>
  @Persisted(originProperty: "list") var listers: LinkingObjects<LiveItem>

  /// The embedded objects that it owns.
  var ownParts: [LivePart] { [part].compactMap { $0 } + Array(parts) + partMap.compactMap { $0.value } }
}

final class LivePart: EmbeddedObject {
  @Persisted var value = 0
  @Persisted var link: LiveItem?
}

/// Some properties of an item, and one of the item that it links to.
final class LiveItemView: Projection<LiveItem> {
  @Projected(\LiveItem.number) var shownNumber
  @Projected(\LiveItem.link?.number) var linkedNumber
  @Projected(\LiveItem.text) var shownText
}
