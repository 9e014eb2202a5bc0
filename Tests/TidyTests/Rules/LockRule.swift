import Testing

/// Locks are `Locked`: a `Mutex` of the standard library goes wrong in asynchronous functions (see there). Benchmarks are another package and
/// have none.
enum LockRule: Rule {
  static let name = "locks"
  static let home = "Sources/RealmStorage/Files/Locked.swift"

  static func violations(in repository: Repository) -> [Violation] {
    repository.swift.filter { ($0.isIn("Sources") || $0.isIn("Tests")) && $0.path != home }.flatMap { file in
      file.tokens.filter { $0.kind == .word && $0.text == "Mutex" }
        .map { Violation(path: file.path, line: $0.line, message: "a Mutex: use Locked, which is safe in asynchronous functions") }
    }
  }
}

@Suite struct LockRuleTests {
  @Test func aMutexIsFound() {
    #expect(LockRule.violations(in: Repository(swift: ["Sources/A/A.swift": "let a = Mutex(0)"])).count == 1)
  }
  @Test func lockedIsNot() {
    #expect(LockRule.violations(in: Repository(swift: ["Sources/A/A.swift": "let a = Locked(0) // no Mutex"])).isEmpty)
  }
}
