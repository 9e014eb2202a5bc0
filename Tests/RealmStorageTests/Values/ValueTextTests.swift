import Testing

@testable import RealmStorage

/// What debuggers and failing tests show of keys and values.
@Suite struct ValueTextTests {
  @Test func keysSayWhatTheyName() {
    #expect(String(reflecting: Ref.null) == "null ref" && String(reflecting: Ref(0x40)) == "0x40")
    #expect(String(reflecting: TableKey.null) == "no table" && String(reflecting: TableKey(slot: 3, tag: 0)) == "table 3")
    #expect(String(reflecting: TableKey(slot: 3, tag: 2)) == "table 3 of generation 2")
    #expect(String(reflecting: ObjectKey.null) == "no object" && String(reflecting: ObjectKey(7)) == "object 7")
    #expect(String(reflecting: ObjectKey(-7)) == "tombstone -7 of object 5")
    #expect(String(reflecting: ColumnKey.null) == "no column")
    let column = ColumnKey(leafIndex: 2, type: .string, attributes: [.nullable, .list], tag: 9)
    #expect(String(reflecting: column) == "column 2: string nullable list, tag 9")
    #expect(String(reflecting: ColumnKey(rawValue: 1 | 63 << 16)) == "column 1: type 63, tag 0")
    #expect(String(reflecting: ColumnAttributes([.indexed, .set])) == "[indexed, set]" && String(reflecting: ColumnAttributes()) == "[]")
  }

  static let values: [(value: Value, text: String)] = [
    (.null, "null"), (.int(-5), "int(-5)"), (.bool(true), "bool(true)"), (.string([0x61, 0x22, 0x62]), #"string("a\"b")"#),
    (.binary([0, 255]), "binary(00ff)"), (.timestamp(Timestamp(seconds: 3, nanoseconds: 4)), "timestamp(3 s, 4 ns)"),
    (.float(1.5), "float(1.5)"), (.double(.nan), "double(nan)"), (.decimal(Decimal128(Int64(12))), "decimal(12)"),
    (.objectID(ObjectID(high: 0x12, low: 0x34)), "objectID(000000000000001200000034)"),
    (.uuid(UUIDBytes(high: 1, low: 2)), "uuid(00000000000000010000000000000002)"), (.link(ObjectKey(4)), "link(object 4)"),
    (.typedLink(ObjectLink(table: TableKey(slot: 1, tag: 0), key: ObjectKey(4))), "link(table 1, object 4)"),
    (.list(Ref(0x20)), "list at 0x20"), (.dictionary(.null), "dictionary at 0x0"),
  ]

  @Test(arguments: values.indices) func valuesShowTypeAndContents(_ index: Int) {
    #expect(String(reflecting: Self.values[index].value) == Self.values[index].text)
  }

  @Test func longValuesShowTheirBeginningAndTheirLength() {
    let text = String(reflecting: Value.string([UInt8](repeating: 0x61, count: 5000)))
    #expect(text == "string(\"" + String(repeating: "a", count: 48) + "\"… of 5000 bytes)")
    let bytes = String(reflecting: Value.binary([UInt8](repeating: 0xAB, count: 5000)))
    #expect(bytes == "binary(" + String(repeating: "ab", count: 24) + "… of 5000 bytes)")
    // Also where a letter is cut in two.
    #expect(String(reflecting: Value.string([UInt8](String(repeating: "日", count: 1000).utf8))).hasSuffix("… of 3000 bytes)"))
  }
}
