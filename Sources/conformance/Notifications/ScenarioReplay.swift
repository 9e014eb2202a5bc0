import RealmSwift

/// Replays one scenario in a new realm in memory: one instance writes, another observes.
struct ScenarioReplay {
  private let scenario: Scenario
  private let writer: ScenarioWriter
  private let realm: Realm

  init(_ scenario: Scenario, identifier: String) throws {
    self.scenario = scenario
    let configuration = Realm.Configuration(inMemoryIdentifier: identifier, objectTypes: [Item.self, Emb.self])
    realm = try Realm(configuration: configuration)
    writer = try ScenarioWriter(configuration)
  }

  /// The first thing that is not as it was recorded; nil if everything is.
  func difference() throws -> String? {
    try writer.commit(scenario.setup)
    realm.refresh()
    let observer = try ScenarioObserver(scenario.source, realm)
    realm.refresh()
    let beginning = scenario.source.kind == .object ? [] : [ScenarioObserver.beginning]
    if let problem = difference("report", beginning, observer.takeReports()) { return "at the beginning: \(problem)" }
    if let problem = difference("contents", [scenario.initial], [observer.contents]) { return "at the beginning: \(problem)" }
    for (number, step) in scenario.steps.enumerated() {
      if let cancelled = step.cancelled { try writer.cancel(cancelled) }
      for transaction in step.transactions { try writer.commit(transaction) }
      realm.refresh()
      let problems = [
        difference("report", reported(step.change), observer.takeReports()), difference("contents", [step.contents], [observer.contents]),
      ].compactMap { $0 }
      if !problems.isEmpty { return "transaction \(number + 1): \(problems.joined(separator: "; "))" }
    }
    return nil
  }

  /// What the SDK passes on of a recorded change: no new positions of modifications, not that the owner was deleted, and nothing at all of an
  /// empty collection whose owner was.
  private func reported(_ change: ScenarioValue) -> [ScenarioValue] {
    let change = ScenarioCorrection.corrected(change)
    guard let members = change.members, !change["rootDeleted"].isTrue || change["deletions"].array?.isEmpty == false else { return [] }
    return [.members(members.filter { !["modificationsNew", "rootDeleted"].contains($0.key) })]
  }

  private func difference(_ what: String, _ expected: [ScenarioValue], _ found: [ScenarioValue]) -> String? {
    if expected == found { return nil }
    func text(_ values: [ScenarioValue]) -> String { values.isEmpty ? "none" : values.map(\.description).joined(separator: " and ") }
    return "expected \(what) \(text(expected)), got \(text(found))"
  }
}
