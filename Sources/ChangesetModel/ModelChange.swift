import Changesets

/// What an instruction does at the end of its path.
enum ModelChange {
  case set(NewValue)
  case setElement(NewValue, size: UInt32)
  case add(Int64)
  case insert(NewValue, size: UInt32)
  case move(to: UInt32, size: UInt32)
  case erase(size: UInt32)
  case clear(CollectionKind)
  case setInsert(NewValue)
  case setErase(NewValue)

  enum NewValue {
    case value(ModelValue)
    case object, list, dictionary, set
    /// None: a dictionary's entry goes.
    case nothing
  }
}

/// One step of a path.
enum ModelStep {
  case index(Int)
  case key(String)
}

/// What a value may be.
enum ModelSlot {
  case property(ModelColumn)
  case element(ModelColumn)
  /// Inside of a value of any type.
  case any

  /// Of the values; nil for any.
  var column: ModelColumn? {
    switch self {
    case .property(let column), .element(let column): column.type == .null ? nil : column
    case .any: nil
    }
  }

  /// Whether it holds one value, not a collection.
  var isSingle: Bool { if case .property(let column) = self { column.collection == .single } else { true } }
  /// Whether the value can be a collection or something else.
  var holdsAnything: Bool { isSingle && column == nil }
  /// Of the values in a collection that is here.
  var elements: Self { if case .property(let column) = self, column.collection != .single { .element(column) } else { .any } }
}
