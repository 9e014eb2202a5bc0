import RealmInspection
import RealmStorage

/// The names of a file's classes and properties.
struct FileNames: Equatable {
  struct Property: Equatable {
    let name: String
    /// The class that it links to.
    let target: String?
  }
  /// By class.
  let properties: [String: [Property]]
  /// The class that is meant where none is named.
  let only: String?

  init(_ properties: [String: [Property]], only: String? = nil) { (self.properties, self.only) = (properties, only) }

  init(_ opened: OpenFile) {
    let index = TableIndex(opened.tables)
    var properties: [String: [Property]] = [:]
    // Tables that are none, such as `metadata`, are rarely meant.
    for table in opened.tables where SchemaText.isClass(table.name) {
      properties[SchemaText.className(table.name)] = table.publicColumns.map { column in
        let target = column.type == .link ? index.table(column.oppositeTable) : nil
        return Property(name: SchemaNames.text(column.name), target: target.map { SchemaText.className($0.name) })
      }
    }
    let eligible = opened.tables.filter { ClassChoice.isEligible($0.name, $0.kind) }
    self.init(properties, only: eligible.count == 1 ? SchemaText.className(eligible[0].name) : nil)
  }

  var classes: [String] { properties.keys.sorted() }

  /// The names of the properties of a class; of all classes, if it is not known which one is meant.
  func names(of className: String?) -> [String] {
    if let className, let known = properties[className] { return known.map(\.name) }
    return Set(properties.values.joined().map(\.name)).sorted()
  }

  /// Paths that begin as `path` does and are one name longer than its last dot: `owner.na` and `owner.name`.
  func paths(_ path: String, from className: String?) -> [String] {
    let parts = path.split(separator: ".", omittingEmptySubsequences: false).dropLast()
    var place = className
    for part in parts {
      guard let at = place, let next = properties[at]?.first(where: { $0.name == part })?.target else { return [] }
      place = next
    }
    return names(of: place).map { (parts + [Substring($0)]).joined(separator: ".") }
  }
}
