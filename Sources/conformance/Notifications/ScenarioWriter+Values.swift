import RealmSwift

// What values of a scenario are in the realm that is written.

extension ScenarioWriter {
  /// Numbers that are missing are 0.
  func number(_ value: ScenarioValue) throws -> Int {
    guard let number = value.isNull ? 0 : value.integer else { throw MalformedScenario("\(value) is no whole number") }
    return number
  }

  func text(_ value: ScenarioValue) throws -> String {
    guard let text = value.text else { throw MalformedScenario("\(value) is no text") }
    return text
  }

  /// The item with an id.
  func item(_ id: ScenarioValue) throws -> Item {
    guard let number = id.integer, let item = realm.object(ofType: Item.self, forPrimaryKey: number) else {
      throw MalformedScenario("there is no item \(id)")
    }
    return item
  }

  func optionalItem(_ id: ScenarioValue) throws -> Item? { id.isNull ? nil : try item(id) }

  /// A new embedded object.
  func embedded(_ value: ScenarioValue) throws -> Emb { Emb(v: try number(value["v"]), link: try optionalItem(value["link"])) }

  /// A value with its type: `{"int": 1}`.
  func mixed(_ value: ScenarioValue) throws -> AnyRealmValue {
    if value.isNull { return .none }
    guard let members = value.members, members.count == 1, let (type, content) = members.first else {
      throw MalformedScenario("\(value) is no value with its type")
    }
    switch (type, content) {
    case ("int", _): return .int(try number(content))
    case ("double", .number(let number)): return .double(number)
    case ("string", _): return .string(try text(content))
    case ("link", _): return .object(try item(content))
    case ("list", .array(let elements)): return .fromArray(try elements.map(mixed))
    case ("map", .members(let entries)): return .fromDictionary(try entries.mapValues(mixed))
    default: throw MalformedScenario("\(value) is no value with its type")
    }
  }
}
