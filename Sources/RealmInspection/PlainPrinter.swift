import RealmQuery
package import RealmStorage

/// Objects as JSON that other programs expect: numbers, strings, dates in ISO 8601, embedded objects in place, links as keys of their targets.
///
/// Nothing is lost for an importer that knows the types (Documentation/CommandLine.md): only what JSON has no word for is wrapped in an object
/// with one member, such as `{"$date": …}` in a Mixed value.
package final class PlainPrinter {
  /// Twice the limit of the format (F2.6).
  private static let nestingLimit = 200
  private let exporter: Exporter
  /// Links are followed so many times and written as objects.
  private let expansion: Int
  private var output: TextOutput { exporter.output }

  /// Elements of sets are written in the order of their texts; that in which they are stored depends on the format of the file.
  private let sortsSets: Bool

  package init(_ exporter: Exporter, expansion: Int = 0, sortsSets: Bool = false) {
    (self.exporter, self.expansion, self.sortsSets) = (exporter, expansion, sortsSets)
  }

  // MARK: Documents

  /// One class as an array or as lines.
  /// - Parameter objects: those to write; nil for all in the order of the file.
  package func writeClass(_ table: TableDescription, objects: ObjectWalk? = nil, asLines: Bool) throws(StorageError) {
    var isFirst = true
    if !asLines { output.append("[") }
    try forEachRow(table, objects) { (cluster, row) throws(StorageError) in
      if !asLines { output.append(isFirst ? "\n" : ",\n") }
      isFirst = false
      output.append("{")
      try self.writeFields(cluster, row, table, depth: 0, isFirst: true)
      output.append(asLines ? "}\n" : "}")
      try output.flushIfLong()
    }
    if !asLines { output.append(isFirst ? "]\n" : "\n]\n") }
    try output.flush()
  }

  /// Several classes with what they are, for an importer: `{"$schema": …, "Dog": […], …}`, or lines that begin with `{"$schema": …}`.
  package func writeDocument(_ tables: [TableDescription], asLines: Bool) throws(StorageError) {
    output.append("{\"$schema\":")
    PlainSchema.append(tables, exporter.index, to: &output.buffer)
    if asLines { output.append("}\n") }
    for table in tables where table.kind != .embedded {
      let className = PlainSchema.name(table, exporter.index)
      var name: [UInt8] = []
      CanonicalJSON.appendString(Array((asLines ? className : MemberName.of(className)).utf8), to: &name)
      if !asLines {
        output.append(",\n")
        output.buffer += name
        output.append(":[")
      }
      var isFirst = true
      try forEachRow(table, nil) { (cluster, row) throws(StorageError) in
        if asLines {
          output.append("{\"$class\":")
          output.buffer += name
        } else {
          output.append(isFirst ? "\n{" : ",\n{")
        }
        var isEmpty = !asLines
        if table.primaryKeyColumn == nil {
          output.append((asLines ? "," : "") + "\"$key\":\(cluster.key(row).rawValue)")
          isEmpty = false
        }
        isFirst = false
        try self.writeFields(cluster, row, table, depth: 0, isFirst: isEmpty)
        output.append(asLines ? "}\n" : "}")
        try output.flushIfLong()
      }
      if !asLines { output.append("]") }
    }
    if !asLines { output.append("}\n") }
    try output.flush()
  }

  // MARK: Fields one by one

  /// An object with the JSON of each of its properties.
  package struct PrintedObject {
    package let key: ObjectKey
    /// The JSON of the primary key, or without one the number of the object's key.
    package let identity: [UInt8]
    /// In the order of the public columns.
    package let fields: [[UInt8]]
  }

  /// Calls `body` with each object of a class.
  func forEachObject(_ table: TableDescription, _ body: (PrintedObject) throws(StorageError) -> Void) throws(StorageError) {
    try forEachRow(table, nil) { (cluster, row) throws(StorageError) in try body(self.printed(cluster, row, table)) }
  }

  /// - Throws: `.noSuchObject`.
  package func object(_ key: ObjectKey, _ table: TableDescription) throws(StorageError) -> PrintedObject {
    guard let place = try ClusterTree.find(exporter.space, table.clusterRoot, key) else { throw .noSuchObject(key: key) }
    exporter.forgetVisits()
    return try printed(place.cluster, place.row, table)
  }

  private func printed(_ cluster: Cluster, _ row: Int, _ table: TableDescription) throws(StorageError) -> PrintedObject {
    var texts: [[UInt8]] = []
    for position in fields(table).indices {
      output.buffer.removeAll(keepingCapacity: true)
      try writeField(position, cluster, row, table, depth: 0)
      texts.append(output.take())
    }
    let key = cluster.key(row)
    let identity = table.primaryKeyColumn.flatMap { column in table.publicColumns.firstIndex { $0.key == column.key } }
    return PrintedObject(
      key: key, identity: identity.map { texts[$0 - table.publicColumns.startIndex] } ?? Array("\(key.rawValue)".utf8), fields: texts)
  }

  /// The JSON of a value of a property.
  func json(_ value: Value, _ column: ColumnDescription) throws(StorageError) -> [UInt8] {
    output.buffer.removeAll(keepingCapacity: true)
    exporter.forgetVisits()
    try write(value, column, 0)
    return output.take()
  }

  private func forEachRow(
    _ table: TableDescription, _ objects: ObjectWalk?, _ body: (Cluster, Int) throws(StorageError) -> Void
  ) throws(StorageError) {
    if let objects {
      return try objects { (key) throws(StorageError) in
        guard let place = try ClusterTree.find(exporter.space, table.clusterRoot, key) else { throw .noSuchObject(key: key) }
        exporter.forgetVisits()
        try body(place.cluster, place.row)
      }
    }
    try ClusterTree.forEachCluster(exporter.space, table.clusterRoot) { (cluster) throws(StorageError) in
      try exporter.meet(cluster.node.ref)
      for row in 0..<cluster.count {
        if expansion > 0 { exporter.forgetVisits() }
        try body(cluster, row)
      }
      exporter.noteProgress(cluster.count)
      return true
    }
  }

  // MARK: Objects

  private struct Field {
    let column: ColumnDescription
    /// `"name":`
    let label: [UInt8]
  }
  private var knownFields: [TableIdentity: [Field]] = [:]

  /// A class, and the part of its columns that is printed, are two.
  private struct TableIdentity: Hashable {
    let key: TableKey
    let isPart: Bool
    init(_ table: TableDescription) { (key, isPart) = (table.key, table.isPart) }
  }

  private func fields(_ table: TableDescription) -> [Field] {
    if let known = knownFields[TableIdentity(table)] { return known }
    let fields = table.publicColumns.map { Field(column: $0, label: CanonicalJSON.label(MemberName.of(SchemaNames.text($0.name)))) }
    knownFields[TableIdentity(table)] = fields
    return fields
  }

  private var loaded: [TableIdentity: (ref: Ref, readers: [LeafReader?])] = [:]

  /// The leaves of a cluster; those of the cluster used last are kept.
  private func readers(_ cluster: Cluster, _ table: TableDescription) throws(StorageError) -> [LeafReader?] {
    if let known = loaded[TableIdentity(table)], known.ref == cluster.node.ref { return known.readers }
    var readers: [LeafReader?] = []
    for field in fields(table) {
      let column = field.column
      readers.append(
        column.isCollection
          ? nil : try LeafReader(exporter.space, cluster.column(column.leafIndex), column.leafKind, enumKeys: column.enumKeysRef))
      if let reader = readers.last ?? nil, reader.count != cluster.count {
        throw .corruptNode(ref: cluster.node.ref, reason: "a column has \(reader.count) values for \(cluster.count) objects")
      }
    }
    loaded[TableIdentity(table)] = (cluster.node.ref, readers)
    return readers
  }

  private func writeFields(_ cluster: Cluster, _ row: Int, _ table: TableDescription, depth: Int, isFirst: Bool) throws(StorageError) {
    guard depth < PlainPrinter.nestingLimit else { throw .corruptNode(ref: cluster.node.ref, reason: "objects are nested too deeply") }
    var isFirst = isFirst
    for (position, field) in fields(table).enumerated() {
      if !isFirst { output.buffer.append(UInt8(ascii: ",")) }
      isFirst = false
      output.buffer += field.label
      try writeField(position, cluster, row, table, depth: depth)
    }
  }

  private func writeField(_ position: Int, _ cluster: Cluster, _ row: Int, _ table: TableDescription, depth: Int) throws(StorageError) {
    let column = fields(table)[position].column
    if let reader = try readers(cluster, table)[position] { return try write(reader.value(row), column, depth) }
    let node = try exporter.space.refs(at: cluster.column(column.leafIndex))
    guard node.count == cluster.count else { throw .corruptNode(ref: cluster.node.ref, reason: "a column has \(node.count) collections") }
    try writeCollection(node.child(row), column, depth)
  }

  /// A value of a property or of a collection.
  private func write(_ value: Value, _ column: ColumnDescription, _ depth: Int) throws(StorageError) {
    switch value {
    case .link(let key): try writeLink(ObjectLink(table: column.oppositeTable, key: key), depth)
    default: if column.type == .mixed { try writeMixed(value, depth) } else { PlainText.append(value, to: &output.buffer) }
    }
  }

  private func writeLink(_ link: ObjectLink, _ depth: Int) throws(StorageError) {
    // A key below -1 is that of an object that does not exist any more.
    guard link.key.rawValue >= 0, let target = exporter.index.table(link.table) else { return output.append("null") }
    guard target.kind == .embedded || depth < expansion else { return try writeKeyOrObject(link, target) }
    guard let place = try ClusterTree.find(exporter.space, target.clusterRoot, link.key) else { throw .noSuchObject(key: link.key) }
    output.append("{")
    // One level further down the leaves of another cluster may be needed.
    if target.kind == .embedded {
      try writeFields(place.cluster, place.row, target, depth: depth + 1, isFirst: true)
    } else {
      try exporter.withVisitsOfItsOwn { () throws(StorageError) in
        try writeFields(place.cluster, place.row, target, depth: depth + 1, isFirst: true)
      }
    }
    output.append("}")
  }

  /// The primary key of an object, or its own.
  private func writeKey(_ link: ObjectLink, _ target: TableDescription) throws(StorageError) {
    guard let key = try primaryKey(link, target) else { return output.append("\(link.key.rawValue)") }
    PlainText.append(key.value, to: &output.buffer)
  }

  /// Where null is no link: an object whose primary key is null is written with it, `{"id":null}`, as one that is written in place names itself.
  private func writeKeyOrObject(_ link: ObjectLink, _ target: TableDescription) throws(StorageError) {
    guard let key = try primaryKey(link, target), case .null = key.value else { return try writeKey(link, target) }
    output.append("{")
    CanonicalJSON.appendString(Array(MemberName.of(SchemaNames.text(key.column.name)).utf8), to: &output.buffer)
    output.append(":null}")
  }

  /// Nil for an object that has none.
  private func primaryKey(_ link: ObjectLink, _ target: TableDescription) throws(StorageError) -> (column: ColumnDescription, value: Value)? {
    guard let column = target.primaryKeyColumn else { return nil }
    guard let place = try ClusterTree.find(exporter.space, target.clusterRoot, link.key) else { throw .noSuchObject(key: link.key) }
    let reader = try LeafReader(exporter.space, place.cluster.column(column.leafIndex), column.leafKind, enumKeys: column.enumKeysRef)
    return (column, try reader.value(place.row))
  }

  private func isHidden(_ value: Value) -> Bool {
    switch value {
    case .link(let key): key.rawValue < -1
    default: false
    }
  }

  // MARK: Collections

  private func writeCollection(_ root: Ref, _ column: ColumnDescription, _ depth: Int) throws(StorageError) {
    if column.isDictionary {
      output.append("{")
      if !root.isNull {
        var isFirst = true
        try DictionaryEntries(exporter, root, hasIntegerKeys: column.hasIntegerKeys).forEach { (key, value) throws(StorageError) in
          try self.writeEntryKey(key, &isFirst)
          try self.write(column.type == .link ? PlainPrinter.asLink(value) : value, column, depth)
        }
      }
      return output.append("}")
    }
    output.append("[")
    let start = output.buffer.count
    var elements: [[UInt8]] = []
    try LeafWalk.forEachLeaf(exporter.space, root) { (leaf) throws(StorageError) in
      let reader = try exporter.reader(leaf, column.elementKind)
      for index in 0..<reader.count {
        let value = try reader.value(index)
        if isHidden(value) { continue }
        if output.buffer.count > start { output.buffer.append(UInt8(ascii: ",")) }
        try write(value, column, depth)
        guard sortsSets, column.isSet else { continue }
        elements.append(Array(output.buffer[start...]))
        output.buffer.removeSubrange(start...)
      }
      return true
    }
    if !elements.isEmpty { output.buffer += elements.sorted { $0.lexicographicallyPrecedes($1) }.joined(separator: [UInt8(ascii: ",")]) }
    output.append("]")
  }

  private static func asLink(_ value: Value) -> Value { if case .typedLink(let link) = value { .link(link.key) } else { value } }

  private func writeEntryKey(_ key: Value, _ isFirst: inout Bool) throws(StorageError) {
    if !isFirst { output.buffer.append(UInt8(ascii: ",")) }
    isFirst = false
    switch key {
    case .string(let bytes): CanonicalJSON.appendString(SchemaNames.repaired(bytes), to: &output.buffer)
    case .int(let number): output.append("\"\(number)\"")
    default: throw .invalidDatabase(path: "", reason: "a dictionary has a key that is no string")
    }
    output.buffer.append(UInt8(ascii: ":"))
  }

  // MARK: Mixed values

  private func writeMixed(_ value: Value, _ depth: Int) throws(StorageError) {
    guard depth < PlainPrinter.nestingLimit else { throw .invalidDatabase(path: "", reason: "collections are nested too deeply") }
    func wrapped(_ name: String, _ value: Value) {
      output.append("{\"$\(name)\":")
      PlainText.append(value, to: &output.buffer)
      output.append("}")
    }
    switch value {
    case .float: wrapped("float", value)
    case .double(let number) where !number.isFinite: wrapped("double", value)
    case .decimal: wrapped("decimal", value)
    case .timestamp: wrapped("date", value)
    case .binary: wrapped("data", value)
    case .objectID: wrapped("objectId", value)
    case .uuid: wrapped("uuid", value)
    case .typedLink(let link): try writeTypedLink(link)
    case .list(let root): try writeNestedList(root, depth)
    case .dictionary(let root): try writeNestedDictionary(root, depth)
    default: PlainText.append(value, to: &output.buffer)
    }
  }

  private func writeTypedLink(_ link: ObjectLink) throws(StorageError) {
    guard link.key.rawValue >= 0, let target = exporter.index.table(link.table) else { return output.append("null") }
    output.append("{\"$link\":{\"class\":")
    CanonicalJSON.appendString(Array(PlainSchema.name(target, exporter.index).utf8), to: &output.buffer)
    output.append(",\"key\":")
    try writeKey(link, target)
    output.append("}}")
  }

  private func writeNestedList(_ root: Ref, _ depth: Int) throws(StorageError) {
    output.append("[")
    var isFirst = true
    if !root.isNull {
      try LeafWalk.forEachLeaf(exporter.space, root) { (leaf) throws(StorageError) in
        let reader = try exporter.reader(leaf, .mixed)
        for index in 0..<reader.count {
          if !isFirst { output.buffer.append(UInt8(ascii: ",")) }
          isFirst = false
          try writeMixed(reader.value(index), depth + 1)
        }
        return true
      }
    }
    output.append("]")
  }

  private func writeNestedDictionary(_ root: Ref, _ depth: Int) throws(StorageError) {
    guard !root.isNull else { return output.append("{}") }
    var entries: [(Value, Value)] = []
    try DictionaryEntries(exporter, root, hasIntegerKeys: false).forEach { (key, value) throws(StorageError) in entries.append((key, value)) }
    // It would be taken for a type that JSON has not.
    var isAmbiguous = false
    if entries.count == 1, case .string(let bytes) = entries[0].0, bytes.first == UInt8(ascii: "$") { isAmbiguous = true }
    output.append(isAmbiguous ? "{\"$dictionary\":{" : "{")
    var isFirst = true
    for (key, value) in entries {
      try writeEntryKey(key, &isFirst)
      try writeMixed(value, depth + 1)
    }
    output.append(isAmbiguous ? "}}" : "}")
  }
}

/// Values without links and collections as plain JSON.
enum PlainText {
  static func append(_ value: Value, to output: inout [UInt8]) {
    func add(_ text: String) { output.append(contentsOf: text.utf8) }
    switch value {
    case .int(let number): add(String(number))
    case .bool(let flag): add(flag ? "true" : "false")
    case .string(let bytes): CanonicalJSON.appendString(bytes, to: &output)
    case .float(let number): appendNumber(NumberText.text(of: number), number.isFinite, &output)
    case .double(let number): appendNumber(NumberText.text(of: number), number.isFinite, &output)
    case .decimal(let number): appendNumber(text(number), number.kind == .finite, &output)
    case .timestamp(let date): add("\"\(DateText.text(of: date))\"")
    case .binary(let bytes): add("\"\(Base64.encode(bytes))\"")
    case .objectID(let id):
      add("\"")
      CanonicalJSON.appendHex(id.bytes, to: &output)
      add("\"")
    case .uuid(let id): add("\"\(id.text)\"")
    default: add("null")
    }
  }

  private static func appendNumber(_ text: String, _ isFinite: Bool, _ output: inout [UInt8]) {
    output.append(contentsOf: (isFinite ? text : "\"\(text)\"").utf8)
  }

  /// Reads back to the same bits: as people write it if that does, else with its exponent.
  private static func text(_ number: Decimal128) -> String {
    for text in [number.text, NumberText.text(of: number)] where Decimal128(text: text) == number { return text }
    func padded(_ half: UInt64) -> String { String(repeating: "0", count: 16 - String(half, radix: 16).utf8.count) + String(half, radix: 16) }
    return number.kind == .finite ? NumberText.text(of: number) : "bits:" + padded(number.high) + padded(number.low)
  }
}
