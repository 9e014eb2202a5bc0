import Testing

/// A file of `RealmStorage` names types of its own floor and of lower ones (Documentation/Architecture.md).
enum FloorRule: Rule {
  static let name = "floors"

  /// From the ground up.
  static let floors = [
    "Values", "Files", "Memory", "Nodes", "Trees", "Indexes", "History", "Tables", "Space", "Transactions", "Verification",
  ]

  static func violations(in repository: Repository) -> [Violation] {
    let files = repository.swift.filter { $0.isIn("Sources/RealmStorage") }
    var found: [Violation] = []
    var lowest: [String: Int] = [:]
    for file in files {
      guard let floor = floors.firstIndex(of: file.folder) else {
        found.append(Violation(path: file.path, line: 1, message: "stands on no floor: move it into one of \(floors.joined(separator: ", "))"))
        continue
      }
      for declaration in file.declarations where declaration.kind.isType && declaration.containers.isEmpty && !declaration.isFilePrivate {
        lowest[declaration.name] = min(lowest[declaration.name] ?? floor, floor)
      }
    }
    for file in files {
      guard let floor = floors.firstIndex(of: file.folder) else { continue }
      let own = Set(file.declarations.filter { $0.kind.isType || $0.kind == .associated }.map(\.name))
      for token in file.tokens where token.kind == .word && !token.isPlainName {
        guard let home = lowest[token.text], home > floor, !own.contains(token.text) else { continue }
        found.append(
          Violation(
            path: file.path, line: token.line,
            message: "\(file.folder) names \(token.text) of the higher floor \(floors[home]): move the code up, or what it needs down"))
      }
    }
    return found
  }
}

@Suite struct FloorRuleTests {
  private let values = "Sources/RealmStorage/Values/Keys.swift"
  private let tables = "Sources/RealmStorage/Tables/Table.swift"

  @Test func aTypeOfAHigherFloorIsFound() {
    let sample = Repository(swift: [values: "struct Key {\n  let table: Table\n}", tables: "struct Table {\n  let key: Key\n}"])
    #expect(FloorRule.violations(in: sample).map(\.line) == [2])
  }

  @Test func namesInCommentsTextsAndMembersAreNot() {
    let sample = Repository(swift: [values: "// Table\nlet a = \"Table\"\nlet b = Kind.Table", tables: "struct Table {}"])
    #expect(FloorRule.violations(in: sample).isEmpty)
  }

  @Test func aFileOutsideOfAllFloorsIsFound() {
    #expect(FloorRule.violations(in: Repository(swift: ["Sources/RealmStorage/Attic/A.swift": ""])).count == 1)
  }
}
