import Changesets

/// One instruction while it is merged: names are numbers that are equal for equal names of any changeset, and what a merge changes stands by itself.
///
/// Small, because merges touch little else: values stay in the changeset.
struct MergeItem {
  /// What tells instructions apart that rules treat differently.
  enum Kind: UInt8 {
    case addTable, eraseTable, addColumn, eraseColumn, createObject, eraseObject
    case update, updateElement, addInteger, arrayInsert, arrayMove, arrayErase, clear, setInsert, setErase
  }

  /// What tells values apart that rules treat differently.
  enum Content: UInt8 {
    case null, int, object, list, dictionary, other
  }

  let kind: Kind
  private(set) var content = Content.null
  var isDefault = false
  var collection = CollectionKind.single
  /// Nothing is left of it.
  var isDead = false
  /// A number in it is not the one of the changeset any more: its integer, the size of a list, where a move leads, or an index of its path.
  var isChanged = false
  /// Among those of both sides.
  let changeset: UInt32
  let position: UInt32
  let table: UInt32
  /// Among the objects of the side that has fewer instructions; `none` for instructions about the schema, `unmet` for objects of the other side only.
  var object = Self.none
  /// Of a property, or `none`.
  var field = Self.none
  /// The steps from the property to the value.
  var path: Range<UInt32> = 0..<0
  /// How many elements the list had.
  var priorSize: UInt32 = 0
  /// Where `arrayMove` leads.
  var target: UInt32 = 0
  /// What `addInteger` adds, or the integer that is set.
  var integer: Int64 = 0

  static let none = UInt32.max
  static let unmet = UInt32.max - 1

  init(_ kind: Kind, _ changeset: Int, _ position: Int, table: UInt32) {
    (self.kind, self.changeset, self.position, self.table) = (kind, UInt32(changeset), UInt32(position), table)
  }

  mutating func set(_ value: Payload) {
    switch value {
    case .null: content = .null
    case .int(let integer): (content, self.integer) = (.int, integer)
    case .objectValue: content = .object
    case .list: content = .list
    case .dictionary: content = .dictionary
    default: content = .other
    }
  }

  /// The longer one is inside of what the shorter one is about, if one is inside of the other at all.
  var depth: Int {
    switch kind {
    case .addTable, .eraseTable: 1
    case .addColumn, .eraseColumn, .createObject, .eraseObject: 2
    default: 3 + path.count
    }
  }

  /// Whether it is about a value of an object.
  var hasPlace: Bool { kind.rawValue >= Kind.update.rawValue }

  func isOfSameProperty(as other: Self) -> Bool { hasPlace && other.hasPlace && object == other.object && field == other.field }
}

/// One step of a path: an index of a list, or the number of a name.
struct PathStep: Equatable {
  private let bits: UInt64

  init(index: UInt32) { bits = UInt64(index) }
  init(key: UInt32) { bits = UInt64(key) | 1 << 63 }

  /// Nil for a name.
  var index: UInt32? { bits >> 63 == 0 ? UInt32(truncatingIfNeeded: bits) : nil }
}
