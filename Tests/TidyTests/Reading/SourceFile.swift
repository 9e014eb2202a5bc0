/// One file of Swift.
struct SourceFile {
  /// From the root of the package, with slashes.
  let path: String
  let tokens: [Token]
  let comments: [Comment]
  let declarations: [Declaration]
  let bodies: [DeclarationReader.Body]
  let lines: [Substring]

  init(path: String, text: String) {
    self.path = path
    let lexer = SwiftLexer(text)
    let reader = DeclarationReader(lexer.tokens)
    tokens = lexer.tokens
    comments = lexer.comments
    declarations = reader.declarations
    bodies = reader.bodies
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// `RealmStorage` of `Sources/RealmStorage/Values/Keys.swift`.
  var module: String { component(1) }
  /// `Values` of `Sources/RealmStorage/Values/Keys.swift`; the file's name if it stands in no folder.
  var folder: String { component(2) }
  /// Without folders and `.swift`.
  var baseName: String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.hasSuffix(".swift") ? String(name.dropLast(6)) : name
  }
  func isIn(_ folder: String) -> Bool { path.hasPrefix(folder + "/") }

  private func component(_ number: Int) -> String {
    let parts = path.split(separator: "/")
    return number < parts.count ? String(parts[number]) : ""
  }
}
