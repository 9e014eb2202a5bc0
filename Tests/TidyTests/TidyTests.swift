import Testing

/// The rules of this repository that a compiler does not know. Each says where it is broken and what to do; what it means is said where it is written.
@Suite struct TidyTests {
  @Test func floorsUseOnlyLowerFloors() { check(FloorRule.self) }
  @Test func modulesImportOnlyLowerModules() { check(ModuleRule.self) }
  @Test func unsafeCodeStandsInNamedFiles() { check(UnsafeFileRule.self) }
  @Test func filesThatMaySayUnsafeDoSo() { check(UnsafeListRule.self) }
  @Test func promisesToTheCompilerSayWhyTheyHold() { check(SafetyCommentRule.self) }
  @Test func locksAreSafeInAsynchronousFunctions() { check(LockRule.self) }
  @Test func sumsBehindCombinationsHaveParentheses() { check(PrecedenceRule.self) }
  @Test func citationsResolve() { check(CitationRule.self) }
  @Test func slotsHaveNames() { check(SlotNameRule.self) }
  @Test func functionsFitOnAScreen() { check(FunctionLengthRule.self) }
  @Test func filesHaveOneSubject() { check(FileLengthRule.self) }
  @Test func publicDeclarationsAreDocumented() { check(DocumentationRule.self) }
  @Test func declaredNamesAreUsed() { check(UnusedNameRule.self) }
  @Test func theVersionStandsInOnePlace() { check(VersionRule.self) }
  @Test func extensionsStandInFilesOfTheirName() { check(ExtensionFileRule.self) }
  @Test func textIsForStrangers() { check(StrangerRule.self) }
  @Test func testsAskTestSupportForTheirEnvironment() { check(EnvironmentRule.self) }
  @Test func exitTestsDoNotQueue() { check(ExitTestRule.self) }
  @Test func linksBetweenDocumentsResolve() { check(LinkRule.self) }
  @Test func theReadmeShowsTheProgramThatIsBuilt() { check(QuickStartRule.self) }

  private func check(_ rule: any Rule.Type, location: SourceLocation = #_sourceLocation) {
    let violations = rule.violations(in: .own)
    if violations.isEmpty { return }
    let list = violations.map(\.description).joined(separator: "\n")
    Issue.record("\(rule.name): \(violations.count)\n\(list)", sourceLocation: location)
  }
}
