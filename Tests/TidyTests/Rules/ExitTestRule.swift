import Testing

/// Exit tests do not wait for a thread behind others: see `PromptTests`.
enum ExitTestRule: Rule {
  static let name = "exit test"

  static func violations(in repository: Repository) -> [Violation] {
    repository.swift.filter { $0.isIn("Tests") }.flatMap { file -> [Violation] in
      let words = file.tokens.filter { $0.kind == .word }
      if words.contains(where: { $0.text == "endsProcesses" }) { return [] }
      guard let exit = words.first(where: { $0.text == "processExitsWith" }) else { return [] }
      return [Violation(path: file.path, line: exit.line, message: "an exit test without the trait .endsProcesses")]
    }
  }
}

@Suite struct ExitTestRuleTests {
  @Test func anExitTestWithoutItsTraitIsFound() {
    func file(_ trait: String) -> Repository {
      let text = "@Suite(\(trait)) struct A { @Test func a() async { await #expect(processExitsWith: .failure) {} } }"
      return Repository(swift: ["Tests/ATests/A.swift": text])
    }
    #expect(ExitTestRule.violations(in: file(".mustEnd")).count == 1)
    #expect(ExitTestRule.violations(in: file(".mustEnd, .endsProcesses")).isEmpty)
  }
}
