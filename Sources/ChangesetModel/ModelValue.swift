package import Changesets

/// A value of a model realm.
package indirect enum ModelValue: Hashable, Sendable {
  case null
  case int(Int64)
  case bool(Bool)
  case string(String)
  case binary([UInt8])
  case timestamp(seconds: Int64, nanoseconds: Int64)
  /// The bits of the number.
  case float(UInt32)
  /// The bits of the number.
  case double(UInt64)
  case decimal(DecimalBits)
  case objectID(UInt128)
  case uuid(UInt128)
  /// To an object that may be missing: then nobody sees the link until the object is there.
  case link(ModelAddress)
  case object(ModelObject)
  case list([ModelValue])
  case set(Set<ModelValue>)
  case dictionary([String: ModelValue])

  /// The type as columns name it; nil for collections and embedded objects.
  var type: ValueType? {
    switch self {
    case .null: .null
    case .int: .int
    case .bool: .bool
    case .string: .string
    case .binary: .binary
    case .timestamp: .timestamp
    case .float: .float
    case .double: .double
    case .decimal: .decimal
    case .objectID: .objectID
    case .uuid: .uuid
    case .link: .link
    case .object, .list, .set, .dictionary: nil
    }
  }
}

/// What an object is found by.
package struct ModelAddress: Hashable, Sendable {
  package let className: String
  package let key: ModelKey

  /// An object by its class and key.
  package init(className: String, key: ModelKey) { (self.className, self.key) = (className, key) }
}

/// A primary key.
package enum ModelKey: Hashable, Sendable {
  case null
  case int(Int64)
  case string(String)
  case objectID(UInt128)
  case uuid(UInt128)
  /// Of an object without primary key.
  case globalKey(high: Int64, low: Int64)

  /// Whether objects of a class with this primary key, or none, are addressed so.
  func fits(_ primaryKey: ModelPrimaryKey?) -> Bool {
    switch (self, primaryKey?.type) {
    case (.null, _?): primaryKey?.isNullable == true
    case (.int, .int?), (.string, .string?), (.objectID, .objectID?), (.uuid, .uuid?), (.globalKey, nil): true
    default: false
    }
  }
}

/// An object with all its properties but the primary key.
package struct ModelObject: Hashable, Sendable {
  package let className: String
  package internal(set) var properties: [String: ModelValue]

  /// An object with its values.
  package init(className: String, properties: [String: ModelValue]) { (self.className, self.properties) = (className, properties) }
}

/// What a property holds.
package struct ModelColumn: Hashable, Sendable {
  /// `null` for values of any type.
  package let type: ValueType
  package let isNullable: Bool
  package let collection: CollectionKind
  /// The class that links lead to.
  package let target: String?

  /// A property of a class.
  package init(type: ValueType, isNullable: Bool, collection: CollectionKind, target: String?) {
    (self.type, self.isNullable, self.collection, self.target) = (type, isNullable, collection, target)
  }

  /// What a new object has.
  var initialValue: ModelValue {
    switch collection {
    case .list: return .list([])
    case .set: return .set([])
    case .dictionary: return .dictionary([:])
    case .single: break
    }
    if isNullable || type == .null || type == .link { return .null }
    switch type {
    case .bool: return .bool(false)
    case .string: return .string("")
    case .binary: return .binary([])
    case .timestamp: return .timestamp(seconds: 0, nanoseconds: 0)
    case .float: return .float(0)
    case .double: return .double(0)
    case .decimal: return .decimal(.zero)
    case .objectID: return .objectID(0)
    case .uuid: return .uuid(0)
    default: return .int(0)
    }
  }
}

/// Objects of one kind.
package struct ModelClass: Hashable, Sendable {
  package let kind: ClassKind
  /// Nil for classes without one.
  package let primaryKey: ModelPrimaryKey?
  package internal(set) var columns: [String: ModelColumn] = [:]
  package internal(set) var objects: [ModelKey: ModelObject] = [:]
}

/// How objects are addressed.
package struct ModelPrimaryKey: Hashable, Sendable {
  package let name: String
  package let type: ValueType
  package let isNullable: Bool

  /// The property by which objects of a class are found.
  package init(name: String, type: ValueType, isNullable: Bool) { (self.name, self.type, self.isNullable) = (name, type, isNullable) }
}
