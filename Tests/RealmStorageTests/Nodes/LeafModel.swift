import Randomness

@testable import RealmStorage

/// One family of leaves behind a common face, for tests that treat all of them alike.
struct LeafModel: Sendable, CustomStringConvertible {
  var description: String
  var create: @Sendable (Scratch, Int, Bool) throws -> Ref
  var insert: @Sendable (Scratch, inout Ref, Int, Value) throws -> Void
  var set: @Sendable (Scratch, inout Ref, Int, Value) throws -> Void
  var remove: @Sendable (Scratch, inout Ref, Range<Int>) throws -> Void
  var split: @Sendable (Scratch, inout Ref, Int) throws -> Ref
  var check: @Sendable (NodeSpace, Ref, Int) throws -> Void
  /// All values, or the first ones if there are very many.
  var read: @Sendable (NodeSpace, Ref) throws -> [Value]
  var value: @Sendable (inout SeededGenerator, _ stage: Int) -> Value
  var defaultValue: Value

  /// Forged leaves claim up to 16 million elements.
  static let readLimit = 3000

  static let all = [string, binary, float, double, decimal, objectID, uuid, nullableInteger, timestamp, mixed]

  static func bytes(_ random: inout SeededGenerator, _ limit: Int) -> [UInt8] {
    (0..<Int.random(in: 0...limit, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  static let string = LeafModel(
    description: "string",
    create: { try StringLeaf.create(in: $0, count: $1, isNullable: $2) },
    insert: { try StringLeaf.insert($0, &$1, $2, $3) },
    set: { try StringLeaf.set($0, &$1, $2, $3) },
    remove: { try StringLeaf.remove($0, &$1, $2) },
    split: { try StringLeaf.split($0, &$1, at: $2) },
    check: { try StringLeaf.check($0, $1, expectedCount: $2) },
    read: { space, ref in
      let leaf = try StringLeaf(space, ref)
      return try (0..<min(leaf.count, readLimit)).map { try leaf.value($0) }
    },
    value: { random, stage in
      Int.random(in: 0..<6, using: &random) == 0 ? .null : .string(bytes(&random, [0, 1, 3, 7, 15, 16, 62, 63, 64, 300][min(stage, 9)]))
    }, defaultValue: .string([]))

  static let binary = LeafModel(
    description: "binary",
    create: { try BinaryLeaf.create(in: $0, count: $1, isNullable: $2) },
    insert: { try BinaryLeaf.insert($0, &$1, $2, $3) },
    set: { try BinaryLeaf.set($0, &$1, $2, $3) },
    remove: { try BinaryLeaf.remove($0, &$1, $2) },
    split: { try BinaryLeaf.split($0, &$1, at: $2) },
    check: { try BinaryLeaf.check($0, $1, expectedCount: $2) },
    read: { space, ref in
      let leaf = try BinaryLeaf(space, ref)
      return try (0..<min(leaf.count, readLimit)).map { try leaf.value($0) }
    },
    value: { random, stage in
      Int.random(in: 0..<6, using: &random) == 0 ? .null : .binary(bytes(&random, [0, 1, 15, 63, 64, 64, 65, 300][min(stage, 7)]))
    }, defaultValue: .binary([]))

  static let float = LeafModel(
    description: "float",
    create: { try FloatLeaf.create(in: $0, count: $1, isNullable: $2) },
    insert: { try FloatLeaf.insert($0, &$1, $2, $3) },
    set: { try FloatLeaf.set($0, &$1, $2, $3) },
    remove: { try FloatLeaf.remove($0, &$1, $2) },
    split: { try FloatLeaf.split($0, &$1, at: $2) },
    check: { try FloatLeaf.check($0, $1, expectedCount: $2) },
    read: { space, ref in
      let leaf = try FloatLeaf(space, ref)
      return try (0..<min(leaf.count, readLimit)).map { try leaf.value($0) }
    },
    value: { random, _ in [.null, .float(.infinity), .float(.nan), .float(Float.random(in: -1...1, using: &random))].randomElement(using: &random)! },
    defaultValue: .float(0))

  static let double = LeafModel(
    description: "double",
    create: { try DoubleLeaf.create(in: $0, count: $1, isNullable: $2) },
    insert: { try DoubleLeaf.insert($0, &$1, $2, $3) },
    set: { try DoubleLeaf.set($0, &$1, $2, $3) },
    remove: { try DoubleLeaf.remove($0, &$1, $2) },
    split: { try DoubleLeaf.split($0, &$1, at: $2) },
    check: { try DoubleLeaf.check($0, $1, expectedCount: $2) },
    read: { space, ref in
      let leaf = try DoubleLeaf(space, ref)
      return try (0..<min(leaf.count, readLimit)).map { try leaf.value($0) }
    },
    value: { random, _ in [.null, .double(-0.0), .double(.nan), .double(Double.random(in: -1...1, using: &random))].randomElement(using: &random)! },
    defaultValue: .double(0))

  static let decimal = LeafModel(
    description: "decimal",
    create: { try DecimalLeaf.create(in: $0, count: $1, isNullable: $2) },
    insert: { try DecimalLeaf.insert($0, &$1, $2, $3) },
    set: { try DecimalLeaf.set($0, &$1, $2, $3) },
    remove: { try DecimalLeaf.remove($0, &$1, $2) },
    split: { try DecimalLeaf.split($0, &$1, at: $2) },
    check: { try DecimalLeaf.check($0, $1, expectedCount: $2) },
    read: { space, ref in
      let leaf = try DecimalLeaf(space, ref)
      return try (0..<min(leaf.count, readLimit)).map { try leaf.value($0) }
    },
    value: { random, stage in
      let zero = Decimal128(low: 0, high: 6176 << 49)
      if stage == 0 { return .decimal(zero) }
      if Int.random(in: 0..<4, using: &random) == 0 { return Bool.random(using: &random) ? .null : .decimal(zero) }
      let (bits, range): (UInt64, Int) = [(23, 90), (53, 369), (60, 369), (63, 6000)][min(stage - 1, 3)]
      let exponent = UInt64(6176 + Int.random(in: -range...range, using: &random))
      let sign: UInt64 = Bool.random(using: &random) ? 1 << 63 : 0
      let low = UInt64.random(in: 0..<(1 << bits), using: &random)
      if stage > 4 && low & 7 == 0 { return .decimal(Decimal128(low: 0, high: 0x7800_0000_0000_0000 | sign)) }
      return .decimal(Decimal128(low: low, high: sign | exponent << 49 | (stage > 4 ? low & 0xFFFF : 0)))
    }, defaultValue: .decimal(Decimal128(low: 0, high: 6176 << 49)))

  static let objectID = fixedBytes(.objectID)
  static let uuid = fixedBytes(.uuid)

  private static func fixedBytes(_ kind: FixedBytesLeaf.Kind) -> LeafModel {
    LeafModel(
      description: "\(kind)",
      create: { try FixedBytesLeaf.create(in: $0, kind, count: $1, isNullable: $2) },
      insert: { try FixedBytesLeaf.insert($0, &$1, kind, $2, $3) },
      set: { try FixedBytesLeaf.set($0, &$1, kind, $2, $3) },
      remove: { try FixedBytesLeaf.remove($0, &$1, kind, $2) },
      split: { try FixedBytesLeaf.split($0, &$1, kind, at: $2) },
      check: { try FixedBytesLeaf.check($0, $1, expectedCount: $2, kind) },
      read: { space, ref in
        let leaf = try FixedBytesLeaf(space, ref, kind)
        return try (0..<min(leaf.count, readLimit)).map { try leaf.value($0) }
      },
      value: { random, _ in
        if Int.random(in: 0..<3, using: &random) == 0 { return .null }
        return kind == .objectID
          ? .objectID(ObjectID(high: random.next(), low: UInt32.random(in: 0...UInt32.max, using: &random)))
          : .uuid(UUIDBytes(high: random.next(), low: random.next()))
      },
      defaultValue: kind == .objectID ? .objectID(ObjectID(high: 0, low: 0)) : .uuid(UUIDBytes(high: 0, low: 0)))
  }

  static let nullableInteger = LeafModel(
    description: "nullable integer",
    create: { try NullableIntegerLeaf.create(in: $0, count: $1, isNullable: $2) },
    insert: { try NullableIntegerLeaf.insert($0, &$1, $2, $3) },
    set: { try NullableIntegerLeaf.set($0, &$1, $2, $3) },
    remove: { try NullableIntegerLeaf.remove($0, &$1, $2) },
    split: { try NullableIntegerLeaf.split($0, &$1, at: $2) },
    check: { try NullableIntegerLeaf.check($0, $1, expectedCount: $2) },
    read: { space, ref in
      let leaf = try NullableIntegerLeaf(space, ref)
      return try (0..<min(leaf.count, readLimit)).map { try leaf.value($0) }
    },
    value: { random, stage in Int.random(in: 0..<4, using: &random) == 0 ? .null : .int(integer(&random, stage)) },
    defaultValue: .int(0))

  /// Around the boundaries of the widths that the stage allows.
  static func integer(_ random: inout SeededGenerator, _ stage: Int) -> Int64 {
    if stage == 0 { return 0 }
    let largest: Int64 = [1, 3, 15, 0x7F, 0x7FFF, 0x7FFF_FFFF, Int64.max, 0x5BD1_E995_97A4_3C17][min(stage - 1, 7)]
    let number = largest - Int64.random(in: 0...1, using: &random)
    return stage > 3 && Bool.random(using: &random) ? ~number : number
  }

  static let timestamp = LeafModel(
    description: "timestamp",
    create: { try TimestampLeaf.create(in: $0, count: $1, isNullable: $2) },
    insert: { try TimestampLeaf.insert($0, &$1, $2, $3) },
    set: { try TimestampLeaf.set($0, &$1, $2, $3) },
    remove: { try TimestampLeaf.remove($0, &$1, $2) },
    split: { try TimestampLeaf.split($0, &$1, at: $2) },
    check: { try TimestampLeaf.check($0, $1, expectedCount: $2) },
    read: { space, ref in
      let leaf = try TimestampLeaf(space, ref)
      return try (0..<min(leaf.count, readLimit)).map { try leaf.value($0) }
    },
    value: { random, stage in
      Int.random(in: 0..<4, using: &random) == 0 ? .null : .timestamp(moment(&random, stage))
    }, defaultValue: .timestamp(Timestamp(seconds: 0, nanoseconds: 0)))

  static func moment(_ random: inout SeededGenerator, _ stage: Int) -> Timestamp {
    let seconds = integer(&random, stage)
    let part = Int32.random(in: 0...999_999_999, using: &random)
    return Timestamp(seconds: seconds, nanoseconds: seconds < 0 ? -part : part)
  }

  static let mixed = LeafModel(
    description: "mixed",
    create: { scratch, count, _ in try MixedLeaf.create(in: scratch, count: count) },
    insert: { scratch, ref, index, value in
      try MixedLeaf.insert(scratch, &ref, index, value)
      try giveKey(scratch, &ref, index, value)
    },
    set: { scratch, ref, index, value in
      try MixedLeaf.set(scratch, &ref, index, value)
      try giveKey(scratch, &ref, index, value)
    },
    remove: { try MixedLeaf.remove($0, &$1, $2) },
    split: { try MixedLeaf.split($0, &$1, at: $2) },
    check: { try MixedLeaf.check($0, $1, expectedCount: $2) },
    read: { space, ref in
      let leaf = try MixedLeaf(space, ref)
      return try (0..<min(leaf.count, readLimit)).map {
        _ = try leaf.key($0)
        _ = try leaf.type($0)
        return try leaf.value($0)
      }
    },
    value: { random, stage in mixedValue(&random, stage) }, defaultValue: .null)

  private static func giveKey(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ value: Value) throws {
    switch value {
    case .list, .dictionary:
      var candidate: Int64 = -1
      let used = try MixedLeaf(scratch.space, ref).keys()
      while used.contains(candidate) { candidate -= 1 }
      try MixedLeaf.ensureKey(scratch, &ref, index, unused: candidate)
    default: break
    }
  }

  static func mixedValue(_ random: inout SeededGenerator, _ stage: Int) -> Value {
    switch Int.random(in: 0..<(stage < 2 ? 8 : 14), using: &random) {
    case 0: .null
    case 1: .int(integer(&random, 8))
    case 2: .int(Int64.random(in: -1000...1000, using: &random))
    case 3: .bool(Bool.random(using: &random))
    case 4: .string(bytes(&random, stage < 4 ? 14 : 70))
    case 5: .double(Double.random(in: 0...1, using: &random))
    case 6: .float(Float.random(in: 0...1, using: &random))
    case 7: .timestamp(moment(&random, stage))
    case 8: .decimal(Decimal128(low: random.next(), high: random.next()))
    case 9: .typedLink(ObjectLink(table: TableKey(rawValue: UInt32.random(in: 0..<100, using: &random)), key: ObjectKey(5)))
    case 10: .objectID(ObjectID(high: random.next(), low: 7))
    case 11: .uuid(UUIDBytes(high: random.next(), low: random.next()))
    case 12: .binary(bytes(&random, stage < 4 ? 14 : 70))
    default: Bool.random(using: &random) ? .list(.null) : .dictionary(.null)
    }
  }
}
