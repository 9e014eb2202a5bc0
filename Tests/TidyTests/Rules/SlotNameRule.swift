import Testing

/// Elements of the arrays that have a fixed layout (tops of files, tables, clusters, dictionaries, specs) are asked for by name.
///
/// Number 0 is no slot's name but the first element of anything; where it is a slot, the others beside it tell.
enum SlotNameRule: Rule {
  static let name = "slot names"

  /// Reading and writing of one element of a node; the number is the first argument, or the second one behind the node.
  static let accessors: Set<String> = ["element", "slot", "child", "tagged", "setChild", "setTagged"]

  static func violations(in repository: Repository) -> [Violation] {
    repository.swift.filter { $0.isIn("Sources") }.flatMap { file -> [Violation] in
      let tokens = file.tokens
      return tokens.indices.dropLast().compactMap { place in
        guard tokens[place].kind == .word, accessors.contains(tokens[place].text), tokens[place + 1].isSymbol("(") else { return nil }
        guard let number = arguments(behind: place + 1, in: tokens).prefix(2).compactMap(number).first else { return nil }
        let message = "\(tokens[place].text) \(number): give the slot a name in the type that describes the array"
        return Violation(path: file.path, line: tokens[place].line, message: message)
      }
    }
  }

  /// What stands between commas, without labels.
  private static func arguments(behind start: Int, in tokens: [Token]) -> [[Token]] {
    var found: [[Token]] = [[]]
    var depth = 0
    for token in tokens[start...] {
      if token.kind == .symbol {
        if "([{".contains(token.text) { depth += 1 }
        if ")]}".contains(token.text) { depth -= 1 }
        if depth == 0 { break }
        if depth == 1, "(,:".contains(token.text) {
          if token.text == "," { found.append([]) } else { found[found.count - 1] = [] }
          continue
        }
      }
      found[found.count - 1].append(token)
    }
    return found
  }

  /// The literal that is all of an argument, if it is one above 0.
  private static func number(_ argument: [Token]) -> String? {
    guard argument.count == 1, argument[0].kind == .number, argument[0].text != "0" else { return nil }
    return argument[0].text
  }
}

@Suite struct SlotNameRuleTests {
  @Test(arguments: ["try top.child(3)", "node.element(unchecked: 11)", "scratch.setChild(ref, 2, .null)", "slot(spec[0], 4)"])
  func aBareNumberIsFound(_ text: String) {
    #expect(SlotNameRule.violations(in: Repository(swift: ["Sources/A/A.swift": "func a() { \(text) }"])).count == 1)
  }

  @Test(arguments: ["top.child(TopSlot.names)", "node.element(unchecked: 0)", "node.element(1 + index)", "setTagged(ref, Slot.size, 5)"])
  func anythingElseIsNot(_ text: String) {
    #expect(SlotNameRule.violations(in: Repository(swift: ["Sources/A/A.swift": "func a() { \(text) }"])).isEmpty)
  }
}
