import Testing

@testable import RealmStorage

/// What debuggers and failing tests show of nodes and leaves.
@Suite struct NodeTextTests {
  private let test: TestScratch
  init() throws { test = try TestScratch() }

  private func text(_ ref: Ref) throws -> String { String(reflecting: try test.space.node(at: ref)) }

  @Test func nodesShowTheirPlaceTheirHeaderAndTheirElements() throws {
    let numbers = try test.scratch.createIntegers([1, -2, 300])
    #expect(try text(numbers) == "node \(numbers) (3 × 16 bits): [1, -2, 300]")
    let refs = try test.scratch.createRefs(count: 3, flags: NodeHeader.Flags.context)
    test.scratch.setChild(refs, 1, numbers)
    test.scratch.setTagged(refs, 2, 7)
    #expect(try text(refs) == "node \(refs) (refs context 3 × 64 bits): [0, \(numbers), #7]")
    let inner = try test.scratch.createRefs(count: 1, flags: NodeHeader.Flags.inner)
    #expect(try text(inner) == "node \(inner) (inner refs 1 × 64 bits): [0]")
  }

  @Test func longNodesShowTheirBeginningAndTheirCount() throws {
    let numbers = try test.scratch.createIntegers((0..<1000).map { Int64($0) })
    #expect(try text(numbers) == "node \(numbers) (1000 × 16 bits): [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, … of 1000]")
    let zeros = try test.scratch.createIntegers(count: 900)
    #expect(try text(zeros) == "node \(zeros) (900 × 0 bits): [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, … of 900]")
  }

  static let leaves: [(kind: LeafKind, value: Value, text: String)] = [
    (.nullableInt, .int(5), "[int(5), null]"), (.string, .string([0x61, 0x62]), "[string(\"ab\"), null]"),
    (.binary, .binary([1]), "[binary(01), null]"),
    (.mixed, .bool(true), "[bool(true), null]"), (.timestamp, .timestamp(Timestamp(seconds: 1, nanoseconds: 2)), "[timestamp(1 s, 2 ns), null]"),
    (.decimal, .decimal(Decimal128(Int64(3))), "[decimal(3), null]"), (.float, .float(0.5), "[float(0.5), null]"),
    (.double, .double(-0.5), "[double(-0.5), null]"), (.uuid, .uuid(UUIDBytes(high: 0, low: 1)), "[uuid(00000000000000000000000000000001), null]"),
    (.objectID, .objectID(ObjectID(high: 0, low: 1)), "[objectID(000000000000000000000001), null]"),
  ]

  @Test(arguments: leaves.indices) func leavesShowTheirValues(_ index: Int) throws {
    let (kind, value, text) = Self.leaves[index]
    var ref = try Leaf.create(test.scratch, ColumnSlot(kind: kind, isNullable: true), count: 0)
    try Leaf.insert(test.scratch, kind, &ref, 0, value)
    try Leaf.insert(test.scratch, kind, &ref, 1, .null)
    let space = test.space
    #expect(String(reflecting: try LeafReader(space, ref, kind)) == text)
    let own: String =
      switch kind {
      case .nullableInt: String(reflecting: try NullableIntegerLeaf(space, ref))
      case .string: String(reflecting: try StringLeaf(space, ref))
      case .binary: String(reflecting: try BinaryLeaf(space, ref))
      case .mixed: String(reflecting: try MixedLeaf(space, ref))
      case .timestamp: String(reflecting: try TimestampLeaf(space, ref))
      case .decimal: String(reflecting: try DecimalLeaf(space, ref))
      case .float: String(reflecting: try FloatLeaf(space, ref))
      case .double: String(reflecting: try DoubleLeaf(space, ref))
      case .uuid: String(reflecting: try FixedBytesLeaf(space, ref, .uuid))
      default: String(reflecting: try FixedBytesLeaf(space, ref, .objectID))
      }
    #expect(own == text)
  }

  @Test func whatCannotBeReadShowsTheReason() throws {
    var ref = try Leaf.create(test.scratch, ColumnSlot(kind: .timestamp, isNullable: true), count: 0)
    for second in 0..<2 as Range<Int64> {
      try Leaf.insert(test.scratch, .timestamp, &ref, Int(second), .timestamp(Timestamp(seconds: second, nanoseconds: 0)))
    }
    var nanoseconds = try test.space.node(at: ref).child(1)
    try test.scratch.set(&nanoseconds, 1, 1 << 40)
    test.scratch.setChild(ref, 1, nanoseconds)
    let text = String(reflecting: try TimestampLeaf(test.space, ref))
    #expect(text.hasPrefix("[timestamp(0 s, 0 ns), <") && text.contains("which are no nanoseconds") && text.hasSuffix(">]"), "\(text)")
  }
}
