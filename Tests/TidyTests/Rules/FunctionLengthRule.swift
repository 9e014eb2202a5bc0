import Testing

/// A function, initialiser, accessor or closure that stands for itself has at most 60 lines, from its first word to its brace.
enum FunctionLengthRule: Rule {
  static let name = "function length"
  static let limit = 60

  static func violations(in repository: Repository) -> [Violation] {
    repository.swift.flatMap { file in
      file.bodies.filter { $0.lineCount > limit }
        .map { Violation(path: file.path, line: $0.firstLine, message: "\($0.name) has \($0.lineCount) lines of at most \(limit): split it") }
    }
  }
}

@Suite struct FunctionLengthRuleTests {
  private func file(_ head: String, lines: Int) -> Repository {
    Repository(swift: ["Sources/A/A.swift": "struct A {\n  \(head)\n" + String(repeating: "    b()\n", count: lines - 2) + "  }\n}"])
  }

  @Test(arguments: ["func a() throws(E) {", "init?(_ b: B = { 1 }()) {", "var a: Int {", "subscript(b: B) -> Int {", "static let a: A = {"])
  func aLongOneIsFound(_ head: String) {
    #expect(FunctionLengthRule.violations(in: file(head, lines: 61)).map(\.line) == [2])
    #expect(FunctionLengthRule.violations(in: file(head, lines: 60)).isEmpty)
  }
}
