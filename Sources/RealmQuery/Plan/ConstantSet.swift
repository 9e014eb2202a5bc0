import RealmStorage

/// The constants of a long list by value, for equality: one look-up for each value, however many constants there are.
struct ConstantSet {
  private var hasNull = false
  private var texts: Set<[UInt8]> = []
  private var binaries: Set<[UInt8]> = []
  private var integers: Set<Int64> = []
  /// Floats too: all of them are exact.
  private var doubles: Set<Double> = []
  private var timestamps: Set<Timestamp> = []
  private var objectIDs: Set<ObjectID> = []
  private var uuids: Set<UUIDBytes> = []
  private var links: Set<ObjectLink> = []
  /// In their shortest forms.
  private var decimals: Set<Decimal128> = []
  /// Floats and doubles, of which several may equal one decimal: compared with decimals one by one.
  private var floatings: [Value] = []
  /// NaN and what there are only few of, compared one by one.
  private var others: [Value] = []
  private let ignoresCase: Bool

  init(_ constants: [Value], ignoresCase: Bool) {
    self.ignoresCase = ignoresCase
    for constant in constants { insert(constant) }
  }

  private mutating func insert(_ constant: Value) {
    switch constant {
    case .null: hasNull = true
    case .string(let bytes): texts.insert(ignoresCase ? Latin1Case.folded(bytes) : bytes)
    case .binary(let bytes): binaries.insert(ignoresCase ? Latin1Case.folded(bytes) : bytes)
    case .int(let number): integers.insert(number)
    case .float(let number) where !number.isNaN:
      doubles.insert(Double(number))
      floatings.append(constant)
    case .double(let number) where !number.isNaN:
      doubles.insert(number)
      floatings.append(constant)
    case .decimal(let number) where !number.isNaN: decimals.insert(number.reduced)
    case .timestamp(let value): timestamps.insert(value)
    case .objectID(let value): objectIDs.insert(value)
    case .uuid(let value): uuids.insert(value)
    case .typedLink(let link): links.insert(link)
    default: others.append(constant)
    }
  }

  func contains(_ value: Value, isDirect: Bool) -> Bool {
    switch value {
    case .null: return hasNull
    case .string(let bytes): return texts.contains(ignoresCase ? Latin1Case.folded(bytes) : bytes)
    case .binary(let bytes): return binaries.contains(ignoresCase ? Latin1Case.folded(bytes) : bytes)
    case .timestamp(let value): return timestamps.contains(value)
    case .objectID(let value): return objectIDs.contains(value)
    case .uuid(let value): return uuids.contains(value)
    case .typedLink(let link): return links.contains(link)
    case .int(let number):
      if integers.contains(number) { return true }
      if let exact = Double(exactly: number), doubles.contains(exact) { return true }
      return containsDecimal(value)
    case .float(let number) where !number.isNaN: return containsNumber(Double(number)) || containsDecimal(value)
    case .double(let number) where !number.isNaN: return containsNumber(number) || containsDecimal(value)
    case .decimal(let number) where !number.isNaN:
      if decimals.contains(number.reduced) || containsInteger(number) { return true }
      return floatings.contains { OrderRelation.equal.generic(value, $0) }
    default: break
    }
    return others.contains { isDirect ? OrderRelation.equal.direct(value, $0) : OrderRelation.equal.generic(value, $0) }
  }

  private func containsDecimal(_ number: Value) -> Bool { !decimals.isEmpty && decimals.contains(number.decimalValue.reduced) }

  private func containsInteger(_ number: Decimal128) -> Bool {
    guard !integers.isEmpty, let whole = number.truncatedToInt64(), integers.contains(whole) else { return false }
    return Decimal128.compare(Decimal128(whole), number) == 0
  }

  private func containsNumber(_ number: Double) -> Bool {
    doubles.contains(number) || Int64(exactly: number).map { integers.contains($0) } ?? false
  }
}
