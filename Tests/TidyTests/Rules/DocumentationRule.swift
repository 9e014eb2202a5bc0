import Testing

/// Whatever is `public` or `open` has a `///` comment.
///
/// A name that begins with an underscore is public for the compiler's sake: it is explained once, where it is required or where it is made.
enum DocumentationRule: Rule {
  static let name = "documentation"

  static func violations(in repository: Repository) -> [Violation] {
    let files = repository.swift.filter { $0.isIn("Sources") }
    let explained = Set(files.flatMap(\.declarations).filter { $0.isDocumented && $0.name.hasPrefix("_") }.map(\.name))
    return files.flatMap { file in
      file.declarations.filter { $0.isPublic && !$0.isDocumented && $0.kind != .extensionOf && !explained.contains($0.name) }.map { declaration in
        let what = [declaration.kind.rawValue, declaration.name].filter { !$0.isEmpty }.joined(separator: " ")
        return Violation(path: file.path, line: declaration.line, message: "public \(what) has no /// comment: say what callers cannot see")
      }
    }
  }
}

@Suite struct DocumentationRuleTests {
  @Test(arguments: ["public struct A {}", "// A.\nopen class A {}", "@inlinable\n  public static func a() {}", "/// A.\nlet a = 1\npublic let b = 2"])
  func aPublicDeclarationWithoutACommentIsFound(_ text: String) {
    #expect(DocumentationRule.violations(in: Repository(swift: ["Sources/A/A.swift": text])).count == 1)
  }

  @Test func anUnderscoredNameIsExplainedOnce() {
    let sample = "public protocol A {\n  /// B.\n  func _b()\n}\nstruct C: A {\n  public func _b() {}\n  public func _d() {}\n}"
    #expect(DocumentationRule.violations(in: Repository(swift: ["Sources/A/A.swift": "/// A.\n" + sample])).map(\.line) == [8])
  }

  @Test(arguments: ["/// A.\n@objc(a) public final class A {}", "/** A. */ public let b = 2", "public extension A {}", "package struct B {}"])
  func otherDeclarationsAreNot(_ text: String) {
    #expect(DocumentationRule.violations(in: Repository(swift: ["Sources/A/A.swift": text])).isEmpty)
  }
}
