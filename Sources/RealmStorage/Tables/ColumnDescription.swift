/// One column as the spec and the column arrays of its table describe it. F4.2-F4.4.
package struct ColumnDescription: Sendable {
  /// As stored; in files below format 24 its type may be 13 (link list).
  package let key: ColumnKey
  /// UTF-8; empty for backlink columns.
  package let name: [UInt8]
  /// The type of a value or of a collection's elements; 13 reads as `.link`.
  package let type: ColumnType
  /// Those of the column key, with `.list` for type 13, and the index attributes of the spec; `.indexed` also where an index is there that is
  /// neither marked nor the primary key's.
  package let attributes: ColumnAttributes
  package let isPublic: Bool
  package let indexRef: Ref
  /// `.null` if the column is no link and no backlink column.
  package internal(set) var oppositeTable: TableKey
  package let oppositeColumn: ColumnKey
  /// Null if the column is not enumerated (F4.2).
  package let enumKeysRef: Ref
  /// The type number of a dictionary's keys; 0 for other columns.
  package let keyTypeNumber: Int
  /// What the types array and the attributes array of the spec say.
  package let specTypeNumber: Int
  package let specAttributes: ColumnAttributes

  package var leafIndex: Int { key.leafIndex }
  package var isNullable: Bool { attributes.contains(.nullable) }
  package var isList: Bool { attributes.contains(.list) }
  package var isSet: Bool { attributes.contains(.set) }
  package var isDictionary: Bool { attributes.contains(.dictionary) }
  package var isCollection: Bool { !attributes.isDisjoint(with: .collection) }
  /// Keys of the dictionary are integers, which no SDK writes.
  package var hasIntegerKeys: Bool { keyTypeNumber == Int(ColumnType.int.rawValue) }

  /// The layout of the column's leaves in clusters.
  package var leafKind: LeafKind { isCollection ? .collection : type.leafKind(attributes) }

  /// The layout of the leaves of a list or set of this column; for dictionaries see F6.4.
  package var elementKind: LeafKind {
    let kind = type.leafKind(attributes)
    return kind == .link ? .linkElement : kind
  }
}
