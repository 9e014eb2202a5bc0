import RealmInspection
import RealmQuery
import RealmStorage

/// A property that an option names: `age`, `owner.city`, which links lead to, or `"first, last".length`, whose names hold what would end them.
struct PropertyPath {
  /// Without quotes.
  let name: String
  let property: LinkedProperty
  /// The class that has the property.
  let owner: Table
  private let isOwn: Bool

  /// Columns to be printed.
  enum Columns {
    /// Of the objects themselves.
    case own(TableDescription)
    /// Some are of objects that links lead to.
    case paths([PathColumn])
  }

  /// `a,b` are two, and so are `a, b`.
  /// - Throws: `.invalidArgument` for names that are none of the class's properties.
  static func list(_ texts: [String], _ table: Table) throws(StorageError) -> [PropertyPath] {
    var paths: [PropertyPath] = []
    for text in texts {
      for name in try names(text) { paths.append(try PropertyPath(name, table)) }
    }
    return paths
  }

  /// The columns that a list names, none of them twice.
  static func columns(_ text: String, _ table: Table, _ description: TableDescription) throws(StorageError) -> Columns {
    let paths = try list([text], table)
    if paths.isEmpty { throw .invalidArgument(reason: "--columns names no property; write them as name,age") }
    try GroupOptions.check(columns: paths.map(\.name))
    if paths.allSatisfy(\.isOwn) { return .own(description.keeping(paths.compactMap { description.position(of: $0.property.column.key) })) }
    return .paths(paths.map { PathColumn($0.name, $0.property, of: $0.owner.key) })
  }

  private init(_ written: WrittenName, _ table: Table) throws(StorageError) {
    var links: [ColumnDescription] = []
    var owner = table
    var parts = written.parts[...]
    var found: ColumnDescription?
    while found == nil {
      // A name may hold dots itself.
      let rest = parts.joined(separator: ".")
      if let column = owner.publicColumns.first(where: { $0.name.elementsEqual(rest.utf8) }) {
        found = column
      } else if parts.count > 1 {
        let link = try UnknownProperty.column(parts.removeFirst(), owner)
        guard link.type == .link, !link.isCollection else {
          let what = link.isCollection ? "holds several values" : "is no link"
          throw .invalidArgument(
            reason: "'\(written.name)' leads nowhere: '\(SchemaNames.text(link.name))' of '\(owner.className)' \(what); paths lead over single links")
        }
        links.append(link)
        owner = try owner.group.table(link.oppositeTable)
      } else {
        found = try UnknownProperty.column(rest, owner)
      }
    }
    guard let found else { throw .invalidArgument(reason: "'\(written.name)' names no property") }
    (name, self.owner, isOwn) = (written.name, owner, links.isEmpty)
    property = try LinkedProperty(found, behind: links, of: table)
  }

  // MARK: Names

  /// What stands between two commas.
  private struct WrittenName {
    /// Between dots, without quotes.
    var parts = [""]
    var name: String { parts.joined(separator: ".") }
  }

  /// Splits at commas and dots that are not in quotes. A quote inside of quotes is written twice.
  private static func names(_ text: String) throws(StorageError) -> [WrittenName] {
    var names: [WrittenName] = []
    var name = WrittenName()
    var rest = text[...].drop { $0 == " " }
    func isEnd(_ character: Character?) -> Bool { character == nil || character == "," || character == "." }
    while !rest.isEmpty {
      if name.parts.last == "", rest.first == "\"" {
        let (part, behind) = quoted(rest)
        guard let behind, isEnd(behind.first) else {
          throw .invalidArgument(reason: "a quote in '\(text)' is not closed; write a name as \"first, last\", and a quote in it twice")
        }
        (name.parts[name.parts.count - 1], rest) = (part, behind)
      } else {
        let part = rest.prefix { !isEnd($0) }
        name.parts[name.parts.count - 1] += part
        rest = rest.dropFirst(part.count)
      }
      guard let end = rest.popFirst() else { break }
      if end == "." {
        name.parts.append("")
      } else {
        names.append(name)
        name = WrittenName()
        rest = rest.drop { $0 == " " }
      }
    }
    names.append(name)
    return names.filter { $0.parts != [""] }
  }

  /// The text of a quotation that `text` begins with, and what stands behind it; nil if it does not end.
  private static func quoted(_ text: Substring) -> (String, behind: Substring?) {
    var result = ""
    var rest = text.dropFirst()
    while let end = rest.firstIndex(of: "\"") {
      result += rest[..<end]
      rest = rest[rest.index(after: end)...]
      if rest.first != "\"" { return (result, rest) }
      result.append("\"")
      rest = rest.dropFirst()
    }
    return (result, nil)
  }
}
