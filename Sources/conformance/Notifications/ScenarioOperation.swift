/// One change of a scenario.
struct ScenarioOperation: CustomStringConvertible {
  enum Kind: String {
    case create, set, delete, deleteAll
    case listInsert, listSet, listRemove, listMove, listSwap, listClear, listDeleteTargets
    case setInsert, setRemove, setClear
    case dictSet, dictRemove, dictClear
    case embSet
  }
  let kind: Kind
  private let members: ScenarioValue

  init(_ value: ScenarioValue) throws {
    guard let kind = value["op"].text.flatMap({ Kind(rawValue: $0) }) else { throw MalformedScenario("there is no operation \(value["op"])") }
    self.kind = kind
    members = value
  }

  var description: String { members.description }
  var property: String { members["property"].text ?? "" }
  var value: ScenarioValue { members["value"] }
  /// The properties of an item that is created.
  var values: ScenarioValue { members["values"] }
  /// The property of an embedded object.
  var field: String { members["field"].text ?? "" }

  /// A member that has to be a number.
  func integer(_ name: String) throws -> Int {
    guard let integer = members[name].integer else { throw malformed("has no \"\(name)\"") }
    return integer
  }

  /// A position in a collection.
  func position(_ name: String, below count: Int) throws -> Int {
    let position = try integer(name)
    guard (0..<count).contains(position) else { throw malformed("names a place that does not exist") }
    return position
  }

  /// The key of an entry.
  func key() throws -> String {
    guard let key = members["key"].text else { throw malformed("has no \"key\"") }
    return key
  }

  func malformed(_ reason: String) -> MalformedScenario { MalformedScenario("\(self) \(reason)") }
}
