import RealmInspection
import TestSupport
import Testing

@testable import RealmStorage

private func json(_ value: Value, linkTarget: TableKey? = nil) throws(StorageError) -> String {
  var output: [UInt8] = []
  try CanonicalJSON.append(value, linkTarget: linkTarget, to: &output, tableName: name) { (value, output) throws(StorageError) in
    try CanonicalJSON.appendList(count: 2, to: &output) { (index, output) in CanonicalJSON.append(Int64(index), to: &output) }
  }
  return String(decoding: output, as: UTF8.self)
}

private func name(_ table: TableKey) -> [UInt8]? { table.rawValue == 3 ? Array("class_Dog".utf8) : nil }

@Test func valuesHaveTheJSONAnIndependentProgramWrites() throws {
  for row in rows(canonicalJSONVectors) {
    let expected = row[1].hasPrefix("hex:") ? String(decoding: bytes(hex: row[1].dropFirst(4)), as: UTF8.self) : String(row[1])
    let value = row[0] == "s" ? Value.string([]) : Value(vector: row[0])
    let written = try json(value)
    #expect(written == expected, "\(row)")
  }
}

@Test func linksOfColumnsNameTheirTable() throws {
  #expect(try json(.link(ObjectKey(7)), linkTarget: TableKey(rawValue: 3)) == #"{"$link":{"table":"class_Dog","key":7}}"#)
  #expect(try json(.link(ObjectKey(-2)), linkTarget: TableKey(rawValue: 65539)) == ##"{"$link":{"table":"#65539","key":-2}}"##)
  #expect(try json(.link(.null), linkTarget: TableKey(rawValue: 3)) == "null")
  #expect(try json(.link(ObjectKey(7))) == #"{"$key":7}"#)
}

@Test func nestedCollectionsAreLeftToTheCallerUnlessEmpty() throws {
  #expect(try json(.list(.null)) == "[]" && json(.dictionary(.null)) == #"{"$dictionary":[]}"#)
  #expect(try json(.list(Ref(8))) == "[0,1]")
}

@Test func setsAndDictionariesAreMarked() throws(StorageError) {
  var output: [UInt8] = []
  let number = { (index: Int, output: inout [UInt8]) in CanonicalJSON.append(Int64(index), to: &output) }
  CanonicalJSON.append("[", to: &output)
  try CanonicalJSON.appendSet(count: 2, to: &output, element: number)
  CanonicalJSON.append(",", to: &output)
  let key = { (index: Int, output: inout [UInt8]) in CanonicalJSON.appendString(Array("k\(index)".utf8), to: &output) }
  try CanonicalJSON.appendDictionary(count: 2, to: &output, key: key, value: number)
  CanonicalJSON.append("]", to: &output)
  #expect(String(decoding: output, as: UTF8.self) == #"[{"$set":[0,1]},{"$dictionary":[["k0",0],["k1",1]]}]"#)
}

@Test func longSequencesBecomeADigest() throws(StorageError) {
  let number = { (index: Int, output: inout [UInt8]) in CanonicalJSON.append(Int64(index), to: &output) }
  var output: [UInt8] = []
  try CanonicalJSON.appendList(count: 5, digestLimit: 4, to: &output, element: number)
  let hash = "026d8ad3dfa1f2aa9da7964947ddedd4e83c6fc008206ebf898699dea80f9804"
  #expect(
    String(decoding: output, as: UTF8.self) == #"{"$digest":{"count":5,"sha256":"\#(hash)","first":[0,1,2],"last":[2,3,4]}}"#)
  output = []
  try CanonicalJSON.appendList(count: 4, digestLimit: 4, to: &output, element: number)
  #expect(String(decoding: output, as: UTF8.self) == "[0,1,2,3]")
}

@Test func logsReadAsTheFixturesSay() throws {
  var lines: [String] = []
  for line in logVectors.split(separator: "\n") where !line.hasPrefix("{") && line != "-" {
    lines.append(String(line))
    lines += try LogText.instructions(of: [bytes(hex: line)])
  }
  let expected: [Substring] = logVectors.split(separator: "\n").filter { $0 != "-" }
  #expect(lines == expected.map { String($0) })
}

/// `realm_inspect.py` looks only at the nearest decimal of each digit count and prints these three powers of two with nine digits.
@Test(arguments: zip([0x0F80_0000, 0x6B00_0000, 0x6C80_0000] as [UInt32], ["1.2621775e-29", "1.5474251e+26", "1.2379401e+27"]))
func theShortestDigitsOfAPowerOfTwoMayLieOnItsWideSide(_ bits: UInt32, _ expected: String) {
  #expect(NumberText.text(of: Float(bitPattern: bits)) == expected)
  #expect(Float(Double(expected)!).bitPattern == bits)
}
