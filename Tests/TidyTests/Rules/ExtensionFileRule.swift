import Testing

/// An extension of a type that is declared elsewhere stands in a file named after the type: `List.swift`, `List+Codable.swift`. If it adds a
/// conformance, the protocol's name does, too. An extension with private members only serves the file that it stands in.
enum ExtensionFileRule: Rule {
  static let name = "extension files"

  static func violations(in repository: Repository) -> [Violation] {
    repository.swift.filter { !$0.isIn("Tests") }.flatMap { file -> [Violation] in
      let own = Set(file.declarations.filter { $0.kind.isType }.map(\.name))
      let subject = String(file.baseName.split(separator: "+").first ?? "")
      return file.declarations.enumerated().compactMap { index, declaration in
        guard declaration.kind == .extensionOf, !isPrivate(index, in: file) else { return nil }
        let parts = declaration.name.split(separator: ".").map(String.init)
        if let first = parts.first, own.contains(first) || (parts.count > 1 && own.contains(parts[parts.count - 1])) { return nil }
        if ([declaration.name] + parts.prefix(1) + declaration.inherited).contains(subject) { return nil }
        let message =
          "extension \(declaration.name) in \(file.baseName).swift: move it to \(declaration.name)+Topic.swift, or make its members private"
        return Violation(path: file.path, line: declaration.line, message: message)
      }
    }
  }

  private static func isPrivate(_ index: Int, in file: SourceFile) -> Bool {
    let members = file.declarations.filter { $0.containers.last == index && !$0.isLocal }
    return file.declarations[index].inherited.isEmpty && !members.isEmpty && members.allSatisfy(\.isFilePrivate)
  }
}

@Suite struct ExtensionFileRuleTests {
  private func count(_ file: String, _ text: String) -> Int {
    ExtensionFileRule.violations(in: Repository(swift: ["Sources/A/\(file).swift": text])).count
  }

  @Test func anExtensionInAnotherFileIsFound() {
    #expect(count("Helpers", "extension List {}") == 1)
    #expect(count("Codable", "extension List: Equatable {}") == 1)
    #expect(count("Configuration", "extension Realm.Configuration {}") == 1)
    #expect(count("Helpers", "extension List { private func a() {}; func b() {} }") == 1)
  }

  @Test(arguments: [
    ("List", "extension List {}"), ("List+Codable", "extension List: Codable {}"), ("Codable", "extension List: @retroactive Codable {}"),
    ("Realm+Configuration", "extension Realm.Configuration {}"), ("Realm.Configuration+Files", "extension Realm.Configuration {}"),
    ("Helpers", "extension List { fileprivate func a() { var b = 1 } }"), ("Kinds", "struct List<T> {}\nextension List where T: A {}"),
  ])
  func anExtensionInItsFileIsNot(_ file: String, _ text: String) {
    #expect(count(file, text) == 0)
  }
}
