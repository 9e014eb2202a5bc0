import RealmQuery
import RealmStorage

/// The objects of some results by the value of a property, for aggregates of each group. An addition: the original SDK has none.
///
/// ```swift
/// for (city, total) in realm.objects(Order.self).grouped(by: \.city).sum(of: \.price) { … }
/// ```
///
/// Live as the results are: each aggregate reads all objects once, in the version that the realm shows, without making any. Groups come in the
/// ascending order of their keys, null first; a group has at least one object.
public struct GroupedResults<Key: _Storable, Element: ObjectBase & RealmCollectionValue> {
  private let results: Results<Element>
  private let property: String

  init(_ results: Results<Element>, _ property: String) { (self.results, self.property) = (results, property) }

  /// The number of objects of each group.
  public func counts() -> [(key: Key, value: Int)] {
    orStop(results.base.core) { try results.base.grouped(by: property, nil).map { (try key($0), $0.count) } }
  }

  /// The sum of a property in each group; 0 where there is no value.
  ///
  /// Unlike `sum(of:)` of results, which wraps around as that of the original SDK, this stops the program where the integers of a group come to
  /// more than their type holds: `sum(of:as:)` tells such sums, too.
  public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> [(key: Key, value: T)] where T.PersistedType: AddableType {
    orStop(results.base.core) {
      try groups(.sum, keyPath).map { group in (try key(group), try total(group, _name(for: keyPath))) }
    }
  }

  /// The sum of a property in each group, as a decimal: of integers exact, however large it is. 0 where there is no value.
  public func sum<T: _HasPersistedType>(
    of keyPath: KeyPath<Element, T>, as type: Decimal128.Type
  ) -> [(key: Key, value: Decimal128)] where T.PersistedType: AddableType {
    orStop(results.base.core) {
      try groups(.sum, keyPath).map { group in (try key(group), try Aggregation.convert(group.aggregates.first ?? .int(0))) }
    }
  }

  /// The mean of a property in each group; nil where there is no value. Null and NaN are left out. Of integers it is that of their exact sum.
  public func average<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> [(key: Key, value: Double?)] where T.PersistedType: AddableType {
    orStop(results.base.core) { try groups(.average, keyPath).map { (try key($0), try value($0)) } }
  }

  /// The smallest value of a property in each group; nil where there is none. Null and NaN are left out.
  public func min<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> [(key: Key, value: T?)] where T.PersistedType: MinMaxType {
    orStop(results.base.core) { try groups(.min, keyPath).map { (try key($0), try value($0)) } }
  }

  /// The largest value of a property in each group; nil where there is none. Null and NaN are left out.
  public func max<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> [(key: Key, value: T?)] where T.PersistedType: MinMaxType {
    orStop(results.base.core) { try groups(.max, keyPath).map { (try key($0), try value($0)) } }
  }

  private func groups<T>(_ function: AggregateFunction, _ keyPath: KeyPath<Element, T>) throws -> [ObjectGroup] {
    try results.base.grouped(by: property, (function, _name(for: keyPath)))
  }

  /// - Throws: where the type of the property does not hold the sum.
  private func total<T: _HasPersistedType>(_ group: ObjectGroup, _ property: String) throws -> T {
    let sum = group.aggregates.first ?? .int(0)
    guard (T.self as? any _Storable.Type)?._shape.type == .int else { return try Aggregation.convert(sum) }
    if case .decimal = sum { throw tooLarge(sum, group, property, T.self) }
    do { return try Aggregation.convert(sum) } catch { throw tooLarge(sum, group, property, T.self) }
  }

  private func tooLarge<T>(_ sum: Value, _ group: ObjectGroup, _ summed: String, _ type: T.Type) -> RealmFailure {
    let place = "'\(results.base.target?.className ?? "").\(summed)' where '\(property)' is \(DynamicInput.text(group.values.first ?? .null))"
    return .misuse("The sum of \(place) is \(DynamicInput.text(sum)), which '\(type)' does not hold; ask for sum(of:as: Decimal128.self)")
  }

  private func value<T: _HasPersistedType>(_ group: ObjectGroup) throws -> T? {
    switch group.aggregates.first {
    case nil, .null?: return nil
    case let value?: return try Aggregation.convert(value)
    }
  }

  private func key(_ group: ObjectGroup) throws -> Key {
    let scope = _Scope(core: results.base.core, target: nil)
    guard let stored = group.values.first, let key = Key._load(_StoredValue(stored), scope) else {
      throw RealmFailure.misuse("'\(property)' has a value that is none of '\(Key.self)'; group by a property of another type")
    }
    return key
  }
}

extension ResultsCore {
  fileprivate func grouped(by property: String, _ aggregate: (function: AggregateFunction, property: String)?) throws -> [ObjectGroup] {
    try core.verifyThread()
    try requireValid()
    guard let target else { return [] }
    func column(_ name: String) throws -> (Property, Int) {
      guard let slot = target.slot(name), slot < target.columns.count else {
        throw RealmFailure.misuse("Property '\(target.className).\(name)' does not exist")
      }
      return (target.property(at: slot), slot)
    }
    let (key, keySlot) = try column(property)
    if key.isCollection || key.type == .object || key.type == .linkingObjects {
      throw RealmFailure.misuse("Cannot group by '\(target.className).\(property)', which holds no single value")
    }
    var aggregated: (AggregateFunction, Int)?
    if let aggregate {
      let (property, slot) = try column(aggregate.property)
      try Aggregation.check(aggregate.function, property, target.className)
      aggregated = (aggregate.function, slot)
    }
    guard target.hasTable else { return [] }
    let table = try target.table(core)
    let columns = [try table.column(target.columns[keySlot])]
    let aggregates = try aggregated.map { [(function: $0.0, column: try table.column(target.columns[$0.1]))] } ?? []
    let (plan, source) = try planForGroups()
    return try plan.grouped(by: columns, aggregates, source, exactly: true)
  }
}
