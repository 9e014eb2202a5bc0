import RealmInspection
import RealmQuery
import RealmStorage

/// What query texts select.
enum Selection {
  /// Turns a refusal into one line that shows the place.
  /// - Parameters:
  ///   - group: whose classes the query is about, to name the property that is probably meant.
  ///   - query: its text.
  static func refusing<Result>(
    _ path: String, _ group: Group, query: String? = nil, _ body: () throws(QueryError) -> Result
  ) throws(StorageError) -> Result {
    do throws(QueryError) { return try body() } catch {
      switch error {
      case .storage(let error): throw error
      case .cancelled: throw Diagnostics.interruption(path: path)
      case .invalid(let code, let message, let offset):
        let place = offset.map { " (at byte \($0))" } ?? ""
        let meant = try UnknownProperty.hint(forMessage: message, group)
        throw .invalidArgument(reason: "the query is refused: \(code.name): \(message)\(place)\(hint(ofDates: message, query))\(meant)")
      }
    }
  }

  /// How dates are written, for a message that is about them.
  private static func hint(ofDates message: String, _ query: String?) -> String {
    // What the date is compared with stands first: most often a property that holds texts.
    if message.contains("and type 'timestamp'") { return "; compare a property with what it holds: a date as 2020-01-31, a text as \"2020-01-31\"" }
    // What looks like a date in another form is a number with something behind it to the grammar.
    let hasDate = query?.contains(/\d{4}-(\d\d|W)|\d[.\/]\d{1,2}[.\/]\d{4}|\d [A-Z][a-z]{2} \d{4}/) ?? false
    let isAboutDate = hasDate || ["'timestamp'", "'date'", "is no date"].contains { message.contains($0) }
    return isAboutDate ? "; write a date without quotes, as 2020-01-31 or 2020-01-31T12:00:00Z" : ""
  }

  /// The class of a name, with or without the prefix of its table.
  static func table(_ className: String, in group: Group) throws(StorageError) -> Table {
    if let table = try Preparation.table(named: className, group) { return table }
    throw .noSuchTable(name: className)
  }

  /// A class that is to be changed.
  /// - Parameter setsProperties: objects are neither made nor deleted, and the class stays what it is. So much is allowed of the table with the version
  ///   of the schema: without its one object, or its property, the file would have none, so that no migration is due and nobody may only read it.
  static func changeable(_ className: String, in group: Group, setsProperties: Bool = false) throws(StorageError) -> Table {
    let table = try table(className, in: group)
    guard setsProperties || !Group.holdsSchemaVersion(table) else {
      let advice = "which 'realm set' changes"
      throw .invalidArgument(reason: "'\(className)' is no class: it holds the version of the schema, \(advice); nothing was changed")
    }
    guard !SchemaNames.isInternal(table.state.name) else {
      throw .invalidArgument(reason: "'\(className)' is no class: only synchronisation changes it; nothing was changed")
    }
    return table
  }

  static func keys(_ query: String, _ className: String, in group: Group, path: String) throws(StorageError) -> [ObjectKey] {
    let table = try table(className, in: group)
    return try refusing(path, group, query: query) { () throws(QueryError) in
      try Query(query, acceptsISODates: true).bind(table, in: group).execute()
    }
  }
}
