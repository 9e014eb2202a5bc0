/// The stored form of values whose leaves are plain arrays of integers: required Int (F3.1), Bool (F3.3), links (F3.12).
package enum IntegerLeaf {
  private static let boolNull: Int64 = 3

  /// The stored form of a value, or nil if the type does not fit.
  package static func stored(_ value: Value, _ kind: LeafKind) -> Int64? {
    switch (kind, value) {
    case (.int, .int(let number)): number
    case (.bool, .bool(let flag)): flag ? 1 : 0
    case (.bool, .null): boolNull
    case (.link, .link(let key)): key.rawValue &+ 1
    case (.link, .null): 0
    case (.linkElement, .link(let key)): key.rawValue
    case (.linkElement, .null): -1
    default: nil
    }
  }

  package static func defaultValue(_ kind: LeafKind, isNullable: Bool) -> Int64 { kind == .bool && isNullable ? boolNull : 0 }
}
