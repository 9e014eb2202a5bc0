import Foundation
import RealmQuery
import RealmStorage

// Values of all elements by key, with the collection operators of key-value coding.

enum KeyPathText {
  /// - Returns: nil for null, else as `Boxed` says.
  static func value(of element: Any, _ keyPath: String) throws -> Any? {
    if keyPath == "self" { return Boxed.value(element) }
    var current: Any? = element
    var rest = Substring(keyPath)
    while !rest.isEmpty {
      guard let plain = Boxed.value(current) else { return nil }
      if let collection = plain as? any RealmCollection { return try collection.valueAtPath(String(rest)) }
      if let map = plain as? any _MapInput {
        if rest.hasPrefix("@") { return try CollectionOperator(String(rest)).value(map._entries.map(\.element)) }
        let key = rest.prefix { $0 != "." }
        current = map._entries.first { $0.name.utf8.elementsEqual(key.utf8) }?.element
        rest = rest.dropFirst(key.count + 1)
        continue
      }
      let name = rest.prefix { $0 != "." }
      guard let object = DynamicInput.object(plain) else {
        throw RealmFailure.misuse("Invalid property name '\(name)' for class '\(type(of: plain))'.")
      }
      current = name == "self" ? object : try object.dynamicValue(String(name))
      rest = rest.dropFirst(name.count + 1)
    }
    return Boxed.value(current)
  }

  /// One value for each element; see `Boxed` for null.
  static func values(of elements: [Any], _ keyPath: String) throws -> [Any] {
    var values: [Any] = []
    values.reserveCapacity(elements.count)
    for element in elements { values.append(Boxed.element(try value(of: element, keyPath))) }
    return values
  }

  /// Sets what a path leads to from an object.
  static func set(_ value: Any?, of object: ObjectBase, _ keyPath: String) throws {
    guard let dot = keyPath.lastIndex(of: ".") else { return try object.setDynamicValue(keyPath, value) }
    guard let owner = try self.value(of: object, String(keyPath[..<dot])) else { return }
    let key = String(keyPath[keyPath.index(after: dot)...])
    switch owner {
    case let object as ObjectBase: try object.setDynamicValue(key, value)
    case let collection as any RealmCollection: try collection.set(value, key)
    case let map as any EntrySettable: try map.set(value, key)
    case let elements as [Any]: for case let object as ObjectBase in elements { try object.setDynamicValue(key, value) }
    case let elements as NSSet: for case let object as ObjectBase in elements { try object.setDynamicValue(key, value) }
    default: throw RealmFailure.misuse("Invalid property name '\(key)' for class '\(type(of: owner))'.")
    }
  }
}

/// `@count`, `@sum.x`, `@unionOfObjects.x` and so on.
struct CollectionOperator {
  private let name: String
  private let rest: String

  init(_ keyPath: String) throws {
    let parts = keyPath.dropFirst().split(separator: ".", maxSplits: 1)
    name = parts.first.map(String.init) ?? ""
    rest = parts.count > 1 ? String(parts[1]) : ""
    if rest.isEmpty && name != "count" { throw RealmFailure.misuse("Missing key path for KVC collection operator \(name) in key path '\(keyPath)'") }
  }

  func value(_ elements: [Any]) throws -> Any? {
    if name == "count" { return NSNumber(value: elements.count) }
    let values = try KeyPathText.values(of: elements, rest)
    switch name {
    case "min": return number(values, .min)
    case "max": return number(values, .max)
    case "sum": return number(values, .sum) ?? NSNumber(value: 0)
    case "avg": return number(values, .average)
    case "unionOfObjects": return present(values)
    case "distinctUnionOfObjects": return distinct(present(values))
    case "unionOfArrays": return flattened(values)
    case "distinctUnionOfArrays": return distinct(flattened(values))
    default: throw RealmFailure.misuse("Unsupported KVC collection operator found in key path '@\(name).\(rest)'")
    }
  }

  private func number(_ values: [Any], _ function: AggregateFunction) -> Any? {
    let values = values.map { DynamicInput.isNull($0) ? Value.null : DynamicInput.engineValue(DynamicInput.unwrapped($0)) ?? .null }
    return Boxed.value(ValueAggregate.compute(function, values).flatMap { DynamicProperty.scalar($0) })
  }
  private func present(_ values: [Any]) -> [Any] { values.filter { !DynamicInput.isNull($0) } }
  private func flattened(_ values: [Any]) -> [Any] { present(values.flatMap { DynamicInput.elements(of: $0) ?? [] }) }
  private func distinct(_ values: [Any]) -> [Any] {
    var seen = Set<AnyHashable>()
    return values.filter { value in
      guard let value = DynamicInput.unwrapped(value) as? AnyHashable else { return true }
      return seen.insert(value).inserted
    }
  }
}
