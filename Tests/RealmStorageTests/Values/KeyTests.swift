import Testing
@testable import RealmStorage

@Test func aColumnKeyHoldsItsParts() {
  let key = ColumnKey(leafIndex: 7, type: .link, attributes: [.nullable, .indexed], tag: 4)
  #expect(key.rawValue == 0x1_040C_0007)
  #expect(key.leafIndex == 7 && key.type == .link && key.attributes == .nullable && key.tag == 4)
}
