import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// The order of backlinks, which nothing relies on and users see.
@Suite(.mustEnd) struct BacklinkOrderTests {
  private let file: TestScratch
  private let origin: Table
  private let target: Table
  private let link: ColumnKey
  private let backlinks: ColumnKey
  private let hub: ObjectKey

  init() throws {
    file = try TestScratch()
    let group = try Group(writing: file.scratch, top: .null)
    (target, origin) = (try group.addTable("target"), try group.addTable("origin"))
    link = try origin.addColumn(ColumnDefinition("link", .link, target: target.key))
    backlinks = try #require(target.backlinkColumns.first).key
    hub = try target.createObject()
  }

  private var present: [Int64] { get throws { try target.backlinks(hub, backlinks).map(\.rawValue) } }

  private func setLink(_ key: ObjectKey, _ value: Value) throws { try origin.set(key, link, value) }

  @Test func aNewBacklinkGoesLastAndTheLastOneTakesThePlaceOfOneThatGoes() throws {
    let keys = try (0..<6).map { _ in try origin.createObject() }
    for index in [3, 1, 5, 0] { try setLink(keys[index], .link(hub)) }
    #expect(try present == [3, 1, 5, 0].map { keys[$0].rawValue })
    try setLink(keys[1], .null)
    #expect(try present == [3, 0, 5].map { keys[$0].rawValue })
    try setLink(keys[2], .link(hub))
    try setLink(keys[3], .null)
    #expect(try present == [2, 0, 5].map { keys[$0].rawValue })
    try setLink(keys[2], .null)
    try setLink(keys[0], .null)
    #expect(try present == [keys[5].rawValue])
    try setLink(keys[2], .link(hub))
    #expect(try present == [5, 2].map { keys[$0].rawValue })
  }

  /// Around the size of a leaf, and in bulk.
  @Test func listsThatGrowAndShrinkHoldWhatLinks() throws {
    let seed = testSeed
    var random = SeededGenerator(seed: seed)
    var others = try (0..<1200).map { _ in try origin.createObject() }
    var linked: [ObjectKey] = []
    for goal in [990, 1010, 985, 1015, 1150, 1100] {
      while linked.count < goal {
        linked.append(others.remove(at: random.below(others.count)))
        try setLink(linked[linked.count - 1], .link(hub))
      }
      while linked.count > goal {
        others.append(linked.remove(at: random.below(linked.count)))
        try setLink(others[others.count - 1], .null)
      }
      #expect(try present.sorted() == linked.map(\.rawValue).sorted(), "seed \(seed), goal \(goal)")
    }
    try origin.remove(linked.prefix(300).sorted())
    linked.removeFirst(300)
    #expect(try present.sorted() == linked.map(\.rawValue).sorted(), "seed \(seed), after the removal of many")
  }

  @Test func manyThatGoAtOnceLeaveTheOthersInTheirOrder() throws {
    let keys = try (0..<60).map { _ in try origin.createObject() }
    for key in keys.reversed() { try setLink(key, .link(hub)) }
    try origin.remove(Array(keys[10..<40]))
    #expect(try present == (Array(keys[..<10]) + keys[40...]).reversed().map(\.rawValue))
  }
}
