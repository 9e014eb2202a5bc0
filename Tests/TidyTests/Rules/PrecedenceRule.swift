import Testing

/// `|` and `^` bind no tighter than `+` and `-` in Swift: `a | b - c` is `(a | b) - c`, where C, whose readers we all are, has `a | (b - c)`. Once a
/// damaged free list was taken for a sound one for that. Who means either writes the parentheses.
enum PrecedenceRule: Rule {
  static let name = "precedence"

  static func violations(in repository: Repository) -> [Violation] {
    repository.swift.flatMap { file in
      lines(file.tokens).map { Violation(path: file.path, line: $0, message: "+ or - behind | or ^ without parentheses") }
    }
  }

  private static func lines(_ tokens: [Token]) -> [Int] {
    var lines: [Int] = []
    // Whether a | or ^ has come before in this expression; one for each open bracket.
    var combines = [false]
    for (index, token) in tokens.enumerated() {
      let previous = index > 0 ? tokens[index - 1] : token
      let next = index + 1 < tokens.count ? tokens[index + 1] : token
      func isNext(_ character: String) -> Bool { index + 1 < tokens.count && next.isSymbol(character) }
      let isOperator = token.kind == .symbol && "|^&+-*/%<>=!?.,:)]}".contains(token.text)
      let follows = previous.kind != .symbol || ")]}".contains(previous.text)
      if token.line != previous.line && follows && !isOperator { combines[combines.count - 1] = false }
      guard token.kind == .symbol else { continue }
      switch token.text {
      case "(", "[", "{": combines.append(false)
      case ")", "]", "}": if combines.count > 1 { combines.removeLast() }
      case "|" where isNext("|") || previous.isSymbol("|"), "&" where isNext("&") || previous.isSymbol("&"): combines[combines.count - 1] = false
      case ",", ";", ":", "?", "=": combines[combines.count - 1] = false
      case "<" where !isNext("<") && !previous.isSymbol("<"), ">" where !isNext(">") && !previous.isSymbol(">"):
        combines[combines.count - 1] = false
      case "|" where !isNext("="), "^" where !isNext("="): combines[combines.count - 1] = true
      case "+", "-":
        let isWrapping = previous.isSymbol("&")
        if combines[combines.count - 1] && (follows || isWrapping) && !isNext("=") && !isNext(">") { lines.append(token.line) }
      default: break
      }
    }
    return lines
  }
}

@Suite struct PrecedenceRuleTests {
  private func count(_ source: String) -> Int { PrecedenceRule.violations(in: Repository(swift: ["Sources/A/A.swift": source])).count }

  @Test(arguments: ["a | b - c", "a | b &- c", "a ^ b << 1 + c", "x |= a | b[i + 1] &- c", "f(a | b +\n c)", "a\n | b\n - c"])
  func aSumBehindACombinationIsFound(_ source: String) { #expect(count(source) == 1) }

  @Test(arguments: [
    "a | (b - c)", "a + b | c", "a || b - c > 0", "f(a | b, c - d)", "a | b == c - d", "a |= b - c", "a | b < c - d", "x = a | b\ny = c - d",
    "a | -b", "a | b ? c + d : e", "{ a | b } + c", "let f: (A) -> B",
  ]) func whatIsClearIsNot(_ source: String) { #expect(count(source) == 0) }
}
