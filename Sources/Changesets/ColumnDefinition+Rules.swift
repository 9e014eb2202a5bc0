extension ColumnDefinition {
  /// Whether a recorder can emit it: types of values only, string keys, and null where a value can always be missing.
  var canBe: Bool {
    if type.rawValue < 0 || keyType != nil && keyType != .string { return false }
    switch type {
    case .null: return isNullable
    case .link: return isNullable == (collection == .single || collection == .dictionary)
    default: return true
    }
  }
}
