import Foundation
import TestSupport
import Testing

@testable import RealmStorage

/// Where backlink columns of links to the own class lie: behind the links, or the original stops when it deletes such an object (F4.5).
@Suite(.mustEnd) struct BacklinkSlotTests {
  @Test func backlinksOfLinksToTheOwnClassGoBehindTheLinks() throws {
    let file = try TestScratch()
    let group = try Group(writing: file.scratch, top: .null)
    let node = try group.addTable("class_Node")
    let vacated = try (0..<3).map { try node.addColumn(ColumnDefinition("gone\($0)", .int)) }
    let any = try node.addColumn(ColumnDefinition("any", .mixed))
    for column in vacated { try node.removeColumn(column) }
    let (origin, target) = (try node.createObject(), try node.createObject())
    try node.set(origin, any, .typedLink(ObjectLink(table: node.key, key: target)))
    let backlinks = try #require(node.backlinkColumns.first)
    #expect(backlinks.leafIndex > any.leafIndex)
    // Nothing is wasted: what is no backlink column takes the vacant slots.
    #expect(try node.addColumn(ColumnDefinition("number", .int)).leafIndex == 0)
    try node.remove(origin)
    #expect(try node.backlinks(target, backlinks.key).isEmpty)
  }

  /// Other classes are not concerned: their rows stay where they are.
  @Test func backlinksOfLinksToAnotherClassTakeTheFirstVacantSlot() throws {
    let file = try TestScratch()
    let group = try Group(writing: file.scratch, top: .null)
    let (hub, node) = (try group.addTable("class_Hub"), try group.addTable("class_Node"))
    let vacated = try hub.addColumn(ColumnDefinition("gone", .int))
    _ = try hub.addColumn(ColumnDefinition("stays", .int))
    try hub.removeColumn(vacated)
    let any = try node.addColumn(ColumnDefinition("any", .mixed))
    try node.set(node.createObject(), any, .typedLink(ObjectLink(table: hub.key, key: hub.createObject())))
    #expect(hub.backlinkColumns.map(\.leafIndex) == [0])
  }

  /// A file of the original in which both backlink columns lie before their links.
  @Test func objectsOfFilesThatStopTheOriginalAreDeletedInAnyOrder() throws {
    let fixture = Fixture.path("realm-core/backlinks_before_links.realm")
    let note = "the links it belongs to have a later slot: the original may stop when it deletes an object that has one (F4.5)"
    #expect(try FileContents.notes(fixture).filter { $0.hasSuffix(note) }.count == 2)
    for first in 0..<5 {
      let directory = TestDirectory()
      try FileManager.default.copyItem(atPath: fixture, toPath: directory.file())
      let database = try Database.open(path: directory.file())
      for key in 0..<5 {
        try database.write { (group) throws(StorageError) in
          try group.table(named: "class_Node")?.remove(ObjectKey(Int64((first + key) % 5)))
        }
        #expect(try FileContents.violations(directory.file()) == [])
      }
      database.close()
      if IndependentTools.areThere { #expect(try IndependentTools.violation(directory.file()) == nil) }
    }
  }
}
