import RealmStorage

struct FormatParser {
  private let format: String
  private let arguments: [QueryArgument]
  /// The property that `SELF`, alone, stands for; nil if it stands for nothing.
  private let ownValue: String?
  private var lexer: FormatLexer
  private var token: FormatLexer.Token
  private var offset: Int
  private var nextArgument = 0
  private var depth = 0

  init(_ format: String, _ arguments: [QueryArgument], ownValue: String?) {
    (self.format, self.arguments, self.ownValue) = (format, arguments, ownValue)
    lexer = FormatLexer(format)
    (token, offset) = lexer.next()
  }

  // MARK: Tokens

  private mutating func advance() { (token, offset) = lexer.next() }

  private var malformed: QueryError { malformed("") }

  private func malformed(_ reason: String) -> QueryError {
    let text = format.utf8.count > 4000 ? String(format.prefix(200)) + "…" : format
    return .exception("NSInvalidArgumentException", "Unable to parse the format string \"\(text)\"\(reason)", at: offset)
  }

  /// After the whole format: an argument that nothing takes is a mistake of the caller's.
  func refuseSurplus() throws(QueryError) {
    guard nextArgument < arguments.count else { return }
    let text = format.utf8.count > 4000 ? String(format.prefix(200)) + "…" : format
    throw .exception(
      "NSInvalidArgumentException",
      "The format string \"\(text)\" takes \(nextArgument) argument\(nextArgument == 1 ? "" : "s"), but \(arguments.count) were given", at: offset)
  }

  /// The keyword that the token is, in upper case.
  private var keyword: String? {
    guard case .word(let text, isEscaped: false) = token, text.utf8.count <= 14 else { return nil }
    let upper = text.uppercased()
    return FormatParser.reserved.contains(upper) ? upper : nil
  }

  private static let reserved: Set<String> = [
    "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL",
    "SELF", "TRUE", "YES", "FALSE", "NO", "FIRST", "LAST", "SIZE", "SUBQUERY", "TRUEPREDICATE", "FALSEPREDICATE",
  ]

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard token == .symbol(UInt8(ascii: character)) else { return false }
    advance()
    return true
  }
  private mutating func expect(_ character: Unicode.Scalar) throws(QueryError) { guard take(character) else { throw malformed } }

  private mutating func argument() throws(QueryError) -> QueryArgument {
    guard nextArgument < arguments.count else { throw malformed }
    nextArgument += 1
    return arguments[nextArgument - 1]
  }

  private mutating func nest<Result>(_ body: (inout FormatParser) throws(QueryError) -> Result) throws(QueryError) -> Result {
    depth += 1
    guard depth <= Parser.depthLimit else { throw malformed(": nested more than \(Parser.depthLimit) levels deep") }
    defer { depth -= 1 }
    return try body(&self)
  }

  // MARK: Conditions

  mutating func whole() throws(QueryError) -> Condition {
    let condition = try disjunction()
    guard token == .end else { throw malformed }
    return condition
  }

  private mutating func disjunction() throws(QueryError) -> Condition {
    var parts = [try conjunction()]
    while token == .or || keyword == "OR" {
      advance()
      parts.append(try conjunction())
    }
    return parts.count == 1 ? parts[0] : .or(parts)
  }

  private mutating func conjunction() throws(QueryError) -> Condition {
    var parts = [try negation()]
    while token == .and || keyword == "AND" {
      advance()
      parts.append(try negation())
    }
    return parts.count == 1 ? parts[0] : .and(parts)
  }

  private mutating func negation() throws(QueryError) -> Condition {
    if token == .not || keyword == "NOT" {
      return try nest { (parser) throws(QueryError) in
        try parser.advanceBehindPrefix()
        return .not(try parser.negation())
      }
    }
    if token == .symbol(UInt8(ascii: "(")) {
      return try nest { (parser) throws(QueryError) in
        parser.advance()
        let inner = try parser.disjunction()
        try parser.expect(")")
        return inner
      }
    }
    switch keyword {
    case "TRUEPREDICATE":
      advance()
      return .constant(true)
    case "FALSEPREDICATE":
      advance()
      return .constant(false)
    default: return try comparison()
    }
  }

  private mutating func comparison() throws(QueryError) -> Condition {
    let start = offset
    var quantifier: Quantifier?
    switch keyword {
    case "ANY", "SOME": quantifier = .any
    case "NONE": quantifier = Quantifier.none
    case "ALL": throw .predicate("ALL modifier not supported", at: offset)
    default: break
    }
    if quantifier != nil { try advanceBehindPrefix() }
    let left = try operand()
    let (relation, options) = try relation()
    let condition = try condition(left, relation, options, start)
    guard let quantifier else { return condition }
    return quantifier == .none ? .not(condition.withAny) : condition.withAny
  }

  private mutating func condition(
    _ left: Operand, _ relation: FormatRelation, _ options: ComparisonOptions, _ start: Int
  ) throws(QueryError) -> Condition {
    switch relation {
    case .between: return .between(left, try bounds())
    case .relation(.in):
      if token == .argument, nextArgument < arguments.count, case .geo(let shape) = arguments[nextArgument], case .property(let property) = left {
        advance()
        nextArgument += 1
        return .geoWithin(property, .shape(shape))
      }
      return .compare(left, .in, try operand(), options: options, offset: start)
    case .relation(let relation): return .compare(left, relation, try operand(), options: options, offset: start)
    }
  }

  private enum FormatRelation {
    case relation(Relation)
    case between
  }

  private mutating func relation() throws(QueryError) -> (FormatRelation, ComparisonOptions) {
    let relation: FormatRelation
    switch (token, keyword) {
    case (.relation(let symbol), _): relation = .relation(symbol)
    case (_, "BEGINSWITH"): relation = .relation(.beginsWith)
    case (_, "ENDSWITH"): relation = .relation(.endsWith)
    case (_, "CONTAINS"): relation = .relation(.contains)
    case (_, "LIKE"): relation = .relation(.like)
    case (_, "IN"): relation = .relation(.in)
    case (_, "BETWEEN"): relation = .between
    // An addition of ours. Not reserved: a property may have the name.
    case (.word(let word, isEscaped: false), nil) where word.uppercased() == "TEXT": relation = .relation(.text)
    case (_, "MATCHES"): throw .exception("Invalid operator type", "Operator 'MATCHES' not supported", at: offset)
    case (.symbol(let byte), _) where [UInt8]("+-*/".utf8).contains(byte): throw .expressions(at: offset)
    // A negative number directly behind a value is a subtraction.
    case (.integer, _), (.floating, _): throw .expressions(at: offset)
    default: throw malformed
    }
    advance()
    guard token == .symbol(UInt8(ascii: "[")) else { return (relation, []) }
    advance()
    guard case .word(let letters, isEscaped: false) = token else { throw malformed }
    var options: ComparisonOptions = []
    for letter in letters.utf8 {
      switch letter | 0x20 {
      case UInt8(ascii: "c"): options.insert(.caseInsensitive)
      case UInt8(ascii: "d"): options.insert(.diacriticInsensitive)
      default: throw malformed
      }
    }
    advance()
    try expect("]")
    return (relation, options)
  }

  private mutating func bounds() throws(QueryError) -> ConstantList {
    let start = offset
    guard case .list(let list) = try operand() else {
      throw .exception("Invalid value", "object must be of type NSArray for BETWEEN operations", at: start)
    }
    return list
  }

  // MARK: Operands

  private mutating func operand() throws(QueryError) -> Operand {
    let operand = try primary()
    if case .symbol(let byte) = token, [UInt8]("+-*/".utf8).contains(byte) { throw .expressions(at: offset) }
    return operand
  }

  private mutating func primary() throws(QueryError) -> Operand {
    switch token {
    case .integer(let value): return constant(.int(value))
    case .floating(let value): return constant(.double(value))
    case .string(let text): return constant(.string(text))
    case .symbol(UInt8(ascii: "{")): return .list(try aggregate())
    case .argument:
      switch try argument() {
      case .value(let value): return constant(value)
      case .list(let values):
        advance()
        return .values(values)
      case .detachedObject:
        advance()
        return .constant(.detachedObject)
      case .geo: throw .exception("Invalid value", "A geospatial shape can only follow the operator IN", at: offset)
      }
    case .numberArgument(let isInteger):
      guard case .value(let value) = try argument(), let number = FormatParser.number(value, isInteger: isInteger) else { throw malformed }
      return constant(number)
    default: break
    }
    switch keyword {
    case "TRUE", "YES": return constant(.bool(true))
    case "FALSE", "NO": return constant(.bool(false))
    case "NULL", "NIL": return constant(.null)
    case "SUBQUERY": return try subquery()
    case "SELF", nil: return try property()
    default: throw reserved
    }
  }

  /// A word with a meaning of its own stands where a property is wanted.
  private var reserved: QueryError {
    guard case .word(let letters, isEscaped: false) = token else { return malformed }
    return malformed(": '\(letters)' is a word of predicates; a property of that name is written #\(letters)")
  }

  /// Goes on behind a word that begins a condition or an operand. What compares, or leads on, cannot follow it: then the word was meant as a property.
  private mutating func advanceBehindPrefix() throws(QueryError) {
    let meantAsProperty = reserved
    advance()
    switch (token, keyword) {
    case (.relation, _), (.symbol(UInt8(ascii: ".")), _), (_, "BEGINSWITH"), (_, "ENDSWITH"), (_, "CONTAINS"), (_, "LIKE"), (_, "IN"), (_, "BETWEEN"):
      throw meantAsProperty
    default: break
    }
  }

  private mutating func constant(_ value: Value) -> Operand {
    advance()
    return .constant(.value(value))
  }

  private static func number(_ value: Value, isInteger: Bool) -> Value? {
    switch value {
    case .int, .bool: isInteger ? value : .double(value.doubleValue)
    case .float, .double:
      if !isInteger { value } else if let whole = Int64(exactly: value.doubleValue.rounded(.towardZero)) { .int(whole) } else { nil }
    default: nil
    }
  }

  private mutating func aggregate() throws(QueryError) -> ConstantList {
    try nest { (parser) throws(QueryError) in
      parser.advance()
      var elements: [Constant] = []
      if parser.take("}") { return ConstantList([]) }
      repeat {
        guard case .constant(let constant) = try parser.operand() else {
          throw .predicate("Expressions within predicate aggregates must be constant values", at: parser.offset)
        }
        elements.append(constant)
      } while parser.take(",")
      try parser.expect("}")
      return ConstantList(elements)
    }
  }

  private mutating func subquery() throws(QueryError) -> Operand {
    try nest { (parser) throws(QueryError) in
      try parser.advanceBehindPrefix()
      try parser.expect("(")
      guard case .property(let collection) = try parser.property(), collection.operation == nil else { throw parser.malformed }
      try parser.expect(",")
      guard case .variable(let variable) = parser.token else { throw parser.malformed }
      parser.advance()
      try parser.expect(",")
      let condition = try parser.disjunction()
      try parser.expect(")")
      guard parser.take("."), parser.token == .at("count") else {
        throw .exception("Invalid predicate expression", "SUBQUERY is only supported when immediately followed by .@count.", at: parser.offset)
      }
      parser.advance()
      return .subquery(SubqueryOperand(collection.path, variable: variable, condition))
    }
  }

  // MARK: Key paths

  private mutating func property() throws(QueryError) -> Operand {
    var names: [String] = []
    var path = QueryPath([], offset: offset)
    var function: (AggregateFunction, QueryPath)?
    var operation: PropertyOperand.Operation?
    repeat {
      guard path.steps.count <= Parser.pathLimit else { throw malformed }
      var parts: [String] = []
      switch token {
      case .word(let text, let isEscaped):
        if !isEscaped && keyword == "SELF" && names.isEmpty {
          advance()
          if token == .symbol(UInt8(ascii: ".")) { continue }
          guard let ownValue else { throw .expressions(at: path.offset) }
          parts = [ownValue]
          break
        }
        guard isEscaped || keyword == nil else { throw reserved }
        parts = [text]
        advance()
      case .variable(let text) where names.isEmpty:
        parts = [text]
        advance()
      case .at(let text):
        parts = ["@" + text]
        advance()
      case .keyPathArgument:
        guard case .value(.string(let text)) = try argument() else { throw malformed }
        parts = String(decoding: text, as: UTF8.self).split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        advance()
      default: throw malformed
      }
      for part in parts {
        names.append(part)
        try FormatParser.add(part, to: &path, &function, &operation, isLast: part == parts.last && token != .symbol(UInt8(ascii: ".")), names)
      }
      while token == .symbol(UInt8(ascii: "[")) {
        advance()
        path.steps.append(.element(try subscription()))
        try expect("]")
      }
    } while take(".")
    guard let (function, base) = function else { return .property(PropertyOperand(path, nil, operation)) }
    guard operation == nil else {
      throw .predicate("Invalid keypath '\(names.joined(separator: "."))': at most one collection operation per keypath is supported.")
    }
    let rest = path.steps.dropFirst(base.steps.count)
    guard rest.count <= 1 else {
      throw .predicate(
        "Invalid keypath '\(names.joined(separator: "."))': \(names.first { $0.hasPrefix("@") } ?? "") must be followed by a numeric property.")
    }
    guard case .name(let name)? = rest.first else { return .aggregate(AggregateOperand(base, function)) }
    return .aggregate(AggregateOperand(base, function, of: name))
  }

  /// One part of a key path: a name, or an operation behind `@`.
  private static func add(
    _ part: String, to path: inout QueryPath, _ function: inout (AggregateFunction, QueryPath)?, _ operation: inout PropertyOperand.Operation?,
    isLast: Bool, _ names: [String]
  ) throws(QueryError) {
    let text = names.joined(separator: ".")
    func invalid(_ reason: String) -> QueryError { .predicate("Invalid keypath '\(text)': \(reason)", at: path.offset) }
    if part.isEmpty { throw invalid(names.count == 1 ? "no key name before '.'" : "no key name after last '.'") }
    guard part.hasPrefix("@") else {
      path.steps.append(.name(part))
      return
    }
    if names.count == 1 { throw invalid("no key name before '.'") }
    switch part {
    case "@allKeys":
      guard isLast else { throw invalid("@allKeys must appear at the end of a keypath.") }
      path.steps.append(.keys)
    case "@allValues": path.steps.append(.values)
    case "@count":
      guard isLast else { throw invalid("@count must appear at the end of a keypath.") }
      guard function == nil else { throw invalid("at most one collection operation per keypath is supported.") }
      operation = .count
    default:
      guard let found = AggregateFunction(rawValue: String(part.dropFirst())) else { throw invalid("Unsupported collection operation '\(part)'") }
      guard function == nil else { throw invalid("at most one collection operation per keypath is supported.") }
      function = (found, path)
    }
  }

  private mutating func subscription() throws(QueryError) -> QueryPath.Element {
    let element: QueryPath.Element
    switch token {
    case .integer(let index) where index >= 0: element = .index(Int(index))
    case .string(let key): element = .key(key)
    case .argument, .keyPathArgument:
      let isWildcardAllowed = token == .keyPathArgument
      guard case .value(let value) = try argument() else { throw malformed }
      switch value {
      case .int(let index) where index >= 0: element = .index(Int(index))
      case .string(let key): element = isWildcardAllowed && key == Array("#any".utf8) ? .all : .key(key)
      default:
        throw .exception("Invalid subscript type", "Invalid subscript type '\(value.queryText)': Only `Strings` or index are allowed subscripts")
      }
    case .word(let text, isEscaped: false) where text.uppercased() == "FIRST": element = .first
    case .word(let text, isEscaped: false) where text.uppercased() == "LAST": element = .last
    default: throw malformed
    }
    advance()
    return element
  }
}

extension Condition {
  /// A quantifier is about the key path, on whichever side it is.
  fileprivate var withAny: Condition {
    switch self {
    case .comparison(var comparison):
      (comparison.left, comparison.right) = (comparison.left.withAny, comparison.right.withAny)
      return .comparison(comparison)
    case .between(let operand, let bounds): return .between(operand.withAny, bounds)
    case .geoWithin(var property, let region):
      property.quantifier = .any
      return .geoWithin(property, region)
    default: return self
    }
  }
}

extension Operand {
  fileprivate var withAny: Operand {
    guard case .property(var property) = self else { return self }
    property.quantifier = .any
    return .property(property)
  }
}
