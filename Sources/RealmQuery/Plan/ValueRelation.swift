import RealmStorage

/// The six order relations over single values: `generic` and `direct` of Q5.1.
enum OrderRelation: Equatable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual

  init?(_ relation: Relation) {
    switch relation {
    case .equal, .in: self = .equal
    case .notEqual: self = .notEqual
    case .less: self = .less
    case .lessOrEqual: self = .lessOrEqual
    case .greater: self = .greater
    case .greaterOrEqual: self = .greaterOrEqual
    case .beginsWith, .endsWith, .contains, .like, .text: return nil
    }
  }

  /// Whether the relation holds where `compare` gives `order`.
  @inline(__always) func accepts(_ order: Int) -> Bool {
    switch self {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }

  /// Null equals null, and is in no order with other values; values of different kinds are unequal and in no order.
  func generic(_ a: Value, _ b: Value) -> Bool {
    switch (a, b) {
    case (.null, .null): return self == .equal || self == .lessOrEqual || self == .greaterOrEqual
    case (.null, _), (_, .null): return self == .notEqual
    default: return a.isComparable(with: b) ? accepts(Value.compare(a, b)) : self == .notEqual
    }
  }

  /// For a property of the object itself and a constant of its type: null strings are less than all others, NaN follows IEEE 754.
  func direct(_ a: Value, _ b: Value) -> Bool {
    switch (a, b) {
    case (.float(let x), .float(let y)) where x.isNaN || y.isNaN: self == .notEqual
    case (.double(let x), .double(let y)) where x.isNaN || y.isNaN: self == .notEqual
    case (.null, .string): self == .less || self == .lessOrEqual || self == .notEqual
    case (.string, .null): self == .greater || self == .greaterOrEqual || self == .notEqual
    default: generic(a, b)
    }
  }

  /// With its sides exchanged.
  var mirrored: OrderRelation {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }
  var comparisonOperator: ComparisonOperator {
    switch self {
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    }
  }
}

/// Relations between texts, or between binary values (Q6).
struct TextRelation {
  enum Kind { case equal, notEqual, beginsWith, endsWith, contains, like }
  let kind: Kind
  let options: ComparisonOptions
  /// The rule of formats for two properties: nothing contains, begins or ends with an empty text. (Null has the rules of RQL.)
  var refusesEmpty = false

  init?(_ relation: Relation, _ options: ComparisonOptions) {
    switch relation {
    case .equal, .in: kind = .equal
    case .notEqual: kind = .notEqual
    case .beginsWith: kind = .beginsWith
    case .endsWith: kind = .endsWith
    case .contains: kind = .contains
    case .like: kind = .like
    default: return nil
    }
    self.options = options
  }

  /// - Parameter isDirect: `a` is a property of the object itself, where a null pattern is matched by everything.
  func test(_ a: Value, _ b: Value, isDirect: Bool) -> Bool {
    if refusesEmpty, kind != .equal, kind != .notEqual, kind != .like, !b.isNull, b.byteCount == 0 { return false }
    switch (a, b) {
    case (.string(let x), .string(let y)), (.binary(let x), .binary(let y)): return testBytes(x, y)
    case (_, .null):
      switch kind {
      case .equal, .like: return a.isNull
      case .notEqual: return !a.isNull
      case .contains: return isDirect || !a.isNull
      case .beginsWith, .endsWith: return isDirect
      }
    default:
      // The options say nothing about other values.
      switch kind {
      case .equal: return OrderRelation.equal.generic(a, b)
      case .notEqual: return OrderRelation.notEqual.generic(a, b)
      default: return false
      }
    }
  }

  private func testBytes(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
    if options.contains(.diacriticInsensitive) { return UnicodeText.test(kind, text, pattern, options) }
    let isFolded = options.contains(.caseInsensitive)
    switch kind {
    case .equal: return isFolded ? Latin1Case.equal(text, pattern) : text == pattern
    case .notEqual: return isFolded ? !Latin1Case.equal(text, pattern) : text != pattern
    default: break
    }
    let (x, y) = isFolded ? (Latin1Case.folded(text), Latin1Case.folded(pattern)) : (text, pattern)
    switch kind {
    case .beginsWith: return x.starts(with: y)
    case .endsWith: return x.count >= y.count && x.suffix(y.count).elementsEqual(y)
    case .contains: return ByteSearch.contains(x, y)
    case .like: return Wildcard.matches(x, y)
    case .equal, .notEqual: return false
    }
  }
}

/// The case folding of `[c]`: ASCII, and U+00C0...U+00DE without ×, in UTF-8 (Q6).
enum Latin1Case {
  /// Lower case; bytes that are no such letters stay.
  static func folded(_ text: [UInt8]) -> [UInt8] {
    var result = text
    var index = 0
    while index < result.count {
      let byte = result[index]
      if byte >= 0x41 && byte <= 0x5A {
        result[index] = byte | 0x20
      } else if byte == 0xC3 && index + 1 < result.count {
        index += 1
        let next = result[index]
        if next >= 0x80 && next <= 0x9E && next != 0x97 { result[index] = next + 0x20 }
      }
      index += 1
    }
    return result
  }

  static func equal(_ a: [UInt8], _ b: [UInt8]) -> Bool { a.count == b.count && folded(a) == folded(b) }
}

enum ByteSearch {
  /// Whether `needle` occurs. The empty needle does.
  static func contains(_ text: [UInt8], _ needle: [UInt8]) -> Bool {
    guard let first = needle.first else { return true }
    guard text.count >= needle.count else { return false }
    if needle.count == 1 { return text.contains(first) }
    // Horspool: most of the text is skipped over.
    var skip = [Int](repeating: needle.count, count: 256)
    for index in 0..<needle.count - 1 { skip[Int(needle[index])] = needle.count - 1 - index }
    let last = needle.count - 1
    var end = last
    while end < text.count {
      var offset = 0
      while offset <= last, text[end - offset] == needle[last - offset] { offset += 1 }
      if offset > last { return true }
      end += skip[Int(text[end])]
    }
    return false
  }
}

/// `LIKE`: `*` any run, `?` one code point, everything else itself.
enum Wildcard {
  /// Linear for each `*`: on a mismatch only the last one is tried again.
  static func matches(_ text: [UInt8], _ pattern: [UInt8]) -> Bool {
    var (t, p) = (0, 0)
    var starPattern = -1
    var starText = 0
    while t < text.count {
      if p < pattern.count, pattern[p] == UInt8(ascii: "*") {
        (starPattern, starText) = (p + 1, t)
        p += 1
      } else if p < pattern.count, pattern[p] == UInt8(ascii: "?") {
        t = next(text, t)
        p += 1
      } else if p < pattern.count, pattern[p] == text[t] {
        t += 1
        p += 1
      } else if starPattern >= 0 {
        starText = next(text, starText)
        (t, p) = (starText, starPattern)
      } else {
        return false
      }
    }
    // Of several stars at the end only one matches nothing, as in the original.
    if p < pattern.count, pattern[p] == UInt8(ascii: "*") { p += 1 }
    return p == pattern.count
  }

  /// The start of the next code point.
  @inline(__always) private static func next(_ text: [UInt8], _ index: Int) -> Int {
    var index = index + 1
    while index < text.count, text[index] & 0xC0 == 0x80 { index += 1 }
    return index
  }
}
