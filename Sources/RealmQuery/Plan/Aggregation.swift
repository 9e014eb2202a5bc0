import RealmStorage

/// The running minimum, maximum, sum or average of some values (Q11.1, Q11.2). Nulls are left out, NaN too unless the values are Mixed.
struct Accumulator {
  let function: AggregateFunction
  /// Mixed values: sums are decimal, everything that is no number is left out of them.
  let isMixed: Bool
  private(set) var count = 0
  private var best: Value = .null
  private var integers: Int64 = 0
  private let wraps: Bool
  private let skipsNaN: Bool
  private var doubles = 0.0
  private var decimals = Decimal128.zero
  private let type: ValueType

  /// - Parameters:
  ///   - wraps: the average of integers is that of their wrapped sum; else they are added as doubles.
  ///   - skipsNaN: also among Mixed values, where else only decimal NaN is left out.
  init(_ function: AggregateFunction, _ type: ValueType, wraps: Bool = false, skipsNaN: Bool = false) {
    self.wraps = wraps
    self.skipsNaN = skipsNaN || type != .mixed
    self.function = function
    self.type = type
    isMixed = type == .mixed
  }

  mutating func add(_ value: Value) {
    if value.isNull || value.isNotANumber && (skipsNaN || value.isDecimal) || isMixed && value.resolved.isNull { return }
    switch function {
    case .min:
      if count == 0 || Value.compare(value, best) < 0 { best = value }
    case .max:
      if count == 0 || Value.compare(value, best) > 0 { best = value }
    case .sum, .average:
      guard value.isNumber else { return }
      if isMixed {
        decimals = decimals + value.decimalValue
      } else {
        switch value {
        case .int(let number):
          integers &+= number
          doubles += Double(number)
        case .decimal(let number): decimals = decimals + number
        default: doubles += value.doubleValue
        }
      }
    }
    count += 1
  }

  /// Null for the minimum, maximum and average of nothing.
  var result: Value {
    switch function {
    case .min, .max: best
    case .sum:
      switch type {
      case .int: .int(integers)
      case .decimal, .mixed: .decimal(decimals)
      default: .double(doubles)
      }
    case .average:
      if count == 0 {
        .null
      } else {
        switch type {
        case .int: .double((wraps ? Double(integers) : doubles) / Double(count))
        case .decimal, .mixed: .decimal(decimals / Decimal128(Int64(count)))
        default: .double(doubles / Double(count))
        }
      }
    }
  }

  /// The type of the result.
  static func type(_ function: AggregateFunction, _ type: ValueType) -> ValueType {
    switch (function, type) {
    case (.min, _), (.max, _): type
    case (_, .decimal), (_, .mixed): .decimal
    case (.sum, .int): .int
    default: .double
    }
  }
}

extension Value {
  fileprivate var isDecimal: Bool { if case .decimal = self { true } else { false } }
}

/// `path.@max`, `path.@max.property`.
struct AggregatePlan {
  enum Source {
    /// A property of all objects at the end of the chain.
    case objects(HopChain, ColumnDescription)
    /// The elements of one collection of values, for each object at the end of the chain.
    case elements(HopChain, ColumnDescription)
  }
  let source: Source
  let function: AggregateFunction
  let type: ValueType
  let space: NodeSpace

  func append(_ row: Row, to values: inout [Value], _ cancellation: Cancellation?) throws(StorageError) {
    switch source {
    case .objects(let chain, let column):
      var accumulator = Accumulator(function, type)
      try chain.forEachRow(row, cancellation) { (target) throws(StorageError) in accumulator.add(try target.value(column)) }
      values.append(accumulator.result)
    case .elements(let chain, let column):
      let skipsNaN = column.type != .mixed && (function == .sum || function == .average)
      let start = values.count
      try chain.forEachRow(row, cancellation) { (owner) throws(StorageError) in
        var accumulator = Accumulator(function, type, skipsNaN: skipsNaN)
        try CollectionReader(space, owner, column, cancellation).forEach { accumulator.add($0) }
        values.append(accumulator.result)
      }
      if values.count == start && chain.isToOne { values.append(Accumulator(function, type).result) }
    }
  }
}
