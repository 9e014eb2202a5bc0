import Changesets

/// One instruction while it is merged: names are numbers that are equal for equal names of any changeset, and what a merge changes stands by itself.
struct MergeItem {
  /// What tells instructions apart that rules treat differently.
  enum Kind: UInt8 {
    case addTable, eraseTable, addColumn, eraseColumn, createObject, eraseObject
    case update, updateElement, addInteger, arrayInsert, arrayMove, arrayErase, clear, setInsert, setErase
  }

  let kind: Kind
  /// Among those of both sides.
  let changeset: Int
  let position: Int
  let table: Int
  /// Among the objects of both sides; nil for instructions about the schema.
  var object: Int?
  /// Of a property.
  var field = -1
  /// The steps from the property to the value.
  var path = 0..<0
  var value = Payload.null
  var isDefault = false
  /// Of `addInteger`.
  var amount: Int64 = 0
  var collection = CollectionKind.single
  /// How many elements the list had.
  var priorSize: UInt32 = 0
  /// Where `arrayMove` leads.
  var target: UInt32 = 0
  var isDead = false

  init(_ kind: Kind, _ changeset: Int, _ position: Int, table: Int) {
    (self.kind, self.changeset, self.position, self.table) = (kind, changeset, position, table)
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
  init(key: Int) { bits = UInt64(key) | 1 << 63 }

  /// Nil for a name.
  var index: UInt32? { bits >> 63 == 0 ? UInt32(truncatingIfNeeded: bits) : nil }
}
