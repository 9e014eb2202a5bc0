import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// Leaves of four elements, so that a few hundred elements make a deep tree.
struct NarrowFamily: LeafFamily {
  let fanOut = 4
  let base = IntegerFamily()
  func count(_ space: NodeSpace, _ leaf: Ref) throws(StorageError) -> Int { try base.count(space, leaf) }
  func element(_ space: NodeSpace, _ leaf: Ref, _ index: Int) throws(StorageError) -> Int64 { try base.element(space, leaf, index) }
  func create(_ scratch: Scratch) throws(StorageError) -> Ref { try base.create(scratch) }
  func insert(_ scratch: Scratch, _ leaf: inout Ref, _ index: Int, _ element: Int64) throws(StorageError) {
    try base.insert(scratch, &leaf, index, element)
  }
  func set(_ scratch: Scratch, _ leaf: inout Ref, _ index: Int, _ element: Int64) throws(StorageError) {
    try base.set(scratch, &leaf, index, element)
  }
  func remove(_ scratch: Scratch, _ leaf: inout Ref, _ index: Int) throws(StorageError) { try base.remove(scratch, &leaf, index) }
  func split(_ scratch: Scratch, _ leaf: inout Ref, at index: Int) throws(StorageError) -> Ref { try base.split(scratch, &leaf, at: index) }
  func merge(_ scratch: Scratch, _ leaf: inout Ref, appending source: Ref) throws(StorageError) {
    try base.merge(scratch, &leaf, appending: source)
  }
}

extension BPlusTree where Family.Element == Int64 {
  func all(_ space: NodeSpace) throws -> [Int64] {
    var result: [Int64] = []
    try forEachLeaf(space) { (leaf, first, count) throws(StorageError) in
      for index in 0..<count { result.append(try family.element(space, leaf, index)) }
      return true
    }
    return result
  }
}

@Suite struct BPlusTreeTests {
  @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64]) func aNarrowTreeBehavesLikeAnArray(_ number: UInt64) throws {
    let seed = testSeed &+ number
    let test = try TestScratch()
    var random = SeededGenerator(seed: seed)
    var model: [Int64] = []
    var tree = try BPlusTree.create(test.scratch, family: NarrowFamily())
    for step in 0..<3000 {
      let growing = (step / 500) % 2 == 0
      let value = Int64.random(in: -5...70000, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<(growing ? 7 : 2):
        let index = Bool.random(using: &random) ? model.count : Int.random(in: 0...model.count, using: &random)
        try tree.insert(test.scratch, at: index, value)
        model.insert(value, at: index)
      case 9 where !model.isEmpty:
        let index = Int.random(in: 0..<model.count, using: &random)
        try tree.set(test.scratch, index, value)
        model[index] = value
      default:
        if model.isEmpty { continue }
        let index = Int.random(in: 0..<model.count, using: &random)
        try tree.remove(test.scratch, index)
        model.remove(at: index)
      }
      if step % 50 == 0 { #expect(try tree.all(test.scratch.space) == model, "seed \(seed), step \(step)") }
      if let index = model.indices.randomElement(using: &random) {
        #expect(try tree.element(test.scratch.space, index) == model[index], "seed \(seed), step \(step)")
      }
    }
    #expect(try tree.all(test.scratch.space) == model)
  }

  @Test func appendingKeepsTheCompactForm() throws {
    let test = try TestScratch()
    var tree = try BPlusTree.create(test.scratch, family: IntegerFamily())
    for value in 0..<3500 { try tree.append(test.scratch, Int64(value)) }
    let root = try test.scratch.space.node(at: tree.root)
    #expect(root.header.isInner && root.count == 6)
    #expect(root.element(unchecked: 0) == 2001 && root.element(unchecked: 5) == 7001)
    #expect(try tree.all(test.scratch.space) == (0..<3500).map(Int64.init))
    try tree.remove(test.scratch, 10)
    #expect(try test.scratch.space.node(at: tree.root).element(unchecked: 0) & 1 == 0)
    #expect(try tree.count(test.scratch.space) == 3499)
  }
}
