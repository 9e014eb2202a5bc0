import Testing

/// The version number stands in one file; everything else in the code takes it from there, and the newest heading of the change log agrees.
enum VersionRule: Rule {
  static let name = "version"
  static let home = "Sources/RealmStorage/Values/ProjectVersion.swift"

  static func violations(in repository: Repository) -> [Violation] {
    var found: [Violation] = []
    var version: String?
    for file in repository.swift where file.isIn("Sources") {
      for token in file.tokens where token.kind == .string && isVersion(token.text) {
        if file.path == home, version == nil {
          version = token.text
        } else {
          found.append(Violation(path: file.path, line: token.line, message: "a version number: take it from projectVersion"))
        }
      }
    }
    guard let version else { return found + [Violation(path: home, line: 1, message: "has no version number")] }
    if let log = repository.document("CHANGELOG.md") {
      let headings = log.lines.indices.filter { log.lines[$0].hasPrefix("## ") }
      if let newest = headings.first(where: { log.lines[$0].split(whereSeparator: { " [],".contains($0) }).contains { isVersion(String($0)) } }),
        !log.lines[newest].split(whereSeparator: { " [],".contains($0) }).contains(Substring(version))
      {
        found.append(Violation(path: log.path, line: newest + 1, message: "the newest version is not \(version), as in \(home)"))
      }
    }
    return found
  }

  private static func isVersion(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 3 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(\.isNumber) }
  }
}

@Suite struct VersionRuleTests {
  private let home = [VersionRule.home: "package let projectVersion = \"1.2.3\""]

  @Test func aSecondNumberIsFound() {
    let sample = Repository(swift: home.merging(["Sources/realm/Realm.swift": "let a = \"1.2.3\"; let b = \"1.2\""]) { $1 })
    #expect(VersionRule.violations(in: sample).map(\.path) == ["Sources/realm/Realm.swift"])
  }

  @Test func aChangeLogThatDisagreesIsFound() {
    func log(_ text: String) -> Repository { Repository(swift: home, documents: ["CHANGELOG.md": text]) }
    #expect(VersionRule.violations(in: log("# Changes\n\n## Unreleased\n\n## 1.2.3, 2026-01-01\n\n## 1.2.2")).isEmpty)
    #expect(VersionRule.violations(in: log("# Changes\n\n## [1.3.0]\n")).map(\.line) == [3])
  }
}
