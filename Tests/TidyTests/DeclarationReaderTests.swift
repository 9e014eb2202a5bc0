import Testing

@Suite struct DeclarationReaderTests {
  private func declarations(_ source: String) -> [Declaration] { DeclarationReader(SwiftLexer(source).tokens).declarations }

  @Test func allKindsAreFound() {
    let source = """
      public final class A: B, @unchecked Sendable {
        private(set) var b, c: Int
        /// D.
        @objc(d) static func d<T>(_ e: T = { 1 }()) -> Int where T: F { let g = 1; return g }
        init?(_ h: H) {}
        deinit {}
        subscript(i: Int) -> Int { i }
        class var j: Int { 1 }
        typealias K = Int
        enum L { case m, n(Int), o = 3 }
      }
      extension A.L: Codable, P where Q: R {}
      func == (a: A, b: A) -> Bool { true }
      """
    let found = declarations(source)
    #expect(
      found.map { "\($0.kind.rawValue) \($0.name)" } == [
        "class A", "var b", "var c", "func d", "let g", "init ", "deinit ", "subscript ", "var j", "typealias K", "enum L", "case m", "case n",
        "case o", "extension A.L", "func ",
      ])
    #expect(found.filter(\.isDocumented).map(\.name) == ["d"])
    #expect(found.filter(\.isLocal).map(\.name) == ["g"])
    #expect(found.filter { $0.containers.isEmpty }.map(\.line) == [1, 12, 13])
    #expect(found[0].modifiers == ["final", "public"])
    #expect(found[0].inherited == ["B", "Sendable"])
    #expect(found[14].inherited == ["Codable", "P"])
    #expect(found[3].modifiers == ["static", "@objc"])
    #expect(found[0].lastLine == 11)
  }

  @Test func casesOfASwitchAreNoDeclarations() {
    #expect(declarations("enum A { func b() { switch c { case d: e; case .f(g): h } } }").map(\.name) == ["A", "b"])
  }

  @Test func requirementsHaveNoBodies() {
    let reader = DeclarationReader(SwiftLexer("protocol A {\n  func b()\n  var c: Int { get }\n}\nstruct D {\n  func e() {\n  }\n}").tokens)
    #expect(reader.bodies.map(\.name) == ["c", "e"])
    #expect(reader.bodies.map(\.lineCount) == [1, 2])
  }

  @Test func membersOfATypeBehindAClosureAreItsMembers() {
    let reader = DeclarationReader(SwiftLexer("struct A {\n  let b = c { d in e }\n  func f() { g { h } }\n}\nlet i = 1").tokens)
    #expect(reader.declarations.filter { $0.containers.count == 1 }.map(\.name) == ["b", "f"])
    #expect(reader.declarations.last?.containers == [])
  }
}
