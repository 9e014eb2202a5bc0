/// What a condition asks of a String or Binary column. Null satisfies it if `acceptsNull`; all of it is reversed if `isNegated`.
package struct TextTest: Sendable {
  package enum Operation: Sendable {
    case equal, less, lessOrEqual, greater, greaterOrEqual
    case beginsWith, endsWith, contains
    /// `*` and `?` are wildcards.
    case like
    /// Equal to one of several.
    case among
    /// Nothing but null, if at all.
    case nothing
  }
  package var operation: Operation
  /// One operand, but for `among`; none for `nothing`.
  package var operands: [[UInt8]]
  package var ignoresCase: Bool
  package var acceptsNull: Bool
  package var isNegated: Bool

  package init(
    _ operation: Operation, _ operands: [[UInt8]], ignoresCase: Bool = false, acceptsNull: Bool = false, isNegated: Bool = false
  ) {
    (self.operation, self.operands) = (operation, operands)
    (self.ignoresCase, self.acceptsNull, self.isNegated) = (ignoresCase, acceptsNull, isNegated)
  }
  package init(_ operation: Operation, _ operand: [UInt8], ignoresCase: Bool = false, acceptsNull: Bool = false, isNegated: Bool = false) {
    self.init(operation, [operand], ignoresCase: ignoresCase, acceptsNull: acceptsNull, isNegated: isNegated)
  }

  package static let null = TextTest(.nothing, [[UInt8]](), acceptsNull: true)
  package static let notNull = TextTest(.nothing, [[UInt8]](), acceptsNull: true, isNegated: true)
}

/// A `TextTest` prepared for one scan of one snapshot: patterns, tables, and what it has found out about the distinct values of an
/// enumerated column. Confined to the thread of the scan.
package final class PreparedTextTest {
  package let test: TextTest
  let operation: TextTest.Operation
  let pattern: TextPattern
  var search: TextSearch?
  private let like: TextLike?
  private let set: TextSet?
  var hasSample = false
  /// The distinct values of an enumerated column that satisfy the test, by index, and the node that holds the values.
  var distinct: (keys: Ref, accepted: IntegerSet)?

  package init(_ test: TextTest) {
    self.test = test
    var (operation, operand) = (test.operation, test.operands.first ?? [])
    if operation == .like, let simple = TextLike.simplified(operand) { (operation, operand) = simple }
    if operation == .among && test.operands.count <= 1 { operation = test.operands.isEmpty ? .nothing : .equal }
    self.operation = operation
    pattern = TextPattern(operand, ignoresCase: test.ignoresCase)
    search = operation == .contains && !operand.isEmpty ? TextSearch(pattern) : nil
    like = operation == .like ? TextLike(operand, ignoresCase: test.ignoresCase) : nil
    set = operation == .among ? TextSet(test.operands, ignoresCase: test.ignoresCase) : nil
  }

  /// Whether bytes that are not null satisfy the test, negation aside.
  @inline(__always) func accepts(_ text: UnsafeRawBufferPointer) -> Bool {
    switch operation {
    case .equal: return unsafe pattern.equals(text)
    case .beginsWith: return unsafe pattern.isPrefix(of: text)
    case .endsWith: return unsafe pattern.isSuffix(of: text)
    case .contains:
      guard let search else { return true }
      return unsafe search.find(in: text, from: 0) != nil
    case .like: return unsafe like?.matches(text) ?? false
    case .among: return unsafe set?.contains(text) ?? false
    case .less: return unsafe order(text) < 0
    case .lessOrEqual: return unsafe order(text) <= 0
    case .greater: return unsafe order(text) > 0
    case .greaterOrEqual: return unsafe order(text) >= 0
    case .nothing: return false
    }
  }
  private func order(_ text: UnsafeRawBufferPointer) -> Int {
    unsafe pattern.bytes.withUnsafeBytes { unsafe compareBytes(text, $0) }
  }

  /// Whether one value satisfies the test.
  package func accepts(_ text: RawSpan?) -> Bool {
    guard let text else { return test.acceptsNull != test.isNegated }
    return unsafe text.withUnsafeBytes { unsafe accepts($0) } != test.isNegated
  }
}
