import Foundation
import Testing

extension Trait where Self == ConditionTrait {
  /// Skipped where the files of older formats are not at hand: they are not part of this repository.
  package static var needsOlderFormats: Self { .enabled(if: Fixture.hasOlderFormats, Comment(rawValue: Fixture.olderFormatsAreMissing)) }
  /// Skipped without Python 3.
  package static var needsPython: Self { .enabled(if: IndependentTools.areThere, "needs Python 3") }
  /// Skipped without Python 3 and its package `cryptography`.
  package static var needsDecryption: Self {
    .enabled(if: IndependentTools.canDecrypt, "needs Python 3 with the package cryptography")
  }
  /// Skipped without libedit, or another `libedit.so`, which the shell of the tool edits lines with.
  package static var needsLineEditor: Self {
    .enabled(if: (["libedit.so.2", "libedit.so.0", "libedit.so"] as [String]).contains { dlopen($0, RTLD_NOW) != nil }, "needs libedit")
  }
}
