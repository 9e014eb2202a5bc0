import RealmSwift

/// Observes what a scenario names, and notes what is reported.
final class ScenarioObserver {
  /// What came since the last call of `takeReports`, in the form of the recording.
  private var reports: [ScenarioValue] = []
  private var token: NotificationToken?
  private var showContents: () -> ScenarioValue = { .null }
  private let source: ScenarioSource
  /// The report of a collection before any change.
  static let beginning = ScenarioValue.text("initial")
  /// Properties that the SDK reports as changed and the recording does not name: backlinks.
  private static let unrecorded: Set<String> = ["linkers", "listers"]

  init(_ source: ScenarioSource, _ realm: Realm) throws {
    self.source = source
    let owner = source.owner.flatMap { realm.object(ofType: Item.self, forPrimaryKey: $0) }
    switch (source.kind, source.property, owner) {
    case (.results, _, _): try begin(realm.objects(Item.self)) { ScenarioValue($0.id) }
    case (.object, _, let owner?): begin(owner)
    case (.list, "list", let owner?): try begin(owner.list) { ScenarioValue($0.id) }
    case (.list, "ints", let owner?): try begin(owner.ints) { ScenarioValue($0) }
    case (.list, "embs", let owner?): try begin(owner.embs) { ScenarioValue($0) }
    case (.list, "any", let owner?):
      guard let list = owner.any.listValue else { throw MalformedScenario("the observed property holds no list") }
      try begin(list) { ScenarioValue($0) }
    case (.set, "set", let owner?): try begin(owner.set) { ScenarioValue($0.id) }
    case (.set, "strs", let owner?): try begin(owner.strs) { ScenarioValue($0) }
    case (.dictionary, "map", let owner?): begin(owner.map) { ScenarioValue($0?.id) }
    case (.dictionary, "nums", let owner?): begin(owner.nums) { ScenarioValue($0) }
    case (.dictionary, "any", let owner?):
      guard let map = owner.any.dictionaryValue else { throw MalformedScenario("the observed property holds no dictionary") }
      begin(map) { ScenarioValue($0) }
    case (.linkingObjects, "link", let owner?): try begin(owner.linkers) { ScenarioValue($0.id) }
    case (.linkingObjects, "list", let owner?): try begin(owner.listers) { ScenarioValue($0.id) }
    default: throw MalformedScenario("there is nothing like that to observe")
    }
  }

  deinit { token?.invalidate() }

  /// What was reported since the last call.
  func takeReports() -> [ScenarioValue] {
    defer { reports = [] }
    return reports
  }

  /// What the observed object or collection holds now.
  var contents: ScenarioValue { showContents() }

  // MARK: Beginning

  private func begin<C: RealmCollection>(_ collection: C, _ render: @escaping (C.Element) -> ScenarioValue) throws {
    var arranged: Results<C.Element>?
    if let filter = source.filter { arranged = try collection.filter(queryText: filter) }
    if !source.order.isEmpty {
      let order = source.order.map { SortDescriptor(keyPath: $0.keyPath, ascending: $0.isAscending) }
      arranged = arranged?.sorted(by: order) ?? collection.sorted(by: order)
    }
    if !source.distinct.isEmpty { arranged = arranged?.distinct(by: source.distinct) ?? collection.distinct(by: source.distinct) }
    if let arranged { observe(arranged, render) } else { observe(collection, render) }
  }

  private func observe<C: RealmCollection>(_ collection: C, _ render: @escaping (C.Element) -> ScenarioValue) {
    showContents = { .array(collection.isInvalidated ? [] : collection.map(render)) }
    token = collection.observe(keyPaths: source.keyPaths) { [unowned self] change in
      switch change {
      case .initial: reports.append(Self.beginning)
      case .update(_, let deletions, let insertions, let modifications):
        note(deletions.map { ScenarioValue($0) }, insertions.map { ScenarioValue($0) }, modifications.map { ScenarioValue($0) })
      case .error(let error): reports.append(.text("\(error)"))
      }
    }
  }

  private func begin<Value>(_ map: Map<String, Value>, _ render: @escaping (Value) -> ScenarioValue) {
    showContents = {
      if map.isInvalidated { return .members([:]) }
      return .members(Dictionary(uniqueKeysWithValues: map.asKeyValueSequence().map { ($0.key, render($0.value)) }))
    }
    token = map.observe(keyPaths: source.keyPaths) { [unowned self] change in
      switch change {
      case .initial: reports.append(Self.beginning)
      case .update(_, let deletions, let insertions, let modifications):
        note(deletions.sorted().map { .text($0) }, insertions.sorted().map { .text($0) }, modifications.sorted().map { .text($0) })
      case .error(let error): reports.append(.text("\(error)"))
      }
    }
  }

  private func begin(_ item: Item) {
    showContents = { item.isInvalidated ? .null : ScenarioValue(properties: item) }
    token = item.observe(keyPaths: source.keyPaths) { [unowned self] (change: ObjectChange<Item>) in
      switch change {
      case .change(_, let properties):
        let names = properties.map(\.name).filter { !Self.unrecorded.contains($0) }
        reports.append(.members(["deleted": ScenarioValue(0), "properties": .array(names.map { .text($0) })]))
      case .deleted: reports.append(.members(["deleted": ScenarioValue(1), "properties": .array([])]))
      case .error(let error): reports.append(.text("\(error)"))
      }
    }
  }

  private func note(_ deletions: [ScenarioValue], _ insertions: [ScenarioValue], _ modifications: [ScenarioValue]) {
    reports.append(.members(["deletions": .array(deletions), "insertions": .array(insertions), "modifications": .array(modifications)]))
  }
}
