import Foundation
import RealmQuery
import RealmStorage

/// What a query is about.
enum QuerySubject {
  case objects
  /// The elements of an unmanaged collection of values, each of them in the property of this name of an object of its own.
  case values(property: String)

  /// The property that `SELF`, alone, stands for.
  var ownValue: String? { if case .values(let property) = self { property } else { nil } }
}

/// Format strings and `NSPredicate`s as queries.
enum PredicateInput {
  static func query(_ format: String, _ arguments: [Any?], about subject: QuerySubject = .objects) throws -> RealmQuery.Query {
    var converted: [QueryArgument] = []
    for argument in arguments { converted.append(try self.argument(argument)) }
    return try PredicateFormat.parse(format, arguments: converted, allowsSurplus: false, ownValue: subject.ownValue)
  }

  static func query(_ predicate: NSPredicate, about subject: QuerySubject = .objects) throws -> RealmQuery.Query {
    RealmQuery.Query(try condition(PredicateTree(predicate), subject), dialect: .format)
  }

  private static func condition(_ tree: PredicateTree, _ subject: QuerySubject) throws -> Condition {
    switch tree {
    case .format(let format, let arguments): return try query(format, arguments, about: subject).condition
    case .constant(let value): return .constant(value)
    case .and(let parts): return .and(try conditions(parts, subject))
    case .or(let parts): return .or(try conditions(parts, subject))
    case .not(let part): return .not(try condition(part, subject))
    case .unsupported: throw RealmFailure.misuse("Only support compound, comparison, and constant predicates")
    case .tooDeep: throw QueryTree.tooDeep
    }
  }

  private static func conditions(_ trees: [PredicateTree], _ subject: QuerySubject) throws -> [Condition] {
    var conditions: [Condition] = []
    for tree in trees { conditions.append(try condition(tree, subject)) }
    return conditions
  }

  // MARK: Arguments

  static func argument(_ input: Any?) throws -> QueryArgument {
    guard let input, !DynamicInput.isNull(input) else { return .value(.null) }
    let value = DynamicInput.unwrapped(input)
    if let shape = geoShape(value) { return .geo(shape) }
    if let object = DynamicInput.object(value) { return object.link.map { .value($0) } ?? .detachedObject }
    if let scalar = try scalar(value) { return .value(scalar) }
    if let elements = DynamicInput.elements(of: value) {
      var values: [Value] = []
      for element in elements {
        guard !DynamicInput.isNull(element) else {
          values.append(.null)
          continue
        }
        let element = DynamicInput.unwrapped(element)
        if let object = DynamicInput.object(element) {
          // What no realm holds equals nothing.
          if let link = object.link { values.append(link) }
        } else if let value = try scalar(element) ?? DynamicInput.nested(element) {
          values.append(value)
        } else {
          throw unusable(element)
        }
      }
      return .list(values)
    }
    if let nested = DynamicInput.nested(value) { return .value(nested) }
    throw unusable(value)
  }

  private static func unusable(_ value: Any) -> RealmFailure {
    .misuse("Invalid value '\(DynamicInput.shown(value))' of type '\(type(of: value))' in a predicate.")
  }

  private static func scalar(_ value: Any) throws -> Value? {
    if let range = value as? any RangeExpression { throw unusable(range) }
    return preciseDecimal(value) ?? DynamicInput.engineValue(value)
  }

  /// A decimal of Foundation with more digits than a double tells apart: properties that were set to it have them all.
  private static func preciseDecimal(_ value: Any) -> Value? {
    let type = type(of: value)
    guard type == Decimal.self || type is NSDecimalNumber.Type else { return nil }
    guard let decimal = value as? Decimal ?? (value as? NSDecimalNumber)?.decimalValue,
      let exact = RealmStorage.Decimal128(text: decimal.description), !exact.isNaN
    else { return nil }
    let near = RealmStorage.Decimal128(NSDecimalNumber(decimal: decimal).doubleValue)
    return RealmStorage.Decimal128.compare(exact, near) == 0 ? nil : .decimal(exact)
  }

  static func geoShape(_ value: Any) -> GeoShape? {
    switch value {
    case let box as GeoBox: return box.queryShape
    case let polygon as GeoPolygon: return polygon.queryShape
    case let circle as GeoCircle: return circle.queryShape
    default: return nil
    }
  }
}
