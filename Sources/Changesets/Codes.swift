/// The codes of instructions. Source: realm-core `src/realm/sync/instructions.hpp`; a wrong one makes every peer misread the history.
package enum InstructionCode: UInt8, Sendable, CaseIterable {
  case addTable = 0
  case eraseTable, createObject, eraseObject, update, addInteger, addColumn, eraseColumn
  case arrayInsert, arrayMove, arrayErase, clear, setInsert, setErase

  /// Not an instruction: the next string of the table.
  static let internString: Int64 = 0x3f

  /// The name that tools and fixtures use.
  package var name: String {
    switch self {
    case .addTable: "AddTable"
    case .eraseTable: "EraseTable"
    case .createObject: "CreateObject"
    case .eraseObject: "EraseObject"
    case .update: "Update"
    case .addInteger: "AddInteger"
    case .addColumn: "AddColumn"
    case .eraseColumn: "EraseColumn"
    case .arrayInsert: "ArrayInsert"
    case .arrayMove: "ArrayMove"
    case .arrayErase: "ArrayErase"
    case .clear: "Clear"
    case .setInsert: "SetInsert"
    case .setErase: "SetErase"
    }
  }
}

/// The types of values, keys and columns. Source: realm-core `src/realm/sync/instructions.hpp`.
package enum ValueType: Int8, Sendable, CaseIterable {
  case null = 0
  case int, bool, string, binary, timestamp, float, double, decimal, link, objectID, uuid
  case globalKey = -1
  case objectValue = -2
  case dictionary = -3
  case erased = -4
  case list = -5
  case set = -6

  /// The name that tools and fixtures use.
  package var name: String {
    switch self {
    case .null: "Null"
    case .int: "Int"
    case .bool: "Bool"
    case .string: "String"
    case .binary: "Binary"
    case .timestamp: "Timestamp"
    case .float: "Float"
    case .double: "Double"
    case .decimal: "Decimal"
    case .link: "Link"
    case .objectID: "ObjectId"
    case .uuid: "UUID"
    case .globalKey: "GlobalKey"
    case .objectValue: "ObjectValue"
    case .dictionary: "Dictionary"
    case .erased: "Erased"
    case .list: "List"
    case .set: "Set"
    }
  }

  /// Whether primary keys can have the type.
  var isOfPrimaryKeys: Bool {
    switch self {
    case .int, .string, .objectID, .uuid, .globalKey: true
    default: false
    }
  }
}

/// How many values a property has, and how they are found.
package enum CollectionKind: UInt8, Sendable, CaseIterable {
  case single = 0
  case list, dictionary, set

  /// The name that tools and fixtures use.
  package var name: String {
    switch self {
    case .single: "Single"
    case .list: "List"
    case .dictionary: "Dictionary"
    case .set: "Set"
    }
  }
}

/// What the objects of a class are.
package enum ClassKind: UInt8, Sendable, CaseIterable {
  case topLevel = 0
  case embedded, asymmetric

  /// The name that tools and fixtures use.
  package var name: String {
    switch self {
    case .topLevel: "TopLevel"
    case .embedded: "Embedded"
    case .asymmetric: "TopLevelAsymmetric"
    }
  }
}
