import TestSupport
import Testing

@testable import RealmStorage

/// The exact layouts of F3, read from the specification's examples and written by us.
@Suite struct LeafLayoutTests {
  /// Reads a leaf that an example gives node by node; `build` returns the root.
  private func read(_ family: LeafModel, _ build: (inout NodeImage) -> Ref) throws -> [String] {
    var image = NodeImage()
    let root = build(&image)
    let test = try TestScratch(image.bytes)
    let values = try family.read(test.fileSpace, root)
    try family.check(test.fileSpace, root, values.count)
    return values.map(identity)
  }
  private func texts(_ values: [Value]) -> [String] { values.map(identity) }
  private func refs(_ image: inout NodeImage, context: Bool = false, _ slots: [UInt64]) -> Ref {
    let payload = slots.flatMap { slot in (0..<8).map { UInt8(truncatingIfNeeded: slot >> UInt64($0 * 8)) } }
    return image.append(header: (context ? 0x6700_0000 : 0x4700_0000) | UInt32(slots.count), payload)
  }
  private func payload(_ space: NodeSpace, _ ref: Ref) throws -> [UInt8] {
    let node = try space.node(at: ref)
    return node.bytes(unchecked: 0..<node.header.payloadByteCount)
  }
  private func leaf(_ family: LeafModel, _ test: TestScratch, _ values: [Value]) throws -> Ref {
    var ref = try family.create(test.scratch, 0, true)
    for index in values.indices { try family.insert(test.scratch, &ref, index, values[index]) }
    return ref
  }

  // MARK: Examples of the specification

  @Test func optionalIntegersOfTheExamplesAreRead() throws {
    let family = LeafModel.nullableInteger
    #expect(try read(family) { $0.append("01000004 0B") } == texts([.null, .int(0), .null]))
    #expect(
      try read(family) { $0.append("04000007 7F7F107FFF7F0F") }
        == texts([.null, .int(16), .null, .int(-1), .null, .int(15)]))
    #expect(try read(family) { $0.append("00000004") } == texts([.null, .null, .null]))
    #expect(try read(family) { $0.append("03000003 5F0F") } == texts([.int(5), .null]))
  }

  @Test func optionalIntegersAreWrittenAsInTheExamples() throws {
    let test = try TestScratch()
    var ref = try leaf(.nullableInteger, test, [.null, .int(0), .null])
    #expect(try test.space.node(at: ref).header.bits == 0x0100_0004)
    #expect(try payload(test.space, ref)[0] & 15 == 0x0B)
    ref = try leaf(.nullableInteger, test, [.null, .int(16), .null, .int(-1), .null, .int(15)])
    #expect(try test.space.node(at: ref).header.bits == 0x0400_0007)
    #expect(try payload(test.space, ref) == [0x7F, 0x7F, 0x10, 0x7F, 0xFF, 0x7F, 0x0F])
    ref = try leaf(.nullableInteger, test, [.null, .null, .null])
    #expect(try test.space.node(at: ref).header.bits == 4)
  }

  @Test func aFullRangeOfIntegersFindsAnotherSentinel() throws {
    let test = try TestScratch()
    let ref = try leaf(.nullableInteger, test, [.null, .int(.max), .int(0x7FFF_FFFF), .int(.min), .null])
    #expect(
      try texts(LeafModel.nullableInteger.read(test.space, ref))
        == texts([.null, .int(.max), .int(0x7FFF_FFFF), .int(.min), .null]))
    let reader = try NullableIntegerLeaf(test.space, ref)
    #expect(try reader.find(nil, from: 1, to: 5) == 4)
    #expect(try reader.find(.min, from: 0, to: 5) == 3)
    #expect(try reader.find(reader.sentinel, from: 0, to: 5) == nil)
  }

  @Test func shortStringsOfTheExamplesAreRead() throws {
    let family = LeafModel.string
    #expect(
      try read(family) { $0.append("0B000004 52657800 61000002 00000003 00000004") }
        == texts([Value("Rex"), Value("a"), Value(""), .null]))
    #expect(try read(family) { $0.append("09000002 0001") } == texts([Value(""), .null]))
    #expect(try read(family) { $0.append("0A000002 61006200") } == texts([Value("a"), Value("b")]))
    #expect(try read(family) { $0.append("0D000001 636C6173735F446F 6700000000000006") } == texts([Value("class_Dog")]))
  }

  @Test func shortStringsAreWrittenAsInTheExamples() throws {
    let test = try TestScratch()
    let ref = try leaf(.string, test, [Value("Rex"), Value("a"), Value(""), .null])
    #expect(try test.space.node(at: ref).header.bits == 0x0B00_0004)
    #expect(try payload(test.space, ref) == [0x52, 0x65, 0x78, 0, 0x61, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4])
    let one = try leaf(.string, test, [Value(""), .null])
    #expect(try test.space.node(at: one).header.bits == 0x0900_0002)
  }

  @Test func timestampsOfTheExampleAreRead() throws {
    let words: [Int64] = [-77, 0, 0, 1_577_836_800, .max, -1, -.max, 1]
    let values = try read(.timestamp) { image in
      let bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> Int64($0 * 8)) } }
      let whole = image.append(header: 0x0700_0008, bytes)
      let parts = image.append("06000007 00000000 00000000 15CD5B07 FFC99A3B 009B32E2 013665C4 00000000")
      return refs(&image, [whole.byteOffset, parts.byteOffset])
    }
    func moment(_ seconds: Int64, _ nanoseconds: Int32) -> Value {
      .timestamp(Timestamp(seconds: seconds, nanoseconds: nanoseconds))
    }
    #expect(
      values
        == texts([
          moment(0, 0), moment(0, 0), moment(1_577_836_800, 123_456_789), moment(.max, 999_999_999), moment(-1, -500_000_000),
          moment(-Int64.max, -999_999_999), moment(1, 0),
        ]))
  }

  @Test func objectIDsOfTheExampleAreRead() throws {
    let zero = String(repeating: "00", count: 12)
    let values = try read(.objectID) {
      $0.append(
        "09000055 20" + zero + zero + "5F6E7D8C9B0A1B2C3D4E5F60" + String(repeating: "FF", count: 12)
          + "000000000000000000000001" + "DEADDEADDEADDEADDEADDEAD" + "000102030405060708090A0B")
    }
    func id(_ high: UInt64, _ low: UInt32) -> Value { .objectID(ObjectID(high: high, low: low)) }
    #expect(
      values
        == texts([
          id(0, 0), id(0, 0), id(0x5F6E_7D8C_9B0A_1B2C, 0x3D4E_5F60), id(.max, .max), id(0, 1), .null,
          id(0x0001_0203_0405_0607, 0x0809_0A0B),
        ]))
  }

  @Test func numbersOfTheExamplesAreRead() throws {
    #expect(try read(.float) { $0.append("0B000002 AA00C07F 0000803F") } == texts([.null, .float(1)]))
    #expect(try read(.double) { $0.append("0C000001 AA0000000000F87F") } == texts([.null]))
    let zero = Decimal128(low: 0, high: 6176 << 49)
    let one = Decimal128(low: 1, high: 6176 << 49)
    #expect(try read(.decimal) { $0.append("28000003") } == texts([.decimal(zero), .decimal(zero), .decimal(zero)]))
    #expect(try read(.decimal) { $0.append("08000003") } == texts([.null, .null, .null]))
    #expect(try read(.decimal) { $0.append("0B000003 AA00007C 00008032 01008032") } == texts([.null, .decimal(zero), .decimal(one)]))
  }

  @Test func mixedValuesOfTheExamplesAreRead() throws {
    let values = try read(.mixed) { image in
      let composites = image.append("05000007 0000 0000 0105 6300 5100 0000 0000")
      let pairs = image.append("04000002 004D")
      let strings = image.append("0B000001 52657800")
      return refs(&image, [composites.byteOffset, 0, pairs.byteOffset, strings.byteOffset, 0, 0])
    }
    let link = Value.typedLink(ObjectLink(table: TableKey(rawValue: 0), key: ObjectKey(77)))
    #expect(values == texts([.null, .null, .int(5), Value("Rex"), link, .null, .null]))
    let test = try TestScratch()
    let ref = try leaf(.mixed, test, [.int(7), .bool(true), Value("x"), .list(.null), .dictionary(.null)])
    let composites = try MixedLeaf(test.space, ref).composites
    #expect((0..<5).map { composites.element(unchecked: $0) } == [1793, 258, 99, 148, 1 << 8 | 150])
  }

  @Test func enumeratedStringsAreReadThroughTheirDistinctValues() throws {
    var image = NodeImage()
    let keys = image.append("0B000003 00000004 52657800 61000002")
    let root = image.append("02000005 9401")
    let test = try TestScratch(image.bytes)
    let leaf = try StringLeaf(test.fileSpace, root, enumKeys: keys)
    let expected = texts([.null, Value("Rex"), Value("Rex"), Value("a"), Value("Rex")])
    #expect(try (0..<leaf.count).map { identity(try leaf.value($0)) } == expected)
    try StringLeaf.check(test.fileSpace, root, expectedCount: 5, enumKeys: keys)
    #expect(throws: StorageError.self) { _ = try StringLeaf(test.fileSpace, root) }
    var plain = root
    #expect(throws: StorageError.self) { try StringLeaf.insert(test.scratch, &plain, 0, Value("x")) }
    try StringLeaf.makePlain(test.scratch, &plain, enumKeys: keys)
    #expect(try texts(LeafModel.string.read(test.space, plain)) == expected)
  }

  // MARK: Forms and widths

  @Test func aStringLeafTakesLongerFormsAndKeepsThem() throws {
    let test = try TestScratch()
    func header(_ length: Int) throws -> NodeHeader {
      let ref = try leaf(.string, test, [.null, .string(Array(repeating: 65, count: length)), Value("")])
      try StringLeaf.check(test.space, ref, expectedCount: 3)
      return try test.space.node(at: ref).header
    }
    let widths = [(0, 1), (1, 2), (2, 4), (3, 4), (4, 8), (7, 8), (8, 16), (15, 16)]
    for (length, width) in widths { #expect(try header(length).width == width && !header(length).hasRefs) }
    #expect(try header(16).hasRefs && !header(16).hasContext && header(63).hasRefs && !header(63).hasContext)
    #expect(try header(64).hasRefs && header(64).hasContext)
    var ref = try leaf(.string, test, [.string(Array(repeating: 65, count: 64))])
    try StringLeaf.set(test.scratch, &ref, 0, Value(""))
    #expect(try test.space.node(at: ref).header.hasContext)
  }

  @Test func aBinaryLeafIsSmallUpTo64Bytes() throws {
    let test = try TestScratch()
    let empty = try leaf(.binary, test, [])
    #expect(try test.space.node(at: empty).header.bits & 0xFF00_0000 == 0x4700_0000)
    for (length, isBig) in [(64, false), (65, true)] {
      let ref = try leaf(.binary, test, [.null, .binary(Array(repeating: 1, count: length)), .binary([])])
      #expect(try test.space.node(at: ref).header.hasContext == isBig)
      try BinaryLeaf.check(test.space, ref, expectedCount: 3)
    }
  }

  @Test func aNullStringOccupiesOneByteOfSmallBlobs() throws {
    let test = try TestScratch()
    let long = [UInt8](repeating: 66, count: 16)
    let ref = try leaf(.string, test, [.null, .string(long), .null])
    let root = try test.space.refs(at: ref)
    #expect(try payload(test.space, root.child(1)) == [0] + long + [0, 0])
    let offsets = try test.space.integers(at: root.child(0))
    #expect((0..<3).map { offsets.element(unchecked: $0) } == [1, 18, 19])
  }

  @Test func decimalsTakeTheWidthOfTheTable() throws {
    let test = try TestScratch()
    func decimal(_ coefficient: UInt64, _ exponent: Int, high: UInt64 = 0, negative: Bool = false) -> Value {
      .decimal(Decimal128(low: coefficient, high: UInt64(6176 + exponent) << 49 | high | (negative ? 1 << 63 : 0)))
    }
    func header(_ values: [Value]) throws -> NodeHeader {
      let ref = try leaf(.decimal, test, values)
      #expect(try texts(LeafModel.decimal.read(test.space, ref)) == texts(values))
      return try test.space.node(at: ref).header
    }
    #expect(try header([decimal(0, 0), decimal(0, 0)]).bits == 0x2800_0002)
    #expect(try header([.null, .null]).bits == 0x0800_0002)
    #expect(try header([.null, decimal(0, 0)]).width == 4)
    #expect(try header([decimal(0, 0), .null]).bits == 0x2B00_0002)
    #expect(try header([decimal(0, 0, negative: true)]).width == 4)
    let boundaries: [(UInt64, Int, Int)] = [
      (1 << 23 - 1, 90, 4), (1 << 23 - 1, -90, 4), (1 << 23, 0, 8), (1, 91, 8), (1, -91, 8), (1 << 53 - 1, 369, 8), (1, -369, 8),
      (1 << 53, 0, 16), (1, 370, 16), (1, -370, 16),
    ]
    for (coefficient, exponent, width) in boundaries {
      #expect(try header([.null, decimal(coefficient, exponent, negative: true)]).width == width, "\(coefficient) \(exponent)")
    }
    #expect(try header([decimal(0, 0), decimal(1, 0, high: 1)]).width == 16)
    #expect(try header([.decimal(Decimal128(low: 0, high: 0x7800_0000_0000_0000)), .null]).width == 16)
  }

  @Test func numbersThatLookLikeNullAreStoredAsPlainNaN() throws {
    let test = try TestScratch()
    let float = try leaf(.float, test, [.float(Float(bitPattern: 0x7FC0_00AA)), .float(Float(bitPattern: 0x7F80_00AA)), .null])
    let floats = try FloatLeaf(test.space, float)
    #expect(try [floats.bits(0), floats.bits(1), floats.bits(2)] == [0x7FC0_0000, 0x7FC0_0000, 0x7FC0_00AA])
    let double = try leaf(.double, test, [.double(Double(bitPattern: 0x7FF8_0000_0000_00AA)), .null])
    #expect(try DoubleLeaf(test.space, double).double(0)?.isNaN == true)
    #expect(try DoubleLeaf(test.space, double).double(1) == nil)
    let decimal = try leaf(.decimal, test, [.decimal(Decimal128(low: 0xAA, high: 0x7C00_0000_0000_0000))])
    #expect(try DecimalLeaf(test.space, decimal).decimal(0) == Decimal128(low: 0, high: 0x7C00_0000_0000_0000))
  }
}
