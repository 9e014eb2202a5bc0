import RealmStorage

extension ColumnDescription {
  /// How many objects are compared with a long list leaf by leaf in about ten times the time of looking one value up: what a list that turns
  /// out to be too much at its end costs more than the scan alone.
  fileprivate var lookupCost: Int {
    switch type {
    case .int, .bool: 1000
    case .string: 50
    default: 500
    }
  }

  func isWorthLooking(up constantCount: Int, objectCount: Int) -> Bool { constantCount <= 1 || constantCount * lookupCost <= objectCount }

  /// Has an index that finds exactly the objects with a value: not Mixed, where equal numbers are filed apart.
  var isSearchable: Bool {
    !indexRef.isNull && !isCollection && !attributes.contains(.fullTextIndexed) && type != .mixed && type != .link
  }
}
