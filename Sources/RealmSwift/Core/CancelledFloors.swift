import RealmStorage

/// What cancelled transactions took with them: objects that they had created. Their keys may exist again, for other objects.
///
/// Kept as long as the realm is, as accessors may be: transactions that are cancelled one after the other cost nothing, others what has grown since.
struct CancelledFloors {
  /// The numbers of the transactions, ascending.
  private var cancelled: [ClosedRange<UInt32>] = []
  private var floors: [TableKey: Floors] = [:]

  /// Of one table: objects from a key on did not exist before a transaction.
  private struct Floors {
    /// Each holds for its transaction and those after it, up to the next one.
    private(set) var steps: [(transaction: UInt32, floor: ObjectKey)] = []

    private func index(after transaction: UInt32) -> Int { steps.partitioningIndex { $0.transaction > transaction } }

    /// All objects are the transaction's where nothing is known.
    func floor(_ transaction: UInt32) -> ObjectKey {
      let index = index(after: transaction)
      return index == 0 ? CancelledFloors.everything : steps[index - 1].floor
    }

    /// - Parameter isNewest: nothing is known of later ones, which else keep what they have: a commit of several transactions may fail after a later
    ///   one was cancelled.
    mutating func set(_ floor: ObjectKey, _ transaction: UInt32, isNewest: Bool) {
      let (old, index) = (self.floor(transaction), index(after: transaction))
      guard floor != old else { return }
      if !isNewest, index == steps.count || steps[index].transaction > transaction + 1 { steps.insert((transaction + 1, old), at: index) }
      if index > 0, steps[index - 1].transaction == transaction {
        steps[index - 1].floor = floor
      } else {
        steps.insert((transaction, floor), at: index)
      }
    }
  }

  private static let everything = ObjectKey(.min)

  /// How much is kept.
  var stepCount: Int { floors.values.reduce(cancelled.count) { $0 + $1.steps.count } }

  /// - Parameter base: what the transaction had begun with; nil if that cannot be read, and then no object of the transaction is trusted.
  mutating func note(_ transaction: UInt32, base: Group?, _ classes: ClassBindings?) {
    var known: [TableKey: ObjectKey] = [:]
    if let base, let classes {
      for key in classes.tables { known[key] = try? base.table(key).nextKeyBound() }
    }
    note(transaction, known)
  }

  /// - Parameter known: the first key by table that the transaction might have given away; tables that are missing did not exist before.
  mutating func note(_ transaction: UInt32, _ known: [TableKey: ObjectKey]) {
    add(transaction)
    let isNewest = cancelled.last?.upperBound == transaction
    for table in Set(known.keys).union(floors.keys) {
      floors[table, default: Floors()].set(known[table] ?? Self.everything, transaction, isNewest: isNewest)
    }
  }

  private mutating func add(_ transaction: UInt32) {
    let index = cancelled.partitioningIndex { $0.lowerBound > transaction }
    if index > 0, cancelled[index - 1].upperBound >= transaction { return }
    if index > 0, cancelled[index - 1].upperBound + 1 == transaction {
      cancelled[index - 1] = cancelled[index - 1].lowerBound...transaction
    } else {
      cancelled.insert(transaction...transaction, at: index)
    }
  }

  /// Whether an object that an accessor stands for was created by a transaction that was cancelled.
  func took(_ key: ObjectKey, in table: TableKey, madeIn transaction: UInt32) -> Bool {
    let index = cancelled.partitioningIndex { $0.lowerBound > transaction }
    guard index > 0, cancelled[index - 1].contains(transaction) else { return false }
    return key >= (floors[table]?.floor(transaction) ?? Self.everything)
  }
}

extension Array {
  /// The first element that is behind a border, of an array in which all that are stand at the end.
  fileprivate func partitioningIndex(_ isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
