import Foundation
import RealmInspection

/// What can be written next in a line of the shell.
struct ShellCompletion {
  /// Continuations of what stands before the cursor.
  struct Answer: Equatable {
    /// What has been written of it, which the texts begin with.
    var fragment = ""
    var texts: [String] = []
    /// A blank follows the text.
    var endsWord = true
    /// The names of files are asked for instead.
    var isFile = false
  }

  /// A fragment begins behind one of these.
  static let breaks = " \t'\"=,()<>!&|[]"
  private static let breakCharacters = Set(breaks)

  let outline: CommandOutline
  let names: FileNames
  /// Commands that get the file of the shell as their first argument.
  let commandsWithFile: Set<String>

  private enum Place: Equatable {
    case words([String])
    case classes, properties, paths, query, files
    /// `name=`, and behind it what the flags say.
    case assignment(types: Bool, classes: Bool)
    case nothing
  }

  /// - Parameter line: what stands before the cursor.
  func answer(_ line: String) -> Answer {
    if ShellLine.isComment(line) { return Answer() }
    let parsed = ShellLine(line)
    var words = parsed.words
    let current = parsed.endsInWord ? words.removeLast() : ""
    let fragment = String(line.reversed().prefix { !Self.breakCharacters.contains($0) }.reversed())
    // With a backslash in it, or a quote in the midst of the word, it is not what was written.
    guard current.hasSuffix(fragment) else { return Answer(fragment: fragment) }
    var answer = Answer(fragment: fragment)
    fill(&answer, place(words, current), words, lead: String(current.dropLast(fragment.count)))
    answer.texts = answer.texts.filter { $0.hasPrefix(fragment) && !$0.isEmpty }
    let isQuoted = !parsed.isComplete
    if !isQuoted, answer.texts.count == 1, answer.texts[0].contains(where: { Self.breakCharacters.contains($0) && $0 != "=" }) {
      answer.texts[0] = "'\(answer.texts[0])'"
    }
    // The quote is still to be closed.
    if isQuoted { answer.endsWord = false }
    return answer
  }

  private func fill(_ answer: inout Answer, _ place: Place, _ words: [String], lead: String) {
    let className = className(words) ?? names.only
    switch place {
    case .words(let texts): answer.texts = lead.isEmpty || lead.hasSuffix("=") ? texts : []
    case .classes: answer.texts = names.classes
    case .properties: answer.texts = names.names(of: className)
    case .paths: answer.texts = names.paths(answer.fragment, from: className)
    case .query: (answer.texts, answer.endsWord) = (names.paths(answer.fragment, from: className), false)
    case .assignment(let types, let classes):
      if lead.isEmpty {
        answer.texts = names.names(of: className).map { $0 + "=" }
        answer.endsWord = false
      } else {
        answer.texts = (types ? TypeWords.all.split(separator: " ").map(String.init) : []) + (classes ? names.classes : [])
      }
    case .files: answer.isFile = true
    case .nothing: break
    }
  }

  // MARK: Where the cursor is

  private func place(_ words: [String], _ current: String) -> Place {
    guard let first = words.first else { return .words(outline.root.commands.map(\.name).filter { $0 != "shell" } + ["exit"]) }
    if first == "help" {
      return .words(words.count == 1 ? outline.root.commands.map(\.name) : command(Array(words.dropFirst()))?.commands.map(\.name) ?? [])
    }
    guard let command = command(words) else { return .nothing }
    if !command.commands.isEmpty { return .words(command.commands.map(\.name)) }
    if current.hasPrefix("-") {
      guard let equals = current.firstIndex(of: "=") else { return .words(command.options.flatMap(\.spellings).filter { $0.hasPrefix("--") }) }
      return values(of: String(current[..<equals]), in: command)
    }
    if let last = words.last, command.option(last)?.takesValue == true { return values(of: last, in: command) }
    return position(positionals(words, command).count, command, first)
  }

  private func command(_ words: [String]) -> CommandOutline.Command? {
    guard let command = outline.root.commands.first(where: { $0.name == words.first }) else { return nil }
    return words.count > 1 ? command.commands.first { $0.name == words[1] } ?? command : command
  }

  private func values(of option: String, in command: CommandOutline.Command) -> Place {
    switch option {
    case "--class": return .classes
    case "--primary-key": return .properties
    case "--columns", "--group-by", "--sum", "--min", "--max", "--average": return .paths
    case "--type": return .assignment(types: true, classes: false)
    default:
      switch command.option(option)?.values {
      case .words(let words): return .words(words)
      case .files: return .files
      case .unknown, nil: return .nothing
      }
    }
  }

  /// - Parameter number: of the words without options before it.
  private func position(_ number: Int, _ command: CommandOutline.Command, _ first: String) -> Place {
    switch (first, command.name, number) {
    case ("query", _, 0), ("delete", _, 0), ("watch", _, 0), ("set", _, 0), ("link", _, 0): return .query
    case ("set", _, _): return .assignment(types: false, classes: false)
    case ("link", _, 1): return .properties
    case ("create", "class", 1...), ("create", "property", 1): return .assignment(types: true, classes: true)
    case ("create", "property", 0), ("create", "index", 0), ("drop", _, 0): return .classes
    case ("create", "index", 1), ("drop", _, 1): return .properties
    default:
      let isAfterFile = commandsWithFile.contains(first) || first == "create" || first == "drop"
      let place = number + (isAfterFile ? 1 : 0)
      return command.positions.indices.contains(place) && command.positions[place].values == .files ? .files : .nothing
    }
  }

  /// The words that are neither options nor their values.
  private func positionals(_ words: [String], _ command: CommandOutline.Command) -> [String] {
    var found: [String] = []
    var isValue = false
    for word in words.dropFirst(outline.root.commands.first { $0.name == words.first }?.commands.isEmpty == false ? 2 : 1) {
      if isValue {
        isValue = false
      } else if word.hasPrefix("-") {
        isValue = command.option(word)?.takesValue == true
      } else {
        found.append(word)
      }
    }
    return found
  }

  /// The class that a line is about.
  private func className(_ words: [String]) -> String? {
    for (place, word) in words.enumerated() {
      if word == "--class", place + 1 < words.count { return words[place + 1] }
      if word.hasPrefix("--class=") { return String(word.dropFirst(8)) }
    }
    guard let first = words.first, first == "create" || first == "drop", let command = command(words) else { return nil }
    return positionals(words, command).first
  }
}

extension ShellCompletion.Answer {
  /// With the names of files that begin as the fragment does. A directory ends with a slash, behind which the next name is written.
  func withFiles() -> Self {
    let end = fragment.lastIndex(of: "/").map { fragment.index(after: $0) } ?? fragment.startIndex
    let (directory, name) = (String(fragment[..<end]), fragment[end...])
    let place = directory.isEmpty ? "." : directory
    var answer = self
    let found = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
    for text in found.sorted() where text.hasPrefix(name) && (text.first != "." || name.first == ".") {
      var isDirectory: ObjCBool = false
      let isThere = unsafe FileManager.default.fileExists(atPath: place + "/" + text, isDirectory: &isDirectory)
      answer.texts.append(directory + text + (isThere && isDirectory.boolValue ? "/" : ""))
    }
    if answer.texts.count == 1, answer.texts[0].hasSuffix("/") { answer.endsWord = false }
    return answer
  }
}
