import RealmQuery
import RealmStorage

/// What a thread-confined value stands for, without its realm: enough to make another value of it in another realm of the file.
protocol HandOver: ThreadConfined {
  /// Nil while unmanaged.
  var handOverCore: RealmCore? { get }
  func handedOver() throws -> HandedOver
  /// - Returns: nil if it does not exist in the version that `core` shows.
  static func received(_ value: HandedOver, in core: RealmCore) throws -> Self?
}

enum HandedOver: Sendable {
  case object(className: String, key: ObjectKey)
  case collection(CollectionPlace)
  case results(ResultsPlan)
  /// Made of others.
  case composite(Composite)

  /// - SAFETY: what `make` has captured is immutable, and of no realm.
  struct Composite: @unchecked Sendable {
    let make: (RealmCore) throws -> Any?
  }

  func composite<Value>(in core: RealmCore, as type: Value.Type) throws -> Value? {
    if case .composite(let composite) = self { try composite.make(core) as? Value } else { nil }
  }
}

/// A list, set or dictionary, by the place where it is.
struct CollectionPlace: Sendable {
  let className: String
  let key: ObjectKey
  let slot: Int
  let path: [PathStep]
  let kind: CollectionKind
  let rootIdentity: Int64

  init(_ collection: CollectionCore) {
    className = collection.owner.className
    key = collection.key
    slot = collection.slot
    path = collection.path
    kind = collection.kind
    rootIdentity = collection.rootIdentity
  }

  func exists(in core: RealmCore) throws -> Bool { try core.hasObject(className, key) }

  /// One whose object was deleted is invalid, not nil.
  func collection(in core: RealmCore) throws -> CollectionCore {
    CollectionCore(
      core: core, owner: try core.binding(named: className), key: key, slot: slot, path: path, kind: kind, rootIdentity: rootIdentity)
  }
}

/// Where results come from, and their steps.
struct ResultsPlan: Sendable {
  enum Source: Sendable {
    case table
    case collection(CollectionPlace)
    case backlinks(owner: String, key: ObjectKey, origin: String, originSlot: Int)
    case nothing
  }
  let target: String?
  let source: Source
  /// From the source on.
  let steps: [RealmQuery.Query]

  init(_ results: ResultsCore) {
    var steps: [RealmQuery.Query] = []
    var base = results
    while true {
      if let step = base.step { steps.append(step) }
      guard case .results(let next) = base.source else { break }
      base = next
    }
    self.steps = steps.reversed()
    target = results.target?.className
    switch base.source {
    case .table: source = .table
    case .collection(let collection): source = .collection(CollectionPlace(collection))
    case .backlinks(let links):
      source = .backlinks(owner: links.owner.className, key: links.key, origin: links.origin.className, originSlot: links.originSlot)
    case .nothing, .results: source = .nothing
    }
  }

  func results(in core: RealmCore) throws -> ResultsCore {
    let target = try target.map { name in try core.binding(named: name) as ClassBinding }
    var results = ResultsCore(core, try source(core, target), target: target)
    for step in steps { results = results.appending(step) }
    return results
  }

  private func source(_ core: RealmCore, _ target: ClassBinding?) throws -> ResultsCore.Source {
    switch source {
    case .table: return target.map { .table($0) } ?? .nothing
    // Results of something that was deleted are empty.
    case .collection(let place): return try place.exists(in: core) ? .collection(place.collection(in: core)) : .nothing
    case .backlinks(let owner, let key, let origin, let slot):
      guard try core.hasObject(owner, key) else { return .nothing }
      return .backlinks(
        BacklinkSource(
          owner: try core.binding(named: owner), key: key, epoch: core.objectEpoch, origin: try core.binding(named: origin), originSlot: slot))
    case .nothing: return .nothing
    }
  }
}

// MARK: - Objects

extension HandOver where Self: ObjectBase {
  var handOverCore: RealmCore? { core }
  func handedOver() throws -> HandedOver {
    guard let binding = binding else { throw RealmFailure.misuse("The object is not managed by a Realm.") }
    return .object(className: binding.className, key: key)
  }
  static func received(_ value: HandedOver, in core: RealmCore) throws -> Self? {
    guard case .object(let className, let key) = value, try core.hasObject(className, key) else { return nil }
    let binding: ClassBinding = try core.binding(named: className)
    // What was handed over as an `Object` is of its own class.
    let type = core.isMigrating ? nil : binding.schema.modelType as? Self.Type
    return core.accessor(type ?? Self.self, binding, key)
  }
}
extension Object: HandOver {}
extension EmbeddedObject: HandOver {}

// MARK: - Collections

extension List: HandOver {
  var handOverCore: RealmCore? { managed?.core }
  func handedOver() throws -> HandedOver { try .of(managed) }
  static func received(_ value: HandedOver, in core: RealmCore) throws -> List? {
    try value.collection(in: core).map { List(managed: $0) }
  }
}
extension MutableSet: HandOver {
  var handOverCore: RealmCore? { managed?.core }
  func handedOver() throws -> HandedOver { try .of(managed) }
  static func received(_ value: HandedOver, in core: RealmCore) throws -> MutableSet? {
    try value.collection(in: core).map { MutableSet(managed: $0) }
  }
}
extension Map: HandOver {
  var handOverCore: RealmCore? { managed?.core }
  func handedOver() throws -> HandedOver { try .of(managed) }
  static func received(_ value: HandedOver, in core: RealmCore) throws -> Map? {
    try value.collection(in: core).map { Map(managed: $0) }
  }
}

extension HandedOver {
  fileprivate static func of(_ collection: CollectionCore?) throws -> HandedOver {
    guard let collection else { throw RealmFailure.misuse("The collection is not managed by a Realm.") }
    return .collection(CollectionPlace(collection))
  }
  fileprivate func collection(in core: RealmCore) throws -> CollectionCore? {
    if case .collection(let place) = self { try place.collection(in: core) } else { nil }
  }

  /// What results are made of can be handed over unless it exists in the running write transaction only.
  fileprivate static func of(_ results: ResultsCore?) throws -> HandedOver {
    guard let results else { throw RealmFailure.misuse("The collection is not managed by a Realm.") }
    let plan = ResultsPlan(results)
    let owner: (String, ObjectKey)? =
      switch plan.source {
      case .collection(let place): (place.className, place.key)
      case .backlinks(let owner, let key, _, _): (owner, key)
      case .table, .nothing: nil
      }
    if let (className, key) = owner, try results.core.isNewInTransaction(className, key) {
      throw RealmFailure.misuse(
        "Cannot create a ThreadSafeReference to Results backed by a collection of objects inside the write transaction which created the "
          + "collection.")
    }
    return .results(plan)
  }
  fileprivate func results(in core: RealmCore) throws -> ResultsCore? {
    if case .results(let plan) = self { try plan.results(in: core) } else { nil }
  }
}

extension Results: HandOver {
  var handOverCore: RealmCore? { base.core }
  func handedOver() throws -> HandedOver { try .of(base) }
  static func received(_ value: HandedOver, in core: RealmCore) throws -> Results? {
    try value.results(in: core).map { Results($0) }
  }
}
extension LinkingObjects: HandOver {
  var handOverCore: RealmCore? { base?.core }
  func handedOver() throws -> HandedOver { try .of(base) }
  static func received(_ value: HandedOver, in core: RealmCore) throws -> LinkingObjects? {
    guard let results = try value.results(in: core) else { return nil }
    var property = ""
    if case .backlinks(let links) = results.source { property = links.origin.schema.properties[links.originSlot].name }
    return LinkingObjects(results, property: property)
  }
}
extension AnyRealmCollection: HandOver {
  var handOverCore: RealmCore? { _resultsBox?.core.core }
  func handedOver() throws -> HandedOver { try .of(_resultsBox?.core) }
  /// A list or set whose owner was deleted is no collection any more, other than results of it, which are empty.
  static func received(_ value: HandedOver, in core: RealmCore) throws -> AnyRealmCollection? {
    if case .results(let plan) = value, plan.steps.isEmpty, case .collection(let place) = plan.source, try !place.exists(in: core) { return nil }
    return try value.results(in: core).map { AnyRealmCollection(Results<Element>($0)) }
  }
}

// MARK: - Views

extension Projection: HandOver {
  var handOverCore: RealmCore? { rootObject.core }
  func handedOver() throws -> HandedOver {
    guard let binding = rootObject.binding else { throw RealmFailure.misuse("The object is not managed by a Realm.") }
    // What was handed over as a `Projection` is of its own class, which shows what that does not.
    let (type, className, key) = (Swift.type(of: self), binding.className, rootObject.key)
    return .composite(
      .init { core in
        guard try core.hasObject(className, key) else { return nil }
        return type.init(projecting: core.accessor(Root.self, try core.binding(named: className), key))
      })
  }
  static func received(_ value: HandedOver, in core: RealmCore) throws -> Self? { try value.composite(in: core, as: Self.self) }
}

extension ProjectedCollection: HandOver {
  var handOverCore: RealmCore? { realm?.core }
  func handedOver() throws -> HandedOver {
    let make = try source.receiver()
    return .composite(.init { core in try make(core).map { ProjectedCollection($0) } })
  }
  static func received(_ value: HandedOver, in core: RealmCore) throws -> ProjectedCollection? {
    try value.composite(in: core, as: ProjectedCollection.self)
  }
}

extension SectionedResults: HandOver {
  var handOverCore: RealmCore? { base.results.core }
  func handedOver() throws -> HandedOver {
    let (plan, keyDepth, keyOf) = (ResultsPlan(base.results), base.keyDepth, base.keyOf)
    return .composite(.init { core in SectionedResults(try SectionedCore(plan.results(in: core), keyDepth: keyDepth, keyOf)) })
  }
  static func received(_ value: HandedOver, in core: RealmCore) throws -> SectionedResults? {
    try value.composite(in: core, as: SectionedResults.self)
  }
}

extension ResultsSection: HandOver {
  var handOverCore: RealmCore? { base.results.core }
  func handedOver() throws -> HandedOver {
    let (plan, keyDepth, keyOf, key) = (ResultsPlan(base.results), base.keyDepth, base.keyOf, key)
    return .composite(.init { core in ResultsSection(try SectionedCore(plan.results(in: core), keyDepth: keyDepth, keyOf), key) })
  }
  static func received(_ value: HandedOver, in core: RealmCore) throws -> ResultsSection? {
    try value.composite(in: core, as: ResultsSection.self)
  }
}
