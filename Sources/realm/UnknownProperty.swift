import RealmInspection
import RealmQuery
import RealmStorage

/// Helps whoever named a property that the file does not have.
enum UnknownProperty {
  /// - Throws: `.invalidArgument` with what was probably meant.
  static func column(_ name: String, _ table: Table) throws(StorageError) -> ColumnDescription {
    if let column = table.publicColumns.first(where: { $0.name.elementsEqual(name.utf8) }) { return column }
    throw .invalidArgument(
      reason: "'\(SchemaText.className(table.state.name))' has no property '\(name)'\(try hint(name, table, isQueried: false))")
  }

  /// What to write instead of a property that a message of the query language names; empty if it is about something else.
  static func hint(forMessage message: String, _ group: Group) throws(StorageError) -> String {
    let parts = message.split(separator: "'", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[2] == " has no property ", parts[4].isEmpty else { return "" }
    guard let table = try Preparation.table(named: String(parts[1]), group) else { return "" }
    return try hint(String(parts[3]), table, isQueried: true)
  }

  /// - Parameter isQueried: the name stands in a query, where links can be followed to where they come from.
  private static func hint(_ name: String, _ table: Table, isQueried: Bool) throws(StorageError) -> String {
    let names = table.publicColumns.map { SchemaNames.text($0.name) }
    if let nearest = NearestName.of(name, names) { return "; did you mean '\(nearest)'?" }
    var links: [String] = []
    for column in table.backlinkColumns {
      let origin = try table.group.table(column.oppositeTable)
      guard let source = origin.publicColumns.first(where: { $0.key == column.oppositeColumn }) else { continue }
      links.append("\(SchemaText.className(origin.state.name)).\(SchemaNames.text(source.name))")
    }
    let known = names.isEmpty ? "" : "; its properties are \(names.prefix(20).joined(separator: ", "))\(names.count > 20 ? ", …" : "")"
    guard let link = links.first else { return known }
    guard isQueried else { return known + "; a LinkingObjects property is not in the file" }
    let paths = links.map { "@links.\($0)" }.joined(separator: " or ")
    return known + "; a LinkingObjects property is not in the file: write \(paths), or give --links \(name)=\(link)"
  }
}
