// Links against backlinks, and against what the tables they lead to are for. F4.7, F7.5.

extension GroupCheck {
  func addLink(_ target: TableKey, target key: Int64, origin: Int64) {
    guard let linkOrigin, checker.coversEverything else { return }
    ledger.addLink(
      LinkLedger.Column(targetTable: target, originTable: linkOrigin.table, originColumn: linkOrigin.column), target: key, origin: origin)
  }

  /// After all tables were walked.
  func checkLinks() {
    for (position, entry) in ledger.entries.enumerated() {
      let column = ledger.columns[position]
      if !isInFocus(column.targetTable) && !isInFocus(column.originTable) { continue }
      if entry.links.count > 0 { checkKind(column) }
      if !entry.isBalanced { reportBalance(entry, column) }
    }
  }

  /// F4.7: embedded objects belong to a property of their class, and nothing leads to asymmetric ones.
  private func checkKind(_ column: LinkLedger.Column) {
    switch table(column.targetTable)?.description.kind {
    case .topLevel?, nil: break
    case .embedded?:
      guard let origin = self.column(column.originTable, column.originColumn), origin.type != .link else { return }
      checker.failGlobally("\(describe(column)): embedded objects cannot be values of a Mixed property")
    case .asymmetric?: checker.failGlobally("\(describe(column)): nothing can link to an asymmetric class")
    }
  }

  /// F7.5: what differs between links and backlinks that are not the same pairs.
  private func reportBalance(_ entry: LinkLedger.Entry, _ column: LinkLedger.Column) {
    let what = describe(column)
    guard entry.hasBacklinkColumn else { return checker.failGlobally("\(what) have no backlink column") }
    // Backlinks of a removed column may be anything (F4.4).
    let isDangling = self.column(column.originTable, column.originColumn) == nil
    let counts = "\(entry.links.count) links, \(entry.backlinks.count) backlinks"
    guard ledger.hasPairs else { return report("\(what) do not match the backlinks: \(counts)", asNote: isDangling) }
    for difference in ledger.differences(entry, limit: 10) {
      report(
        "\(what): object \(difference.target) has backlinks from \(GroupCheck.short(difference.backlinks)), "
          + "links come from \(GroupCheck.short(difference.links))", asNote: isDangling)
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
