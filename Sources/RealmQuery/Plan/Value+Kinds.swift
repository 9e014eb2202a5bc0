import RealmStorage

extension Value {
  /// Of the same kind; all numbers are one.
  func isComparable(with other: Value) -> Bool {
    switch (self, other) {
    case (.int, .int), (.string, .string), (.bool, .bool), (.binary, .binary), (.timestamp, .timestamp), (.objectID, .objectID),
      (.uuid, .uuid), (.typedLink, .typedLink), (.link, .link), (.double, .double), (.list, .list), (.dictionary, .dictionary):
      true
    default: isNumber && other.isNumber
    }
  }

  var isNumber: Bool {
    switch self {
    case .int, .float, .double, .decimal: true
    default: false
    }
  }
  var isNull: Bool { if case .null = self { true } else { false } }

  /// A NaN of any type.
  var isNotANumber: Bool {
    switch self {
    case .float(let value): value.isNaN
    case .double(let value): value.isNaN
    case .decimal(let value): value.isNaN
    default: false
    }
  }
}
