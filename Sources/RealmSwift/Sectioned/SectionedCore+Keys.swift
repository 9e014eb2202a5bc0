import RealmStorage

extension SectionedCore {
  /// Whether the key of an element can only change in a version in which the element counts as changed: what decides about it is close enough.
  func keysFollowElements() throws -> Bool {
    guard let target = results.target, target.hasTable else { return false }
    if let keyDepth { return keyDepth <= VersionStep.linkCount }
    // A block may go wherever links lead, so they must not lead further.
    let group = try results.core.group()
    var frontier: Set<TableKey> = [target.tableKey]
    var depth = 0
    while !frontier.isEmpty {
      if depth > VersionStep.linkCount { return false }
      depth += 1
      var next: Set<TableKey> = []
      for table in try frontier.map(group.table) {
        if try results.core.leadsBack(from: table) { return false }
        for column in table.publicColumns {
          switch column.type {
          case .mixed, .typedLink: return false
          case .link: next.insert(column.oppositeTable)
          default: break
          }
        }
      }
      frontier = next
    }
    return true
  }
}

extension RealmCore {
  /// Whether objects of a class show who links to them.
  fileprivate func leadsBack(from table: Table) throws -> Bool {
    guard let binding = classes?.ofTable(table.key) else { return false }
    return !binding.schema.computedProperties.isEmpty
  }
}
