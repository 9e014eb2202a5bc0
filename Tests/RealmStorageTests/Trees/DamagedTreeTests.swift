import TestSupport
import Testing

@testable import RealmStorage

/// Numbers in the inner nodes of damaged trees: they are refused, or taken for the nearest that make sense, and never too large to be added or
/// multiplied.
@Suite(.mustEnd) struct DamagedTreeTests {
  private static let largest = UInt64(Int64.max >> 1)

  private func narrowTree(_ file: TestScratch) throws -> BPlusTree<NarrowFamily> {
    var tree = try BPlusTree.create(file.scratch, family: NarrowFamily())
    for value in 0..<16 as Range<Int64> { try tree.append(file.scratch, value) }
    return tree
  }

  @Test func aTreeThatClaimsTooManyElementsPerChildIsNotChanged() throws {
    let file = try TestScratch()
    var tree = try narrowTree(file)
    #expect(try file.scratch.space.node(at: tree.root).element(unchecked: 0) == 9, "four elements per child, and a tag")
    file.scratch.setTagged(tree.root, 0, Self.largest)
    #expect(throws: StorageError.self) { try tree.append(file.scratch, 1) }
    #expect(throws: StorageError.self) { try tree.insert(file.scratch, at: 1, 1) }
    #expect(throws: StorageError.self) { try tree.remove(file.scratch, 1) }
  }

  @Test func aTreeThatClaimsTooManyElementsIsRefused() throws {
    let file = try TestScratch()
    let tree = try narrowTree(file)
    file.scratch.setTagged(tree.root, 5, Self.largest)
    #expect(throws: StorageError.self) { try tree.count(file.scratch.space) }
  }

  /// Four inner nodes of one cluster each, all of which claim to hold so many objects.
  private func clusterTree(_ file: TestScratch, objectCount: UInt64) throws -> Ref {
    let scratch = file.scratch
    let root = try scratch.createRefs(count: 7, flags: NodeHeader.Flags.inner)
    scratch.setTagged(root, ClusterInner.Slot.depth, 2)
    scratch.setTagged(root, ClusterInner.Slot.objectCount, objectCount)
    for index in 0..<4 {
      let cluster = try ClusterEditor.create(scratch, layout: []).root
      scratch.setTagged(cluster, Cluster.Slot.keys, 5)
      let inner = try scratch.createRefs(count: 4, flags: NodeHeader.Flags.inner)
      scratch.setTagged(inner, ClusterInner.Slot.depth, 1)
      scratch.setTagged(inner, ClusterInner.Slot.objectCount, objectCount)
      scratch.setChild(inner, ClusterInner.Slot.firstChild, cluster)
      scratch.setChild(root, ClusterInner.Slot.firstChild + index, inner)
    }
    return root
  }

  @Test(arguments: [largest, 1 << 62, UInt64(bitPattern: -5)]) func objectsAreLookedForWhateverTheirNumberIsSaidToBe(_ count: UInt64) throws {
    let file = try TestScratch()
    let root = try clusterTree(file, objectCount: count)
    let space = file.scratch.space
    #expect(try ClusterTree.count(space, root) >= 0)
    _ = try ClusterTree.position(space, root, of: ObjectKey(3 << 16 + 1))
    _ = try ClusterTree.locate(space, root, position: 3)
  }

  /// A live object of a damaged file with the smallest key that there is: its number has no counterpart.
  @Test func aClusterThatBeginsWithTheSmallestNumberIsSplit() throws {
    let file = try TestScratch()
    var editor = try ClusterEditor.create(file.scratch, layout: [])
    for key in 0..<256 as Range<Int64> { _ = try editor.insert(file.scratch, ObjectKey(.min + key)) }
    _ = try editor.insert(file.scratch, ObjectKey(0))
    #expect(try ClusterTree.keys(file.scratch.space, editor.root).map(\.rawValue) == [0] + (0..<256).map { .min + $0 })
  }

  /// Of objects with the largest key and a counter that stands there no more can be made.
  @Test func aTableWithoutKeysThatAreLeftMakesNoObjects() throws {
    let file = try TestScratch()
    let group = try Group(writing: file.scratch, top: .null)
    let table = try group.addTable("class_Item")
    try table.setPrimaryKey(table.addColumn(ColumnDefinition("id", .int)))
    try table.createObject(withKey: ObjectKey(.max), primaryKey: .int(1))
    file.scratch.setTagged(table.state.ref, TableTopSlot.objectSequence, UInt64(Int64.max))
    #expect(throws: StorageError.self) { try table.createObject(primaryKey: 2) }
    #expect(throws: StorageError.self) { try table.createObject(primaryKey: .int(3)) }
    #expect(try table.keys() == [ObjectKey(.max)])
    try group.check()
  }
}
