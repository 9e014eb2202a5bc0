/// Finds the declarations in a list of tokens, and the braces that belong to them.
struct DeclarationReader {
  private(set) var declarations: [Declaration] = []
  /// Every outermost pair of braces that is not the body of a type or extension: a function, an accessor, a closure that a property begins with.
  private(set) var bodies: [Body] = []

  struct Body: Equatable {
    let name: String
    let firstLine: Int
    let lastLine: Int
    var lineCount: Int { lastLine - firstLine + 1 }
  }

  private struct Scope {
    /// The declaration whose members stand in it; nil in code.
    let declaration: Int?
    let bodyName: String
    let firstLine: Int
  }

  private let tokens: [Token]
  private var scopes: [Scope] = []
  /// Read last, and the next braces may be its own.
  private var pending: Int?

  init(_ tokens: [Token]) {
    self.tokens = tokens
    var parentheses = 0
    var depths: [Int] = []
    for place in tokens.indices {
      let token = tokens[place]
      if token.kind == .symbol {
        switch token.text {
        case "(", "[": parentheses += 1
        case ")", "]": parentheses -= 1
        case "{":
          open(token, inParentheses: parentheses > 0)
          depths.append(parentheses)
          parentheses = 0
        case "}":
          close(token)
          parentheses = depths.popLast() ?? 0
        default: break
        }
      } else if token.kind == .word, !token.isPlainName, parentheses == 0, let kind = Declaration.Kind(rawValue: token.text) {
        declare(kind, at: place)
      }
    }
  }

  private var isInCode: Bool { scopes.contains { $0.declaration == nil } }

  private mutating func open(_ token: Token, inParentheses: Bool) {
    guard !inParentheses, let pending else {
      scopes.append(Scope(declaration: nil, bodyName: "code", firstLine: token.line))
      return
    }
    let declaration = declarations[pending]
    if declaration.kind.hasMembers {
      scopes.append(Scope(declaration: pending, bodyName: "", firstLine: token.line))
    } else {
      let isProperty = declaration.kind == .variable || declaration.kind == .constant
      let name = declaration.name.isEmpty ? declaration.kind.rawValue : declaration.name
      scopes.append(Scope(declaration: nil, bodyName: name, firstLine: isProperty ? token.line : declaration.line))
    }
    self.pending = declaration.kind == .variable || declaration.kind == .constant ? pending : nil
  }

  private mutating func close(_ token: Token) {
    guard let scope = scopes.popLast() else { return }
    if let declaration = scope.declaration {
      declarations[declaration].lastLine = token.line
      pending = nil
    } else if !isInCode {
      bodies.append(Body(name: scope.bodyName, firstLine: scope.firstLine, lastLine: token.line))
    }
  }

  // MARK: heads

  private mutating func declare(_ kind: Declaration.Kind, at place: Int) {
    guard isDeclaration(kind, at: place) else { return }
    let before = modifiers(before: place)
    let containers = scopes.compactMap(\.declaration)
    for name in names(of: kind, at: place) {
      declarations.append(
        Declaration(
          kind: kind, name: name, line: tokens[place].line, modifiers: before.words, inherited: kind.hasMembers ? inherited(from: place) : [],
          isDocumented: before.isDocumented, containers: containers, isLocal: isInCode, lastLine: tokens[place].line))
    }
    let isRequirement = !isInCode && containers.last.map { declarations[$0].kind == .protocolType } == true
    switch kind {
    case .enumCase, .alias, .associated: pending = nil
    case .function, .initializer, .subscripting: pending = isRequirement ? nil : declarations.count - 1
    default: pending = declarations.count - 1
    }
  }

  private func isDeclaration(_ kind: Declaration.Kind, at place: Int) -> Bool {
    let next = place + 1 < tokens.count ? tokens[place + 1] : Token(kind: .symbol, text: "", line: 0)
    if next.isSymbol(":") { return false }
    switch kind {
    case .classType:
      // `class func` and `class var` are a modifier, `: class` is gone from the language.
      return next.kind == .word && !["func", "var", "let", "subscript"].contains(next.text)
    case .actor: return next.kind == .word && !next.isWord("in") && (next.text.first?.isUppercase ?? false)
    case .structure, .enumeration, .protocolType, .extensionOf, .alias, .associated: return next.kind == .word
    case .initializer: return next.isSymbol("(") || next.isSymbol("<") || next.isSymbol("?") || next.isSymbol("!")
    case .subscripting: return !isInCode && (next.isSymbol("(") || next.isSymbol("<"))
    case .enumCase:
      guard !isInCode, let container = scopes.last?.declaration else { return false }
      return declarations[container].kind == .enumeration
    case .variable, .constant:
      // `if case let x`, `for var`, `guard let`: names of code, which the compiler looks after.
      return next.kind == .word
    case .function: return true
    case .deinitializer: return next.isSymbol("{")
    }
  }

  private func names(of kind: Declaration.Kind, at place: Int) -> [String] {
    switch kind {
    case .initializer, .deinitializer, .subscripting: return [""]
    case .function:
      let next = tokens[place + 1]
      return [next.kind == .word ? next.text : ""]
    case .extensionOf: return [dottedName(at: place + 1).name]
    case .enumCase: return list(from: place + 1, allowsArguments: true)
    case .variable, .constant: return list(from: place + 1, allowsArguments: false)
    default: return [tokens[place + 1].text]
    }
  }

  /// `a, b, c` with what belongs to each, up to the end of the last one.
  private func list(from start: Int, allowsArguments: Bool) -> [String] {
    var names: [String] = []
    var place = start
    while place < tokens.count, tokens[place].kind == .word {
      names.append(tokens[place].text)
      place += 1
      if allowsArguments, place < tokens.count, tokens[place].isSymbol("(") { place = closing(of: place) + 1 }
      if allowsArguments, place + 1 < tokens.count, tokens[place].isSymbol("=") {
        place += tokens[place + 1].isSymbol("-") ? 3 : 2
      }
      guard place < tokens.count, tokens[place].isSymbol(",") else { break }
      place += 1
    }
    return names
  }

  private func dottedName(at start: Int) -> (name: String, end: Int) {
    var name = ""
    var place = start
    while place < tokens.count, tokens[place].kind == .word {
      name += tokens[place].text
      place += 1
      guard place + 1 < tokens.count, tokens[place].isSymbol("."), tokens[place + 1].kind == .word else { break }
      name += "."
      place += 1
    }
    return (name, place)
  }

  private func inherited(from start: Int) -> [String] {
    var place = start + 1
    var found: [String] = []
    var depth = 0
    var isBehindColon = false
    while place < tokens.count, !tokens[place].isSymbol("{"), !tokens[place].isWord("where") {
      let token = tokens[place]
      if token.isSymbol("<") || token.isSymbol("(") { depth += 1 }
      if token.isSymbol(">") || token.isSymbol(")") { depth -= 1 }
      if token.isSymbol(":"), depth == 0 { isBehindColon = true }
      if isBehindColon, depth == 0, token.kind == .word, !tokens[place - 1].isSymbol("@") { found.append(token.text) }
      place += 1
    }
    return found
  }

  private func closing(of start: Int) -> Int {
    var depth = 0
    for place in start..<tokens.count {
      if tokens[place].isSymbol("(") { depth += 1 }
      if tokens[place].isSymbol(")") {
        depth -= 1
        if depth == 0 { return place }
      }
    }
    return tokens.count - 1
  }

  private static let modifierWords: Set<String> = [
    "public", "open", "package", "internal", "private", "fileprivate", "static", "class", "final", "override", "mutating", "nonmutating", "required",
    "convenience", "lazy", "weak", "unowned", "dynamic", "optional", "indirect", "nonisolated", "isolated", "consuming", "borrowing", "prefix",
    "postfix", "infix", "distributed", "unsafe",
  ]

  /// What stands before a keyword, read backwards.
  private func modifiers(before place: Int) -> (words: [String], isDocumented: Bool) {
    var words: [String] = []
    var first = place
    while first > 0 {
      var candidate = first - 1
      if tokens[candidate].isSymbol(")") {
        var depth = 0
        repeat {
          if tokens[candidate].isSymbol(")") { depth += 1 }
          if tokens[candidate].isSymbol("(") { depth -= 1 }
          candidate -= 1
        } while candidate >= 0 && depth > 0
        guard candidate >= 0 else { break }
      }
      guard tokens[candidate].kind == .word else { break }
      let word = tokens[candidate].text
      let hasArguments = candidate != first - 1
      if candidate > 0, tokens[candidate - 1].isSymbol("@") {
        words.append("@" + word)
        first = candidate - 1
      } else if !tokens[candidate].isPlainName, Self.modifierWords.contains(word) {
        // `private(set)` says nothing about who reads.
        words.append(hasArguments ? "\(word)(\(tokens[candidate + 2].text))" : word)
        first = candidate
      } else {
        break
      }
    }
    return (words, (first...place).contains { tokens[$0].hasDocumentation })
  }
}
