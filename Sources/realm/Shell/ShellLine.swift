/// A line as a shell divides it: words are separated by blanks; quotes of both kinds keep them together, a backslash takes the next character
/// as it is. A word that begins with a brace or a bracket is JSON: it ends with the one that closes it, and its quotes belong to it.
struct ShellLine: Equatable {
  private(set) var words: [String] = []
  /// Every quote, and every brace and bracket of JSON, is closed, and the last character is no backslash that waits for another one.
  let isComplete: Bool
  /// The last word goes on if anything is written behind the line.
  let endsInWord: Bool

  /// Whether a line is for people only: its first character that is no blank is `#`. What follows is no word, whatever it quotes.
  static func isComment(_ line: String) -> Bool { line.first { !$0.isWhitespace } == "#" }

  init(_ line: String) {
    // Grown in place: a line may be megabytes long.
    var word: String?
    func append(_ character: Character) {
      if word == nil { word = "" }
      word?.append(character)
    }
    var quote: Character?
    var isEscaped = false
    // How many braces and brackets are open in JSON; 0 outside of it.
    var depth = 0
    for character in line {
      if isEscaped {
        append(character)
        isEscaped = false
      } else if character == "\\", quote != "'" {
        if depth > 0 { append(character) }
        isEscaped = true
      } else if depth > 0 {
        append(character)
        if character == "\"" {
          quote = quote == nil ? character : nil
        } else if quote == nil {
          depth += Self.nesting(character)
        }
      } else if word == nil, Self.nesting(character) > 0 {
        append(character)
        depth = 1
      } else if character == quote {
        quote = nil
      } else if quote == nil, character == "'" || character == "\"" {
        quote = character
        word = word ?? ""
      } else if quote == nil, character.isWhitespace {
        if let found = word { words.append(found) }
        word = nil
      } else {
        append(character)
      }
    }
    if let word { words.append(word) }
    isComplete = quote == nil && !isEscaped && depth == 0
    endsInWord = word != nil
  }

  private static func nesting(_ character: Character) -> Int {
    switch character {
    case "{", "[": 1
    case "}", "]": -1
    default: 0
    }
  }
}
