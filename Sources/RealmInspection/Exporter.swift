package import RealmStorage

/// Writes the objects of a snapshot as canonical JSON, JSON lines or CSV, in bounded memory: one cluster's leaves and one piece of text
/// at a time.
package final class Exporter {
  /// Keeps the mapping alive.
  let file: OpenFile
  let space: NodeSpace
  let format: Int
  let index: TableIndex
  let output: TextOutput
  /// Tables and collections with more entries are digested; nil for none.
  let digestLimit: Int?
  /// What stands for null in CSV; an empty field if nil.
  package var nullText: [UInt8]?
  /// Whether the text of the present line is still needed as a whole.
  var keepsLine = false
  /// Bytes of leaves that may still be met. No node has two owners, so a walk that meets more than the file holds goes in circles or
  /// through the same nodes again and again.
  private var leafBudget: UInt64
  /// Called now and then with the number of objects written.
  package var onProgress: ((Int) -> Void)?
  private var writtenCount = 0

  package init(_ file: OpenFile, digestLimit: Int?, to sink: any ByteSink) {
    self.file = file
    space = file.space
    format = file.format
    leafBudget = file.space.fileLimit
    index = TableIndex(file.tables)
    self.digestLimit = digestLimit
    output = TextOutput(sink)
  }

  /// Objects in the given tables, from their roots alone.
  package func objectCount(_ tables: [TableDescription]) throws(StorageError) -> Int {
    var count = 0
    for table in tables { count &+= try ClusterTree.count(space, table.clusterRoot) }
    return count
  }

  /// To be called for every cluster and every leaf of a collection.
  func meet(_ ref: Ref) throws(StorageError) {
    let byteCount = try UInt64(space.node(at: ref).byteCount)
    guard byteCount <= leafBudget else { throw .corruptNode(ref: ref, reason: "is reached more than once") }
    leafBudget -= byteCount
  }

  /// Allows everything to be met once more, before an object is written that may have been written before.
  func forgetVisits() { leafBudget = space.fileLimit }

  /// For an object that a link leads to, which may have been written before, and others on the way to it.
  func withVisitsOfItsOwn(_ body: () throws(StorageError) -> Void) throws(StorageError) {
    let rest = leafBudget
    forgetVisits()
    defer { leafBudget = rest }
    try body()
  }

  /// A leaf of a collection, whose size is limited (F2.6).
  func reader(_ leaf: Ref, _ kind: LeafKind) throws(StorageError) -> LeafReader {
    try meet(leaf)
    let reader = try LeafReader(space, leaf, kind)
    guard reader.count <= 1000 else { throw .corruptNode(ref: leaf, reason: "a leaf of \(reader.count) elements") }
    return reader
  }

  func noteProgress(_ count: Int) {
    writtenCount += count
    onProgress?(writtenCount)
  }

  // MARK: Documents

  /// The canonical JSON of `Tests/Fixtures/README.md`.
  /// - Parameter tables: those to write, in slot order; nil for all.
  package func writeJSON(tables: [TableDescription]? = nil) throws(StorageError) {
    output.append("{\"fileFormat\":\(format),\"tables\":[")
    for (position, table) in (tables ?? index.tables).enumerated() {
      if position > 0 { output.append(",") }
      try writeTable(table)
    }
    output.append("\n]}\n")
    try output.flush()
  }

  /// One object a line: `{"table":…,"key":…,"values":{…}}`.
  package func writeJSONLines(tables: [TableDescription]? = nil) throws(StorageError) {
    for table in tables ?? index.tables {
      let printer = ObjectPrinter(self, table)
      var start: [UInt8] = Array("{\"table\":".utf8)
      CanonicalJSON.appendString(SchemaNames.repaired(table.name), to: &start)
      start.append(UInt8(ascii: ","))
      try printer.forEachObject { (key, row) throws(StorageError) in
        output.buffer.append(contentsOf: start)
        try printer.writeFields(key, row)
        output.append("\n")
        try output.flushIfLong()
      }
    }
    try output.flush()
  }

  // MARK: Tables

  private func writeTable(_ table: TableDescription) throws(StorageError) {
    output.append("\n{\"name\":")
    CanonicalJSON.appendString(SchemaNames.repaired(table.name), to: &output.buffer)
    output.append(",\"key\":\(table.key.rawValue),\"type\":\"\(SchemaNames.kind(table.kind))\",\"columns\":[")
    for (position, column) in table.publicColumns.enumerated() {
      output.append(position > 0 ? ",\n {" : "\n {")
      SchemaText.appendColumn(column, isPrimaryKey: position == table.primaryKeyPosition, index, to: &output.buffer)
      output.append("}")
    }
    let count = try ClusterTree.count(space, table.clusterRoot)
    output.append("],\"objectCount\":\(count),")
    let printer = ObjectPrinter(self, table)
    let written = try digestLimit.map { count > $0 } == true ? writeDigest(printer) : writeObjects(printer)
    guard written == count else {
      throw .corruptNode(ref: table.clusterRoot, reason: "says \(count) objects, there are \(written)")
    }
    try writeTombstones(table)
    output.append("}")
    try output.flushIfLong()
  }

  private func writeObjects(_ printer: ObjectPrinter) throws(StorageError) -> Int {
    output.append("\"objects\":[")
    var count = 0
    try printer.forEachObject { (key, row) throws(StorageError) in
      output.append(count > 0 ? ",\n {" : "\n {")
      count += 1
      try printer.writeFields(key, row)
      try output.flushIfLong()
    }
    output.append("]")
    return count
  }

  private func writeDigest(_ printer: ObjectPrinter) throws(StorageError) -> Int {
    try output.flush()
    keepsLine = true
    defer { keepsLine = false }
    var digest = LineDigest()
    var count = 0
    try printer.forEachObject { (key, row) throws(StorageError) in
      output.append("{")
      try printer.writeFields(key, row)
      digest.add(output.buffer)
      output.buffer.removeAll(keepingCapacity: true)
      count += 1
    }
    output.append("\"objectsDigest\":\"\(digest.finish())\",\"firstObjects\":[")
    appendLines(digest.first)
    output.append("],\"lastObjects\":[")
    appendLines(digest.last)
    output.append("]")
    return count
  }

  private func appendLines(_ lines: [[UInt8]]) {
    for (position, line) in lines.enumerated() {
      output.append(position > 0 ? ",\n " : "\n ")
      output.buffer.append(contentsOf: line)
    }
  }

  private func writeTombstones(_ table: TableDescription) throws(StorageError) {
    if table.tombstoneRoot.isNull { return }
    var count = 0
    try ClusterTree.forEachCluster(space, table.tombstoneRoot) { (cluster) throws(StorageError) in
      let column = table.primaryKeyColumn
      var reader: LeafReader?
      if let column { reader = try LeafReader(space, cluster.column(column.leafIndex), column.leafKind, enumKeys: column.enumKeysRef) }
      for row in 0..<cluster.count {
        output.append(count == 0 ? ",\"tombstones\":[\n " : ",\n ")
        count += 1
        output.append("{\"key\":\(cluster.key(row).rawValue),\"primaryKey\":")
        try write(reader?.value(row) ?? .null, linkTarget: nil, nesting: 0)
        output.append("}")
        try output.flushIfLong()
      }
      return true
    }
    if count > 0 { output.append("]") }
  }
}

/// Calls its argument with the keys of some objects, in the order in which they are to be written.
package typealias ObjectWalk = (_ body: (ObjectKey) throws(StorageError) -> Void) throws(StorageError) -> Void

/// Prints the objects of one table, keeping the readers of one cluster.
final class ObjectPrinter {
  private enum Cell {
    case values(LeafReader)
    case collections(Node)
  }
  private let exporter: Exporter
  private let table: TableDescription
  private let columns: [ColumnDescription]
  /// `"name":` of each column.
  private let labels: [[UInt8]]
  private var cells: [Cell] = []
  /// The cluster that `cells` belong to.
  private var loaded: Ref?

  init(_ exporter: Exporter, _ table: TableDescription) {
    self.exporter = exporter
    self.table = table
    columns = Array(table.publicColumns)
    labels = columns.map { column in
      var label: [UInt8] = []
      CanonicalJSON.appendString(SchemaNames.repaired(column.name), to: &label)
      label.append(UInt8(ascii: ":"))
      return label
    }
  }

  /// Calls `body` with key and row of each object; its fields are those of the present cluster.
  /// - Parameter objects: those to visit; nil for all.
  func forEachObject(_ objects: ObjectWalk? = nil, _ body: (ObjectKey, Int) throws(StorageError) -> Void) throws(StorageError) {
    if let objects {
      return try objects { (key) throws(StorageError) in
        try body(key, find(key))
      }
    }
    try ClusterTree.forEachCluster(exporter.space, table.clusterRoot) { (cluster) throws(StorageError) in
      try exporter.meet(cluster.node.ref)
      try load(cluster)
      for row in 0..<cluster.count { try body(cluster.key(row), row) }
      exporter.noteProgress(cluster.count)
      return true
    }
  }

  /// - Returns: the row of an object, whose cluster is the present one then.
  func find(_ key: ObjectKey) throws(StorageError) -> Int {
    guard let place = try ClusterTree.find(exporter.space, table.clusterRoot, key) else { throw .noSuchObject(key: key) }
    exporter.forgetVisits()
    try load(place.cluster)
    return place.row
  }

  /// The leaves of a cluster; does nothing for the one that was loaded last.
  private func load(_ cluster: Cluster) throws(StorageError) {
    if loaded == cluster.node.ref { return }
    loaded = nil
    cells.removeAll(keepingCapacity: true)
    for column in columns {
      let ref = try cluster.column(column.leafIndex)
      let count: Int
      if column.isCollection {
        let node = try exporter.space.refs(at: ref)
        count = node.count
        cells.append(.collections(node))
      } else {
        let reader = try LeafReader(exporter.space, ref, column.leafKind, enumKeys: column.enumKeysRef)
        count = reader.count
        cells.append(.values(reader))
      }
      guard count == cluster.count else {
        throw .corruptNode(ref: ref, reason: "a column has \(count) values for \(cluster.count) objects")
      }
    }
    loaded = cluster.node.ref
  }

  /// `"key":…,"values":{…}}`, the rest of a line that began with a brace.
  func writeFields(_ key: ObjectKey, _ row: Int) throws(StorageError) {
    let output = exporter.output
    output.append("\"key\":\(key.rawValue),\"values\":{")
    for position in columns.indices {
      if position > 0 { output.buffer.append(UInt8(ascii: ",")) }
      output.buffer.append(contentsOf: labels[position])
      try writeField(position, row)
    }
    output.append("}}")
  }

  func writeField(_ position: Int, _ row: Int) throws(StorageError) {
    let column = columns[position]
    switch cells[position] {
    case .values(let reader):
      try exporter.write(reader.value(row), linkTarget: column.type == .link ? column.oppositeTable : nil, nesting: 0)
    case .collections(let node): try exporter.writeCollection(column, node.child(row))
    }
  }

  /// The plain value of a field, or nil if it is a collection.
  func value(_ position: Int, _ row: Int) throws(StorageError) -> Value? {
    guard case .values(let reader) = cells[position] else { return nil }
    return try reader.value(row)
  }
}
