import Foundation
import Testing

@testable import RealmSwift

@Test func objectIdsReadAndPrintTheirDigits() throws {
  let id = try ObjectId(string: "5F1e2d3c4B5a69788796A5b4")
  #expect(id.stringValue == "5f1e2d3c4b5a69788796a5b4" && "\(id)" == id.stringValue)
  #expect(id == ObjectId("5f1e2d3c4b5a69788796a5b4") && id.hashValue == ObjectId("5f1e2d3c4b5a69788796a5b4").hashValue)
  #expect(ObjectId().stringValue == "000000000000000000000000")
  #expect(ObjectId(id.engineValue) == id)
  #expect(id.timestamp == Date(timeIntervalSince1970: 0x5F1E_2D3C))
}

@Test(arguments: ["", "5f1e2d3c4b5a69788796a5b", "5f1e2d3c4b5a69788796a5b40", "5f1e2d3c4b5a69788796a5bg", "5f1e2d3c4b5a69788796a5é"])
func aTextThatIsNoObjectIdIsInvalidInput(_ text: String) {
  let error = #expect(throws: Realm.Error.self) { try ObjectId(string: text) }
  #expect(error?.code == .invalidInput)
  #expect(error?.localizedDescription == "Invalid Object ID string '\(text)': must be 24 hex digits")
}

@Test func generatedObjectIdsAreUniqueAndCarryTheTime() {
  let before = Date().timeIntervalSince1970.rounded(.down)
  let ids = (0..<10_000).map { _ in ObjectId.generate() }
  #expect(Set(ids).count == ids.count)
  #expect(ids.allSatisfy { (before...before + 60).contains($0.timestamp.timeIntervalSince1970) })
  #expect(Set(ids.map { $0.stringValue.dropFirst(8).prefix(10) }).count == 1)
}

@Test func anObjectIdHoldsTimeMachineProcessAndCounter() {
  let time = Date(timeIntervalSince1970: 0x0102_0304)
  let first = ObjectId(timestamp: time, machineId: 0x1_AABBCC, processId: 0x1_DDEE)
  let second = ObjectId(timestamp: time, machineId: -1, processId: -1)
  #expect(first.stringValue.hasPrefix("01020304aabbccddee"))
  #expect(second.stringValue.hasPrefix("01020304ffffffffff"))
  #expect(first.timestamp == time)
  #expect(ObjectId(timestamp: .distantFuture, machineId: 0, processId: 0) != ObjectId())
}

@Test func objectIdsAreOrderedByTheirBytes() {
  let ids: [ObjectId] = [
    ObjectId("ff0000000000000000000000"), ObjectId("000000000000000000000001"), ObjectId("00000000000000000000ff00"),
    ObjectId("000000000000000100000000"), ObjectId("000000000000000080000000"),
  ]
  #expect(ids.sorted().map(\.stringValue) == ids.map(\.stringValue).sorted())
}

@Test func objectIdsAreCodedAsText() throws {
  let id = ObjectId.generate()
  let data = try JSONEncoder().encode([id])
  #expect(String(decoding: data, as: UTF8.self) == "[\"\(id.stringValue)\"]")
  #expect(try JSONDecoder().decode([ObjectId].self, from: data) == [id])
  #expect(throws: Realm.Error.self) { try JSONDecoder().decode([ObjectId].self, from: Data(#"["1"]"#.utf8)) }
}
