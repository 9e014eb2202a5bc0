import RealmQuery
import RealmStorage

// What a schema says that nobody understands is a mistake: read without a word, it would be lost.

extension PlainSchema {
  private enum Member {
    case flag, text, object
    /// One of some words.
    case word([String])

    func holds(_ value: ImportValue) -> Bool {
      switch (self, value) {
      case (_, .null), (.flag, .bool), (.text, .text), (.object, .object): true
      case (.word(let words), .text): words.contains(value.string ?? "")
      default: false
      }
    }
    var form: String {
      switch self {
      case .flag: "true or false"
      case .text: "a text"
      case .object: "an object"
      case .word(let words): words.joined(separator: " or ")
      }
    }
  }

  private static let classMembers: [String: Member] = [
    "table": .flag, "kind": .word(["embedded", "asymmetric"]), "primaryKey": .text, "properties": .object,
  ]
  private static let propertyMembers: [String: Member] = [
    "type": .text, "optional": .flag, "collection": .word(["list", "set", "dictionary"]), "keys": .word(["int"]), "target": .text,
    "indexed": .flag, "fulltext": .flag,
  ]

  /// - Throws: for a class, or one of its properties, that has a member without meaning or with a value that the member never has.
  static func check(_ name: String, _ description: ImportValue) throws(ImportProblem) {
    try check("'\(name)'", description, classMembers)
    guard case .object(let properties)? = description["properties"] else { return }
    for (property, encoded) in properties { try check("'\(name).\(property)'", encoded, propertyMembers) }
  }

  private static func check(_ subject: String, _ description: ImportValue, _ known: [String: Member]) throws(ImportProblem) {
    guard case .object(let members) = description else { throw ImportProblem(reason: "the schema of \(subject) is no object") }
    for (name, value) in members {
      guard let member = known[name] else {
        let names = known.keys.sorted()
        let meant = NearestName.of(name, names).map { "did you mean '\($0)'?" } ?? "known are \(names.joined(separator: ", "))"
        throw ImportProblem(reason: "the schema of \(subject) has '\(name)', which means nothing; \(meant)")
      }
      guard member.holds(value) else { throw ImportProblem(reason: "the schema of \(subject) has a '\(name)' that is not \(member.form)") }
    }
  }
}
