import TestSupport
import Testing

@testable import RealmStorage

@Test func globalKeysAreThoseOfAnIndependentProgram() {
  for row in rows(globalKeyVectors) {
    let expected = GlobalKey(high: UInt64(row[1], radix: 16)!, low: UInt64(row[2], radix: 16)!)
    #expect(GlobalKey(primaryKey: Value(vector: row[0])) == expected, "\(row)")
  }
  #expect(GlobalKey(primaryKey: .double(1)) == nil)
}

@Test func intKeysThatDifferInTheTopBitsCollideLocally() {
  let small = GlobalKey(primaryKey: .int(5))!, large = GlobalKey(primaryKey: .int(5 + 1 << 62))!
  #expect(small.localKey == ObjectKey(5) && large.localKey == GlobalKey(high: 0, low: 5 + 1 << 62).localKey)
  #expect(GlobalKey(primaryKey: .int(5 | 1 << 62))!.localKey == small.localKey && small.localKey.unresolved == ObjectKey(-7))
}

@Test func indexBytesAndKeysAreThoseOfAnIndependentProgram() throws {
  for row in rows(indexVectors) {
    let index = try #require(IndexBytes(Value(vector: row[0])))
    let expected: IndexBytes = row[1] == "null" ? .null : .text(bytes(hex: row[1].dropFirst()))
    #expect(index == expected && index.byteCount == expected.byteCount, "\(row)")
    for (level, key) in row[2].split(separator: ",").enumerated() {
      #expect(index.key(offset: 4 * level) == Int32(key)!, "\(row) level \(level)")
      #expect(expected.key(offset: 4 * level) == Int32(key)!, "\(row) level \(level)")
    }
  }
  #expect(IndexBytes(.link(ObjectKey(1))) == nil)
}

@Test func theFastKeyOfAnIntIsTheKeyOfItsBytes() {
  for value in [0, 1, -1, 256, 65536, .max, .min, 0x0102_0304_0506_0708] as [Int64] {
    for offset in stride(from: 0, through: 16, by: 4) {
      #expect(IndexKey.key(ofInt: value, offset: offset) == IndexBytes(value).key(offset: offset))
    }
  }
}

@Test func keysOfUnalignedOffsetsAgreeBetweenInlineAndLentBytes() {
  let id = ObjectID(high: 0x0102_0304_0506_0708, low: 0xFEDC_BA98)
  for offset in 0...20 {
    #expect(IndexBytes(.objectID(id))!.key(offset: offset) == IndexKey.key(ofBytes: id.bytes, offset: offset))
  }
  id.bytes.withUnsafeBytes { #expect(IndexKey.key(ofBytes: $0, offset: 4) == 0x0506_0708) }
  #expect(IndexKey.key(ofBytes: nil as UnsafeRawBufferPointer?, offset: 0) == 0)
}

@Test func differentIndexBytesAreNotEqual() {
  let all = [IndexBytes.null, .text([]), .text([0]), .text([0, 0]), IndexBytes(0), IndexBytes(.float(0.5))!, .text(Array(repeating: 0, count: 17))]
  for (i, a) in all.enumerated() { for (j, b) in all.enumerated() { #expect((a == b) == (i == j), "\(a) \(b)") } }
}

@Test func aTextFallsIntoTheTokensAnIndependentProgramFinds() {
  for row in rows(tokenVectors) {
    let expected = row[1] == "-" ? [] : row[1].split(separator: ",").map { bytes(hex: $0.dropFirst()) }
    #expect(Tokenizer.tokens(of: bytes(hex: row[0].dropFirst())) == expected, "\(row)")
  }
}
