import RealmStorage

extension Parser {
  mutating func quantifier() throws(QueryError) -> Quantifier? {
    let quantifier: Quantifier
    switch token.kind {
    case .word(.any, _), .word(.some, _): quantifier = .any
    case .word(.all, _): quantifier = .all
    case .word(.none, _): quantifier = .none
    default: return nil
    }
    try advance()
    return quantifier
  }

  mutating func value() throws(QueryError) -> Operand {
    if let quantifier = try quantifier() {
      if isSymbol("{") { return .list(try list(quantifier)) }
      if case .argument(let index) = token.kind {
        try advance()
        return .constant(.argument(index, quantifier))
      }
      return try property(quantifier)
    }
    if isSymbol("{") { return .list(try list(nil)) }
    if case .word(.subquery, _) = token.kind { return try subquery() }
    if let constant = try constant() { return .constant(constant) }
    return try property(nil)
  }

  mutating func list(_ quantifier: Quantifier?) throws(QueryError) -> ConstantList {
    try expect("{")
    var elements: [Constant] = []
    if try take("}") { return ConstantList([], quantifier) }
    repeat {
      guard let element = try constant() else { throw unexpected() }
      elements.append(element)
    } while try take(",")
    guard isSymbol("}") else { throw unexpected(expecting: "','", "'}'") }
    try advance()
    return ConstantList(elements, quantifier)
  }

  // MARK: Constants

  /// Nil if no constant begins here.
  private mutating func constant() throws(QueryError) -> Constant? {
    let literal: Literal
    switch token.kind {
    case .argument(let index):
      try advance()
      return .argument(index, nil)
    case .word(.obj, _): return try object()
    case .word(.binary, _), .word(.bin, _):
      // A property may have that name.
      var ahead = self
      try ahead.advance()
      guard ahead.isSymbol("(") else { return nil }
      self = ahead
      literal = .binary(try binary())
      return .literal(literal)
    case .natural(let value), .number(let value): literal = .integer(value)
    case .floating(let value, let text): literal = .floating(value, text: text)
    case .float(let value): literal = .float(value)
    case .special(let value): literal = .special(value)
    // A zero byte ends the value of a literal between quotes, as it did in the original.
    case .string(let bytes): literal = .string(Array(bytes.prefix { $0 != 0 }))
    case .base64(let bytes): literal = .string(bytes)
    case .word(.true, _): literal = .bool(true)
    case .word(.false, _): literal = .bool(false)
    case .word(.null, _), .word(.nil, _): literal = .null
    case .timestamp(let seconds, let nanoseconds): literal = timestamp(seconds, nanoseconds).map { .timestamp($0) } ?? .invalidTimestamp
    case .noDate(let text): throw .invalid(.syntaxError, message: "'\(text)' is no date", offset: token.range.lowerBound)
    case .date(let date): literal = date.map { .timestamp($0) } ?? .invalidDate
    case .objectID(let id): literal = .objectID(id)
    case .uuid(let id): literal = .uuid(id)
    case .objectKey(let key): literal = .objectKey(ObjectKey(key))
    case .link(let table, let key):
      literal = .typedLink(ObjectLink(table: TableKey(rawValue: UInt32(clamping: table)), key: ObjectKey(key)))
    default: return nil
    }
    try advance()
    return .literal(literal)
  }

  /// Nil if the parts have different signs or the second is no part of a second.
  private func timestamp(_ seconds: Int64, _ nanoseconds: Int64) -> Timestamp? {
    let disagrees = seconds > 0 && nanoseconds < 0 || seconds < 0 && nanoseconds > 0
    guard !disagrees, abs(nanoseconds.clampedToInt32) < 1_000_000_000 else { return nil }
    return Timestamp(seconds: seconds, nanoseconds: Int32(nanoseconds))
  }

  /// Behind `binary`.
  private mutating func binary() throws(QueryError) -> [UInt8] {
    try expect("(")
    let bytes: [UInt8]
    switch token.kind {
    case .string(let text), .base64(let text): bytes = text
    default: throw unexpected(expecting: "string", "base64")
    }
    try advance()
    try expect(")")
    return bytes
  }

  private mutating func object() throws(QueryError) -> Constant {
    try enter()
    try advance()
    try expect("(")
    guard case .string(let name) = token.kind else { throw unexpected(expecting: "string") }
    try advance()
    try expect(",")
    guard let key = try constant(), key.isPrimaryKey else { throw unexpected() }
    try expect(")")
    leave()
    return .object(className: String(decoding: name, as: UTF8.self), primaryKey: key)
  }

  // MARK: Properties

  /// A path and what may only stand at its end.
  struct ParsedPath {
    var path: QueryPath
    var operation: PropertyOperand.Operation?
    var aggregate: (function: AggregateFunction, property: String?)?
  }

  private mutating func property(_ quantifier: Quantifier?) throws(QueryError) -> Operand {
    let parsed = try path(allowsTerminal: true, allowsAggregate: quantifier == nil)
    if let (function, property) = parsed.aggregate { return .aggregate(AggregateOperand(parsed.path, function, of: property)) }
    return .property(PropertyOperand(parsed.path, quantifier, parsed.operation))
  }

  mutating func path(allowsTerminal: Bool, allowsAggregate: Bool = false) throws(QueryError) -> ParsedPath {
    var result = ParsedPath(path: QueryPath([], offset: token.range.lowerBound))
    while true {
      guard result.path.steps.count < Parser.pathLimit else { throw tooDeep() }
      if try step(&result, allowsTerminal) { return result }
      guard try take(".") else { return result }
      guard case .at(let word) = token.kind, !result.path.steps.isEmpty else { continue }
      switch word {
      case .count where allowsTerminal: result.operation = .count
      case .size where allowsTerminal: result.operation = .size
      case .type where allowsTerminal: result.operation = .type
      case .links, .keys, .values: continue
      default:
        guard let function = word.function, allowsAggregate else { throw unexpected() }
        try advance()
        result.aggregate = (function, try take(".") ? try name() : nil)
        return result
      }
      try advance()
      return result
    }
  }

  /// One step with its subscripts.
  /// - Returns: whether the path ends with it.
  private mutating func step(_ result: inout ParsedPath, _ allowsTerminal: Bool) throws(QueryError) -> Bool {
    switch token.kind {
    case .at(.links):
      try advance()
      guard try take(".") else {
        // As a value it is the count.
        guard allowsTerminal else { throw unexpected(expecting: "'.'") }
        result.path.steps.append(.allBacklinks)
        return true
      }
      if allowsTerminal, token.kind == .at(.count) || token.kind == .at(.size) {
        try advance()
        result.path.steps.append(.allBacklinks)
        result.operation = .count
        return true
      }
      let origin = try name()
      // Without a second name the message of the original takes the first one for it.
      result.path.steps.append(.backlink(origin: origin, property: try take(".") ? try name() : origin))
    case .at(.keys) where !result.path.steps.isEmpty:
      try advance()
      result.path.steps.append(.keys)
    case .at(.values) where !result.path.steps.isEmpty:
      try advance()
      result.path.steps.append(.values)
    case .keyPathArgument(let index) where result.path.steps.isEmpty:
      try advance()
      result.path.steps.append(.argument(index))
    default: result.path.steps.append(.name(try name()))
    }
    while isSymbol("[") {
      guard result.path.steps.count < Parser.pathLimit else { throw tooDeep() }
      try advance()
      if case .word(.size, _) = token.kind, allowsTerminal {
        try advance()
        try expect("]")
        result.operation = .sizeSubscript
        return true
      }
      result.path.steps.append(.element(try element()))
      try expect("]")
    }
    return false
  }

  private mutating func name() throws(QueryError) -> String {
    let name: String
    switch token.kind {
    case .identifier(let text): name = text
    case .word(let word, let spelling) where word.isName: name = spelling
    default: throw unexpected()
    }
    try advance()
    return name
  }

  private mutating func element() throws(QueryError) -> QueryPath.Element {
    let element: QueryPath.Element
    switch token.kind {
    case .natural(let index): element = .index(Int(index))
    case .word(.first, _): element = .first
    case .word(.last, _): element = .last
    case .symbol(UInt8(ascii: "*")): element = .all
    case .string(let key), .base64(let key): element = .key(key)
    case .argument(let index):
      // Refused while the text is read.
      _ = try arguments.selector(index, token.range.lowerBound)
      element = .argument(index)
    default: throw unexpected()
    }
    try advance()
    return element
  }

  private mutating func subquery() throws(QueryError) -> Operand {
    try enter()
    try advance()
    try expect("(")
    let path = try self.path(allowsTerminal: false).path
    try expect(",")
    guard case .identifier(let variable) = token.kind else { throw unexpected(expecting: "identifier") }
    guard variable.hasPrefix("$"), variable.utf8.count > 1 else {
      throw .invalid(
        .syntaxError,
        message: "The subquery variable '\(variable)' is invalid. The variable must start with '$' and cannot be empty; for example '$x'.",
        offset: token.range.lowerBound)
    }
    try advance()
    try expect(",")
    let condition = try self.condition()
    guard isSymbol(")") else { throw unexpected(expecting: "&&", "||", "')'") }
    try advance()
    try expect(".")
    guard token.kind == .at(.count) || token.kind == .at(.size) else { throw unexpected(expecting: "@size") }
    try advance()
    leave()
    return .subquery(SubqueryOperand(path, variable: variable, condition))
  }

  // MARK: Geo

  mutating func geoOperand() throws(QueryError) -> GeoOperand {
    if case .argument(let index) = token.kind {
      try advance()
      return .argument(index)
    }
    return .shape(try shape())
  }

  /// A whole text that is nothing but a shape.
  mutating func onlyShape() throws(QueryError) -> GeoShape {
    let shape = try self.shape()
    guard token.kind == .end else { throw unexpected(expecting: "end of file") }
    return shape
  }

  private mutating func shape() throws(QueryError) -> GeoShape {
    guard case .word(let word, _) = token.kind, [.geoBox, .geoCircle, .geoPolygon].contains(word) else {
      throw unexpected(expecting: "geobox", "geopolygon", "geocircle", "argument")
    }
    try advance()
    try expect("(")
    let shape: GeoShape
    switch word {
    case .geoBox:
      let corner = try point()
      try expect(",")
      shape = .box(corner, try point())
    case .geoCircle:
      let center = try point()
      try expect(",")
      shape = .circle(center: center, radius: try coordinate())
    default:
      var rings: [[GeoPoint]] = []
      repeat {
        try expect("{")
        var ring: [GeoPoint] = []
        repeat { ring.append(try point()) } while try take(",")
        try expect("}")
        rings.append(ring)
      } while try take(",")
      shape = .polygon(rings)
    }
    try expect(")")
    return shape
  }

  private mutating func point() throws(QueryError) -> GeoPoint {
    try expect("[")
    var point = GeoPoint(longitude: try coordinate(), latitude: 0)
    try expect(",")
    point.latitude = try coordinate()
    if try take(",") {
      guard case .floating(let value, _) = token.kind else { throw unexpected(expecting: "float") }
      point.altitude = value
      try advance()
    }
    try expect("]")
    return point
  }

  private mutating func coordinate() throws(QueryError) -> Double {
    let value: Double
    switch token.kind {
    case .natural(let number): value = Double(number)
    case .floating(let number, _): value = number
    case .float(let number): value = Double(number)
    case .argument(let index): value = try coordinateArgument(index)
    default: throw unexpected(expecting: "natural0", "float", "argument")
    }
    try advance()
    return value
  }

  private func coordinateArgument(_ index: Int) throws(QueryError) -> Double {
    let offset = token.range.lowerBound
    guard case .value(let value) = try arguments.at(index, offset) else {
      throw .query("A list cannot be used in a coordinate at argument '$\(index)'", at: offset)
    }
    switch value {
    case .int(let number): return Double(number)
    case .float(let number): return Double(number)
    case .double(let number): return number
    case .null: throw .query("NULL cannot be used in coordinate at argument '$\(index)'", at: offset)
    default: throw .query("Invalid parameter '\(value.typeName)' used in coordinate at argument '$\(index)'", at: offset)
    }
  }
}

extension Int64 {
  fileprivate var clampedToInt32: Int64 { Swift.min(Swift.max(self, Int64(Int32.min)), Int64(Int32.max)) }
}

extension Constant {
  /// May be the primary key in `obj(…)`.
  fileprivate var isPrimaryKey: Bool {
    switch self {
    case .literal(.integer), .literal(.string), .literal(.uuid), .literal(.objectID), .argument(_, nil): true
    default: false
    }
  }
}
