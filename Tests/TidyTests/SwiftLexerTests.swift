import Testing

@Suite struct SwiftLexerTests {
  private func texts(_ source: String) -> [String] { SwiftLexer(source).tokens.map(\.text) }

  @Test func commentsAreNoTokens() {
    let lexer = SwiftLexer("a // b\n/* c /* d */ e */ f\n/// g\nh")
    #expect(lexer.tokens.map(\.text) == ["a", "f", "h"])
    #expect(lexer.tokens.map(\.line) == [1, 2, 4])
    #expect(lexer.comments.map(\.text) == ["// b", "/* c /* d */ e */", "/// g"])
    #expect(lexer.comments.map(\.isDocumentation) == [false, false, true])
    #expect(lexer.tokens.map(\.hasDocumentation) == [false, false, true])
  }

  @Test(arguments: [
    (#""a // b""#, ["a // b"]), (#""a\"b" c"#, [#"a\"b"#, "c"]), ("\"\"\"\na\"b\n\"\"\" c", ["\na\"b\n", "c"]),
    (##"#"a"b\(c)"# d"##, [##"a"b\(c)"##, "d"]), (##"#"a\#(b)c"#"##, ["a", "b", "c"]), (#""" a"#, ["", "a"]),
  ])
  func stringsEndWhereTheyEnd(_ source: String, _ expected: [String]) {
    #expect(texts(source) == expected)
  }

  @Test func interpolationsAreCode() {
    let tokens = SwiftLexer(#""a \(b(c: "d \(e)")) f" g"#).tokens
    #expect(tokens.filter { $0.kind == .word }.map(\.text) == ["b", "c", "e", "g"])
    #expect(tokens.filter { $0.kind == .string }.map(\.text) == ["a ", "d ", "", " f"])
  }

  @Test func linesAreCountedInsideOfLiterals() {
    #expect(SwiftLexer("\"\"\"\na\n\\(\n b)\n\"\"\"\nc").tokens.last?.line == 6)
  }

  @Test(arguments: [
    ("a / b / c", ["a", "/", "b", "/", "c"]), ("f(/a\\/b/)", ["f", "(", "a\\/b", ")"]), ("f(/, b/c)", ["f", "(", "/", ",", "b", "/", "c", ")"]),
  ])
  func aSlashIsADivisionOrBeginsARegularExpression(_ source: String, _ expected: [String]) {
    #expect(texts(source) == expected)
  }

  @Test func numbersAreWhole() {
    #expect(texts("0x1p-3 1_000.5e+2 0xE-1 1...2") == ["0x1p-3", "1_000.5e+2", "0xE", "-", "1", "1", ".", ".", ".", "2"])
  }

  @Test func namesThatSpellKeywordsAreNone() {
    #expect(SwiftLexer("`class` a.init func").tokens.map(\.isPlainName) == [true, false, false, true, false])
  }
}
