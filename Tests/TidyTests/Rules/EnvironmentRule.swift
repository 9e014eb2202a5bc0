import Testing

/// What a test may be told from outside is read in one place, `Tests/TestSupport`.
enum EnvironmentRule: Rule {
  static let name = "environment"

  static func violations(in repository: Repository) -> [Violation] {
    repository.swift.filter { $0.isIn("Tests") && !$0.isIn("Tests/TestSupport") }.flatMap { file in
      file.tokens.indices.filter { place in
        let token = file.tokens[place]
        if token.kind == .word, token.text == "getenv" { return true }
        return token.kind == .word && token.text == "environment" && place > 1 && file.tokens[place - 2].text == "processInfo"
      }
      .map { Violation(path: file.path, line: file.tokens[$0].line, message: "reads the environment: ask TestSupport, or teach it") }
    }
  }
}

@Suite struct EnvironmentRuleTests {
  @Test(arguments: ["let a = ProcessInfo.processInfo.environment[\"A\"]", "let a = getenv(\"A\")"])
  func readingTheEnvironmentIsFound(_ text: String) {
    #expect(EnvironmentRule.violations(in: Repository(swift: ["Tests/ATests/A.swift": text])).count == 1)
    #expect(EnvironmentRule.violations(in: Repository(swift: ["Tests/TestSupport/A.swift": text])).isEmpty)
  }
}
