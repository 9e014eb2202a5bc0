import Testing

/// A file is one subject, and no longer than 600 lines.
enum FileLengthRule: Rule {
  static let name = "file length"
  static let limit = 600

  static func violations(in repository: Repository) -> [Violation] {
    repository.swift.filter { $0.lines.count - 1 > limit }
      .map {
        Violation(path: $0.path, line: limit + 1, message: "\($0.lines.count - 1) lines of at most \(limit): find the second subject, split it")
      }
  }
}

@Suite struct FileLengthRuleTests {
  @Test func aLongFileIsFound() {
    func file(_ lines: Int) -> Repository { Repository(swift: ["Sources/A/A.swift": String(repeating: "a()\n", count: lines)]) }
    #expect(FileLengthRule.violations(in: file(601)).count == 1)
    #expect(FileLengthRule.violations(in: file(600)).isEmpty)
  }
}
