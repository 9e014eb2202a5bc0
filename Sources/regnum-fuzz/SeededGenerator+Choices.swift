import Randomness

extension SeededGenerator {
  /// True once in `count` times.
  mutating func once(in count: Int) -> Bool { below(count) == 0 }
  mutating func pick<T>(_ values: [T]) -> T { values[below(values.count)] }
}
