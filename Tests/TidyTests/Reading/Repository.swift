import Foundation

/// The files that the rules are about.
struct Repository {
  let swift: [SourceFile]
  /// Documents in Markdown.
  let documents: [Document]
  /// All other files that are of use to a rule are asked for by name.
  let root: URL?

  struct Document {
    let path: String
    let lines: [Substring]

    /// The lines outside of code, numbered from 1.
    var prose: [(number: Int, text: Substring)] {
      var isCode = false
      return lines.enumerated().compactMap { index, line in
        if line.hasPrefix("```") { isCode.toggle() }
        return isCode || line.hasPrefix("```") || isListing(index) ? nil : (index + 1, line)
      }
    }

    /// Four spaces behind an empty line or another one of the kind; deep items of lists are prose.
    private func isListing(_ index: Int) -> Bool {
      guard lines[index].hasPrefix("    "), lines[index].drop(while: { $0 == " " }).first.map({ !"-*".contains($0) }) == true else { return false }
      var first = index
      while first > 0, lines[first - 1].hasPrefix("    ") { first -= 1 }
      return first == 0 || lines[first - 1].isEmpty
    }
  }

  /// The package that this file belongs to.
  static let own = Repository(root: URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardizedFileURL)

  /// For samples.
  init(swift: [String: String] = [:], documents: [String: String] = [:]) {
    self.swift = swift.sorted { $0.key < $1.key }.map { SourceFile(path: $0.key, text: $0.value) }
    self.documents = documents.sorted { $0.key < $1.key }
      .map { Document(path: $0.key, lines: $0.value.split(separator: "\n", omittingEmptySubsequences: false)) }
    root = nil
  }

  private init(root: URL) {
    var swift: [SourceFile] = []
    var documents: [Document] = []
    for path in Self.paths(below: root) {
      guard path.hasSuffix(".swift") || path.hasSuffix(".md"), let text = try? String(contentsOf: root.appending(path: path), encoding: .utf8) else {
        continue
      }
      if path.hasSuffix(".md") {
        documents.append(Document(path: path, lines: text.split(separator: "\n", omittingEmptySubsequences: false)))
      } else {
        swift.append(SourceFile(path: path, text: text))
      }
    }
    self.swift = swift
    self.documents = documents
    self.root = root
  }

  /// Of all files but those that are built or belong to git.
  private static func paths(below root: URL) -> [String] {
    var found: [String] = []
    var folders = [""]
    while let folder = folders.popLast() {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path + "/" + folder)) ?? []
      for name in names where !name.hasPrefix(".") {
        let path = folder.isEmpty ? name : folder + "/" + name
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: root.path + "/" + path, isDirectory: &isFolder) else { continue }
        if isFolder.boolValue { folders.append(path) } else { found.append(path) }
      }
    }
    return found.sorted()
  }

  /// Whether a file or folder of that name exists.
  func has(_ path: String) -> Bool {
    guard let root else { return swift.contains { $0.path == path } || documents.contains { $0.path == path } }
    return FileManager.default.fileExists(atPath: root.path + "/" + path)
  }

  func document(_ path: String) -> Document? { documents.first { $0.path == path } }
}
