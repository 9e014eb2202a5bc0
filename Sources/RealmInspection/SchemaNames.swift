package import RealmStorage

/// The words that exports use for what the format numbers.
package enum SchemaNames {
  package static func type(_ type: ColumnType) -> String {
    switch type {
    case .int: "int"
    case .bool: "bool"
    case .string: "string"
    case .binary: "binary"
    case .mixed: "mixed"
    case .timestamp: "timestamp"
    case .float: "float"
    case .double: "double"
    case .decimal: "decimal128"
    case .link: "link"
    case .legacyLinkList: "linkList(legacy)"
    case .backlink: "backlink"
    case .objectID: "objectId"
    case .typedLink: "typedLink"
    case .uuid: "uuid"
    case .list: "list"
    case .set: "set"
    case .dictionary: "dictionary"
    }
  }

  package static func kind(_ kind: TableKind) -> String {
    switch kind {
    case .topLevel: "TopLevel"
    case .embedded: "Embedded"
    case .asymmetric: "TopLevelAsymmetric"
    }
  }

  /// Nil for numbers without a name.
  package static func historyType(_ number: UInt64) -> String? {
    switch number {
    case 0: "none"
    case 1: "outOfRealm"
    case 2: "inRealm"
    case 3: "syncClient"
    case 4: "syncServer"
    default: nil
    }
  }

  /// Whether a table, which is no class, is only for synchronisation. Source: Y4.
  package static func isInternal(_ name: [UInt8]) -> Bool {
    name.starts(with: "flx_".utf8) || ["sync_internal_schemas", "client_reset_metadata", "schema_migration_metadata"].contains(text(name))
  }

  /// Names are not guaranteed to be UTF-8; what is not becomes U+FFFD.
  package static func text(_ name: [UInt8]) -> String { String(decoding: name, as: UTF8.self) }
  static func repaired(_ name: [UInt8]) -> [UInt8] { Array(text(name).utf8) }
}

/// Tables by key, for the names of link targets.
package struct TableIndex {
  package let tables: [TableDescription]
  private let positions: [TableKey: Int]
  private let names: [[UInt8]]

  package init(_ tables: [TableDescription]) {
    self.tables = tables
    var positions: [TableKey: Int] = [:]
    for (position, table) in tables.enumerated() { positions[table.key] = position }
    self.positions = positions
    names = tables.map { SchemaNames.repaired($0.name) }
  }

  package func table(_ key: TableKey) -> TableDescription? { positions[key].map { tables[$0] } }
  package func name(_ key: TableKey) -> [UInt8]? { positions[key].map { names[$0] } }
  package func column(_ table: TableKey, _ key: ColumnKey) -> ColumnDescription? {
    guard let table = self.table(table), let position = table.position(of: key) else { return nil }
    return table.columns[position]
  }
}
