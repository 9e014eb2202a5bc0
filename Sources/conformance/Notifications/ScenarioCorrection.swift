/// Recorded reports that are known to be wrong, and the right ones.
enum ScenarioCorrection {
  static let reason = "insertions and modifications are not compared where the collection is gone: the original names places in nothing"

  /// What happened to a collection in the same delivery before it was gone is part of the recorded report. The right one only has what it held.
  static func corrected(_ change: ScenarioValue) -> ScenarioValue {
    guard case .members(var members) = change, change["rootDeleted"].isTrue else { return change }
    for name in ["insertions", "modifications"] where members[name] != nil { members[name] = .array([]) }
    return .members(members)
  }

  static func isNeeded(_ scenario: Scenario) -> Bool {
    scenario.steps.contains { step in
      let corrected = corrected(step.change)
      return ["insertions", "modifications"].contains { step.change[$0] != corrected[$0] }
    }
  }
}
