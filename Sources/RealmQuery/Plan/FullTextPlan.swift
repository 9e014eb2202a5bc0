import RealmStorage

/// The words of a full-text search (Q12.2): all of them must be satisfied.
struct FullTextSearch {
  private(set) var words: [[UInt8]] = []
  /// Beginnings of words.
  private(set) var prefixes: [[UInt8]] = []
  private(set) var excluded: [[UInt8]] = []
  /// A lone `*`: nothing matches.
  private(set) var matchesNothing = false

  init(_ text: [UInt8]) throws(QueryError) {
    var hasWord = false
    for word in text.split(whereSeparator: { $0 == 0x20 || ($0 >= 0x09 && $0 <= 0x0D) }) {
      hasWord = true
      try add(word)
    }
    guard hasWord else { throw FullTextSearch.missingToken }
    if excluded.contains(where: { words.contains($0) }) {
      throw .invalid(.invalidArgument, message: "You can't include and exclude the same token", offset: nil)
    }
  }

  static let missingToken = QueryError.invalid(.invalidArgument, message: "Missing search token", offset: nil)

  private mutating func add(_ text: ArraySlice<UInt8>) throws(QueryError) {
    var word = text
    let isExcluded = word.first == UInt8(ascii: "-")
    if isExcluded { word = word.dropFirst() }
    let isPrefix = word.last == UInt8(ascii: "*")
    if isPrefix { word = word.dropLast() }
    let tokens = Tokenizer.tokens(of: Array(word))
    guard tokens.count <= 1, FullTextSearch.isOneWord(word) else {
      throw .invalid(.invalidArgument, message: "Non alphanumeric characters not allowed inside search word", offset: nil)
    }
    guard let token = tokens.first else {
      // Nothing but punctuation: excluding it excludes nothing, looking for it finds nothing.
      if !isExcluded { matchesNothing = true }
      return
    }
    if isExcluded { excluded.append(token) } else if isPrefix { prefixes.append(token) } else { words.append(token) }
  }

  /// Separators may stand at both ends only. The same token twice would pass as one.
  private static func isOneWord(_ word: ArraySlice<UInt8>) -> Bool {
    var runs = 0
    var isInside = false
    var index = word.startIndex
    while index < word.endIndex {
      let length = word[index] >= 0xF0 ? 4 : word[index] >= 0xE0 ? 3 : word[index] >= 0xC0 ? 2 : 1
      let end = min(index + length, word.endIndex)
      let isToken = !Tokenizer.tokens(of: Array(word[index..<end])).isEmpty
      if isToken && !isInside { runs += 1 }
      isInside = isToken
      index = end
    }
    return runs <= 1
  }

  /// Whether a text, nil for null, satisfies all words.
  func matches(_ text: [UInt8]?) -> Bool {
    if matchesNothing { return false }
    let tokens = text.map(Tokenizer.tokens) ?? []
    for word in words where !tokens.contains(word) { return false }
    for prefix in prefixes where !tokens.contains(where: { $0.starts(with: prefix) }) { return false }
    for word in excluded where tokens.contains(word) { return false }
    return true
  }
}

/// `path TEXT 'words'`: some object at the end of the path has such a text.
struct FullTextPlan {
  let chain: HopChain
  let table: Table
  let column: ColumnDescription
  let search: FullTextSearch

  func matches(_ row: Row, _ cancellation: Cancellation?) throws(StorageError) -> Bool {
    var found = false
    try chain.forEachRow(row, cancellation) { (target) throws(StorageError) in
      if found { return }
      if case .string(let text) = try target.value(column) { found = search.matches(text) } else { found = search.matches(nil) }
    }
    return found
  }
}
