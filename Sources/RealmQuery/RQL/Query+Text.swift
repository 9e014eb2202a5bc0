import RealmStorage

extension Query {
  /// RQL text that selects the same objects together with its arguments: `Query(text, arguments:)` reads it back. Names that are no
  /// identifiers are passed as `$K` arguments (Q14).
  package func rqlText() -> (text: String, arguments: [QueryArgument]) {
    var printer = QueryPrinter(arguments: arguments, usesKeyPathArguments: true)
    let text = printer.text(of: self)
    return (text, printer.arguments)
  }
}

extension Query: CustomStringConvertible {
  package var description: String {
    var printer = QueryPrinter(arguments: arguments, usesKeyPathArguments: false)
    return printer.text(of: self)
  }
}

struct QueryPrinter {
  private(set) var arguments: [QueryArgument]
  let usesKeyPathArguments: Bool
  /// Longer lists are cut, for debuggers.
  private var elementLimit = Int.max

  init(arguments: [QueryArgument], usesKeyPathArguments: Bool) {
    (self.arguments, self.usesKeyPathArguments) = (arguments, usesKeyPathArguments)
  }

  static func brief(_ arguments: [QueryArgument] = []) -> QueryPrinter {
    var printer = QueryPrinter(arguments: arguments, usesKeyPathArguments: false)
    printer.elementLimit = 20
    return printer
  }

  mutating func text(of query: Query) -> String {
    var result = text(of: query.condition)
    for descriptor in query.descriptors { result += " " + text(of: descriptor) }
    return result
  }

  mutating func text(of descriptor: Descriptor) -> String {
    switch descriptor {
    case .limit(let count): "LIMIT(\(count))"
    case .distinct(let paths): "DISTINCT(" + joined(paths) { $0.text(of: $1) } + ")"
    case .sort(let keys): "SORT(" + joined(keys) { $0.text(of: $1.path) + ($1.isAscending ? " ASC" : " DESC") } + ")"
    }
  }

  private mutating func joined<Element>(_ elements: [Element], _ separator: String = ", ", _ text: (inout QueryPrinter, Element) -> String) -> String
  {
    var result = ""
    for (index, element) in elements.enumerated() {
      if index > 0 { result += separator }
      if index == elementLimit { return result + "… (\(elements.count))" }
      result += text(&self, element)
    }
    return result
  }

  // MARK: Conditions

  mutating func text(of condition: Condition) -> String {
    switch condition {
    case .constant(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .and(let parts): return parts.isEmpty ? "TRUEPREDICATE" : joined(parts, " && ") { $0.nested($1) }
    case .or(let parts): return parts.isEmpty ? "FALSEPREDICATE" : joined(parts, " || ") { $0.nested($1) }
    case .not(let part): return "NOT " + nested(part)
    case .comparison(let comparison):
      var options = ""
      if comparison.options.contains(.caseInsensitive) { options += "c" }
      if comparison.options.contains(.diacriticInsensitive) { options += "d" }
      if !options.isEmpty { options = "[\(options)]" }
      return "\(text(of: comparison.left)) \(comparison.relation.symbol)\(options) \(text(of: comparison.right))"
    case .between(let operand, let bounds): return "\(text(of: operand)) BETWEEN \(text(of: bounds))"
    case .geoWithin(let property, let region):
      let place = text(of: property)
      switch region {
      case .argument(let index): return "\(place) GEOWITHIN $\(index)"
      case .shape(let shape): return "\(place) GEOWITHIN \(shape.queryText)"
      }
    }
  }

  private mutating func nested(_ condition: Condition) -> String {
    switch condition {
    case .and(let parts) where parts.count > 1, .or(let parts) where parts.count > 1: "(" + text(of: condition) + ")"
    case .and(let parts) where parts.count == 1, .or(let parts) where parts.count == 1: nested(parts[0])
    default: text(of: condition)
    }
  }

  // MARK: Operands

  mutating func text(of operand: Operand) -> String {
    switch operand {
    case .constant(let constant): return text(of: constant)
    case .list(let list): return text(of: list)
    case .property(let property): return text(of: property)
    case .aggregate(let aggregate):
      let end = aggregate.property.map { "." + QueryPrinter.escaped($0) } ?? ""
      return "\(text(of: aggregate.path)).@\(aggregate.function.rawValue)\(end)"
    case .subquery(let subquery):
      return "SUBQUERY(\(text(of: subquery.path)), \(subquery.variable), \(text(of: subquery.condition))).@count"
    case .arithmetic(let left, let operation, let right):
      return "(\(text(of: left)) \(operation.rawValue) \(text(of: right)))"
    }
  }

  private mutating func text(of property: PropertyOperand) -> String {
    let quantifier = property.quantifier.map { $0.keyword + " " } ?? ""
    if property.path.steps.last == .allBacklinks { return quantifier + text(of: property.path) + ".@count" }
    let operation =
      switch property.operation {
      case .count: ".@count"
      case .size, .sizeSubscript: ".@size"
      case .type: ".@type"
      case nil: ""
      }
    return quantifier + text(of: property.path) + operation
  }

  private mutating func text(of list: ConstantList) -> String {
    (list.quantifier.map { $0.keyword + " " } ?? "") + "{" + joined(list.elements) { $0.text(of: $1) } + "}"
  }

  private mutating func text(of constant: Constant) -> String {
    switch constant {
    case .value(let value): return value.queryText
    case .detachedObject: return "NULL"
    case .argument(let index, let quantifier): return (quantifier.map { $0.keyword + " " } ?? "") + "$\(index)"
    case .object(let name, let key): return "obj(\(Value(name).queryText), \(text(of: key)))"
    case .literal(let literal): return literal.queryText
    }
  }

  // MARK: Paths

  private mutating func text(of path: QueryPath) -> String {
    if usesKeyPathArguments, let names = path.plainNames, names.contains(where: { !QueryPrinter.isName($0) }) {
      arguments.append(.value(Value(names.joined(separator: "."))))
      return "$K\(arguments.count - 1)"
    }
    var result = ""
    for step in path.steps {
      let part: String
      switch step {
      case .name(let name): part = QueryPrinter.escaped(name)
      case .backlink(let origin, let property): part = "@links.\(QueryPrinter.escaped(origin)).\(QueryPrinter.escaped(property))"
      case .allBacklinks: part = "@links"
      case .keys: part = "@keys"
      case .values: part = "@values"
      case .argument(let index): part = "$K\(index)"
      case .element(let element):
        result += "[\(element.queryText)]"
        continue
      }
      result += result.isEmpty ? part : "." + part
    }
    return result
  }

  /// Blanks inside a name are written with a backslash.
  private static func escaped(_ name: String) -> String {
    name.map { $0 == " " ? "\\ " : $0 == "\n" ? "\\n" : $0 == "\r" ? "\\r" : $0 == "\t" ? "\\t" : String($0) }.joined()
  }

  /// Whether RQL reads the name as one, perhaps with escapes.
  private static func isName(_ name: String) -> Bool {
    var lexer = Lexer(Array(escaped(name).utf8))
    guard let token = try? lexer.next(), let end = try? lexer.next(), end.kind == .end else { return false }
    switch token.kind {
    case .identifier(let text): return text == name
    case .word(let word, let spelling): return word.isName && spelling == name
    default: return false
    }
  }
}

extension QueryPath {
  /// The names, if there is nothing else.
  fileprivate var plainNames: [String]? {
    var names: [String] = []
    for step in steps {
      guard case .name(let name) = step else { return nil }
      names.append(name)
    }
    return names
  }
}

extension QueryPath.Element {
  fileprivate var queryText: String {
    switch self {
    case .index(let index): "\(index)"
    case .first: "FIRST"
    case .last: "LAST"
    case .all: "*"
    case .key(let key): Value.string(key).queryText
    case .argument(let index): "$\(index)"
    }
  }
}

extension Literal {
  fileprivate var queryText: String {
    switch self {
    case .null: "NULL"
    case .bool(let value): Value.bool(value).queryText
    case .integer(let value): "\(value)"
    case .floating(_, let text): text
    case .float(let value): Value.float(value).queryText
    case .special(let value): value.isNaN ? (value.sign == .minus ? "-nan" : "nan") : Value.double(value).queryText
    case .string(let bytes): Value.string(bytes).queryText
    case .binary(let bytes): Value.binary(bytes).queryText
    case .timestamp(let value): Value.timestamp(value).queryText
    case .invalidDate: "1899-1-1@0:0:0"
    case .invalidTimestamp: "T1:-1"
    case .objectID(let id): Value.objectID(id).queryText
    case .uuid(let id): Value.uuid(id).queryText
    case .objectKey(let key): Value.link(key).queryText
    case .typedLink(let link): Value.typedLink(link).queryText
    }
  }
}

extension GeoShape {
  /// As RQL reads it: coordinates with a fraction.
  fileprivate var queryText: String {
    func text(_ point: GeoPoint) -> String { "[\(point.longitude), \(point.latitude)" + (point.altitude.map { ", \($0)" } ?? "") + "]" }
    switch self {
    case .box(let a, let b): return "geoBox(\(text(a)), \(text(b)))"
    case .circle(let center, let radius): return "geoCircle(\(text(center)), \(radius))"
    case .polygon(let rings):
      return "geoPolygon(" + rings.map { "{" + $0.map(text).joined(separator: ", ") + "}" }.joined(separator: ", ") + ")"
    }
  }
}
