import RealmStorage

@testable import RealmSwift

extension ChangeModel {
  /// Observers of the whole class in many ways.
  static func classWatchers(_ realm: Realm) -> [LiveWatcher] {
    var all: Results<LiveItem> { realm.objects(LiveItem.self) }
    let results: [(String, () -> Results<LiveItem>)] = [
      ("class", { all }), ("filter", { all.filter("number > 3") }), ("where", { all.where { $0.number < 4 && $0.text != "a" } }),
      ("sort", { all.sorted(byKeyPath: "number", ascending: false) }), ("filter and sort", { all.filter("number > 2").sorted(byKeyPath: "text") }),
      ("filter behind link", { all.filter("link.number > 3") }), ("sort behind link", { all.sorted(byKeyPath: "link.number") }),
      ("filter and sort behind links", { all.filter("link.link.number > 2").sorted(byKeyPath: "link.text") }),
      ("distinct", { all.distinct(by: ["number"]) }),
      ("sort and distinct", { all.sorted(byKeyPath: "text", ascending: false).distinct(by: ["number"]) }),
      ("distinct behind link", { all.sorted(byKeyPath: "number").distinct(by: ["link.number"]) }),
      ("filter behind list", { all.filter("ANY list.number > 5") }), ("list count", { all.filter("list.@count > 1").sorted(byKeyPath: "number") }),
      ("filter behind backlinks", { all.filter("ANY linkers.number > 3") }), ("backlink count", { all.filter("listers.@count > 0") }),
      ("values in list", { all.filter("ANY numbers == 2") }), ("texts in set", { all.filter("ANY texts == 'a'") }),
      ("embedded", { all.filter("part.value > 1 OR ANY parts.link.number > 4") }), ("set of objects", { all.filter("ANY set.number == 1") }),
      ("map of values", { all.filter("counts['a'] > 0") }), ("any value", { all.where { $0.any == .int(1) || $0.any == .string("a") } }),
      ("subquery", { all.filter("SUBQUERY(list, $x, $x.number > 3 AND $x.link != nil).@count > 0") }),
    ]
    let keyPaths: [[String]] = [
      ["number"], ["text", "link"], ["link.number"], ["list.link.number"], ["*"], ["link.*"], ["parts.value"], ["part.link.text"], ["linkers.number"],
      ["linkers"], ["listers.link.number"], ["map"], ["any"], ["link.link.link.link.link.number"], [],
    ]
    let selective = keyPaths.map { keyPaths -> LiveWatcher in
      CollectionWatcher("class \(keyPaths)", all, keyPaths) { LiveEntry.objects(all) }
    }
    let others: [LiveWatcher] = [
      CollectionWatcher("filter and sort [number]", ["number"]) { all.filter("number > 2").sorted(byKeyPath: "text") },
      CollectionWatcher("filter behind link [text]", ["text"]) { all.filter("link.number > 3") },
      CollectionWatcher("any collection", AnyRealmCollection(all.filter("number > 4"))) { LiveEntry.objects(all.filter("number > 4")) },
      SectionWatcher.all("sections", nil) { all.sectioned(by: \.number) },
      SectionWatcher.all("sections of some, downwards", nil) {
        all.filter("number > 2").sectioned(by: \.number, sortDescriptors: [.init(keyPath: "number", ascending: false), .init(keyPath: "text")])
      },
      SectionWatcher.all("sections [text]", ["text"]) { all.sectioned(by: \.number) },
      SectionWatcher.all("sections by a block", nil) { all.sectioned(sortDescriptors: [SortDescriptor(keyPath: "text")]) { $0.number % 3 } },
      SectionWatcher.one("section") { all.sectioned(by: \.number) },
    ]
    let plain = results.map { name, results -> LiveWatcher in CollectionWatcher(name, nil, results) }
    return plain + selective + others
  }

  /// Observers of an object and of what it holds.
  func ownerWatchers(_ owner: LiveItem) -> [LiveWatcher] {
    collectionWatchers(owner) + derivedWatchers(owner) + mapWatchers(owner) + [
      ObjectWatcher.all(owner), ObjectWatcher.keyPaths(["number"], owner), ObjectWatcher.keyPaths(["link.number", "list", "text"], owner),
      ObjectWatcher.keyPaths(["linkers.number", "parts.link.number"], owner), ObjectWatcher.projection(owner),
    ]
  }

  private func listWatcher<Element>(_ owner: LiveItem, _ name: String, _ list: List<Element>, _ keyPaths: [String]? = nil) -> LiveWatcher {
    CollectionWatcher("\(name) \(keyPaths ?? [])", list, keyPaths, isLogged: true) { [unowned self] in
      owner.isInvalidated ? nil : LiveEntry.list(list, editor.journal.list(owner, name))
    }
  }

  private func collectionWatchers(_ owner: LiveItem) -> [LiveWatcher] {
    [
      listWatcher(owner, "list", owner.list), listWatcher(owner, "list", owner.list, ["number"]),
      listWatcher(owner, "list", owner.list, ["link.number"]),
      listWatcher(owner, "numbers", owner.numbers), listWatcher(owner, "values", owner.values), listWatcher(owner, "parts", owner.parts),
      listWatcher(owner, "parts", owner.parts, ["link"]),
      CollectionWatcher("set", owner.set, isLogged: true) { [unowned self] in
        if owner.isInvalidated { return nil }
        let tokens = editor.journal.entries(owner, "set")
        return owner.set.map { LiveEntry.entry($0, tokens["\($0.key.rawValue)"]!) }
      },
      CollectionWatcher("texts", owner.texts, isLogged: true) { [unowned self] in
        if owner.isInvalidated { return nil }
        let tokens = editor.journal.entries(owner, "texts")
        return owner.texts.map { LiveEntry.entry($0, tokens[$0]!) }
      },
    ]
  }

  private func mapWatchers(_ owner: LiveItem) -> [LiveWatcher] {
    func tokens(_ property: String) -> () -> [String: ChangeJournal.Token]? {
      { [unowned self] in owner.isInvalidated ? nil : editor.journal.entries(owner, property) }
    }
    return [
      MapWatcher("map", owner.map, nil, tokens("map")), MapWatcher("map [number]", owner.map, ["number"], tokens("map")),
      MapWatcher("counts", owner.counts, nil, tokens("counts")), MapWatcher("bag", owner.bag, nil, tokens("bag")),
      MapWatcher("partMap", owner.partMap, nil, tokens("partMap")),
    ]
  }

  /// Of what the property `any` holds, and of a list inside of a list.
  func nestedWatchers(_ owner: LiveItem) -> [LiveWatcher] {
    if let map = owner.any.dictionaryValue {
      return [MapWatcher("map inside of a value", map) { [unowned self] in owner.isInvalidated ? nil : editor.journal.entries(owner, "any") }]
    }
    guard let list = owner.any.listValue else { return [] }
    let outer = CollectionWatcher("list inside of a value", list, isLogged: true) { [unowned self] in
      owner.isInvalidated ? nil : LiveEntry.list(list, editor.journal.list(owner, "any"))
    }
    guard let inner = list.compactMap(\.listValue).first else { return [outer] }
    return [
      outer,
      CollectionWatcher("list inside of a list", inner, isLogged: true) {
        owner.isInvalidated || inner.isInvalidated ? nil : inner.map { LiveEntry.value($0) }
      },
    ]
  }

  /// Of results that come from collections, and backlinks.
  private func derivedWatchers(_ owner: LiveItem) -> [LiveWatcher] {
    let results: [(String, () -> Results<LiveItem>)] = [
      ("sorted list", { owner.list.sorted(byKeyPath: "number") }), ("filtered list", { owner.list.filter("number > 2") }),
      ("filtered set", { owner.set.filter("link != nil") }), ("sorted backlinks", { owner.linkers.sorted(byKeyPath: "number") }),
    ]
    var watchers = results.map { name, results -> LiveWatcher in
      CollectionWatcher(name, results()) { owner.isInvalidated ? nil : LiveEntry.objects(results()) }
    }
    watchers.append(CollectionWatcher("backlinks", owner.linkers) { owner.isInvalidated ? nil : LiveEntry.objects(owner.linkers) })
    watchers.append(CollectionWatcher("backlinks of lists", owner.listers) { owner.isInvalidated ? nil : LiveEntry.objects(owner.listers) })
    watchers.append(
      CollectionWatcher("sorted values", owner.numbers.sorted(ascending: false), isLogged: true) {
        owner.isInvalidated ? nil : owner.numbers.sorted(ascending: false).map { LiveEntry(identity: $0, mayBeSet: true) }
      })
    return watchers
  }
}
