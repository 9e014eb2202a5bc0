@testable import RealmSwift

/// The objects that a realm shows, and where links lead from them.
struct LiveGraph {
  typealias Place = ChangeJournal.Place
  /// By property.
  private(set) var links: [Place: [String: [Place]]] = [:]
  /// From collections inside of `AnyRealmValue`.
  private(set) var nestedLinks: [Place: [Place]] = [:]

  init() {}

  init(_ realm: Realm) {
    for item in realm.objects(LiveItem.self) {
      add(item)
      for part in item.ownParts { links[Place(part)] = ["link": [part.link].compactMap { $0.map(Place.init) }] }
    }
    // The other way round.
    for (origin, properties) in links where !origin.isPart {
      for (property, name) in [("link", "linkers"), ("list", "listers")] {
        for target in properties[property] ?? [] { links[target]?[name, default: []].append(origin) }
      }
    }
  }

  private mutating func add(_ item: LiveItem) {
    let place = Place(item)
    var nested: [Place] = []
    func direct(_ values: some Sequence<AnyRealmValue>) -> [Place] {
      values.compactMap { value in
        if case .object(let object) = value { return Place(object) }
        Self.collect(value, &nested)
        return nil
      }
    }
    var own = links[place] ?? [:]
    own["link"] = [item.link].compactMap { $0.map(Place.init) }
    own["list"] = item.list.map { Place($0) }
    own["set"] = item.set.map { Place($0) }
    own["map"] = item.map.compactMap { $0.value.map(Place.init) }
    own["any"] = direct([item.any])
    own["values"] = direct(item.values)
    own["bag"] = direct(item.bag.map(\.value))
    own["part"] = [item.part].compactMap { $0.map(Place.init) }
    own["parts"] = item.parts.map { Place($0) }
    own["partMap"] = item.partMap.compactMap { $0.value.map(Place.init) }
    links[place] = own
    nestedLinks[place] = nested
  }

  private static func collect(_ value: AnyRealmValue, _ places: inout [Place]) {
    switch value {
    case .object(let object): places.append(Place(object))
    case .list(let list): for value in list { collect(value, &places) }
    case .dictionary(let map): for entry in map { collect(entry.value, &places) }
    default: break
    }
  }

  /// Those that links lead to; not the backlinks.
  func targets(_ place: Place) -> [Place] {
    guard let properties = links[place] else { return [] }
    return properties.filter { $0.key != "linkers" && $0.key != "listers" }.flatMap(\.value)
  }
}
