/// Encodings of text files other than UTF-8.
package enum TextEncoding: String, Sendable, CaseIterable {
  case utf8 = "utf-8"
  case latin1 = "latin1"
  case windows1252 = "windows-1252"
  case utf16 = "utf-16"
  case utf16LittleEndian = "utf-16le"
  case utf16BigEndian = "utf-16be"

  /// The encoding that a mark at the beginning tells.
  package init?(mark bytes: [UInt8]) {
    if bytes.starts(with: [0xFF, 0xFE]) {
      self = .utf16LittleEndian
    } else if bytes.starts(with: [0xFE, 0xFF]) {
      self = .utf16BigEndian
    } else {
      return nil
    }
  }

  /// The encoding that a text without such a mark most likely has: of names and numbers in UTF-16 every other byte is zero, and UTF-8 has no zeros
  /// but those of a character that no table has.
  package init?(unmarked bytes: [UInt8]) {
    let pairs = bytes.prefix(64)
    guard pairs.count >= 4 else { return nil }
    if pairs.indices.allSatisfy({ (pairs[$0] == 0) == $0.isMultiple(of: 2) }) {
      self = .utf16BigEndian
    } else if pairs.indices.allSatisfy({ (pairs[$0] != 0) == $0.isMultiple(of: 2) }) {
      self = .utf16LittleEndian
    } else {
      return nil
    }
  }
}

/// Turns a text into UTF-8, a piece at a time.
package struct TextDecoder {
  private var encoding: TextEncoding
  private var isAtStart = true
  /// Bytes of a character that is not complete.
  private var rest: [UInt8] = []
  private var highSurrogate: UInt32?
  package private(set) var line = 1

  package init(_ encoding: TextEncoding) { self.encoding = encoding }

  /// What Windows has where Latin 1 has control characters; all ones for what it has not.
  private static let windows: [UInt32] = [
    0x20AC, .max, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, .max, 0x017D, .max,
    .max, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, .max, 0x017E, 0x0178,
  ]

  /// - Throws: `ImportProblem` with the line for bytes that mean nothing.
  package mutating func decode(_ bytes: [UInt8]) throws(ImportProblem) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    switch encoding {
    case .utf8: result = bytes
    case .latin1, .windows1252:
      for byte in bytes {
        let isWindows = encoding == .windows1252 && byte >= 0x80 && byte < 0xA0
        try append(isWindows ? TextDecoder.windows[Int(byte) - 0x80] : UInt32(byte), to: &result)
      }
    case .utf16, .utf16LittleEndian, .utf16BigEndian: try decodeUnits(bytes, &result)
    }
    isAtStart = false
    return result
  }

  /// Call behind the last piece.
  package func finish() throws(ImportProblem) {
    if !rest.isEmpty || highSurrogate != nil { throw ImportProblem(reason: "ends in the middle of a character", hint: TextDecoder.hint, line: line) }
  }

  private mutating func decodeUnits(_ bytes: [UInt8], _ result: inout [UInt8]) throws(ImportProblem) {
    let all = rest + bytes
    var start = 0
    if isAtStart, let marked = TextEncoding(mark: all) {
      if encoding == .utf16 { encoding = marked }
      if encoding == marked { start = 2 }
    }
    let isBigEndian = encoding == .utf16BigEndian
    while start + 1 < all.count {
      let unit = isBigEndian ? UInt32(all[start]) << 8 | UInt32(all[start + 1]) : UInt32(all[start + 1]) << 8 | UInt32(all[start])
      start += 2
      if let high = highSurrogate {
        guard unit & 0xFC00 == 0xDC00 else { throw problem }
        highSurrogate = nil
        try append(0x10000 + (high & 0x3FF) << 10 + unit & 0x3FF, to: &result)
      } else if unit & 0xFC00 == 0xD800 {
        highSurrogate = unit
      } else {
        try append(unit, to: &result)
      }
    }
    rest = Array(all[start...])
  }

  private var problem: ImportProblem {
    ImportProblem(reason: "has bytes that are not \(encoding.rawValue)", hint: TextDecoder.hint, line: line)
  }
  private static let hint = "give another --encoding, or repair the input"

  private mutating func append(_ code: UInt32, to result: inout [UInt8]) throws(ImportProblem) {
    if code == 0x0A { line += 1 }
    if code < 0x80 { return result.append(UInt8(code)) }
    guard let scalar = Unicode.Scalar(code) else { throw problem }
    result.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }
}
