import Foundation

/// A recorded scenario: what is observed, what is done, and what the original engine reported. `Tests/Fixtures/notifications/README.md` describes it.
struct Scenario {
  let name: String
  let setup: [ScenarioOperation]
  let source: ScenarioSource
  /// The contents at the beginning.
  let initial: ScenarioValue
  let steps: [Step]

  /// What happens between two deliveries.
  struct Step {
    /// Done in a transaction that is cancelled, before the others; nil if there is none.
    let cancelled: [ScenarioOperation]?
    /// Those that are committed, one after the other.
    let transactions: [[ScenarioOperation]]
    /// The report; null if there is none.
    let change: ScenarioValue
    /// The contents afterwards.
    let contents: ScenarioValue

    fileprivate init(_ value: ScenarioValue) throws {
      guard let operations = value["ops"].array, let members = value.members, members["change"] != nil, let contents = members["after"] else {
        throw MalformedScenario("a transaction has no \"ops\", \"change\" or \"after\"")
      }
      cancelled = try value["cancelledBefore"].array?.map { try ScenarioOperation($0) }
      if value["merged"].isTrue {
        transactions = try operations.map { transaction in
          guard let operations = transaction.array else { throw MalformedScenario("merged transactions are no lists of operations") }
          return try operations.map { try ScenarioOperation($0) }
        }
      } else {
        transactions = [try operations.map { try ScenarioOperation($0) }]
      }
      change = value["change"]
      self.contents = contents
    }
  }

  init(_ value: ScenarioValue) throws {
    guard let name = value["name"].text, let setup = value["setup"].array, let steps = value["transactions"].array else {
      throw MalformedScenario("there is no \"name\", \"setup\" or \"transactions\"")
    }
    self.name = name
    self.setup = try setup.map { try ScenarioOperation($0) }
    source = try ScenarioSource(value["observe"])
    initial = value["initial"]
    self.steps = try steps.map { try Step($0) }
  }
}

/// What is observed.
struct ScenarioSource {
  enum Kind: String { case results, list, set, dictionary, object, linkingObjects }
  let kind: Kind
  /// The item that is observed, or has the observed collection.
  let owner: Int?
  /// The collection; of linking objects the property that links.
  let property: String?
  /// In the query language.
  let filter: String?
  let order: [(keyPath: String, isAscending: Bool)]
  let distinct: [String]
  let keyPaths: [String]?

  fileprivate init(_ value: ScenarioValue) throws {
    guard let kind = value["kind"].text.flatMap({ Kind(rawValue: $0) }) else { throw MalformedScenario("\"observe\" has no kind that is known") }
    guard value["limit"].isNull else { throw MalformedScenario("limits are not known") }
    self.kind = kind
    owner = value["source"]["object"].integer
    property = value["source"]["property"].text
    filter = value["filter"].text
    order = try (value["sort"].array ?? []).map { key in
      guard let parts = key.array, parts.count == 2, let keyPath = parts[0].text else { throw MalformedScenario("a key of \"sort\" is \(key)") }
      return (keyPath, parts[1].isTrue)
    }
    distinct = (value["distinct"].array ?? []).compactMap(\.text)
    keyPaths = value["keyPaths"].array.map { $0.compactMap(\.text) }
  }
}
