import Dispatch
import RealmSwift

/// Does what a scenario says through a realm of its own, which lives on a queue.
final class ScenarioWriter {
  private let queue = DispatchQueue(label: "conformance.writer")
  let realm: Realm

  init(_ configuration: Realm.Configuration) throws {
    let queue = queue
    realm = try queue.sync { try Realm(configuration: configuration, queue: queue) }
  }

  func commit(_ operations: [ScenarioOperation]) throws {
    try queue.sync { try realm.write { for operation in operations { try perform(operation) } } }
  }

  func cancel(_ operations: [ScenarioOperation]) throws {
    try queue.sync {
      realm.beginWrite()
      defer { realm.cancelWrite() }
      for operation in operations { try perform(operation) }
    }
  }

  private func perform(_ operation: ScenarioOperation) throws {
    switch operation.kind {
    case .create: try create(operation)
    case .delete: realm.delete(try owner(operation))
    case .deleteAll: realm.delete(realm.objects(Item.self))
    case .set: try set(operation, owner(operation))
    case .embSet: try changeEmbedded(operation, owner(operation))
    case .listInsert, .listSet, .listRemove, .listMove, .listSwap, .listClear, .listDeleteTargets: try editList(operation, owner(operation))
    case .setInsert, .setRemove, .setClear: try editSet(operation, owner(operation))
    case .dictSet, .dictRemove, .dictClear: try editDictionary(operation, owner(operation))
    }
  }

  // MARK: Objects

  private func owner(_ operation: ScenarioOperation) throws -> Item { try item(ScenarioValue(try operation.integer("id"))) }

  private func create(_ operation: ScenarioOperation) throws {
    let id = try operation.integer("id")
    guard realm.object(ofType: Item.self, forPrimaryKey: id) == nil else { throw operation.malformed("creates an item that exists") }
    let item = realm.create(Item.self, value: ["id": id])
    for property in ["n", "s", "d"] {
      if let value = operation.values.members?[property] { try setScalar(property, value, item, operation) }
    }
  }

  private func setScalar(_ property: String, _ value: ScenarioValue, _ item: Item, _ operation: ScenarioOperation) throws {
    switch property {
    case "n": item.n = try number(value)
    case "s": item.s = value.text
    case "d": item.d = value.number
    default: throw operation.malformed("names no property that can be set")
    }
  }

  private func set(_ operation: ScenarioOperation, _ owner: Item) throws {
    let value = operation.value
    func elements() throws -> [ScenarioValue] {
      guard let array = value.array else { throw operation.malformed("has no elements") }
      return array
    }
    func entries() throws -> [(key: String, value: ScenarioValue)] {
      guard let members = value.members else { throw operation.malformed("has no entries") }
      return members.sorted { $0.key < $1.key }
    }
    switch operation.property {
    case "any": owner.any = try mixed(value)
    case "link": owner.link = try optionalItem(value)
    case "emb": owner.emb = value.isNull ? nil : try embedded(value)
    case "list": owner.list.append(objectsIn: try elements().map(item))
    case "set": owner.set.insert(objectsIn: try elements().map(item))
    case "map": for entry in try entries() { owner.map.updateValue(try optionalItem(entry.value), forKey: entry.key) }
    case "ints": owner.ints.append(objectsIn: try elements().map(number))
    case "strs": owner.strs.insert(objectsIn: try elements().map(text))
    case "nums": for entry in try entries() { owner.nums.updateValue(try number(entry.value), forKey: entry.key) }
    case "embs": owner.embs.append(objectsIn: try elements().map(embedded))
    default: try setScalar(operation.property, value, owner, operation)
    }
  }

  private func changeEmbedded(_ operation: ScenarioOperation, _ owner: Item) throws {
    let object = operation.property == "embs" ? owner.embs[try operation.position("index", below: owner.embs.count)] : owner.emb
    guard let object else { throw operation.malformed("names an embedded object that does not exist") }
    switch operation.field {
    case "v": object.v = try number(operation.value)
    case "link": object.link = try optionalItem(operation.value)
    default: throw operation.malformed("names no field of an embedded object")
    }
  }
}
