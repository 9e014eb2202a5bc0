import RealmSwift

extension ScenarioWriter {
  func editList(_ operation: ScenarioOperation, _ owner: Item) throws {
    switch operation.property {
    case "list":
      if operation.kind == .listDeleteTargets { realm.delete(owner.list) } else { try edit(owner.list, operation, item) }
    case "ints": try edit(owner.ints, operation, number)
    case "embs": try edit(owner.embs, operation, embedded)
    case "any":
      guard let list = owner.any.listValue else { throw operation.malformed("needs a list") }
      try edit(list, operation, mixed)
    default: throw operation.malformed("names no list")
    }
  }

  private func edit<Element>(_ list: List<Element>, _ operation: ScenarioOperation, _ element: (ScenarioValue) throws -> Element) throws {
    func position(_ name: String) throws -> Int { try operation.position(name, below: list.count) }
    switch operation.kind {
    case .listInsert: list.insert(try element(operation.value), at: try operation.position("index", below: list.count + 1))
    case .listSet: list[try position("index")] = try element(operation.value)
    case .listRemove: list.remove(at: try position("index"))
    case .listMove: list.move(from: try position("from"), to: try position("to"))
    case .listSwap: list.swapAt(try position("from"), try position("to"))
    case .listClear: list.removeAll()
    default: throw operation.malformed("is nothing that can be done to this list")
    }
  }

  func editSet(_ operation: ScenarioOperation, _ owner: Item) throws {
    switch operation.property {
    case "set": try edit(owner.set, operation, item)
    case "strs": try edit(owner.strs, operation, text)
    default: throw operation.malformed("names no set")
    }
  }

  private func edit<Element>(_ set: MutableSet<Element>, _ operation: ScenarioOperation, _ element: (ScenarioValue) throws -> Element) throws {
    switch operation.kind {
    case .setInsert: set.insert(try element(operation.value))
    case .setRemove: set.remove(try element(operation.value))
    default: set.removeAll()
    }
  }

  func editDictionary(_ operation: ScenarioOperation, _ owner: Item) throws {
    switch operation.property {
    case "map": try edit(owner.map, operation, optionalItem)
    case "nums": try edit(owner.nums, operation, number)
    case "any":
      guard let map = owner.any.dictionaryValue else { throw operation.malformed("needs a dictionary") }
      try edit(map, operation, mixed)
    default: throw operation.malformed("names no dictionary")
    }
  }

  private func edit<Value>(_ map: Map<String, Value>, _ operation: ScenarioOperation, _ value: (ScenarioValue) throws -> Value) throws {
    switch operation.kind {
    case .dictSet: map.updateValue(try value(operation.value), forKey: try operation.key())
    case .dictRemove: map.removeObject(for: try operation.key())
    default: map.removeAll()
    }
  }
}
