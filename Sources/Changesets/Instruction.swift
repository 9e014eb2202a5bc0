/// A place in the string table of a changeset.
package struct StringIndex: Hashable, Sendable {
  /// Counted from 0 in order of appearance.
  package var position: UInt32

  /// The string at `position`.
  package init(_ position: UInt32) { self.position = position }
}

/// Bytes of the changeset's pool: a string or binary value.
package struct ByteRange: Hashable, Sendable {
  /// The first byte.
  package let start: UInt32
  /// Bytes, not characters.
  package let count: UInt32

  /// Places in the pool.
  @inlinable package var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
}

/// Elements of the changeset's pool of path elements. No two instructions share elements.
package struct PathRange: Hashable, Sendable {
  /// The first element.
  package let start: UInt32
  /// How many elements the path has below the property.
  package let count: UInt32

  /// The property itself.
  package static let empty = Self(start: 0, count: 0)

  /// Places in the pool.
  @inlinable package var range: Range<Int> { Int(start)..<Int(start) + Int(count) }
}

/// One step from a property down to a value.
package enum PathElement: Hashable, Sendable {
  /// A position in a list.
  case index(UInt32)
  /// A key of a dictionary, or a property of an embedded object.
  case key(StringIndex)
}

/// What an object is addressed by.
package enum PrimaryKey: Hashable, Sendable {
  case null
  case int(Int64)
  case string(StringIndex)
  /// The 12 bytes as a number, the first one being the most significant.
  case objectID(UInt128)
  /// The 16 bytes as a number, the first one being the most significant.
  case uuid(UInt128)
  /// Of an object without a primary key.
  case globalKey(high: Int64, low: Int64)
}

/// A value that an instruction carries. Equal only to values of the same changeset: strings are places in its pool.
package enum Payload: Equatable, Sendable {
  case null
  case int(Int64)
  case bool(Bool)
  case string(ByteRange)
  case binary(ByteRange)
  case timestamp(seconds: Int64, nanoseconds: Int64)
  /// The bits of the number.
  case float(UInt32)
  /// The bits of the number.
  case double(UInt64)
  case decimal(DecimalBits)
  case link(StringIndex, PrimaryKey)
  case objectID(UInt128)
  case uuid(UInt128)
  /// A new embedded object.
  case objectValue
  /// An empty dictionary.
  case dictionary
  /// The removal of a dictionary's entry.
  case erased
  /// An empty list.
  case list
  case set
}

/// An object of a class.
package struct ObjectAddress: Hashable, Sendable {
  /// The class, without the prefix that tables have in files.
  package var table: StringIndex
  /// Its primary key.
  package var key: PrimaryKey

  /// An object by its class and key.
  package init(table: StringIndex, key: PrimaryKey) { (self.table, self.key) = (table, key) }
}

/// A value of an object: a property, or something inside of it.
package struct Place: Hashable, Sendable {
  /// The object that is not embedded in another one.
  package var object: ObjectAddress
  /// The property.
  package var field: StringIndex
  /// From the property to the value.
  package var path: PathRange

  /// A property of an object, or with a path something below it.
  package init(object: ObjectAddress, field: StringIndex, path: PathRange) {
    (self.object, self.field, self.path) = (object, field, path)
  }
}

/// How the objects of a new class are addressed.
package struct ClassDefinition: Hashable, Sendable {
  /// Decides whether there is a primary key.
  package var kind: ClassKind
  /// Nil for an embedded class.
  package var primaryKey: PrimaryKeyDefinition?

  /// A new class.
  package init(kind: ClassKind, primaryKey: PrimaryKeyDefinition? = nil) { (self.kind, self.primaryKey) = (kind, primaryKey) }
}

/// The primary key of a new class.
package struct PrimaryKeyDefinition: Hashable, Sendable {
  /// The property; an empty string for a class without primary key.
  package var field: StringIndex
  /// One of the types that keys have; `globalKey` for a class without primary key.
  package var type: ValueType
  /// Whether one object can have the key null.
  package var isNullable: Bool

  /// A property by which objects are found.
  package init(field: StringIndex, type: ValueType, isNullable: Bool) {
    (self.field, self.type, self.isNullable) = (field, type, isNullable)
  }
}

/// What a new property holds.
package struct ColumnDefinition: Hashable, Sendable {
  /// `null` for values of any type.
  package var type: ValueType
  /// Whether values can be null.
  package var isNullable: Bool
  /// How many values there are.
  package var collection: CollectionKind
  /// The class that links lead to; only links have one.
  package var target: StringIndex?
  /// Only of dictionaries.
  package var keyType: ValueType?

  /// A new property.
  package init(type: ValueType, isNullable: Bool, collection: CollectionKind, target: StringIndex? = nil, keyType: ValueType? = nil) {
    (self.type, self.isNullable, self.collection) = (type, isNullable, collection)
    (self.target, self.keyType) = (target, keyType)
  }
}

/// One change. Has no references: strings, bytes and paths are in the pools of the changeset.
package enum Instruction: Equatable, Sendable {
  case addTable(StringIndex, ClassDefinition)
  case eraseTable(StringIndex)
  case createObject(ObjectAddress)
  case eraseObject(ObjectAddress)
  case addColumn(StringIndex, field: StringIndex, ColumnDefinition)
  case eraseColumn(StringIndex, field: StringIndex)
  /// Sets a property or a dictionary's entry.
  case update(Place, Payload, isDefault: Bool)
  /// Sets an element of a list.
  case updateElement(Place, Payload, priorSize: UInt32)
  case addInteger(Place, Int64)
  case arrayInsert(Place, Payload, priorSize: UInt32)
  case arrayMove(Place, to: UInt32, priorSize: UInt32)
  case arrayErase(Place, priorSize: UInt32)
  case clear(Place, CollectionKind)
  case setInsert(Place, Payload)
  case setErase(Place, Payload)

  /// What the bytes begin with.
  package var code: InstructionCode {
    switch self {
    case .addTable: .addTable
    case .eraseTable: .eraseTable
    case .createObject: .createObject
    case .eraseObject: .eraseObject
    case .addColumn: .addColumn
    case .eraseColumn: .eraseColumn
    case .update, .updateElement: .update
    case .addInteger: .addInteger
    case .arrayInsert: .arrayInsert
    case .arrayMove: .arrayMove
    case .arrayErase: .arrayErase
    case .clear: .clear
    case .setInsert: .setInsert
    case .setErase: .setErase
    }
  }
}
