import RealmStorage

/// A step of a path from an object to others.
struct Hop {
  enum Kind {
    case link(ColumnDescription)
    /// A list, set or dictionary of links.
    case collection(ColumnDescription, ElementSelector)
    /// The backlink column in the hop's origin; nil if nothing can link.
    case backlink(ColumnKey?)
  }
  let kind: Kind
  let origin: Table
  /// Whose objects the hop leads to.
  let target: Table

  var isToOne: Bool { if case .link = kind { true } else { false } }
  /// Leads to all elements of a collection, or to all objects that link.
  var hasAllElements: Bool {
    switch kind {
    case .link: false
    case .collection(_, let selector): selector.isAll
    case .backlink: true
    }
  }

  /// Lends the keys that an object links to, with repetitions; null and unresolved links are left out.
  /// - Throws: `.interrupted`, asked at every leaf of a collection and for every 256 backlinks.
  func forEachTarget(
    _ row: Row, _ cancellation: Cancellation?, _ body: (ObjectKey) throws(StorageError) -> Void
  ) throws(StorageError) {
    switch kind {
    case .link(let column):
      if let key = try row.link(column.key) { try body(key) }
    case .backlink(let column?):
      for (index, key) in try origin.backlinks(row.key, column, cancellation).enumerated() where key.rawValue >= 0 {
        if index & 255 == 255 { try cancellation?.check() }
        try body(key)
      }
    case .backlink(nil): break
    case .collection(let column, let selector):
      let reader = try CollectionReader(origin.group.space, row, column, cancellation)
      if reader.root.isNull { return }
      switch selector {
      case .all, .keys:
        try reader.forEach { (value) throws(StorageError) in if let key = value.liveLink { try body(key) } }
      case .key(let name):
        if let key = try reader.value(for: name)?.liveLink { try body(key) }
      case .index, .first, .last:
        let position = try selector.position(count: reader.count())
        if let position, let key = try reader.value(at: position).liveLink { try body(key) }
      }
    }
  }

  /// The target of a link or of an entry of a dictionary.
  func singleTarget(_ row: Row, _ cancellation: Cancellation?) throws(StorageError) -> ObjectKey? {
    if case .link(let column) = kind { return try row.link(column.key) }
    var target: ObjectKey?
    try forEachTarget(row, cancellation) { target = $0 }
    return target
  }

  /// Number of targets.
  /// - Parameter countsNull: entries of a dictionary count that hold no link.
  func countTargets(_ row: Row, _ cancellation: Cancellation?, countsNull: Bool) throws(StorageError) -> Int {
    if case .collection(let column, .all) = kind {
      let reader = try CollectionReader(origin.group.space, row, column, cancellation)
      // Every element of a list or set leads somewhere, if its root does not say otherwise: then it has to be counted which ones.
      let countsAll = column.isDictionary ? countsNull : try !reader.mayHoldAbsent
      if countsAll { return try reader.count() }
    }
    var count = 0
    try forEachTarget(row, cancellation) { _ in count += 1 }
    return count
  }
}

/// Several hops in a row.
struct HopChain {
  var hops: [Hop]

  /// Only to-one links: there is at most one object at the end.
  var isToOne: Bool { hops.allSatisfy(\.isToOne) }

  /// Lends the objects at the end, with repetitions.
  func forEachRow(
    _ row: Row, _ cancellation: Cancellation?, from start: Int = 0, _ body: (Row) throws(StorageError) -> Void
  ) throws(StorageError) {
    guard start < hops.count else { return try body(row) }
    let hop = hops[start]
    try hop.forEachTarget(row, cancellation) { (key) throws(StorageError) in
      try forEachRow(hop.target.row(key), cancellation, from: start + 1, body)
    }
  }

  /// The keys of the objects at the end, with repetitions; the chain is not empty.
  func forEachKey(
    _ row: Row, _ cancellation: Cancellation?, from start: Int = 0, _ body: (ObjectKey) throws(StorageError) -> Void
  ) throws(StorageError) {
    let hop = hops[start]
    guard start + 1 < hops.count else { return try hop.forEachTarget(row, cancellation, body) }
    try hop.forEachTarget(row, cancellation) { (key) throws(StorageError) in
      try forEachKey(hop.target.row(key), cancellation, from: start + 1, body)
    }
  }

  /// The one object at the end of to-one links and entries of dictionaries; nil if one of them is null.
  func singleRow(_ row: Row, _ cancellation: Cancellation?) throws(StorageError) -> Row? {
    var row = row
    for hop in hops {
      guard let target = try hop.singleTarget(row, cancellation) else { return nil }
      row = try hop.target.row(target)
    }
    return row
  }
}
