import Foundation
import TestSupport
import Testing

@testable import RealmStorage

/// The operations of `Fixtures/history/hist_ops`, repeated: our logs are those of the other engine, byte for byte.
@Suite(.mustEnd) struct TableLogTests {
  private final class Replay {
    let host: TableHost
    init(_ host: TableHost) { self.host = host }

    func log(_ body: (Group) throws -> Void) throws -> String {
      let start = host.group.log.bytes
      #expect(start.isEmpty)
      try body(host.group)
      let text = host.group.log.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
      try host.commit(independently: false, "log")
      return text
    }
  }

  @Test func operationsLogWhatTheOtherEngineLogs() throws {
    let replay = Replay(try TableHost(.database))
    try makeSchema(replay)
    try logObjects(replay)
    try logCollections(replay)
    try logLinks(replay)
    try logRemovals(replay)
    try logSchemaChanges(replay)
  }

  private let zero = ObjectKey(0)
  private let one = ObjectKey(1)
  private func table(_ group: Group, _ slot: Int) throws -> Table { try #require(try group.table(inSlot: slot)) }

  private func makeSchema(_ replay: Replay) throws {
    _ = try replay.log { group in
      let (t, u, e) = (try group.addTable("class_T"), try group.addTable("class_U"), try group.addTable("class_E", kind: .embedded))
      try u.setPrimaryKey(u.addColumn(ColumnDefinition("_id", .int)))
      try t.addColumn(ColumnDefinition("i", .int))
      try t.addColumn(ColumnDefinition("s", .string))
      try t.addColumn(ColumnDefinition("l", .int, .list))
      try t.addColumn(ColumnDefinition("set", .string, .set))
      try t.addColumn(ColumnDefinition("d", .int, .dictionary))
      try t.addColumn(ColumnDefinition("m", .mixed))
      try t.addColumn(ColumnDefinition("link", .link, target: u.key))
      try t.addColumn(ColumnDefinition("links", .link, .list, target: u.key))
      try t.addColumn(ColumnDefinition("e", .link, target: e.key))
      try e.addColumn(ColumnDefinition("x", .int))
    }
  }

  private func logObjects(_ replay: Replay) throws {
    #expect(
      try replay.log { group in
        let (t, u) = (try table(group, 0), try table(group, 1))
        for _ in 0..<2 { try t.createObject() }
        let i = try t.column(named: "i").key
        try t.set(zero, i, .int(1))
        try t.set(one, i, .int(1))
        for id in 0..<2 { try u.createObject(primaryKey: .int(Int64(id))) }
      } == "0a 00 00 0b 00 0b 01 0d 00 00 0a 00 01 0b 00 0b 01")
    #expect(
      try replay.log { group in
        let t = try table(group, 0)
        let (i, s) = (try t.column(named: "i").key, try t.column(named: "s").key)
        try t.set(zero, i, .int(1))
        try t.set(zero, i, .int(2))
        try t.set(zero, s, Value("x"))
        try t.set(zero, i, .int(2))
        try t.set(one, i, .int(2))
      } == "0a 00 00 0d 00 00 0d 00 00 0d 81 80 08 00 0d 00 00 0d 00 01")
  }

  private func logCollections(_ replay: Replay) throws {
    #expect(
      try replay.log { group in
        let list = try table(group, 0).collection(zero, table(group, 0).column(named: "l").key)
        for number in 0..<3 { try list.append(.int(Int64(number))) }
        try list.set(at: 0, .int(9))
        try list.move(from: 0, to: 2)
        try list.remove(at: 1)
        try list.insert(at: 0, .int(7))
      } == "0a 00 00 1e 82 80 80 c0 00 00 1f 00 1f 01 1f 02 20 00 21 00 02 23 01 1f 00")
    #expect(
      try replay.log { group in
        let set = try table(group, 0).collection(zero, table(group, 0).column(named: "set").key)
        for text in ["b", "a", "b"] { _ = try set.insert(Value(text)) }
        _ = try set.remove(Value("a"))
      } == "0a 00 00 1e 83 80 88 80 02 00 1f 00 1f 00 23 00")
    #expect(
      try replay.log { group in
        let dictionary = try table(group, 0).collection(zero, table(group, 0).column(named: "d").key)
        try dictionary.set(key: Array("z".utf8), .int(1))
        try dictionary.set(key: Array("a".utf8), .int(1))
        try dictionary.set(key: Array("a".utf8), .int(2))
        _ = try dictionary.removeEntry(key: Array("z".utf8))
      } == "0a 00 00 1e 84 80 80 80 01 00 1f 00 1f 00 20 00 23 01")
  }

  private func logLinks(_ replay: Replay) throws {
    #expect(
      try replay.log { group in
        let t = try table(group, 0)
        try t.set(zero, t.column(named: "link").key, .link(zero))
        let links = try t.collection(zero, t.column(named: "links").key)
        for key in [zero, one, zero] { try links.append(.link(key)) }
        _ = try t.setEmbedded(zero, t.column(named: "e").key)
        try t.set(one, t.column(named: "m").key, .typedLink(ObjectLink(table: table(group, 1).key, key: zero)))
      }
        == "0a 00 00 0d 86 80 b0 20 00 1e 87 80 b0 c0 00 00 1f 00 1f 01 1f 02 0d 88 80 b0 20 00 2b 85 80 98 20 01 0d 85 80 98 20 01")
    #expect(
      try replay.log { group in
        let e = try table(group, 2)
        try e.set(zero, e.column(named: "x").key, .int(4))
      } == "0a 00 02 0d 81 80 80 80 08 00")
  }

  private func logRemovals(_ replay: Replay) throws {
    #expect(
      try replay.log { group in try table(group, 1).remove(zero) }
        == "0a 00 00 0d 86 80 b0 20 00 1e 87 80 b0 c0 00 00 23 00 23 01 0d 85 80 98 20 01 0a 00 01 0c 00")
    #expect(
      try replay.log { group in
        let t = try table(group, 0)
        for name in ["l", "set", "d"] { try t.collection(zero, t.column(named: name).key).removeAll() }
      } == "0a 00 00 1e 82 80 80 c0 00 00 24 03 1e 83 80 88 80 02 00 24 01 1e 84 80 80 80 01 00 24 01")
    #expect(try replay.log { group in try table(group, 0).collection(zero, table(group, 0).column(named: "l").key).removeAll() } == "")
  }

  private func logSchemaChanges(_ replay: Replay) throws {
    #expect(
      try replay.log { group in
        let t = try table(group, 0)
        try t.addColumn(ColumnDefinition("flag", .bool))
        try t.renameColumn(t.column(named: "i").key, to: "i2")
        try group.addTable("class_Extra")
      } == "0a 00 00 14 89 80 04 16 00 01 03")
    #expect(
      try replay.log { group in
        let t = try table(group, 0)
        try t.removeColumn(t.column(named: "s").key)
        try group.removeTable(table(group, 3).key)
      } == "0a 00 00 15 81 80 08 02 03")
    #expect(
      try replay.log { group in
        let extra = try group.addTable("class_Extra2")
        try extra.addColumn(ColumnDefinition("q", .int))
        for _ in 0..<2 { try extra.createObject() }
      } == "01 83 80 04 0a 00 83 80 04 14 80 80 80 80 8c 80 10 0b 00 0b 01")
  }
}
