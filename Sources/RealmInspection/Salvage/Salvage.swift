import RealmQuery
package import RealmStorage

/// Copies what can be read of a damaged file into an empty database: every object that the damage does not touch, and of the others what is left.
package final class Salvage {
  private let file: OpenFile
  private let exporter: Exporter
  private let group: Group
  private let onDamage: (String) -> Void
  /// Called now and then with the number of objects that are in the copy; what it throws ends the work.
  private let keepsGoing: (Int) throws(StorageError) -> Void
  private var tables: [TableKey: Table] = [:]
  private var descriptions: [TableKey: TableDescription] = [:]
  /// The properties of the copy, by table and name in the damaged file, where several may have one key.
  private var columns: [TableKey: [[UInt8]: ColumnDescription]] = [:]
  private let leaves: MendedLeaves
  /// The objects of the copy, by table and key of the damaged file.
  private var objects: [TableKey: [ObjectKey: ObjectKey]] = [:]
  /// Objects whose key says nothing: where damage gave it to several, all but the first, or where it is none. Nil for one that is lost.
  private var strays: [TableKey: [Place: ObjectKey?]] = [:]
  /// Of classes: what tables of the file's own hold, such as `metadata`, is no object to who reads the number.
  package private(set) var objectCount = 0
  /// Links to objects that are lost.
  package private(set) var lostLinkCount = 0

  private struct Place: Hashable {
    let cluster: Ref
    let row: Int

    init(_ cluster: Cluster, _ row: Int) { (self.cluster, self.row) = (cluster.node.ref, row) }
  }

  package init(
    _ file: OpenFile, into group: Group, onDamage: @escaping (String) -> Void, keepsGoing: @escaping (Int) throws(StorageError) -> Void
  ) {
    (self.file, self.group, self.onDamage, self.keepsGoing) = (file, group, onDamage, keepsGoing)
    exporter = Exporter(file, digestLimit: nil, to: MemorySink())
    leaves = file.mendedLeaves()
  }

  package func run() throws(StorageError) {
    for table in file.classes where tables[table.key] == nil {
      tables[table.key] = trying("the \(TableName(table.name).phrase)") { () throws(StorageError) in
        try group.addTable(SchemaNames.text(table.name), kind: table.kind)
      }
      descriptions[table.key] = table
    }
    for table in file.classes { addColumns(table) }
    for table in file.classes { columns[table.key] = counterparts(table) }
    for table in file.classes where table.kind != .embedded { try createObjects(table) }
    for table in file.classes where table.kind != .embedded { try fillObjects(table) }
  }

  private func name(_ table: TableDescription) -> String { TableName(table.name).title }
  private func name(_ table: TableDescription, _ column: ColumnDescription) -> String { "\(name(table)).\(SchemaNames.text(column.name))" }
  /// For what is lost of one object.
  private func label(_ table: TableDescription, _ column: ColumnDescription) -> String { "\(name(table, column)) of an object" }

  /// Does something that damage may prevent.
  private func trying<Result>(_ what: @autoclosure () -> String, _ body: () throws(StorageError) -> Result) -> Result? {
    do throws(StorageError) { return try body() } catch {
      onDamage("\(what()): \(error.damage)")
      return nil
    }
  }

  // MARK: Schema

  private func addColumns(_ table: TableDescription) {
    guard let copy = tables[table.key] else { return }
    for (column, key) in zip(table.publicColumns, addedColumns(table, to: copy)) {
      guard let key, !column.isCollection, table.primaryKeyColumn?.key != column.key else { continue }
      _ = trying("the index of \(name(table, column))") { () throws(StorageError) in
        if column.attributes.contains(.indexed) { try copy.addIndex(key) }
        if column.specAttributes.contains(.fullTextIndexed) { try copy.addFullTextIndex(key) }
      }
    }
    guard let column = table.primaryKeyColumn else { return }
    _ = trying("the primary key of \(name(table))") { () throws(StorageError) in
      try copy.setPrimaryKey(copy.column(named: SchemaNames.text(column.name)).key)
    }
  }

  /// All at once, or those that can be added if not all can.
  private func addedColumns(_ table: TableDescription, to copy: Table) -> [ColumnKey?] {
    let definitions = table.publicColumns.map { column in
      let target = column.type == .link ? tables[column.oppositeTable] : nil
      let attributes = column.attributes.intersection([.nullable, .list, .set, .dictionary])
      return ColumnDefinition(SchemaNames.text(column.name), column.type, attributes, target: target?.key)
    }
    if let keys = try? copy.addColumns(definitions) { return keys }
    return zip(table.publicColumns, definitions).map { (column, definition) in
      trying(name(table, column)) { () throws(StorageError) in try copy.addColumn(definition) }
    }
  }

  /// As they are when all are there.
  private func counterparts(_ table: TableDescription) -> [[UInt8]: ColumnDescription] {
    guard let copy = tables[table.key] else { return [:] }
    var made = ColumnFinder(copy)
    let pairs = table.publicColumns.compactMap { column in made.column(SchemaNames.text(column.name)).map { (column.name, $0) } }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  // MARK: Objects

  private func forEachCluster(
    _ table: TableDescription, _ isReporting: Bool, _ body: (Cluster) throws(StorageError) -> Void
  ) throws(StorageError) {
    let leaves = table.columns.map(\.leafIndex)
    for step in ReadableClusters(file.space, table.clusterRoot, leafIndexes: leaves, rowCount: { self.rowCount($0, $1, table) }).steps {
      switch step {
      case .cluster(let cluster):
        try keepsGoing(objectCount)
        try body(cluster)
      case .damage(let error): if isReporting { onDamage("objects of \(name(table)): \(error.damage)") }
      }
    }
  }

  /// How many objects a cluster has, by the leaves of its properties: all but one say the same. Nil if they do not.
  private func rowCount(_ node: Node, _ keyCount: Int?, _ table: TableDescription) -> Int? {
    var counts: [Int: Int] = [:]
    if let keyCount { counts[keyCount] = 1 }
    for column in table.publicColumns {
      guard let ref = try? node.child(Cluster.Slot.firstColumn + column.leafIndex), !ref.isNull else { continue }
      let count =
        column.isCollection
        ? try? file.space.refs(at: ref).count : try? LeafReader(file.space, ref, column.leafKind, enumKeys: column.enumKeysRef).count
      if let count { counts[count, default: 0] += 1 }
    }
    let least = max(table.publicColumns.count - 1, 1)
    func rank(_ vote: (key: Int, value: Int)) -> (Int, Int, Int) { (vote.value, vote.key == keyCount ? 0 : 1, vote.key) }
    guard let (count, votes) = counts.max(by: { rank($0) < rank($1) }), votes >= least else { return nil }
    return (1...Cluster.objectLimit).contains(count) ? count : nil
  }

  private func createObjects(_ table: TableDescription) throws(StorageError) {
    guard let copy = tables[table.key] else { return }
    let owners = try owners(table)
    objects[table.key] = [:]
    if let column = table.primaryKeyColumn, copy.hasPrimaryKey {
      try createObjects(table, copy, owners, primaryKey: column)
    } else {
      try createObjects(table, copy, owners)
    }
    let count = strays[table.key]?.count ?? 0
    if count > 0 {
      onDamage(
        "the object keys of \(NumberText.count(count, "object")) of \(name(table)), which are those of others or none: "
          + "they have new ones, and no links lead to them")
    }
  }

  /// Whose each object key is. Where damage gave one to several objects, it is that of the one that stands where the key belongs, or of the first.
  private func owners(_ table: TableDescription) throws(StorageError) -> [ObjectKey: Place] {
    var owners: [ObjectKey: Place] = [:]
    try forEachCluster(table, true) { (cluster) throws(StorageError) in
      for row in 0..<cluster.count {
        let key = cluster.key(row)
        if key.rawValue < 0 { continue }
        if owners[key] == nil || belongs(key, cluster, row, table) { owners[key] = Place(cluster, row) }
      }
    }
    return owners
  }

  /// Whether the tree leads to the cluster, in which keys ascend.
  private func belongs(_ key: ObjectKey, _ cluster: Cluster, _ row: Int, _ table: TableDescription) -> Bool {
    if row > 0 && cluster.key(row - 1) >= key || row + 1 < cluster.count && cluster.key(row + 1) <= key { return false }
    return (try? ClusterTree.find(file.space, table.clusterRoot, key))?.cluster.node.ref == cluster.node.ref
  }

  private func createObjects(_ table: TableDescription, _ copy: Table, _ owners: [ObjectKey: Place]) throws(StorageError) {
    // They get keys when it is known which ones are taken.
    var waiting: [Place] = []
    try forEachCluster(table, false) { (cluster) throws(StorageError) in
      for row in 0..<cluster.count {
        let (key, place) = (cluster.key(row), Place(cluster, row))
        guard owners[key] == place else {
          waiting.append(place)
          continue
        }
        let isMade: Void? = trying("an object of \(name(table))") { () throws(StorageError) in try copy.createObject(withKey: key) }
        record(isMade == nil ? nil : key, of: key, at: place, table)
      }
    }
    for place in waiting {
      let object = trying("an object of \(name(table))") { () throws(StorageError) in try copy.createObject() }
      record(object, of: nil, at: place, table)
    }
  }

  /// First those that the index of the file lists under their primary key: an object whose key is damaged takes nobody's. Those that have none are
  /// kept under keys that stand in for it.
  private func createObjects(
    _ table: TableDescription, _ copy: Table, _ owners: [ObjectKey: Place], primaryKey column: ColumnDescription
  ) throws(StorageError) {
    var waiting: [(key: ObjectKey, place: Place, primaryKey: Value)] = []
    var keyless: [(key: ObjectKey, place: Place)] = []
    var standIns = StandInKeys(for: column.type)
    func keep(_ key: ObjectKey, _ place: Place, _ primaryKey: Value) {
      guard let object = create(table, copy, primaryKey) else { return keyless.append((key, place)) }
      standIns.note(primaryKey)
      record(object, of: owners[key] == place ? key : nil, at: place, table)
    }
    try forEachCluster(table, false) { (cluster) throws(StorageError) in
      let reader = self.reader(column, cluster, table)
      for row in 0..<cluster.count {
        let (key, place) = (cluster.key(row), Place(cluster, row))
        let what = "the primary key of an object of \(name(table))"
        guard let reader, let value = trying(what, { () throws(StorageError) in try reader.value(row) }) else {
          keyless.append((key, place))
          continue
        }
        if owners[key] == place, isListed(key, value, column) { keep(key, place, value) } else { waiting.append((key, place, value)) }
      }
    }
    for (key, place, value) in waiting { keep(key, place, value) }
    var names: [String] = []
    for (key, place) in keyless {
      let made = trying("an object of \(name(table))") { () throws(StorageError) in try create(copy, under: &standIns) }
      if let made { names.append(made.primaryKey.queryText) }
      record(made?.object, of: owners[key] == place ? key : nil, at: place, table)
    }
    guard let first = names.first, let last = names.last else { return }
    let new = names.count == 1 ? "it has a new one, \(first)" : "they have new ones, \(first) to \(last)"
    onDamage("the primary key\(names.count == 1 ? "" : "s") of \(NumberText.count(names.count, "object")) of \(name(table)): \(new)")
  }

  /// An object with the next key that nobody has.
  private func create(_ copy: Table, under keys: inout StandInKeys) throws(StorageError) -> (object: ObjectKey, primaryKey: Value) {
    while true {
      let key = keys.next()
      let (object, isNew) = try copy.findOrCreateObject(primaryKey: key)
      if isNew { return (object, key) }
    }
  }

  /// Nil if another object has the primary key.
  private func create(_ table: TableDescription, _ copy: Table, _ primaryKey: Value) -> ObjectKey? {
    let made = trying("the primary key of an object of \(name(table))") { () throws(StorageError) -> ObjectKey? in
      let (object, isNew) = try copy.findOrCreateObject(primaryKey: primaryKey)
      if !isNew { onDamage("the primary key of an object of \(name(table)): another one has \(primaryKey.queryText), too") }
      return isNew ? object : nil
    }
    return made ?? nil
  }

  /// Whether the object is what the damaged file's index has for its primary key.
  private func isListed(_ key: ObjectKey, _ primaryKey: Value, _ column: ColumnDescription) -> Bool {
    if column.indexRef.isNull { return false }
    return (try? SearchIndex.first(file.space, column.indexRef, primaryKey, Assumed(value: primaryKey))) == key
  }

  /// Takes the word of an index for what objects hold.
  private struct Assumed: IndexValueSource {
    let value: Value
    func value(of key: ObjectKey) -> Value { value }
  }

  /// - Parameter key: nil for a stray.
  private func record(_ object: ObjectKey?, of key: ObjectKey?, at place: Place, _ table: TableDescription) {
    if object != nil && SchemaText.isClass(table.name) { objectCount += 1 }
    if let key { objects[table.key]?[key] = object } else { strays[table.key, default: [:]][place] = .some(object) }
  }

  /// The object of the copy that a row became.
  private func object(_ table: TableDescription, _ cluster: Cluster, _ row: Int) -> ObjectKey? {
    if let stray = strays[table.key]?[Place(cluster, row)] { return stray }
    return objects[table.key]?[cluster.key(row)]
  }

  private func reader(_ column: ColumnDescription, _ cluster: Cluster, _ table: TableDescription) -> LeafReader? {
    trying("\(name(table, column)) of \(cluster.count) objects") { () throws(StorageError) in
      let ref = try cluster.column(column.leafIndex)
      // Null is a link's or a Mixed value's own.
      let mayBeNull = column.isNullable || column.type == .link || column.type == .mixed
      return try leaves.reader(ref, column.leafKind, enumKeys: column.enumKeysRef, count: cluster.count, mayBeNull: mayBeNull)
    }
  }

  private func fillObjects(_ table: TableDescription) throws(StorageError) {
    guard let copy = tables[table.key] else { return }
    try forEachCluster(table, false) { (cluster) throws(StorageError) in
      for column in table.publicColumns where column.key != table.primaryKeyColumn?.key {
        let reader = column.isCollection ? nil : self.reader(column, cluster, table)
        if !column.isCollection && reader == nil { continue }
        for row in 0..<cluster.count {
          guard let object = object(table, cluster, row) else { continue }
          guard let field = field(column, cluster, row, reader, table, depth: 0) else { continue }
          let notes = ConversionNotes()
          _ = trying(label(table, column)) { () throws(StorageError) in try copy.store(object, [field], notes: notes) }
          for line in notes.lines { onDamage("an element that a set of an object of \(name(table)) has twice: \(line)") }
        }
      }
    }
  }

  /// A property of one object, as it is stored in the copy; nil if it is lost.
  private func field(
    _ column: ColumnDescription, _ cluster: Cluster, _ row: Int, _ reader: LeafReader?, _ table: TableDescription, depth: Int
  ) -> PreparedField? {
    guard let target = columns[table.key]?[column.name] else { return nil }
    let value = trying(label(table, column)) { () throws(StorageError) in
      if let reader { return try prepared(reader.value(row), column, depth) }
      exporter.forgetVisits()
      let node = try leaves.collections(cluster.column(column.leafIndex), count: cluster.count)
      guard row < node.count else { throw .corruptNode(ref: node.ref, reason: "\(node.count) collections for \(cluster.count) objects") }
      return collection(try node.child(row), column, table, depth)
    }
    return value.map { PreparedField(column: target, value: $0) }
  }

  /// What can be read of a list, set or dictionary.
  private func collection(_ root: Ref, _ column: ColumnDescription, _ table: TableDescription, _ depth: Int) -> PreparedValue {
    if column.isDictionary {
      var entries: [(key: [UInt8], value: PreparedValue)] = []
      guard !root.isNull else { return .entries([]) }
      _ = trying(label(table, column)) { () throws(StorageError) in
        try DictionaryEntries(exporter, root, hasIntegerKeys: column.hasIntegerKeys).forEach { (key, value) throws(StorageError) in
          let value = if column.type == .link, case .typedLink(let link) = value { Value.link(link.key) } else { value }
          // No SDK writes other keys, or reads them.
          guard case .string(let bytes) = key else { return onDamage("\(label(table, column)): an entry whose key is an integer") }
          entries.append((bytes, try prepared(value, column, depth)))
        }
      }
      return .entries(entries)
    }
    var elements: [PreparedValue] = []
    _ = trying(label(table, column)) { () throws(StorageError) in
      try LeafWalk.forEachLeaf(file.space, root) { (leaf) throws(StorageError) in
        let reader = try exporter.reader(leaf, column.elementKind)
        for index in 0..<reader.count {
          let element = try prepared(reader.value(index), column, depth)
          // A list holds no null for a target that is lost.
          if column.type == .link, case .value(.null) = element { continue }
          elements.append(element)
        }
        return true
      }
    }
    return .elements(elements)
  }

  private func prepared(_ value: Value, _ column: ColumnDescription, _ depth: Int) throws(StorageError) -> PreparedValue {
    guard depth < 200 else { throw .invalidDatabase(path: file.path, reason: "values are nested too deeply") }
    switch value {
    case .link(let key): return try link(ObjectLink(table: column.oppositeTable, key: key), depth)
    // The target is gone, and everybody else reads null, too.
    case .typedLink(let link) where link.key.rawValue < 0: return .value(.null)
    case .typedLink(let link):
      guard let target = tables[link.table], let key = objects[link.table]?[link.key] else {
        lostLinkCount += 1
        return .value(.null)
      }
      return .value(.typedLink(ObjectLink(table: target.key, key: key)))
    case .list(let root):
      var elements: [PreparedValue] = []
      try LeafWalk.forEachLeaf(file.space, root) { (leaf) throws(StorageError) in
        let reader = try exporter.reader(leaf, .mixed)
        for index in 0..<reader.count { elements.append(try prepared(reader.value(index), column, depth + 1)) }
        return true
      }
      return .elements(elements)
    case .dictionary(let root):
      var entries: [(key: [UInt8], value: PreparedValue)] = []
      guard !root.isNull else { return .entries([]) }
      try DictionaryEntries(exporter, root, hasIntegerKeys: false).forEach { (key, value) throws(StorageError) in
        if case .string(let bytes) = key { entries.append((bytes, try prepared(value, column, depth + 1))) }
      }
      return .entries(entries)
    default: return .value(value)
    }
  }

  private func link(_ link: ObjectLink, _ depth: Int) throws(StorageError) -> PreparedValue {
    guard link.key.rawValue >= 0 else { return .value(.null) }
    guard let target = descriptions[link.table], target.kind == .embedded, tables[link.table] != nil else {
      guard let key = objects[link.table]?[link.key] else {
        lostLinkCount += 1
        return .value(.null)
      }
      return .value(.link(key))
    }
    guard let place = try ClusterTree.find(file.space, target.clusterRoot, link.key) else { throw .noSuchObject(key: link.key) }
    var fields: [PreparedField] = []
    for column in target.publicColumns {
      let reader = column.isCollection ? nil : self.reader(column, place.cluster, target)
      if !column.isCollection && reader == nil { continue }
      if let field = field(column, place.cluster, place.row, reader, target, depth: depth + 1) { fields.append(field) }
    }
    return .object(fields)
  }
}
