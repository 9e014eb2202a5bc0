import Testing

/// Where we promise the compiler what it cannot check, a comment with `SAFETY:` says why it holds: above the declaration or first thing in its body;
/// in a type that is `@safe` by our word also at the pointer that it is about.
enum SafetyCommentRule: Rule {
  static let name = "SAFETY"

  static func violations(in repository: Repository) -> [Violation] {
    repository.swift.filter { $0.isIn("Sources") }.flatMap { file -> [Violation] in
      let explained = Set(file.comments.filter { $0.text.contains("SAFETY:") }.map(\.line))
      let comments = Set(file.comments.map(\.line))
      let all = promises(in: file)
      let lines = Set(all.map(\.line))
      return all.compactMap { promise in
        var first = promise
        // One comment explains a whole group.
        while lines.contains(first.line - 1) { first.line -= 1 }
        return isExplained(first, comments: comments, explained: explained)
          ? nil : Violation(path: file.path, line: promise.line, message: "\(promise.text) without a SAFETY: comment: say why it holds")
      }
    }
  }

  /// `@unchecked`, `nonisolated(unsafe)`, `@exclusivity(unchecked)`, `unsafeBitCast`, and types that are `@safe` by our word.
  private static func promises(in file: SourceFile) -> [(line: Int, text: String)] {
    var found: [(line: Int, text: String)] = []
    let tokens = file.tokens
    for place in tokens.indices.dropLast() where tokens[place].kind == .word {
      let isBehindAt = place > 0 && tokens[place - 1].isSymbol("@")
      let argument = place + 2 < tokens.count && tokens[place + 1].isSymbol("(") ? tokens[place + 2].text : ""
      switch tokens[place].text {
      case "unchecked" where isBehindAt: found.append((tokens[place].line, "@unchecked"))
      case "exclusivity" where isBehindAt && argument == "unchecked": found.append((tokens[place].line, "@exclusivity(unchecked)"))
      case "nonisolated" where argument == "unsafe": found.append((tokens[place].line, "nonisolated(unsafe)"))
      case "unsafeBitCast": found.append((tokens[place].line, "unsafeBitCast"))
      default: break
      }
    }
    let lines = Set(found.map(\.line))
    let explanations = file.comments.filter { $0.text.contains("SAFETY:") }.map(\.line)
    for declaration in file.declarations where declaration.kind.hasMembers && declaration.modifiers.contains("@safe") {
      if explanations.contains(where: { declaration.line...declaration.lastLine ~= $0 }) { continue }
      if !lines.contains(declaration.line) { found.append((declaration.line, "@safe")) }
    }
    return found
  }

  private static func isExplained(_ promise: (line: Int, text: String), comments: Set<Int>, explained: Set<Int>) -> Bool {
    if (promise.line...promise.line + 3).contains(where: explained.contains) { return true }
    // Up through attributes and modifiers on lines of their own, then through the comment.
    var line = promise.line - 1
    while line > promise.line - 4, line > 0, !comments.contains(line) { line -= 1 }
    while comments.contains(line) {
      if explained.contains(line) { return true }
      line -= 1
    }
    return false
  }
}

@Suite struct SafetyCommentRuleTests {
  @Test(arguments: [
    "final class A: @unchecked Sendable {}", "nonisolated(unsafe) var a = 1", "@safe struct A {}", "@exclusivity(unchecked) var a = 1",
    "let a = unsafeBitCast(b, to: Int.self)",
  ])
  func aPromiseWithoutAReasonIsFound(_ text: String) {
    #expect(SafetyCommentRule.violations(in: Repository(swift: ["Sources/A/A.swift": "// A.\n" + text])).count == 1)
  }

  @Test(arguments: [
    "/// SAFETY: never changed.\n/// Or so.\n@safe struct A {}", "final class A: @unchecked Sendable {\n  // SAFETY: under the lock.\n}",
    "// SAFETY: as above.\nprivate\nnonisolated(unsafe) var a = 1",
  ])
  func aPromiseWithAReasonIsNot(_ text: String) {
    #expect(SafetyCommentRule.violations(in: Repository(swift: ["Sources/A/A.swift": text])).isEmpty)
  }
}
