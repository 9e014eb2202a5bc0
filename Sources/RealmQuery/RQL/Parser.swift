import RealmStorage

/// Recursive descent over the grammar of Q2, one token ahead.
struct Parser {
  /// Nested parentheses, negations, subqueries, and operators of one arithmetic expression.
  static let depthLimit = 200
  /// Steps of one path.
  static let pathLimit = 100

  let text: String
  let arguments: [QueryArgument]
  private var lexer: Lexer
  private(set) var token = Token(kind: .end, range: 0..<0)
  private var depth = 0

  init(_ text: String, _ arguments: [QueryArgument], acceptsISODates: Bool = false) throws(QueryError) {
    self.text = text
    self.arguments = arguments
    lexer = Lexer(Array(text.utf8), acceptsISODates: acceptsISODates)
    try advance()
  }

  // MARK: Tokens

  mutating func advance() throws(QueryError) {
    do throws(Lexer.InvalidCharacter) { token = try lexer.next() } catch {
      let utf8 = text.utf8
      let character = String(decoding: utf8.dropFirst(error.offset).prefix(1), as: UTF8.self)
      throw .invalid(
        .syntaxError, message: "Invalid predicate: '\(excerpt(around: error.offset))': invalid character: \(character)", offset: error.offset)
    }
  }

  /// The text, or of a very long one what lies around a place.
  private func excerpt(around offset: Int) -> String {
    let utf8 = text.utf8
    guard utf8.count > 4000 else { return text }
    let start = max(0, offset - 100)
    return "…" + String(decoding: utf8.dropFirst(start).prefix(200), as: UTF8.self) + "…"
  }

  func unexpected(expecting names: String...) -> QueryError {
    let tail = names.isEmpty ? "" : ", expecting " + names.joined(separator: " or ")
    let offset = token.range.lowerBound
    return .invalid(
      .syntaxError, message: "Invalid predicate: '\(excerpt(around: offset))': syntax error, unexpected \(token.name)\(tail)", offset: offset)
  }

  func isSymbol(_ character: Unicode.Scalar) -> Bool { token.kind == .symbol(UInt8(ascii: character)) }

  mutating func take(_ character: Unicode.Scalar) throws(QueryError) -> Bool {
    guard isSymbol(character) else { return false }
    try advance()
    return true
  }

  mutating func expect(_ character: Unicode.Scalar) throws(QueryError) {
    guard isSymbol(character) else { throw unexpected(expecting: "'\(character)'") }
    try advance()
  }

  mutating func natural() throws(QueryError) -> Int {
    guard case .natural(let value) = token.kind else { throw unexpected(expecting: "natural0") }
    try advance()
    return Int(value)
  }

  /// Counts a level of nesting; pair with `leave`.
  mutating func enter() throws(QueryError) {
    depth += 1
    guard depth <= Parser.depthLimit else { throw tooDeep() }
  }
  mutating func leave() { depth -= 1 }

  func tooDeep() -> QueryError {
    let offset = token.range.lowerBound
    return .invalid(
      .syntaxError, message: "Invalid predicate: '\(excerpt(around: offset))': syntax error, nested more than \(Parser.depthLimit) levels deep",
      offset: offset)
  }

  // MARK: Query

  mutating func query() throws(QueryError) -> Query {
    let condition = try self.condition()
    var descriptors: [Descriptor] = []
    while case .word(let word, _) = token.kind {
      switch word {
      case .sort: descriptors.append(try sort())
      case .distinct: descriptors.append(.distinct(try distinct()))
      case .limit:
        try advance()
        try expect("(")
        descriptors.append(.limit(try natural()))
        try expect(")")
      default: throw unexpected(expecting: "end of file")
      }
    }
    guard token.kind == .end else { throw unexpected(expecting: "end of file") }
    return Query(condition, descriptors, arguments: arguments, dialect: .rql)
  }

  private mutating func sort() throws(QueryError) -> Descriptor {
    try advance()
    try expect("(")
    var keys: [SortKey] = []
    repeat {
      let path = try self.path(allowsTerminal: false).path
      switch token.kind {
      case .word(.asc, _), .word(.ascending, _): keys.append(SortKey(path, ascending: true))
      case .word(.desc, _), .word(.descending, _): keys.append(SortKey(path, ascending: false))
      default: throw unexpected(expecting: "ascending", "descending", "'.'", "'['")
      }
      try advance()
    } while try take(",")
    guard isSymbol(")") else { throw unexpected(expecting: "')'", "','") }
    try advance()
    return .sort(keys)
  }

  private mutating func distinct() throws(QueryError) -> [QueryPath] {
    try advance()
    try expect("(")
    var paths: [QueryPath] = []
    repeat { paths.append(try path(allowsTerminal: false).path) } while try take(",")
    guard isSymbol(")") else { throw unexpected(expecting: "')'", "','") }
    try advance()
    return paths
  }

  // MARK: Conditions

  /// What a parenthesis turned out to hold.
  enum Parsed {
    case condition(Condition)
    /// Anything but arithmetic is plain.
    case operand(Operand, isPlain: Bool)
  }

  mutating func condition() throws(QueryError) -> Condition { try requireCondition(disjunction()) }

  private func requireCondition(_ parsed: Parsed) throws(QueryError) -> Condition {
    guard case .condition(let condition) = parsed else { throw unexpected() }
    return condition
  }

  private mutating func disjunction() throws(QueryError) -> Parsed {
    let first = try conjunction()
    guard token.kind == .or else { return first }
    var parts = [try requireCondition(first)]
    while token.kind == .or {
      try advance()
      parts.append(try requireCondition(conjunction()))
    }
    return .condition(.or(parts))
  }

  private mutating func conjunction() throws(QueryError) -> Parsed {
    let first = try negation()
    guard token.kind == .and else { return first }
    var parts = [try requireCondition(first)]
    while token.kind == .and {
      try advance()
      parts.append(try requireCondition(negation()))
    }
    return .condition(.and(parts))
  }

  private mutating func negation() throws(QueryError) -> Parsed {
    switch token.kind {
    case .not:
      try enter()
      try advance()
      let inner = try requireCondition(negation())
      leave()
      return .condition(.not(inner))
    case .word(.truePredicate, _):
      try advance()
      return .condition(.constant(true))
    case .word(.falsePredicate, _):
      try advance()
      return .condition(.constant(false))
    default: return try comparison()
    }
  }

  private mutating func comparison() throws(QueryError) -> Parsed {
    let offset = token.range.lowerBound
    let parsed = try sum(allowsCondition: true)
    guard case .operand(let left, let isPlain) = parsed else { return parsed }
    switch token.kind {
    case .relation(let relation):
      try advance()
      var options: ComparisonOptions = []
      if !relation.isOrdering { options = try self.options() }
      return .condition(try compare(left, relation, options, offset))
    case .word(.in, _):
      try advance()
      return .condition(try compare(left, .in, options(), offset))
    case .word(.beginsWith, _) where isPlain: return .condition(try match(left, .beginsWith, offset))
    case .word(.endsWith, _) where isPlain: return .condition(try match(left, .endsWith, offset))
    case .word(.contains, _) where isPlain: return .condition(try match(left, .contains, offset))
    case .word(.like, _) where isPlain: return .condition(try match(left, .like, offset))
    case .word(.text, _) where isPlain:
      try advance()
      return .condition(.compare(left, .text, try value(), offset: offset))
    case .word(.between, _) where isPlain:
      try advance()
      return .condition(.between(left, try bounds()))
    case .word(.geoWithin, _):
      guard case .property(let property) = left, isPlain else { throw unexpected() }
      try advance()
      return .condition(.geoWithin(property, try geoOperand()))
    default: return parsed
    }
  }

  private mutating func compare(
    _ left: Operand, _ relation: Relation, _ options: ComparisonOptions, _ offset: Int
  ) throws(QueryError) -> Condition {
    guard case .operand(let right, _) = try sum(allowsCondition: false) else { throw unexpected() }
    return .compare(left, relation, right, options: options, offset: offset)
  }

  private mutating func match(_ left: Operand, _ relation: Relation, _ offset: Int) throws(QueryError) -> Condition {
    try advance()
    let options = try self.options()
    return .compare(left, relation, try value(), options: options, offset: offset)
  }

  private mutating func options() throws(QueryError) -> ComparisonOptions {
    guard token.kind == .caseInsensitive else { return [] }
    try advance()
    return .caseInsensitive
  }

  private mutating func bounds() throws(QueryError) -> ConstantList {
    let quantifier = try self.quantifier()
    guard isSymbol("{") else { throw unexpected(expecting: "any", "all", "none", "'{'") }
    return try list(quantifier)
  }

  // MARK: Arithmetic

  /// - Parameter allowsCondition: a parenthesis may turn out to hold a condition.
  private mutating func sum(allowsCondition: Bool) throws(QueryError) -> Parsed {
    try chain(["+": .add, "-": .subtract]) { (parser, isFirst) throws(QueryError) in
      try parser.product(allowsCondition: allowsCondition && isFirst)
    }
  }

  private mutating func product(allowsCondition: Bool) throws(QueryError) -> Parsed {
    try chain(["*": .multiply, "/": .divide]) { (parser, isFirst) throws(QueryError) in
      try parser.factor(allowsCondition: allowsCondition && isFirst)
    }
  }

  private mutating func chain(
    _ operators: KeyValuePairs<Unicode.Scalar, ArithmeticOperator>, _ part: (inout Parser, Bool) throws(QueryError) -> Parsed
  ) throws(QueryError) -> Parsed {
    let first = try part(&self, true)
    guard case .operand(var left, var isPlain) = first else { return first }
    var length = 0
    while let (_, operation) = operators.first(where: { isSymbol($0.key) }) {
      length += 1
      guard length <= Parser.depthLimit else { throw tooDeep() }
      try advance()
      guard case .operand(let right, _) = try part(&self, false) else { throw unexpected() }
      (left, isPlain) = (.arithmetic(left, operation, right), false)
    }
    return .operand(left, isPlain: isPlain)
  }

  private mutating func factor(allowsCondition: Bool) throws(QueryError) -> Parsed {
    guard isSymbol("(") else { return .operand(try value(), isPlain: true) }
    try enter()
    try advance()
    let inner = allowsCondition ? try disjunction() : try sum(allowsCondition: false)
    switch inner {
    case .condition: guard isSymbol(")") else { throw unexpected(expecting: "&&", "||", "')'") }
    case .operand: guard isSymbol(")") else { throw unexpected() }
    }
    try advance()
    leave()
    guard case .operand(let operand, _) = inner else { return inner }
    return .operand(operand, isPlain: false)
  }
}
