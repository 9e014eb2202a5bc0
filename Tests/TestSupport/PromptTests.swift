import Foundation
import Testing

/// For exit tests: they run before what waits for a thread without this.
///
/// The testing library notes that it waits for the process of an exit test only when a task that it has begun meanwhile gets a thread, which takes long beside
/// hundreds of tests that block theirs. If the process has ended by then and another one has not, its thread that asks for ended children asks on and on:
/// it took half a processor.
///
/// Their processes look for nobody's line, which takes half a second in a program of this size: `CallerLineTests` have it looked for.
package struct PromptTests: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }
  private static let looksForNoLines = setenv("REALM_CALLER_LINES", "no", 1) == 0

  package func provideScope(for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void) async throws {
    precondition(Self.looksForNoLines)
    try await withoutActuallyEscaping(function) { function in
      try await Task(priority: .userInitiated) { try await function() }.value
    }
  }
}

extension Trait where Self == PromptTests {
  package static var endsProcesses: Self { Self() }
}
