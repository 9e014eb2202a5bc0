import Randomness

/// The rows that every engine stores: one table of people and one hundred departments.
///
/// Made by a seeded generator before anything is measured; the same seed gives the same rows.
public struct People: Sendable {
  /// Distinct, not negative.
  public let keys: [Int64]
  /// 0-99.
  public let ages: [Int64]
  /// From 0 up to 1000.
  public let scores: [Double]
  /// Positions in `names`.
  public let nameIndexes: [Int32]
  /// The whole range of 32 bits.
  public let created: [Int64]
  /// 0-99.
  public let departments: [Int64]
  /// 100,000 distinct texts `user-xxxxxxxx`, as UTF-8, one after the other: no engine is charged for the objects that Swift makes of texts.
  public let names: [UInt8]

  /// What the keys look like, and the order in which the rows come.
  public enum Identifiers: String, CaseIterable, Sendable {
    /// Ascending from 0: what suits every engine best.
    case counted
    /// The same numbers in random order.
    case shuffled
    /// Random numbers of 63 bits in no order.
    case sparse
  }

  /// Bytes of every name.
  public static let nameByteCount = 13

  /// Departments have the ids from 0 up to this.
  public static let departmentCount = 100
  /// How many names the people draw theirs from.
  public static let distinctNameCount = 100_000

  /// The number of rows.
  public var count: Int { keys.count }

  /// Makes the rows; the same arguments give the same ones.
  /// - Parameter firstKey: of counted keys.
  public init(count: Int, seed: UInt64, identifiers: Identifiers = .counted, firstKey: Int = 0) {
    var random = SeededGenerator(seed: seed)
    var order = SeededGenerator(seed: ~seed)
    switch identifiers {
    case .counted: keys = (0..<count).map { Int64(firstKey + $0) }
    case .shuffled: keys = (0..<count).map { Int64($0) }.shuffled(using: &order)
    // Two of 2^63 numbers hardly ever agree; an engine would refuse the second one.
    case .sparse: keys = (0..<count).map { _ in Int64(bitPattern: order.next() >> 1) }
    }
    ages = (0..<count).map { _ in Int64(random.below(100)) }
    scores = (0..<count).map { _ in Double(random.next() >> 11) * 0x1p-53 * 1000 }
    nameIndexes = (0..<count).map { _ in Int32(random.below(People.distinctNameCount)) }
    created = (0..<count).map { _ in Int64(Int32(truncatingIfNeeded: random.next())) }
    departments = (0..<count).map { _ in Int64(random.below(People.departmentCount)) }
    names = (0..<People.distinctNameCount).flatMap { People.name($0) }
  }

  /// Where the name of a row is in `names`.
  @inlinable public func nameRange(_ row: Int) -> Range<Int> {
    let start = Int(nameIndexes[row]) &* People.nameByteCount
    return start..<start &+ People.nameByteCount
  }

  /// Hexadecimal digits of a number that is different for every position and looks random.
  private static func name(_ position: Int) -> [UInt8] {
    var digits = UInt32(position) &* 2_654_435_761
    var bytes = Array("user-".utf8)
    for _ in 0..<8 {
      bytes.append(Array("0123456789abcdef".utf8)[Int(digits >> 28)])
      digits <<= 4
    }
    return bytes
  }
}
