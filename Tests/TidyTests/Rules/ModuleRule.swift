import Testing

/// Modules import those below them, and the storage engine does without Foundation.
enum ModuleRule: Rule {
  static let name = "modules"

  /// What each module of ours may import of ours.
  static let lower: [String: Set<String>] = [
    "Randomness": [],
    "Changesets": [],
    "Merge": ["Changesets"],
    "ChangesetModel": ["Changesets"],
    "RealmStorage": ["Changesets"],
    "Compression": ["CZlib"],
    "CZlib": [],
    "RealmSync": ["RealmStorage", "Changesets", "Merge", "Compression"],
    "SyncSimulation": ["RealmStorage", "RealmSync", "Changesets", "Merge", "ChangesetModel", "Randomness"],
    "SyncProtocol": ["Changesets", "Compression"],
    "RealmQuery": ["RealmStorage"],
    "RealmSwift": ["RealmStorage", "RealmQuery"],
    "RealmOpenCombine": ["RealmSwift", "RealmStorage"],
    "RealmObservability": ["RealmSwift"],
    "RealmInspection": ["RealmStorage", "RealmQuery", "RealmSync", "Changesets"],
    "realm": ["RealmStorage", "RealmQuery", "RealmInspection", "RealmSwift", "RealmSync", "Changesets"],
    "conformance": ["RealmStorage", "RealmQuery", "RealmInspection", "RealmSwift", "Changesets", "Merge", "ChangesetModel"],
    "StudioService": ["RealmStorage", "RealmQuery", "RealmInspection"],
    "EngineWorkloads": ["RealmStorage", "RealmQuery", "Randomness"],
    "regnum-fuzz": ["RealmStorage", "RealmQuery", "RealmInspection", "Changesets", "Merge", "ChangesetModel", "SyncProtocol", "Randomness"],
    "regnum-soak": ["RealmSwift", "RealmStorage", "RealmInspection", "Randomness"],
    "regnum-test-agent": ["RealmStorage", "Randomness"],
  ]
  static let withoutFoundation: Set<String> = [
    "RealmStorage", "Changesets", "Merge", "ChangesetModel", "Randomness", "EngineWorkloads", "Compression", "RealmSync", "SyncSimulation",
    "SyncProtocol",
  ]

  static func violations(in repository: Repository) -> [Violation] {
    repository.swift.filter { $0.isIn("Sources") }.flatMap { file -> [Violation] in
      guard let allowed = lower[file.module] else {
        return [Violation(path: file.path, line: 1, message: "\(file.module) has no line in ModuleRule.lower: add what it may import")]
      }
      return imports(of: file).compactMap { line, module in
        if lower[module] != nil, !allowed.contains(module) {
          return Violation(path: file.path, line: line, message: "\(file.module) imports \(module), which is not below it: move the code")
        }
        if module.hasPrefix("Foundation"), withoutFoundation.contains(file.module) {
          return Violation(path: file.path, line: line, message: "\(file.module) does without Foundation: do without it or move the code up")
        }
        return nil
      }
    }
  }

  private static func imports(of file: SourceFile) -> [(line: Int, module: String)] {
    file.tokens.indices.dropLast().compactMap { place in
      guard file.tokens[place].isWord("import"), file.tokens[place + 1].kind == .word else { return nil }
      return (file.tokens[place].line, file.tokens[place + 1].text)
    }
  }
}

@Suite struct ModuleRuleTests {
  @Test func anImportOfAHigherModuleIsFound() {
    let sample = Repository(swift: ["Sources/RealmStorage/Values/A.swift": "import Glibc\npackage import RealmQuery"])
    #expect(ModuleRule.violations(in: sample).map(\.line) == [2])
  }

  @Test func foundationInTheEngineIsFound() {
    let sample = Repository(swift: ["Sources/RealmStorage/A.swift": "import Foundation", "Sources/RealmSwift/B.swift": "import Foundation"])
    #expect(ModuleRule.violations(in: sample).map(\.path) == ["Sources/RealmStorage/A.swift"])
  }

  @Test func aModuleThatTheRuleDoesNotKnowIsFound() {
    #expect(ModuleRule.violations(in: Repository(swift: ["Sources/RealmElsewhere/A.swift": ""])).count == 1)
  }
}
