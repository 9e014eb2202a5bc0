package import RealmStorage

extension [Value] {
  /// An aggregate of values of any type, by the rules that Mixed properties have (Q11.2).
  /// - Returns: nil if no value takes part.
  package func mixedAggregate(_ function: AggregateFunction) -> Value? {
    var accumulator = Accumulator(function, .mixed)
    for value in self { accumulator.add(value) }
    return accumulator.count == 0 ? nil : accumulator.result
  }
}
