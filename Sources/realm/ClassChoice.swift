import ArgumentParser
import RealmInspection
import RealmStorage

/// The class that a command is about: the one that is named, or the only one of the file.
struct ClassChoice: ParsableArguments {
  @Option(name: .customLong("class"), help: "The class of the objects; can be left out if the file has one class only.") var name: String?

  /// - Parameters:
  ///   - group: nil for a file without content.
  ///   - query: what stands where a query is expected. The name of a class there is not one, but what somebody expected to be enough.
  /// - Throws: `.invalidArgument` if the name was left out and nothing says which class is meant. Embedded classes are not.
  func name(in group: Group?, query: String? = nil) throws(StorageError) -> String {
    if let name { name } else { try Self.onlyName(in: group, query: query) }
  }

  /// Whether a table is a class whose objects stand on their own.
  static func isEligible(_ tableName: [UInt8], _ kind: TableKind) -> Bool {
    SchemaText.isClass(tableName) && kind != .embedded
  }

  /// As `name` does where none was given.
  static func onlyName(in group: Group?, query: String?) throws(StorageError) -> String {
    var names: [String] = []
    var isNamedByQuery = false
    for key in try group?.tableKeys() ?? [] {
      guard let table = try group?.table(key) else { continue }
      if table.className == query { isNamedByQuery = true }
      if Self.isEligible(table.state.name, table.kind) { names.append(table.className) }
    }
    if isNamedByQuery, let query { throw .invalidArgument(reason: "'\(query)' is a class; write --class \(query)") }
    guard let only = names.first else { throw .invalidArgument(reason: "it has no class; 'realm create class' makes one") }
    if names.count == 1 { return only }
    let shown = names.prefix(8).joined(separator: ", ") + (names.count > 8 ? ", ..." : "")
    throw .invalidArgument(reason: "it has \(names.count) classes: \(shown); name one with --class")
  }
}
