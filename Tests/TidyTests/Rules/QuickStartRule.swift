import Testing

/// The program in the README is the one that CI builds and runs.
enum QuickStartRule: Rule {
  static let name = "quick start"
  static let home = "Examples/Client/Sources/Client/QuickStart.swift"

  static func violations(in repository: Repository) -> [Violation] {
    guard let readme = repository.document("README.md"), let file = repository.swift.first(where: { $0.path == home }) else { return [] }
    guard let fence = readme.lines.firstIndex(of: "```swift file") else {
      return [Violation(path: readme.path, line: 1, message: "has no program: show that of \(home)")]
    }
    let shown = readme.lines[(fence + 1)...].prefix { $0 != "```" }
    let built = file.lines.last == "" ? file.lines.dropLast() : file.lines[...]
    if shown.elementsEqual(built) { return [] }
    let same = zip(shown, built).prefix { $0 == $1 }.count
    return [Violation(path: readme.path, line: fence + 2 + same, message: "is another program than \(home)")]
  }
}

@Suite struct QuickStartRuleTests {
  private func lines(of readme: String, beside program: String) -> [Int] {
    QuickStartRule.violations(in: Repository(swift: [QuickStartRule.home: program], documents: ["README.md": readme])).map(\.line)
  }

  @Test func anotherProgramIsFound() {
    #expect(lines(of: "# R\n```swift file\nlet a = 1\nlet b = 2\n```\n", beside: "let a = 1\nlet b = 2\n") == [])
    #expect(lines(of: "# R\n```swift file\nlet a = 1\nlet b = 2\n```\n", beside: "let a = 1\nlet b = 3\n") == [4])
    #expect(lines(of: "# R\n```swift file\nlet a = 1\n```\n", beside: "let a = 1\nlet b = 3\n") == [4])
    #expect(lines(of: "# R\n", beside: "let a = 1\n") == [1])
  }
}
