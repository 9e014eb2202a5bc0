import RealmStorage

/// Comparisons of one column with constants as tests of its leaves. Nil is "there is no kernel for this".
struct ColumnCompiler {
  private let column: ColumnDescription
  private let leaf: LeafColumn
  private let test: ValueTest
  private let isDirect: Bool
  /// Asked while long lists are put in order.
  private let cancellation: Cancellation?

  init(_ column: ColumnDescription, _ test: ValueTest, isDirect: Bool, _ cancellation: Cancellation?) {
    (self.column, self.test, self.isDirect, self.cancellation) = (column, test, isDirect, cancellation)
    leaf = LeafColumn(column)
  }

  func compile(_ constant: Value) -> LeafCondition? {
    switch test {
    case .order(let relation): order(relation, constant)
    case .text(let relation): text(relation, constant)
    case .range(let high):
      if case .int(let low) = constant, case .int(let high) = high, column.type == .int {
        .integer(leaf, IntegerTest(low, high))
      } else {
        both(
          ColumnCompiler(column, .order(.greaterOrEqual), isDirect: isDirect, cancellation).compile(constant),
          ColumnCompiler(column, .order(.lessOrEqual), isDirect: isDirect, cancellation).compile(high))
      }
    case .typeOverlap: nil
    }
  }

  private func both(_ a: LeafCondition?, _ b: LeafCondition?) -> LeafCondition? {
    guard let a, let b else { return nil }
    return .all([a, b])
  }

  /// Any, all or none of some constants.
  /// - Throws: `.interrupted`.
  func compile(_ constants: [Value], _ quantifier: Quantifier) throws(StorageError) -> LeafCondition? {
    if quantifier != .all, let members = try members(constants) { return quantifier == .any ? members : .not(members) }
    guard constants.count <= 8 else { return nil }
    var parts: [LeafCondition] = []
    for constant in constants {
      guard let part = compile(constant) else { return nil }
      parts.append(part)
    }
    switch quantifier {
    case .any: return .any(parts)
    case .all: return .all(parts)
    case .none: return .not(.any(parts))
    }
  }

  // MARK: Lists

  /// Equality with one of many.
  private func members(_ constants: [Value]) throws(StorageError) -> LeafCondition? {
    var ignoresCase = false
    switch test {
    case .order(.equal): break
    case .text(let relation) where relation.kind == .equal && !relation.options.contains(.diacriticInsensitive):
      ignoresCase = relation.options.contains(.caseInsensitive)
    default: return nil
    }
    let hasNull = constants.contains(where: \.isNull)
    var integers: [Int64] = []
    var texts: [[UInt8]] = []
    var ids: [ObjectID] = []
    var uuids: [UUIDBytes] = []
    var links: [ObjectKey] = []
    for (index, constant) in constants.enumerated() {
      if index % Cancellation.blockSize == 0 { try cancellation?.check() }
      switch (constant, column.type) {
      case (.null, _): break
      case (.int(let number), .int): integers.append(number)
      case (.float(let number), .int): Int64(exactly: number).map { integers.append($0) }
      case (.double(let number), .int): Int64(exactly: number).map { integers.append($0) }
      case (.decimal, .int): return nil
      case (.string(let text), .string), (.binary(let text), .binary): texts.append(text)
      case (.objectID(let id), .objectID): ids.append(id)
      case (.uuid(let id), .uuid): uuids.append(id)
      case (.typedLink(let link), .link): if link.table == column.oppositeTable { links.append(link.key) }
      // Of other types, and equal to nothing here.
      case (_, .int), (_, .string), (_, .binary), (_, .objectID), (_, .uuid), (_, .link): break
      default: return nil
      }
    }
    switch column.type {
    case .int: return .integers(leaf, try IntegerSet(integers, acceptsNull: hasNull, cancellation))
    case .string, .binary: return .text(leaf, TextTest(.among, texts, ignoresCase: ignoresCase, acceptsNull: hasNull))
    case .objectID: return .objectID(leaf, BoundsTest(among: ids, acceptsNull: hasNull))
    case .uuid: return .uuid(leaf, BoundsTest(among: uuids, acceptsNull: hasNull))
    case .link: return try .link(leaf, among: links, orNull: hasNull, cancellation)
    default: return nil
    }
  }

  // MARK: Order relations

  private func order(_ relation: OrderRelation, _ constant: Value) -> LeafCondition? {
    if constant.isNull { return null(relation) }
    let comparison = relation.comparisonOperator
    switch column.type {
    case .int:
      switch constant {
      case .int(let number): return .integer(leaf, IntegerTest(comparison, number))
      case .double(let number): return .integer(leaf, IntegerTest(comparison, floating: number))
      case .float(let number): return .integer(leaf, IntegerTest(comparison, floating: Double(number)))
      case .decimal: return nil
      default: return incomparable(relation)
      }
    case .bool:
      guard case .bool(let flag) = constant else { return incomparable(relation) }
      return .integer(leaf, IntegerTest(comparison, flag ? 1 : 0))
    case .double: return double(relation, constant)
    case .float: return float(relation, constant)
    case .decimal: return constant.isNumber ? .decimal(leaf, BoundsTest(comparison, constant.decimalValue)) : incomparable(relation)
    case .timestamp:
      guard case .timestamp(let value) = constant else { return incomparable(relation) }
      return .timestamp(leaf, TimestampTest(comparison, value))
    case .objectID:
      guard case .objectID(let value) = constant else { return incomparable(relation) }
      return .objectID(leaf, BoundsTest(comparison, value))
    case .uuid:
      guard case .uuid(let value) = constant else { return incomparable(relation) }
      return .uuid(leaf, BoundsTest(comparison, value))
    case .string:
      guard case .string(let text) = constant else { return incomparable(relation) }
      return .text(leaf, bytes(relation, text, nullIsLess: isDirect))
    case .binary:
      guard case .binary(let bytes) = constant else { return incomparable(relation) }
      return .text(leaf, self.bytes(relation, bytes, nullIsLess: false))
    case .link: return link(relation, constant)
    default: return nil
    }
  }

  private func incomparable(_ relation: OrderRelation) -> LeafCondition { relation == .notEqual ? .always : .never }

  private var isNull: LeafCondition? {
    switch column.type {
    case .int, .bool: .integer(leaf, .null)
    case .double: .double(leaf, .null)
    case .float: .float(leaf, .null)
    case .timestamp: .timestamp(leaf, .null)
    case .decimal: .decimal(leaf, .null)
    case .objectID: .objectID(leaf, .null)
    case .uuid: .uuid(leaf, .null)
    case .string, .binary: .text(leaf, .null)
    case .link: .link(leaf, equals: nil)
    default: nil
    }
  }

  private func null(_ relation: OrderRelation) -> LeafCondition? {
    guard let isNull else { return nil }
    let isSmallest = isDirect && column.type == .string
    switch relation {
    case .equal, .lessOrEqual: return isNull
    case .notEqual: return .not(isNull)
    case .less: return .never
    case .greater: return isSmallest ? .not(isNull) : .never
    case .greaterOrEqual: return isSmallest ? .always : isNull
    }
  }

  private func double(_ relation: OrderRelation, _ constant: Value) -> LeafCondition? {
    let comparison = relation.comparisonOperator
    switch constant {
    case .double(let number):
      if isDirect { return .double(leaf, FloatingTest(direct: comparison, number)) }
      return FloatingTest(total: comparison, number).map { .double(leaf, $0) }
    case .float(let number) where !number.isNaN: return FloatingTest(total: comparison, Double(number)).map { .double(leaf, $0) }
    case .int(let number): return .double(leaf, FloatingTest(total: comparison, integer: number))
    case .float, .decimal: return nil
    default: return incomparable(relation)
    }
  }

  private func float(_ relation: OrderRelation, _ constant: Value) -> LeafCondition? {
    let comparison = relation.comparisonOperator
    switch constant {
    case .float(let number):
      if isDirect { return .float(leaf, FloatingTest(direct: comparison, number)) }
      return FloatingTest(total: comparison, number).map { .float(leaf, $0) }
    case .double(let number):
      guard let exact = Float(exactly: number), !number.isNaN else { return nil }
      return FloatingTest(total: comparison, exact).map { .float(leaf, $0) }
    case .int(let number): return .float(leaf, FloatingTest(total: comparison, integer: number))
    case .decimal: return nil
    default: return incomparable(relation)
    }
  }

  private func bytes(_ relation: OrderRelation, _ text: [UInt8], nullIsLess: Bool) -> TextTest {
    switch relation {
    case .equal: TextTest(.equal, text)
    case .notEqual: TextTest(.equal, text, isNegated: true)
    case .less: TextTest(.less, text, acceptsNull: nullIsLess)
    case .lessOrEqual: TextTest(.lessOrEqual, text, acceptsNull: nullIsLess)
    case .greater: TextTest(.greater, text)
    case .greaterOrEqual: TextTest(.greaterOrEqual, text)
    }
  }

  private func link(_ relation: OrderRelation, _ constant: Value) -> LeafCondition? {
    guard case .typedLink(let link) = constant, relation == .equal || relation == .notEqual else { return nil }
    guard link.table == column.oppositeTable else { return incomparable(relation) }
    let equality = LeafCondition.link(leaf, equals: link.key)
    return relation == .equal ? equality : .not(equality)
  }

  // MARK: Text

  private func text(_ relation: TextRelation, _ constant: Value) -> LeafCondition? {
    guard !relation.options.contains(.diacriticInsensitive), !relation.refusesEmpty else { return nil }
    guard column.type == .string || column.type == .binary else { return nil }
    let pattern: [UInt8]
    switch (constant, column.type) {
    case (.string(let bytes), .string), (.binary(let bytes), .binary): pattern = bytes
    case (.null, _): return nullPattern(relation)
    default: return relation.kind == .notEqual ? .always : .never
    }
    let ignoresCase = relation.options.contains(.caseInsensitive)
    switch relation.kind {
    case .equal: return .text(leaf, TextTest(.equal, pattern, ignoresCase: ignoresCase))
    case .notEqual: return .text(leaf, TextTest(.equal, pattern, ignoresCase: ignoresCase, isNegated: true))
    case .beginsWith: return .text(leaf, TextTest(.beginsWith, pattern, ignoresCase: ignoresCase))
    case .endsWith: return .text(leaf, TextTest(.endsWith, pattern, ignoresCase: ignoresCase))
    case .contains: return .text(leaf, TextTest(.contains, pattern, ignoresCase: ignoresCase))
    case .like:
      // What several stars in a row mean is left to `Wildcard`.
      for index in pattern.indices.dropLast() where pattern[index] == UInt8(ascii: "*") && pattern[index + 1] == UInt8(ascii: "*") { return nil }
      return .text(leaf, TextTest(.like, pattern, ignoresCase: ignoresCase))
    }
  }

  private func nullPattern(_ relation: TextRelation) -> LeafCondition? {
    switch relation.kind {
    case .equal, .like: .text(leaf, .null)
    case .notEqual: .text(leaf, .notNull)
    case .contains: isDirect ? .always : .text(leaf, .notNull)
    case .beginsWith, .endsWith: isDirect ? .always : .never
    }
  }
}
