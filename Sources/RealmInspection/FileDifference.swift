package import RealmStorage

/// What differs between two files: classes, their properties and their objects, the latter as plain JSON.
///
/// Objects of both files are the same object if their primary keys are equal, or without primary keys their object keys.
package final class FileDifference {
  package enum Change: Sendable {
    /// A class, or a property of it: what it is before and after; nil for none.
    case schema(TableName, property: String?, before: String?, after: String?)
    /// The object in JSON.
    case added(TableName, identity: String, object: String)
    case removed(TableName, identity: String, object: String)
    case changed(TableName, identity: String, properties: [(name: String, before: String, after: String)])
  }

  private struct Side {
    let file: OpenFile
    let index: TableIndex
    let exporter: Exporter
    let printer: PlainPrinter
    init(_ file: OpenFile) {
      self.file = file
      index = TableIndex(file.tables)
      exporter = Exporter(file, digestLimit: nil, to: MemorySink())
      printer = PlainPrinter(exporter, sortsSets: true)
    }
    func has(_ key: ObjectKey, _ table: TableDescription) throws(StorageError) -> Bool {
      try ClusterTree.find(file.space, table.clusterRoot, key) != nil
    }
    /// By the names of the tables: a class may be called as a table that is none, such as `metadata`.
    var tables: [ExactName: TableDescription] {
      Dictionary(file.classes.map { (ExactName(SchemaNames.text($0.name)), $0) }, uniquingKeysWith: { first, _ in first })
    }
  }

  private let before: Side
  private let after: Side
  private let report: (Change) throws(StorageError) -> Void

  /// - Parameter report: called for each change in turn.
  package init(_ before: OpenFile, _ after: OpenFile, report: @escaping (Change) throws(StorageError) -> Void) {
    (self.before, self.after, self.report) = (Side(before), Side(after), report)
  }

  /// Called now and then with the number of objects that were looked at, of those that `objectCount` counts.
  package var onProgress: ((Int) -> Void)? {
    didSet {
      var counts = (before: 0, after: 0)
      let tell = onProgress.map { body in { body(counts.before + counts.after) } }
      before.exporter.onProgress = tell.map { tell in
        { count in
          counts.before = count
          tell()
        }
      }
      after.exporter.onProgress = tell.map { tell in
        { count in
          counts.after = count
          tell()
        }
      }
    }
  }

  /// The objects of both files.
  package func objectCount() throws(StorageError) -> Int {
    try before.exporter.objectCount(before.file.tables) + after.exporter.objectCount(after.file.tables)
  }

  /// Compares everything, classes in the order of their names.
  package func run() throws(StorageError) {
    try forEachClass { (name, old, new) throws(StorageError) in
      try compare(name, old, new)
      if (new ?? old)?.kind != .embedded { try compareObjects(name, old, new) }
    }
  }

  /// Compares classes and properties only.
  package func runSchema() throws(StorageError) {
    try forEachClass { (name, old, new) throws(StorageError) in try compare(name, old, new) }
  }

  private func forEachClass(
    _ body: (TableName, TableDescription?, TableDescription?) throws(StorageError) -> Void
  ) throws(StorageError) {
    let (old, new) = (before.tables, after.tables)
    let names = Set(old.keys).union(new.keys).map { (key: $0, name: TableName(Array($0.text.utf8))) }
    for (key, name) in names.sorted(by: { ($0.name.text, $0.key.text) < ($1.name.text, $1.key.text) }) { try body(name, old[key], new[key]) }
  }

  private func compare(_ name: TableName, _ old: TableDescription?, _ new: TableDescription?) throws(StorageError) {
    if let old, let new { return try compareSchema(name, old, new) }
    try report(.schema(name, property: nil, before: old.map { text($0) }, after: new.map { text($0) }))
  }

  /// Reports what commits did to objects, of two versions of one file, and which classes and properties came and went, the objects of which went
  /// with them. Embedded objects are part of those around them.
  /// - Parameters:
  ///   - className: nil for all that are not embedded.
  ///   - selection: what a query selects in the two versions; objects that enter or leave it are added and removed.
  package func run(
    _ changes: VersionChanges, className: String? = nil, selection: (before: Set<ObjectKey>, after: Set<ObjectKey>)? = nil
  ) throws(StorageError) {
    if !hasSameProperties { try compareSchemas(className) }
    let owners = try owners(of: changes)
    let chosen = className.map { after.file.find($0)?.key }
    for table in after.file.classes where chosen.map({ $0 == table.key }) ?? (table.kind != .embedded) {
      let known = changes.tables[table.key]
      let changed = Set(known?.changed.ascending() ?? []).union(owners[table.key] ?? [])
      var added = Set(known?.created.ascending() ?? [])
      var removed = Set(known?.deleted.ascending() ?? [])
      var modified = changed
      if let selection {
        // A key that was freed and given again is another object.
        added = selection.after.subtracting(selection.before).union(added.intersection(selection.after))
        removed = selection.before.subtracting(selection.after).union(removed.intersection(selection.before))
        modified = changed.intersection(selection.before).intersection(selection.after)
      }
      try report(table, removed: removed, added: added, modified: modified)
    }
  }

  /// The objects around embedded ones that were changed, by class. Those around new ones were changed themselves.
  private func owners(of changes: VersionChanges) throws(StorageError) -> [TableKey: Set<ObjectKey>] {
    var owners: [TableKey: Set<ObjectKey>] = [:]
    guard let snapshot = after.file.snapshot else { return owners }
    var group: Group?
    for table in after.file.classes where table.kind == .embedded {
      guard let changed = changes.tables[table.key]?.changed, !changed.isEmpty else { continue }
      let known = if let group { group } else { try snapshot.openGroup() }
      group = known
      let embedded = try known.table(table.key)
      for key in changed.ascending() where try embedded.contains(key) {
        if let place = try embedded.writtenPlace(key, "") { owners[place.table.key, default: []].insert(place.key) }
      }
    }
    return owners
  }

  private func report(
    _ table: TableDescription, removed: Set<ObjectKey>, added: Set<ObjectKey>, modified: Set<ObjectKey>
  ) throws(StorageError) {
    let name = TableName(table.name)
    let old = before.file.tables.first { $0.key == table.key }
    if let old {
      for key in removed.sorted(by: { $0.rawValue < $1.rawValue }) where try before.has(key, old) {
        let object = try before.printer.object(key, old)
        try report(.removed(name, identity: SchemaNames.text(object.identity), object: FileDifference.text(names(old), object.fields)))
      }
      for key in modified.sorted(by: { $0.rawValue < $1.rawValue }) {
        guard try before.has(key, old), try after.has(key, table) else { continue }
        let (object, other) = (try before.printer.object(key, old), try after.printer.object(key, table))
        let properties = self.changes(names(old), object.fields, names(table), other.fields)
        if !properties.isEmpty { try report(.changed(name, identity: SchemaNames.text(other.identity), properties: properties)) }
      }
    }
    for key in added.sorted(by: { $0.rawValue < $1.rawValue }) where try after.has(key, table) {
      let object = try after.printer.object(key, table)
      try report(.added(name, identity: SchemaNames.text(object.identity), object: FileDifference.text(names(table), object.fields)))
    }
  }

  // MARK: Schema

  /// Whether no class and no property came or went.
  private var hasSameProperties: Bool {
    before.file.tables.map(\.key) == after.file.tables.map(\.key)
      && zip(before.file.tables, after.file.tables).allSatisfy { $0.publicColumns.map(\.key) == $1.publicColumns.map(\.key) }
  }

  /// - Parameter className: nil for all classes.
  private func compareSchemas(_ className: String?) throws(StorageError) {
    let chosen = className.map { ExactName($0) }
    try forEachClass { (name, old, new) throws(StorageError) in
      if let chosen, ExactName(name.text) != chosen { return }
      try compare(name, old, new)
    }
  }

  private func text(_ table: TableDescription) -> String {
    let kind = table.kind == .embedded ? "embedded class" : table.kind == .asymmetric ? "asymmetric class" : TableName(table.name).kind
    let key = table.primaryKeyColumn.map { ", primary key \(SchemaNames.text($0.name))" } ?? ""
    return kind + key
  }

  private func compareSchema(_ name: TableName, _ old: TableDescription, _ new: TableDescription) throws(StorageError) {
    if text(old) != text(new) { try report(.schema(name, property: nil, before: text(old), after: text(new))) }
    let (oldProperties, newProperties) = (properties(old, before.index), properties(new, after.index))
    let names = Set(oldProperties.keys).union(newProperties.keys).sorted { $0.text < $1.text }
    for property in names where oldProperties[property] != newProperties[property] {
      try report(.schema(name, property: property.text, before: oldProperties[property], after: newProperties[property]))
    }
  }

  private func properties(_ table: TableDescription, _ index: TableIndex) -> [ExactName: String] {
    var result: [ExactName: String] = [:]
    for column in table.publicColumns {
      var text: [UInt8] = []
      PlainSchema.appendProperty(column, isPrimaryKey: column.key == table.primaryKeyColumn?.key, index, to: &text)
      result[ExactName(SchemaNames.text(column.name))] = SchemaNames.text(text)
    }
    return result
  }

  // MARK: Objects

  private func compareObjects(_ name: TableName, _ old: TableDescription?, _ new: TableDescription?) throws(StorageError) {
    let (oldNames, newNames) = (names(old), names(new))
    // Objects of the new file that the old one has not, by identity.
    var others: [[UInt8]: ObjectKey] = [:]
    if let new {
      try after.printer.forEachObject(new) { (object) throws(StorageError) in others[object.identity] = object.key }
    }
    if let old {
      try before.printer.forEachObject(old) { (object) throws(StorageError) in
        let identity = SchemaNames.text(object.identity)
        guard let new, let key = others.removeValue(forKey: object.identity) else {
          return try report(.removed(name, identity: identity, object: FileDifference.text(oldNames, object.fields)))
        }
        let other = try after.printer.object(key, new)
        if oldNames == newNames && object.fields == other.fields { return }
        let properties = changes(oldNames, object.fields, newNames, other.fields)
        if !properties.isEmpty { try report(.changed(name, identity: identity, properties: properties)) }
      }
    }
    guard let new else { return }
    for key in others.values.sorted(by: { $0.rawValue < $1.rawValue }) {
      let object = try after.printer.object(key, new)
      try report(
        .added(name, identity: SchemaNames.text(object.identity), object: FileDifference.text(newNames, object.fields)))
    }
  }

  private func names(_ table: TableDescription?) -> [ExactName] {
    table.map { $0.publicColumns.map { ExactName(SchemaNames.text($0.name)) } } ?? []
  }

  private static func text(_ names: [ExactName], _ fields: [[UInt8]]) -> String {
    var text: [UInt8] = [UInt8(ascii: "{")]
    for (name, field) in zip(names, fields) {
      if text.count > 1 { text.append(UInt8(ascii: ",")) }
      CanonicalJSON.appendString(Array(MemberName.of(name.text).utf8), to: &text)
      text.append(UInt8(ascii: ":"))
      text += field
    }
    text.append(UInt8(ascii: "}"))
    return SchemaNames.text(text)
  }

  /// Properties that both have and that differ; those that only one has are a change of the schema.
  private func changes(
    _ oldNames: [ExactName], _ old: [[UInt8]], _ newNames: [ExactName], _ new: [[UInt8]]
  ) -> [(name: String, before: String, after: String)] {
    let fields = Dictionary(zip(newNames, new), uniquingKeysWith: { first, _ in first })
    return zip(oldNames, old).compactMap { name, value in
      guard let other = fields[name], other != value else { return nil }
      return (name.text, SchemaNames.text(value), SchemaNames.text(other))
    }
  }
}
