/// Scenarios that are not replayed, because the SDK is meant to differ from the engine's own interface there.
enum ScenarioExclusion {
  /// Why a scenario is left out; nil if it is not.
  static func reason(_ scenario: Scenario) -> String? {
    guard let keyPaths = scenario.source.keyPaths, keyPaths.isEmpty else { return nil }
    return "an empty array of key paths means all properties in the SDK, and no property in the engine's own interface"
  }
}
