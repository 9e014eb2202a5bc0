import Testing

/// A name that is declared in `Sources` occurs somewhere else in the code, too.
///
/// What the SDK offers is used by others; what the language or a library asks for by name stands in `calledByOthers`.
enum UnusedNameRule: Rule {
  static let name = "unused names"

  /// Requirements of protocols that are not ours, and what they call by name.
  static let calledByOthers: Set<String> = [
    "_", "body", "configuration", "run", "validate", "description", "debugDescription", "customMirror", "hashValue", "hash", "encode", "next",
    "makeIterator", "underestimatedCount", "startIndex", "endIndex", "wrappedValue", "projectedValue", "dynamicallyCall", "rawValue", "allCases",
    "Element", "Iterator", "Index", "Indices", "SubSequence", "ArrayLiteralElement", "Key", "Value", "IntegerLiteralType", "errorDescription",
    "errorDomain", "errorCode", "errorUserInfo", "main", "help", "defaultValueDescription", "codingPath", "userInfo",
  ]

  static func violations(in repository: Repository) -> [Violation] {
    var uses: [String: Int] = [:]
    for file in repository.swift { for token in file.tokens where token.kind == .word { uses[token.text, default: 0] += 1 } }
    var sites: [String: [Violation]] = [:]
    var excused: Set<String> = calledByOthers
    for file in repository.swift {
      for declaration in file.declarations where declaration.kind != .extensionOf && !declaration.name.isEmpty {
        let message = "\(declaration.kind.rawValue) \(declaration.name) is used nowhere: delete it"
        sites[declaration.name, default: []].append(Violation(path: file.path, line: declaration.line, message: message))
        let isOffered = (file.isIn("Sources/RealmSwift") || file.isIn("Sources/RealmOpenCombine")) && isOffered(declaration, in: file)
        if isOffered || !file.isIn("Sources") || declaration.modifiers.contains("override") || declaration.isLocal {
          excused.insert(declaration.name)
        }
      }
    }
    return sites.filter { name, places in !excused.contains(name) && places.count == uses[name] }.flatMap(\.value)
      .sorted { ($0.path, $0.line) < ($1.path, $1.line) }
  }

  /// Public, or a requirement or case of something public.
  private static func isOffered(_ declaration: Declaration, in file: SourceFile) -> Bool {
    if declaration.isPublic { return true }
    guard let container = declaration.containers.last.map({ file.declarations[$0] }), container.isPublic else { return false }
    return container.kind == .protocolType || declaration.kind == .enumCase
  }
}

@Suite struct UnusedNameRuleTests {
  @Test func aNameThatNothingUsesIsFound() {
    let sample = Repository(swift: [
      "Sources/A/A.swift": "struct A {\n  let used = 1\n  var unused: Int { used }\n  case one, two\n}\n// unused unused",
      "Tests/ATests/A.swift": "A()",
    ])
    #expect(UnusedNameRule.violations(in: sample).map(\.line) == [3])
  }

  @Test func overloadsCountTogether() {
    let sample = Repository(swift: ["Sources/A/A.swift": "func a(_ b: Int) {}\nfunc a(_ b: String) {}\nenum B { case c, d }\nlet e = [B.c]\ne"])
    #expect(UnusedNameRule.violations(in: sample).map(\.line) == [1, 2, 3])
  }

  @Test func aUseInATextsInterpolationCounts() {
    let sample = Repository(swift: ["Sources/A/A.swift": #"let name = 1; let other = "name \(name)"; other"#])
    #expect(UnusedNameRule.violations(in: sample).isEmpty)
  }

  @Test func whatTheSDKOffersIsUsedByOthers() {
    let sample = Repository(swift: [
      "Sources/RealmSwift/A.swift": "public enum A { case b }\npublic func c() {}\npublic protocol D { func e() }\nfunc f() {}"
    ])
    #expect(UnusedNameRule.violations(in: sample).map(\.line) == [4])
  }
}
