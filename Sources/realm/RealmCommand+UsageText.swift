import ArgumentParser

extension RealmCommand {
  /// What the library says of wrong usage, of help asked for and the like, with what it cannot know of our queries.
  static func text(_ error: any Error, of words: [String]) -> String {
    var text = fullMessage(for: error)
    guard exitCode(for: error) == .validationFailure else { return text }
    if text.hasPrefix("Error: Missing value for"), let number = words.first(where: { $0.wholeMatch(of: /-\d+(\.\d+)?/) != nil }) {
      text += "\n  No option takes a number below 0, such as \(number)."
    } else if hasQueryWithoutQuotes(words) {
      text += "\n  A query is one word, in quotes: query --class Dog 'age > 3'"
    } else if words.first == "query", text.hasPrefix("Error: Unexpected argument"), !words.contains(where: { $0.hasPrefix("--class") }) {
      text += "\n  The class of the objects has an option: query --class Dog 'age > 3'"
    }
    return text
  }

  /// Whether the quotes are missing that keep the words of a query together.
  private static func hasQueryWithoutQuotes(_ words: [String]) -> Bool {
    // Its > is meant as a shell's.
    if words.first == "export" { return false }
    let operators: Set = ["=", "==", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "IN", "BETWEEN"]
    return words.contains { operators.contains($0.uppercased()) }
  }
}
