import RealmStorage

/// What of a change can concern an observer: while nothing of it is touched there is nothing to say, and nobody has to ask.
struct ObservationInterest: Equatable {
  /// Any change of any object of these classes.
  var tables: Set<TableKey> = []
  /// Changes of single objects.
  var objects: Set<ObjectLink> = []

  /// The objects of a class, and what is so many links behind them.
  /// - Returns: nil if links may lead anywhere.
  static func objects(of table: TableKey, within linkCount: Int = VersionStep.linkCount, _ group: Group) throws -> ObservationInterest? {
    var interest = ObservationInterest(tables: [table])
    var next = interest.tables
    for _ in 0..<linkCount where !next.isEmpty {
      var targets: Set<TableKey> = []
      for table in try next.map(group.table) {
        for column in table.publicColumns {
          switch column.type {
          case .mixed, .typedLink: return nil
          case .link: targets.insert(column.oppositeTable)
          default: break
          }
        }
      }
      next = targets.subtracting(interest.tables)
      interest.tables.formUnion(targets)
    }
    return interest
  }
}
