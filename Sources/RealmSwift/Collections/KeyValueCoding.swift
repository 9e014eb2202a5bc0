import RealmQuery
import RealmStorage

// Values of all elements by key, with the collection operators of key-value coding.

extension RealmCollection {
  /// The values of a property of all elements; `self` is the elements themselves.
  public func value(forKey key: String) -> Any? { valuesForKey(key) as [Any] }

  /// As `value(forKey:)`, along links, and with operators such as `@sum.age` in front.
  public func value(forKeyPath keyPath: String) -> Any? {
    if keyPath.hasPrefix("@") { return orStop { () throws(RealmFailure) in try CollectionOperator(keyPath).value(self) } }
    return valuesForKey(keyPath) as [Any]
  }

  /// Sets a property of all elements.
  public func setValue(_ value: Any?, forKey key: String) {
    orStop { () throws(RealmFailure) in
      for element in self {
        guard let object = DynamicInput.unwrapped(element) as? ObjectBase else { throw .misuse("Values of '\(Element.self)' have no properties.") }
        try object.setDynamicValue(key, value)
      }
    }
  }

  func valuesForKey(_ keyPath: String) -> [Any] {
    if keyPath == "self" { return map { $0 as Any } }
    return orStop { () throws(RealmFailure) in
      var values: [Any] = []
      for element in self { values.append(try KeyPathText.value(of: element, keyPath) ?? NullValue.instance) }
      return values
    }
  }
}

/// What stands for null in arrays of values.
enum NullValue {
  static var instance: Any { Optional<Any>.none as Any }
}

enum KeyPathText {
  static func value(of element: Any, _ keyPath: String) throws(RealmFailure) -> Any? {
    var current: Any? = element
    for name in keyPath.split(separator: ".") {
      guard let value = current, !DynamicInput.isNull(value) else { return nil }
      guard let object = DynamicInput.unwrapped(value) as? ObjectBase else {
        throw .misuse("Invalid property name '\(name)' for class '\(type(of: value))'.")
      }
      current = try object.dynamicValue(String(name))
    }
    return current
  }
}

/// `@count`, `@sum.x`, `@unionOfObjects.x` and so on.
private struct CollectionOperator {
  private let name: String
  private let rest: String

  init(_ keyPath: String) throws(RealmFailure) {
    let parts = keyPath.dropFirst().split(separator: ".", maxSplits: 1)
    name = parts.first.map(String.init) ?? ""
    rest = parts.count > 1 ? String(parts[1]) : ""
    if rest.isEmpty && name != "count" { throw .misuse("Missing key path for KVC collection operator \(name) in key path '\(keyPath)'") }
  }

  func value<C: RealmCollection>(_ collection: C) throws(RealmFailure) -> Any? {
    switch name {
    case "count": return collection.count
    case "min": return numbers(collection, .min)
    case "max": return numbers(collection, .max)
    case "sum": return numbers(collection, .sum) ?? 0
    case "avg": return numbers(collection, .average)
    case "unionOfObjects": return present(collection.valuesForKey(rest))
    case "distinctUnionOfObjects": return distinct(present(collection.valuesForKey(rest)))
    case "unionOfArrays": return flattened(collection)
    case "distinctUnionOfArrays": return distinct(flattened(collection))
    default: throw .misuse("Unsupported KVC collection operator found in key path '@\(name).\(rest)'")
    }
  }

  private func numbers<C: RealmCollection>(_ collection: C, _ function: AggregateFunction) -> Any? {
    let values = collection.valuesForKey(rest).map { DynamicInput.isNull($0) ? Value.null : DynamicInput.engineValue(DynamicInput.unwrapped($0)) ?? .null }
    return ValueAggregate.compute(function, values).flatMap { DynamicProperty.scalar($0) }
  }
  private func present(_ values: [Any]) -> [Any] { values.filter { !DynamicInput.isNull($0) } }
  private func flattened<C: RealmCollection>(_ collection: C) -> [Any] {
    collection.valuesForKey(rest).flatMap { DynamicInput.elements(of: $0) ?? [] }
  }
  private func distinct(_ values: [Any]) -> [Any] {
    var seen = Set<AnyHashable>()
    return values.filter { value in
      guard let value = DynamicInput.unwrapped(value) as? AnyHashable else { return true }
      return seen.insert(value).inserted
    }
  }
}
