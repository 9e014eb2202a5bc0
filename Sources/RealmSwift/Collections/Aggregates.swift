import Foundation
import RealmQuery
import RealmStorage

// Sums, averages, smallest and largest values.

/// The values that an aggregate is made of, whether they come from a column, a collection or memory.
struct Aggregation {
  private let results: ResultsCore?
  private let unmanaged: () -> [Any]
  private let element: _Shape
  private let isObjects: Bool
  private let word: String

  init<C: RealmCollection>(_ collection: C) {
    results = collection.results
    unmanaged = { Array(collection) }
    element = C.Element._shape
    isObjects = C.Element._shape.type == .object
    word = C._kindName == "MutableSet" ? "Sets" : "Arrays"
  }
  init<C: RealmKeyedCollection>(keyed collection: C) {
    results = collection._resultsBox?.core
    unmanaged = { collection.values }
    element = C.Value._shape
    isObjects = C.Value._shape.type == .object
    word = "Dictionaries"
  }

  func sum<T: _HasPersistedType>(_ property: String) throws -> T {
    if let value: T = try value(.sum, property) { return value }
    return try Aggregation.convert(try isMixed(property) ? .decimal(Decimal128().engineValue) : .int(0))
  }

  /// Whether the values are of any type, whose sum is a decimal.
  private func isMixed(_ property: String) throws -> Bool {
    guard isObjects else { return element.type == .any }
    let schema = try results?.target?.schema ?? element.objectType.flatMap { try ModelClass.of($0).schema }
    return schema?[property]?.type == .any
  }

  func value<T: _HasPersistedType>(_ function: AggregateFunction, _ property: String) throws -> T? {
    guard isObjects || property == "self" else { throw RealmFailure.misuse("\(word) of '\(element.elementText)' can only be aggregated on \"self\"") }
    if isObjects, let results, let target = results.target {
      guard let slot = target.slot(property), slot < target.columns.count else {
        throw RealmFailure.misuse("Property '\(target.className).\(property)' does not exist")
      }
      try Aggregation.check(function, target.property(at: slot), target.className)
      guard let value = try results.aggregate(function, slot: slot) else { return nil }
      return try Aggregation.convert(value)
    }
    var isMixed = element.type == .any
    let values = try values(property, function, &isMixed)
    guard let value = ValueAggregate.compute(function, values, isMixed: isMixed) else { return nil }
    return try Aggregation.convert(value)
  }

  /// What the values come from, for texts: `list 'Person.scores'`.
  private func checkElements(_ function: AggregateFunction) throws {
    if Aggregation.isFitting(function, element.type) { return }
    let kind = word == "Dictionaries" ? "dictionary" : word == "Sets" ? "set" : "list"
    let place = results?.baseCollection.map { " '\($0.owner.className).\($0.property.name)'" } ?? ""
    throw RealmFailure.misuse("Operation '\(Aggregation.name(function))' not supported for \(element.elementText) \(kind)\(place)")
  }

  private func values(_ name: String, _ function: AggregateFunction, _ isMixed: inout Bool) throws -> [Value] {
    guard isObjects else {
      try checkElements(function)
      if let results { return try results.values() }
      return unmanaged().map { DynamicInput.isNull($0) ? .null : DynamicInput.engineValue(DynamicInput.unwrapped($0)) ?? .null }
    }
    var values: [Value] = []
    for case let object as ObjectBase in unmanaged() {
      guard let property = try object.currentSchema()[name] else {
        throw RealmFailure.misuse("Invalid property name '\(name)' for class '\(object.currentClassName)'.")
      }
      try Aggregation.check(function, property, object.currentClassName)
      isMixed = property.type == .any
      values.append(try object.dynamicValue(name).flatMap { DynamicInput.engineValue($0) } ?? .null)
    }
    return values
  }

  static func check(_ function: AggregateFunction, _ property: Property, _ className: String) throws {
    if !property.isCollection, isFitting(function, property.type) { return }
    throw RealmFailure.misuse("Operation '\(name(function))' not supported for \(property.typeText) property '\(className).\(property.name)'")
  }

  private static func isFitting(_ function: AggregateFunction, _ type: PropertyType) -> Bool {
    switch type {
    case .int, .float, .double, .decimal128, .any: true
    case .date: function == .min || function == .max
    default: false
    }
  }

  private static func name(_ function: AggregateFunction) -> String { function == .average ? "average" : "\(function)" }

  /// An aggregate as the type that the caller wants.
  static func convert<T: _HasPersistedType>(_ value: Value) throws -> T {
    if let boxed = boxed(value, T.self) { return boxed }
    if let type = T.self as? any _Storable.Type, let converted = load(value, type) as? T { return converted }
    throw RealmFailure.misuse("Invalid value '\(DynamicInput.text(value))' for expected type '\(T.self)'.")
  }

  /// As a class of Foundation.
  private static func boxed<T>(_ value: Value, _ type: T.Type) -> T? {
    guard type == NSNumber.self || type == NSNumber?.self || type == NSDate.self || type == NSDate?.self else { return nil }
    if case .decimal(let number) = value { return NSDecimalNumber(decimal: Decimal128(number).decimalValue) as? T }
    return Boxed.value(DynamicProperty.scalar(value)) as? T
  }

  private static func load<S: _Storable>(_ value: Value, _ type: S.Type) -> Any? {
    let scope = _Scope(core: nil, target: nil)
    if let direct = S._load(_StoredValue(value), scope), !DynamicInput.isNull(direct) { return direct }
    // A number of another kind: averages of integers are doubles, sums of floats too.
    guard let converted = ValueAggregate.convert(value, to: S._shape.type) else { return nil }
    return S._load(_StoredValue(converted), scope)
  }
}

/// Aggregates over stored values; null and what is no number is left out.
enum ValueAggregate {
  /// - Parameter isMixed: values of any type: the order of all types for the extremes, decimals for sums.
  static func compute(_ function: AggregateFunction, _ values: [Value], isMixed: Bool = false) -> Value? {
    // No collection takes part.
    if isMixed { return values.filter { !$0.isNestedCollection }.mixedAggregate(function) }
    return switch function {
    case .min: extreme(values) { $0 < 0 }
    case .max: extreme(values) { $0 > 0 }
    case .sum: total(values).map(\.sum)
    case .average: average(values)
    }
  }

  private static func extreme(_ values: [Value], _ isBetter: (Int) -> Bool) -> Value? {
    var best: Value?
    for value in values where isOrdered(value) {
      guard let current = best else {
        best = value
        continue
      }
      if isBetter(Value.compare(value, current)) { best = value }
    }
    return best
  }

  private static func isOrdered(_ value: Value) -> Bool {
    switch value {
    case .int, .timestamp: true
    case .decimal(let number): !Decimal128(number).isNaN
    case .float(let number): !number.isNaN
    case .double(let number): !number.isNaN
    default: false
    }
  }

  /// Integers wrap around; mixed kinds are added as decimals.
  private static func total(_ values: [Value]) -> (sum: Value, count: Int)? {
    var integers: Int64 = 0
    var doubles = 0.0
    var decimals = Decimal128()
    var (integerCount, doubleCount, decimalCount) = (0, 0, 0)
    for value in values {
      switch value {
      case .int(let number):
        integers &+= number
        integerCount += 1
      case .float(let number) where !number.isNaN:
        doubles += Double(number)
        doubleCount += 1
      case .double(let number) where !number.isNaN:
        doubles += number
        doubleCount += 1
      case .decimal(let number) where !Decimal128(number).isNaN:
        decimals = decimals + Decimal128(number)
        decimalCount += 1
      default: break
      }
    }
    let count = integerCount + doubleCount + decimalCount
    if count == 0 { return nil }
    if decimalCount == 0 && doubleCount == 0 { return (.int(integers), count) }
    if decimalCount == 0 && integerCount == 0 { return (.double(doubles), count) }
    let sum = decimals + Decimal128(integerLiteral: integers) + (doubleCount > 0 ? Decimal128(floatLiteral: doubles) : Decimal128())
    return (.decimal(sum.engineValue), count)
  }

  private static func average(_ values: [Value]) -> Value? {
    guard let (sum, count) = total(values) else { return nil }
    switch sum {
    case .int(let number): return .double(Double(number) / Double(count))
    case .double(let number): return .double(number / Double(count))
    case .decimal(let number): return .decimal((Decimal128(number) / Decimal128(integerLiteral: Int64(count))).engineValue)
    default: return nil
    }
  }

  static func convert(_ value: Value, to type: PropertyType) -> Value? {
    let number: Double
    switch value {
    case .int(let integer): number = Double(integer)
    case .float(let float): number = Double(float)
    case .double(let double): number = double
    case .decimal(let decimal): number = Decimal128(decimal).doubleValue
    default: return nil
    }
    switch (type, value) {
    case (.double, _): return .double(number)
    case (.float, _): return .float(Float(number))
    case (.int, .int), (.any, _), (.decimal128, .decimal): return value
    case (.int, _): return Int64(exactly: number.rounded(.towardZero)).map { .int($0) }
    case (.decimal128, .int(let integer)): return .decimal(Decimal128(integerLiteral: integer).engineValue)
    case (.decimal128, _): return .decimal(Decimal128(floatLiteral: number).engineValue)
    default: return nil
    }
  }
}
