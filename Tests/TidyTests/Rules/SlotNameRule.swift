import Testing

/// Elements of the arrays that have a fixed layout (tops of files, tables, clusters, dictionaries, specs) are asked for by name.
///
/// Number 0 is no slot's name but the first element of anything; where it is a slot, the others beside it tell.
enum SlotNameRule: Rule {
  static let name = "slot names"

  /// Reading and writing of one element of a node.
  static let accessors: Set<String> = ["element", "ref", "optionalRef", "tagged"]

  static func violations(in repository: Repository) -> [Violation] {
    repository.swift.filter { $0.isIn("Sources") }.flatMap { file -> [Violation] in
      let tokens = file.tokens
      return tokens.indices.dropLast(3).compactMap { place in
        guard tokens[place].kind == .word, accessors.contains(tokens[place].text), tokens[place + 1].isSymbol("(") else { return nil }
        var argument = place + 2
        if tokens[argument].kind == .word, tokens[argument + 1].isSymbol(":") { argument += 2 }
        guard argument + 1 < tokens.count, tokens[argument].kind == .number, tokens[argument].text != "0" else { return nil }
        guard tokens[argument + 1].isSymbol(")") || tokens[argument + 1].isSymbol(",") else { return nil }
        let call = "\(tokens[place].text)(\(tokens[argument].text))"
        return Violation(path: file.path, line: tokens[place].line, message: "\(call): give the slot a name in the type that describes the array")
      }
    }
  }
}

@Suite struct SlotNameRuleTests {
  @Test(arguments: ["try top.ref(3)", "node.element(at: 11)", "node.element(2, of: top)"])
  func aBareNumberIsFound(_ text: String) {
    #expect(SlotNameRule.violations(in: Repository(swift: ["Sources/A/A.swift": "func a() { \(text) }"])).count == 1)
  }

  @Test(arguments: ["try top.ref(TopSlot.names)", "node.element(at: 0)", "node.element(at: 1 + index)"])
  func anythingElseIsNot(_ text: String) {
    #expect(SlotNameRule.violations(in: Repository(swift: ["Sources/A/A.swift": "func a() { \(text) }"])).isEmpty)
  }
}
