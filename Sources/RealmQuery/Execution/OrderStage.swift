import RealmStorage

/// A descriptor with resolved paths.
enum OrderStage {
  case sort([SortPath])
  case distinct([SortPath])
  case limit(Int)

  func apply(_ order: inout RowOrder, of table: Table) throws(StorageError) {
    switch self {
    case .limit(let count): order.keepFirst(count)
    case .sort(let paths) where paths.contains(where: \.isMixed):
      let keys = try order.keys().array()
      var mixed = try MixedOrder(keys, paths, of: table, order.cancellation)
      order = try RowOrder(table, mixed.sorted().map { keys[$0] }, order.cancellation)
    case .distinct(let paths) where paths.contains(where: \.isMixed):
      let keys = try order.keys().array()
      var mixed = try MixedOrder(keys, paths, of: table, order.cancellation)
      order = try RowOrder(table, mixed.distinct().map { keys[$0] }, order.cancellation)
    case .sort(let paths): try order.sort(by: paths.map { $0.column(of: table) })
    case .distinct(let paths): try order.keepDistinct(by: paths.map { $0.column(of: table) })
    }
  }

  var isSort: Bool { if case .sort = self { true } else { false } }
}

/// What objects are ordered by: a property, perhaps behind links, perhaps an entry of it.
struct SortPath {
  /// To-one links and entries of dictionaries only.
  let chain: HopChain
  let column: ColumnDescription
  /// Into a dictionary, or a Mixed value.
  let entry: MixedPath?
  let isAscending: Bool
  let group: Group

  var isMixed: Bool { entry != nil || column.type == .mixed }

  func column(of table: Table) -> OrderColumn {
    if entry == nil, chain.isToOne {
      if chain.hops.isEmpty { return OrderColumn(column, isAscending: isAscending) }
      var links: [(link: LeafColumn, target: Table)] = []
      for hop in chain.hops { if case .link(let link) = hop.kind { links.append((LeafColumn(link), hop.target)) } }
      return OrderColumn(.linked(links, LeafColumn(column)), isAscending: isAscending)
    }
    return OrderColumn(.computed { (key, cancellation) throws(StorageError) in try value(table.row(key), cancellation) }, isAscending: isAscending)
  }

  /// Nil says that a link on the way is null.
  func value(_ row: Row, _ cancellation: Cancellation?) throws(StorageError) -> Value? {
    var end = row
    for hop in chain.hops {
      // What lies behind an entry of a dictionary orders nothing, as measured.
      guard hop.isToOne else { return .null }
      guard let target = try hop.singleTarget(end, cancellation) else { return nil }
      end = try hop.target.row(target)
    }
    guard let entry else { return try end.value(column).linked(to: column.oppositeTable).resolved }
    var values: [Value] = []
    if column.isDictionary {
      try entry.append(.dictionary(CollectionReader(group.space, end, column, cancellation).root), to: &values, cancellation)
    } else {
      try entry.append(end.value(column), to: &values, cancellation)
    }
    return values.first?.resolved ?? .null
  }
}
