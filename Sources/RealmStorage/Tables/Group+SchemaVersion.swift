/// The version of the schema, in a table of its own. F10.1.
extension Group {
  /// The version of a file to which no schema was ever written.
  package static let noSchemaVersion = UInt64.max

  private static let metadata = "metadata"
  private static let version = "version"

  /// ``noSchemaVersion`` if there is none.
  package func schemaVersion() throws(StorageError) -> UInt64 {
    guard let table = try table(named: Self.metadata), let column = versionColumn(of: table), let key = try table.keys().first,
      case .int(let number) = try table.value(key, column)
    else { return Self.noSchemaVersion }
    return UInt64(bitPattern: number)
  }

  /// Whether a table is the one with the version.
  package static func holdsSchemaVersion(_ table: Table) -> Bool { table.nameText == metadata }

  private func versionColumn(of table: Table) -> ColumnKey? {
    table.publicColumns.first { $0.name == Array(Self.version.utf8) && $0.type == .int && !$0.isCollection }?.key
  }

  /// Writes only if the version is another one. In a new file this comes before everything else.
  package func setSchemaVersion(_ number: UInt64) throws(StorageError) {
    let table = try prepareSchemaVersion()
    let column = try table.column(named: Self.version).key
    if let key = try table.keys().first {
      if try schemaVersion() != number { try table.set(key, column, .int(Int64(bitPattern: number))) }
    } else {
      try table.set(table.createObject(), column, .int(Int64(bitPattern: number)))
    }
  }

  /// Gives a file without tables the version 0, which is that of a configuration that names none: an SDK refuses to open a file without version if
  /// it may only read.
  package func beginSchema() throws(StorageError) { if try tableKeys().isEmpty { try setSchemaVersion(0) } }

  /// The table that holds the version; made if there is none.
  @discardableResult
  package func prepareSchemaVersion() throws(StorageError) -> Table {
    let table = if let table = try table(named: Self.metadata) { table } else { try addTable(Self.metadata) }
    if versionColumn(of: table) == nil { try table.addColumn(ColumnDefinition(Self.version, .int)) }
    return table
  }
}
