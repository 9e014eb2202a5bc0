import Testing

/// F7.2, T8.4, H3, E5, Q5.1, S4, C6.4, Y2 and P5.4 in comments and documents name sections that exist.
enum CitationRule: Rule {
  static let name = "citations"

  /// What each letter stands for.
  static let documents: [Character: String] = [
    "F": "Documentation/Format/file-format.md", "T": "Documentation/Format/transactions.md", "H": "Documentation/Format/history.md",
    "E": "Documentation/Format/encryption.md", "Q": "Documentation/Queries/reference.md",
    "S": "Documentation/SDK/behaviour.md",
    "C": "Documentation/Sync/changesets.md", "Y": "Documentation/Sync/history.md", "P": "Documentation/Sync/protocol.md",
  ]

  static func violations(in repository: Repository) -> [Violation] {
    let known = documents.compactMapValues { path in repository.document(path).map { sections(of: $0) } }
    func check(_ text: String, _ path: String, _ line: Int) -> [Violation] {
      citations(in: text).compactMap { letter, number in
        guard let home = documents[letter], known[letter]?.contains(number) != true else { return nil }
        return Violation(path: path, line: line, message: "\(letter)\(number) is no section of \(home): cite one that exists")
      }
    }
    return repository.swift.flatMap { file in
      file.isIn("Tests/TidyTests") ? [] : file.comments.flatMap { check($0.text, file.path, $0.line) }
    }
      + repository.documents.flatMap { document in
        document.prose.flatMap { check(String($1), document.path, $0) }
      }
  }

  /// The numbers of a document's headings: `## 7. Reading`, `### 8.1 Begin`, `## F2. Nodes`.
  static func sections(of document: Repository.Document) -> Set<String> {
    Set(
      document.lines.filter { $0.hasPrefix("#") }.compactMap { line in
        let title = line.drop { $0 == "#" }.drop { $0 == " " }
        let number = title.drop { documents[$0] != nil }.prefix { $0.isNumber || $0 == "." }
        return number.isEmpty ? nil : String(number.hasSuffix(".") ? number.dropLast() : number)
      })
  }

  /// A capital letter of ours, a number of at most two digits, and perhaps others behind full stops.
  static func citations(in text: String) -> [(letter: Character, number: String)] {
    var found: [(letter: Character, number: String)] = []
    var previous: Character = " "
    var rest = text[...]
    while let first = rest.first {
      rest = rest.dropFirst()
      defer { previous = first }
      guard documents[first] != nil, !previous.isLetter, !previous.isNumber, !"_$`\"'.+".contains(previous) else { continue }
      var number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
      while number.hasSuffix(".") { number = number.dropLast() }
      let behind = rest.dropFirst(number.count).first ?? " "
      guard let major = number.split(separator: ".").first, number.first?.isNumber == true, major.count <= 2, major != "0", !behind.isLetter,
        !behind.isNumber, behind != "_"
      else { continue }
      found.append((first, String(number)))
    }
    return found
  }
}

@Suite struct CitationRuleTests {
  private let documents = [
    "Documentation/Format/file-format.md": "# Format\n## F2. Nodes\n### F2.6 Limits", "Documentation/Format/history.md": "## 3. Integers",
  ]

  @Test func citationsOfMissingSectionsAreFound() {
    let sample = Repository(
      swift: ["Sources/A/A.swift": "// F2.6, F2.7.\n// H3 and H4\n/* (F2) */ let a = \"F9\" // E000, UTF8"], documents: documents)
    #expect(CitationRule.violations(in: sample).map(\.message).map { $0.prefix(4) } == ["F2.7", "H4 i"])
  }

  @Test func documentsAreLookedThroughToo() {
    let sample = Repository(documents: documents.merging(["README.md": "See F2.6-F2.8.\n\n    F9 is a byte here\n```\nF9\n```"]) { $1 })
    #expect(CitationRule.violations(in: sample).map(\.line) == [1])
  }
}
