import Testing

/// A relative link in a document leads to a file that is there, and to a heading that is in it.
enum LinkRule: Rule {
  static let name = "links"

  static func violations(in repository: Repository) -> [Violation] {
    repository.documents.flatMap { document in
      links(in: document).compactMap { line, target in
        guard !target.contains("://"), !target.hasPrefix("mailto:") else { return nil }
        let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].isEmpty ? document.path : resolved(String(parts[0]), from: document.path)
        guard let path, repository.has(path) else {
          return Violation(path: document.path, line: line, message: "\(target) leads nowhere: mend the link")
        }
        guard parts.count == 2, let other = repository.document(path) else { return nil }
        return anchors(of: other).contains(String(parts[1]))
          ? nil : Violation(path: document.path, line: line, message: "\(path) has no heading #\(parts[1]): mend the link")
      }
    }
  }

  /// The targets of `[text](target)` outside of code.
  private static func links(in document: Repository.Document) -> [(line: Int, target: String)] {
    var found: [(line: Int, target: String)] = []
    for (number, line) in document.prose {
      // Every second piece stands in backticks; a link around code has its brackets outside.
      var text = ""
      for (place, piece) in line.split(separator: "`", omittingEmptySubsequences: false).enumerated() where place.isMultiple(of: 2) {
        text += piece
      }
      for piece in text.components(behind: "](") {
        guard let end = piece.firstIndex(of: ")") else { continue }
        found.append((number, String(piece[..<end])))
      }
    }
    return found
  }

  private static func resolved(_ target: String, from path: String) -> String? {
    var parts = path.split(separator: "/").dropLast().map(String.init)
    for part in target.split(separator: "/") {
      if part == ".." {
        guard parts.popLast() != nil else { return nil }
      } else if part != "." {
        parts.append(String(part))
      }
    }
    return parts.joined(separator: "/")
  }

  /// As GitHub makes them: small letters, hyphens for spaces, no punctuation.
  private static func anchors(of document: Repository.Document) -> Set<String> {
    Set(
      document.lines.filter { $0.hasPrefix("#") }.map { line in
        let title = line.drop { $0 == "#" }.drop { $0 == " " }
        return String(title.lowercased().compactMap { $0 == " " ? "-" : $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" ? $0 : nil })
      })
  }
}

extension String {
  /// The pieces that begin behind each occurrence of `separator`.
  fileprivate func components(behind separator: String) -> [Substring] {
    var found: [Substring] = []
    var rest = self[...]
    while let range = rest.firstRange(of: separator) {
      rest = rest[range.upperBound...]
      found.append(rest)
    }
    return found
  }
}

@Suite struct LinkRuleTests {
  @Test func aLinkThatLeadsNowhereIsFound() {
    let sample = Repository(documents: [
      "A.md": "[b](B.md) [b](Documentation/B.md)\n[`c`](C.md)\n`[d](D.md)`\n[e](https://example.org)",
      "Documentation/B.md": "[a](../A.md)\n[x](../../A.md)",
    ])
    #expect(LinkRule.violations(in: sample).map { "\($0.path):\($0.line)" } == ["A.md:1", "A.md:2", "Documentation/B.md:2"])
  }

  @Test func aHeadingThatIsNotThereIsFound() {
    let sample = Repository(documents: ["A.md": "# The `realm` tool: how\n[a](#the-realm-tool-how)\n[b](#the-tool)"])
    #expect(LinkRule.violations(in: sample).map(\.line) == [3])
  }
}
