// Links against backlinks, and against what the tables they lead to are for. F4.7, F7.5.

extension GroupCheck {
  func addLink(_ target: TableKey, target key: Int64, origin: Int64) {
    guard let linkOrigin, checker.coversEverything else { return }
    ledger.addLink(
      LinkLedger.Column(targetTable: target, originTable: linkOrigin.table, originColumn: linkOrigin.column), target: key, origin: origin)
  }

  /// F7.5, after all tables were walked.
  func checkLinks() {
    for (position, entry) in ledger.entries.enumerated() {
      let column = ledger.columns[position]
      if !isInFocus(column.targetTable) && !isInFocus(column.originTable) { continue }
      let origin = self.column(column.originTable, column.originColumn)
      let target = table(column.targetTable)
      checkKind(of: target, of: origin, entry, column)
      if entry.isBalanced { continue }
      let what = describe(column)
      guard entry.hasBacklinkColumn else {
        checker.failGlobally("\(what) have no backlink column")
        continue
      }
      // Backlinks of a removed column may be anything (F4.4).
      let isDangling = origin == nil
      let counts = "\(entry.links.count) links, \(entry.backlinks.count) backlinks"
      guard ledger.hasPairs else {
        report("\(what) do not match the backlinks: \(counts)", asNote: isDangling)
        continue
      }
      for difference in ledger.differences(entry, limit: 10) {
        report(
          "\(what): object \(difference.target) has backlinks from \(GroupCheck.short(difference.backlinks)), "
            + "links come from \(GroupCheck.short(difference.links))", asNote: isDangling)
      }
    }
  }

  /// F4.7: embedded objects belong to a property of their class, and nothing leads to asymmetric ones.
  private func checkKind(of target: CheckedTable?, of origin: ColumnDescription?, _ entry: LinkLedger.Entry, _ column: LinkLedger.Column) {
    guard let target, entry.links.count > 0 else { return }
    switch target.description.kind {
    case .topLevel: break
    case .embedded:
      if let origin, origin.type != .link { checker.failGlobally("\(describe(column)): embedded objects cannot be values of a Mixed property") }
    case .asymmetric: checker.failGlobally("\(describe(column)): nothing can link to an asymmetric class")
    }
  }

  private func describe(_ column: LinkLedger.Column) -> String {
    let originName = table(column.originTable)?.name ?? "#\(column.originTable.rawValue)"
    let columnName = self.column(column.originTable, column.originColumn).map(label) ?? "#\(column.originColumn.rawValue)"
    let target = table(column.targetTable)?.name ?? "#\(column.targetTable.rawValue)"
    return "links from '\(originName)'.'\(columnName)' to table '\(target)'"
  }

  private func report(_ message: String, asNote: Bool) {
    if asNote { checker.note(message) } else { checker.failGlobally(message) }
  }
  private static func short(_ keys: [Int64]) -> String {
    keys.isEmpty ? "nowhere" : keys.prefix(8).map(String.init).joined(separator: ", ") + (keys.count > 8 ? " and \(keys.count - 8) more" : "")
  }
}
