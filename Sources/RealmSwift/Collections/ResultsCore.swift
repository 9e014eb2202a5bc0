import RealmQuery
import RealmStorage

/// What `Results` and its relatives stand on: a source of objects or values, and steps that filter, order and thin it out.
///
/// Lazy and live: evaluated at the first access, and again when the realm's version or, in a write transaction, anything has changed.
final class ResultsCore {
  enum Source {
    case table(ClassBinding)
    case collection(CollectionCore)
    /// The objects that link to an object through a property of their class.
    case backlinks(BacklinkSource)
    case results(ResultsCore)
    /// For a key path with no realm behind it.
    case nothing
  }

  enum Contents: Sendable {
    case keys(KeySequence)
    case values([Value])

    static let nothing = Contents.keys(KeySequence(isInKeyOrder: true))

    var count: Int {
      switch self {
      case .keys(let keys): keys.count
      case .values(let values): values.count
      }
    }
  }

  let core: RealmCore
  let source: Source
  /// The class of the elements; nil for values.
  let target: ClassBinding?
  let step: RealmQuery.Query?
  private let epoch: ObjectEpoch
  private var evaluated: Contents?
  /// Keeps the elements up to date, if they are observed.
  weak var observation: ResultsObservation?
  private var stamp: UInt64 = 0
  /// When the first element was sought alone.
  private var firstStamp: UInt64 = 0
  /// Of frozen results, which several threads may read.
  private let frozenContents = Locked<Contents?>(nil)
  /// All steps, bound to the tables of one version.
  var cachedPlan: QueryPlan?
  /// Ends an evaluation with an error; without it nothing does.
  private(set) var cancellation: Cancellation?

  init(_ core: RealmCore, _ source: Source, target: ClassBinding?, step: RealmQuery.Query? = nil) {
    self.core = core
    self.source = source
    self.target = target
    self.step = step
    epoch = core.objectEpoch
  }

  convenience init(_ core: RealmCore, table binding: ClassBinding) { self.init(core, .table(binding), target: binding) }
  convenience init(_ collection: CollectionCore) throws {
    self.init(collection.core, .collection(collection), target: try collection.scope().target)
  }

  func appending(_ query: RealmQuery.Query) -> ResultsCore { ResultsCore(core, .results(self), target: target, step: query) }

  var scope: _Scope { _Scope(core: core, target: target) }

  /// The class whose properties predicates and sort descriptors name.
  var className: String { target?.className ?? valueTypeName }
  private var valueTypeName: String {
    switch source {
    case .collection(let collection): collection.property.type.nameInErrors
    case .results(let base): base.valueTypeName
    default: "mixed"
    }
  }
  /// What lies below all steps.
  var root: ResultsCore { if case .results(let base) = source { base.root } else { self } }
  /// The collection of values that this is made of, if it is.
  var baseCollection: CollectionCore? { if case .collection(let collection) = root.source { collection } else { nil } }

  // MARK: State

  var isInvalidated: Bool {
    switch source {
    case .table, .nothing: core.isGone(epochWithoutTransaction, .null, binding: nil)
    case .collection(let collection): collection.isInvalidated
    case .backlinks(let links): links.isInvalidated(core)
    case .results(let base): base.isInvalidated
    }
  }
  /// Nothing can be asked of results that are older than `Realm.invalidate()`. A frozen realm that was invalidated has a text of its own.
  func requireValid() throws {
    if epoch.invalidation != core.objectEpoch.invalidation, !core.isClosed { throw RealmFailure.misuse("Access to invalidated Results objects") }
  }
  // Results of a cancelled transaction stay usable.
  private var epochWithoutTransaction: ObjectEpoch { ObjectEpoch(invalidation: epoch.invalidation) }

  /// The whole class without any step: nothing has to be evaluated.
  var plainTable: ClassBinding? {
    if case .table(let binding) = source, step == nil { binding } else { nil }
  }

  /// A collection without any step, which is asked itself as long as nobody needs all of its elements: that is as fast as ever right after a change.
  var plainCollection: CollectionCore? {
    if case .collection(let collection) = source, step == nil { collection } else { nil }
  }

  /// Lets evaluations be given up, those of what lies below included.
  func giveUp(with cancellation: Cancellation) {
    self.cancellation = cancellation
    if case .results(let base) = source { base.giveUp(with: cancellation) }
  }

  // MARK: Contents

  func count() throws -> Int {
    try core.verifyThread()
    try requireValid()
    if let binding = plainTable {
      guard binding.hasTable else { return 0 }
      let table = try binding.table(core)
      return try table.count()
    }
    if let presentContents { return presentContents.count }
    if let plainCollection { return try plainCollection.count() }
    if let count = try quickCount() { return count }
    return try contents().count
  }

  /// The elements, if they have been found out already and nothing has changed since.
  var presentContents: Contents? {
    if core.isFrozen { return frozenContents.withLock { $0 } }
    if stamp == core.cell.stamp { return evaluated }
    guard let contents = observation?.settledContents else { return nil }
    adopt(contents)
    return contents
  }

  /// Takes over what was found out elsewhere for the version that is being read.
  func adopt(_ contents: Contents) {
    if core.isFrozen { return frozenContents.withLock { $0 = contents } }
    evaluated = contents
    stamp = core.cell.stamp
  }

  /// Notes that the first element is sought alone in this state of the realm; false if it was before.
  func beginSeekingFirst() -> Bool {
    defer { firstStamp = core.cell.stamp }
    return firstStamp != core.cell.stamp
  }

  /// Lets go of what was found out in a version that is not being read any more.
  func forgetFormerContents() { if !core.isFrozen, stamp != core.cell.stamp { evaluated = nil } }

  /// The elements in the present version.
  func contents() throws -> Contents {
    try core.verifyThread()
    try requireValid()
    // The group first: beginning to read moves the stamp.
    _ = try core.group()
    if let presentContents { return presentContents }
    let contents = try evaluate()
    adopt(contents)
    return contents
  }

  func keys() throws -> [ObjectKey] {
    switch try contents() {
    case .keys(let keys): return keys.array()
    case .values(let values):
      return values.map { value in
        switch value {
        case .link(let key): key
        case .typedLink(let link): link.key
        default: .null
        }
      }
    }
  }

  func values() throws -> [Value] {
    switch try contents() {
    case .keys(let keys): keys.array().map { .link($0) }
    case .values(let values): values
    }
  }

  func value(at index: Int) throws -> Value {
    try core.verifyThread()
    try requireValid()
    if let binding = plainTable, binding.hasTable {
      let table = try binding.table(core)
      let count = try table.count()
      try CollectionCore.checkIndex(index, count: count)
      return .link(try table.key(at: index))
    }
    if let plainCollection {
      _ = try core.group()
      if presentContents == nil { return try plainCollection.value(at: index) }
    }
    let contents = try contents()
    try CollectionCore.checkIndex(index, count: contents.count)
    switch contents {
    case .keys(let keys): return .link(keys[index])
    case .values(let values): return values[index]
    }
  }

  /// What the source and its steps give.
  private func evaluate() throws -> Contents {
    if case .results = source, isInvalidated { throw RealmFailure.misuse("Access to invalidated Results objects") }
    guard let step else {
      switch source {
      case .table(let binding):
        guard binding.hasTable else { return .nothing }
        let table = try binding.table(core)
        return .keys(try TableScan(table, .always, cancellation).keys())
      case .collection(let collection): return try contents(of: collection)
      case .backlinks(let links): return .keys(KeySequence(try links.keys(core, cancellation), isInKeyOrder: false))
      case .results(let base): return try base.contents()
      case .nothing: return .values([])
      }
    }
    return try evaluate(step)
  }

  func contents(of collection: CollectionCore) throws -> Contents {
    let values = try collection.allValues(cancellation)
    guard target != nil, collection.kind != .dictionary else { return .values(values) }
    var keys: [ObjectKey] = []
    keys.reserveCapacity(values.count)
    for case .link(let key) in values where !key.isUnresolved { keys.append(key) }
    return .keys(KeySequence(keys, isInKeyOrder: false))
  }

  // MARK: In other realms

  /// The same results in another realm of the file.
  func counterpart(in other: RealmCore) throws -> ResultsCore? {
    let target = try target.map { binding in try other.binding(named: binding.className) as ClassBinding }
    let source: Source
    switch self.source {
    case .table: source = target.map { .table($0) } ?? .nothing
    case .collection(let collection):
      guard let collection = try collection.counterpart(in: other) else { return nil }
      source = .collection(collection)
    case .backlinks(let links):
      guard let links = try links.counterpart(in: other) else { return nil }
      source = .backlinks(links)
    case .results(let base):
      guard let base = try base.counterpart(in: other) else { return nil }
      source = .results(base)
    case .nothing: source = .nothing
    }
    return ResultsCore(other, source, target: target, step: step)
  }

  func isSame(_ other: ResultsCore) -> Bool {
    if self === other { return true }
    guard core === other.core, step == nil, other.step == nil else { return false }
    switch (source, other.source) {
    case (.collection(let a), .collection(let b)): return a.isSame(b)
    case (.backlinks(let a), .backlinks(let b)): return a == b
    default: return false
    }
  }
}

/// All links to one object from one property of a class.
struct BacklinkSource: Equatable {
  let owner: ClassBinding
  let key: ObjectKey
  let epoch: ObjectEpoch
  let origin: ClassBinding
  let originSlot: Int

  static func == (a: BacklinkSource, b: BacklinkSource) -> Bool {
    a.owner === b.owner && a.key == b.key && a.origin === b.origin && a.originSlot == b.originSlot
  }

  func isInvalidated(_ core: RealmCore) -> Bool {
    if core.isGone(epoch, key, binding: owner) { return true }
    guard let table = try? owner.table(core), let exists = try? table.contains(key) else { return true }
    return !exists
  }

  func keys(_ core: RealmCore, _ cancellation: Cancellation? = nil) throws -> [ObjectKey] {
    if isInvalidated(core) { throw RealmFailure.misuse("Access to invalidated Results objects") }
    // A file that is only read can lack the class whose objects would link.
    guard origin.hasTable else { return [] }
    let table = try owner.table(core)
    let originTable = try origin.table(core)
    let column = try originTable.column(origin.columns[originSlot])
    return try table.backlinks(key, column.oppositeColumn, cancellation)
  }

  func counterpart(in other: RealmCore) throws -> BacklinkSource? {
    let owner: ClassBinding = try other.binding(named: owner.className)
    let table = try owner.table(other)
    guard try table.contains(key) else { return nil }
    return BacklinkSource(
      owner: owner, key: key, epoch: other.objectEpoch, origin: try other.binding(named: origin.className), originSlot: originSlot)
  }
}

extension ResultsCore {
  func frozen() throws -> ResultsCore {
    if core.isFrozen { return self }
    if isInvalidated { throw RealmFailure.misuse("Access to invalidated Results objects") }
    guard let frozen = try counterpart(in: core.frozen()) else {
      throw RealmFailure.misuse("Cannot freeze an object in the same write transaction as it was created in.")
    }
    return frozen
  }
  func thawed() throws -> ResultsCore? { core.isFrozen ? try counterpart(in: core.thawed()) : self }
}
