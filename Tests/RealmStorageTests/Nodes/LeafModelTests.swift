import Randomness
import TestSupport
import Testing

@testable import RealmStorage

/// Every family of leaves against a plain array of values.
@Suite struct LeafModelTests {
  private func texts(_ values: [Value]) -> [String] { values.map(identity) }

  @Test(arguments: LeafModel.all, sample([1, 2, 3] as [UInt64]))
  func aLeafBehavesLikeAnArray(_ family: LeafModel, _ number: UInt64) throws {
    let seed = testSeed &+ number
    let test = try TestScratch()
    let scratch = test.scratch
    var random = SeededGenerator(seed: seed)
    var ref = try family.create(scratch, 0, number == 1)
    var model: [Value] = []
    for step in 0..<1500 {
      let stage = step / 140
      let value = family.value(&random, stage)
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<4:
        let index = Int.random(in: 0...model.count, using: &random)
        try family.insert(scratch, &ref, index, value)
        model.insert(value, at: index)
      case 4, 5:
        try family.insert(scratch, &ref, model.count, value)
        model.append(value)
      case 6..<10:
        guard let index = model.indices.randomElement(using: &random) else { continue }
        try family.set(scratch, &ref, index, value)
        model[index] = value
      case 10:
        guard let index = model.indices.randomElement(using: &random) else { continue }
        try family.remove(scratch, &ref, index..<index + 1)
        model.remove(at: index)
      default:
        try changeCoarsely(family, scratch, &ref, &model, &random)
      }
      try family.check(test.space, ref, model.count)
      guard step % 3 == 0 || step == 1499 else { continue }
      let stored = try family.read(test.space, ref)
      try #require(texts(stored) == texts(model), "seed \(seed), step \(step)")
    }
  }

  /// Removes a range, or splits and goes on with one of the halves.
  private func changeCoarsely(
    _ family: LeafModel, _ scratch: Scratch, _ ref: inout Ref, _ model: inout [Value], _ random: inout SeededGenerator
  ) throws {
    let index = Int.random(in: 0...model.count, using: &random)
    if Bool.random(using: &random) {
      let range = index..<Int.random(in: index...min(model.count, index + 20), using: &random)
      try family.remove(scratch, &ref, range)
      model.removeSubrange(range)
      return
    }
    let tail = try family.split(scratch, &ref, index)
    try family.check(scratch.space, ref, index)
    try family.check(scratch.space, tail, model.count - index)
    #expect(try texts(family.read(scratch.space, ref)) == texts(Array(model[..<index])))
    #expect(try texts(family.read(scratch.space, tail)) == texts(Array(model[index...])))
    let keepsHead = index > model.count / 2
    try scratch.freeTree(keepsHead ? tail : ref)
    if keepsHead {
      model.removeSubrange(index...)
    } else {
      ref = tail
      model.removeSubrange(..<index)
    }
  }

  @Test(arguments: LeafModel.all) func aNewLeafHoldsTheDefault(_ family: LeafModel) throws {
    let test = try TestScratch()
    for count in [0, 1, 7, 8, 9, 256] {
      for isNullable in [false, true] {
        let ref = try family.create(test.scratch, count, isNullable)
        try family.check(test.space, ref, count)
        let expected = identity(isNullable ? .null : family.defaultValue)
        #expect(try texts(family.read(test.space, ref)) == Array(repeating: expected, count: count))
      }
    }
  }

  @Test(arguments: LeafModel.all) func aLeafOfTheFileIsCopiedBeforeItChanges(_ family: LeafModel) throws {
    var random = SeededGenerator(test: 4)
    for stage in 0..<10 {
      let maker = try TestScratch()
      var ref = try family.create(maker.scratch, 0, true)
      var model: [Value] = []
      for index in 0..<20 {
        model.append(family.value(&random, stage))
        try family.insert(maker.scratch, &ref, index, model[index])
      }
      let image = try NodeImage(of: ref, in: maker.space)
      let test = try TestScratch(image.bytes)
      try family.check(test.fileSpace, image.root, 20)
      for operation in 0..<4 {
        var changed = image.root
        var expected = model
        let value = family.value(&random, stage)
        switch operation {
        case 0:
          try family.insert(test.scratch, &changed, 9, value)
          expected.insert(value, at: 9)
        case 1:
          try family.set(test.scratch, &changed, 9, value)
          expected[9] = value
        case 2:
          try family.remove(test.scratch, &changed, 5..<11)
          expected.removeSubrange(5..<11)
        default:
          _ = try family.split(test.scratch, &changed, 13)
          expected.removeSubrange(13...)
        }
        #expect(test.space.isDirty(changed))
        try family.check(test.space, changed, expected.count)
        #expect(try texts(family.read(test.space, changed)) == texts(expected))
        #expect(try texts(family.read(test.fileSpace, image.root)) == texts(model))
        test.scratch.reset()
      }
    }
  }

  @Test(arguments: LeafModel.all) func anElementBeyondTheEndIsAnError(_ family: LeafModel) throws {
    let test = try TestScratch()
    var ref = try family.create(test.scratch, 3, true)
    var random = SeededGenerator(test: 1)
    let value = family.value(&random, 0)
    #expect(throws: StorageError.self) { try family.insert(test.scratch, &ref, 4, value) }
    #expect(throws: StorageError.self) { try family.set(test.scratch, &ref, 3, value) }
    #expect(throws: StorageError.self) { try family.remove(test.scratch, &ref, 3..<4) }
    #expect(throws: StorageError.self) { _ = try family.split(test.scratch, &ref, 4) }
    #expect(throws: StorageError.self) { try family.set(test.scratch, &ref, 0, .link(ObjectKey(1))) }
    try family.check(test.space, ref, 3)
  }
}

/// Forged leaves: everything ends in a value or an error.
@Suite struct LeafFuzzTests {
  @Test(arguments: LeafModel.all) func aForgedLeafNeverTraps(_ family: LeafModel) throws {
    var random = SeededGenerator(test: 77)
    for stage in [0, 2, 5, 9] {
      let maker = try TestScratch()
      var ref = try family.create(maker.scratch, 0, true)
      for index in 0..<12 { try family.insert(maker.scratch, &ref, index, family.value(&random, stage)) }
      let image = try NodeImage(of: ref, in: maker.space)
      let test = try TestScratch(image.bytes)
      for _ in 0..<400 {
        var forged = image.bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let bit = Int.random(in: 24 * 8..<forged.count * 8, using: &random)
          forged[bit >> 3] ^= 1 << UInt8(bit & 7)
        }
        try test.write(forged)
        _ = try? family.read(test.fileSpace, image.root)
        change(family, test, image.root, &random, stage)
        test.scratch.reset()
      }
    }
  }

  private func change(_ family: LeafModel, _ test: TestScratch, _ root: Ref, _ random: inout SeededGenerator, _ stage: Int) {
    var ref = root
    for _ in 0..<4 {
      let index = Int.random(in: 0..<14, using: &random)
      let value = family.value(&random, stage)
      do {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: try family.insert(test.scratch, &ref, index, value)
        case 1: try family.set(test.scratch, &ref, index, value)
        case 2: try family.remove(test.scratch, &ref, index..<index + Int.random(in: 0..<3, using: &random))
        default: _ = try family.split(test.scratch, &ref, index)
        }
        _ = try family.read(test.space, ref)
      } catch {
        // The transaction would be cancelled.
        return
      }
    }
  }
}
