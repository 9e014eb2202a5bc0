import Testing

/// Text says what a stranger can look up: no numbers of tasks that were ours, no paths of one machine.
enum StrangerRule: Rule {
  static let name = "strangers"

  static func violations(in repository: Repository) -> [Violation] {
    var found: [Violation] = []
    for file in repository.swift where !file.isIn("Tests/TidyTests") {
      for comment in file.comments { found += violations(of: comment.text, path: file.path, line: comment.line) }
      for token in file.tokens where token.kind == .string { found += violations(of: token.text, path: file.path, line: token.line) }
    }
    for document in repository.documents {
      for (index, line) in document.lines.enumerated() { found += violations(of: String(line), path: document.path, line: index + 1) }
    }
    return found
  }

  /// Directories in which people keep their checkouts.
  private static let machineRoots = ["home", "work"]

  private static func violations(of text: String, path: String, line: Int) -> [Violation] {
    var messages: [String] = []
    if namesAnIssue(text) { messages.append("the number of an issue: say what it was about") }
    if machineRoots.contains(where: { text.contains("/\($0)/") }) { messages.append("a path of one machine: name the place by what it is") }
    return messages.map { Violation(path: path, line: line, message: $0) }
  }

  /// "issue 7", "Issue #7", "issues 2 and 4"; not those of other projects, which have an address.
  private static func namesAnIssue(_ text: String) -> Bool {
    guard !text.contains("github.com") else { return false }
    let words = text.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" })
    return words.indices.dropLast().contains { (words[$0] == "issue" || words[$0] == "issues") && words[$0 + 1].allSatisfy(\.isNumber) }
  }
}

@Suite struct StrangerRuleTests {
  @Test(arguments: ["// The bar of issue 4.", "/// Issue #12 asked for it.", "let a = \"/home/ada/shared\""])
  func whatOnlyWeKnowIsFound(_ text: String) {
    #expect(StrangerRule.violations(in: Repository(swift: ["Sources/A/A.swift": text])).count == 1)
  }

  @Test func documentsCountToo() {
    let sample = Repository(documents: ["A.md": "Fine.\nThe bars of issues 2 and 4.\nAn issue. 2 of them."])
    #expect(StrangerRule.violations(in: sample).map(\.line) == [2, 3])
  }
}
