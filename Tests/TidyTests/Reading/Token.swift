/// A piece of Swift source, as far as the rules need to tell pieces apart.
struct Token: Equatable {
  enum Kind: Equatable {
    /// An identifier or keyword; `text` has no backticks.
    case word
    case number
    /// One character of an operator or punctuation.
    case symbol
    /// A part of a string literal: `text` is what stands in the source between its ends, or between two interpolations.
    case string
  }

  let kind: Kind
  let text: String
  /// From 1.
  let line: Int
  /// Written in backticks, or behind a full stop: a name, whatever it spells.
  var isPlainName = false
  /// A `///` comment ends right before it.
  var hasDocumentation = false

  func isSymbol(_ character: String) -> Bool { kind == .symbol && text == character }
  func isWord(_ name: String) -> Bool { kind == .word && !isPlainName && text == name }
}

/// A comment, one for each line of `//`.
struct Comment: Equatable {
  let text: String
  /// The first one, from 1.
  let line: Int
  /// `///` or `/** */`.
  let isDocumentation: Bool
}
