import RealmSwift

// Contents in the form of the recording.

extension ScenarioValue {
  /// A link to nothing is left out.
  init(_ object: Emb) {
    var members = ["v": ScenarioValue(object.v)]
    if let target = object.link { members["link"] = ScenarioValue(target.id) }
    self = .members(members)
  }

  /// The properties that are recorded of an item.
  init(properties item: Item) {
    self = .members([
      "n": ScenarioValue(item.n), "s": ScenarioValue(item.s), "d": item.d.map { .number($0) } ?? .null, "link": ScenarioValue(item.link?.id),
    ])
  }

  /// A value with its type.
  init(_ value: AnyRealmValue) {
    switch value {
    case .int(let number): self = .members(["int": ScenarioValue(number)])
    case .double(let number): self = .members(["double": .number(number)])
    case .string(let text): self = .members(["string": .text(text)])
    case .object(let object): self = .members(["link": ScenarioValue((object as? Item)?.id)])
    case .list(let list): self = .members(["list": .array(list.map { ScenarioValue($0) })])
    case .dictionary(let map):
      self = .members(["map": .members(Dictionary(uniqueKeysWithValues: map.asKeyValueSequence().map { ($0.key, ScenarioValue($0.value)) }))])
    default: self = .null
    }
  }
}
