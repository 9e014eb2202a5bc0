/// One record of a CSV file: where its fields lie.
struct CSVRecord {
  struct Field {
    var range: Range<Int>
    /// Empty and without quotes.
    var isNull = false
    /// It had doubled quotes and lies in `side`, without them.
    var isUnescaped = false
  }
  private(set) var fields: [Field] = []
  private(set) var side: [UInt8] = []
  private(set) var problem: String?
  /// Behind the record.
  private(set) var end = 0
  /// Line ends that belong to it.
  private(set) var lineCount = 1
  /// The bytes ended before the record did.
  private(set) var hasMetEnd = false
  /// All bytes, or'ed: below 0x80 it is ASCII.
  private var all: UInt8 = 0

  /// Reads the record at `start`.
  mutating func read(_ bytes: Span<UInt8>, at start: Int, delimiter: UInt8) {
    fields.removeAll(keepingCapacity: true)
    side.removeAll(keepingCapacity: true)
    (problem, lineCount, hasMetEnd, all) = (nil, 0, false, 0)
    let limit = bytes.count
    var position = start
    while true {
      if position < limit, bytes[position] == UInt8(ascii: "\"") {
        quoted(bytes, &position, delimiter)
      } else {
        let begin = position
        while position < limit {
          let byte = bytes[position]
          if byte == delimiter || byte == 0x0A || byte == 0x0D { break }
          all |= byte
          position += 1
        }
        fields.append(Field(range: begin..<position, isNull: begin == position))
      }
      guard position < limit, bytes[position] == delimiter else { break }
      position += 1
    }
    // A CR at the end may be half of a CR LF.
    if position >= limit || bytes[position] == 0x0D && position + 1 >= limit { hasMetEnd = true }
    if position < limit, bytes[position] == 0x0D { position += 1 }
    if position < limit, bytes[position] == 0x0A { position += 1 }
    lineCount += 1
    end = position
    if all >= 0x80, !UTF8Text.isValid(bytes.extracting(start..<position)) { problem = UTF8Text.problem }
  }

  private mutating func quoted(_ bytes: Span<UInt8>, _ position: inout Int, _ delimiter: UInt8) {
    position += 1
    let begin = position
    let sideBegin = side.count
    var copied = begin
    var isUnescaped = false
    while position < bytes.count {
      let byte = bytes[position]
      all |= byte
      if byte == 0x0A { lineCount += 1 }
      guard byte == UInt8(ascii: "\"") else {
        position += 1
        continue
      }
      if position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "\"") {
        for index in copied...position { side.append(bytes[index]) }
        position += 2
        (copied, isUnescaped) = (position, true)
        continue
      }
      if isUnescaped { for index in copied..<position { side.append(bytes[index]) } }
      fields.append(Field(range: isUnescaped ? sideBegin..<side.count : begin..<position, isUnescaped: isUnescaped))
      position += 1
      if position < bytes.count, bytes[position] != delimiter, bytes[position] != 0x0A, bytes[position] != 0x0D {
        problem = "text follows a closing quote"
        while position < bytes.count, bytes[position] != delimiter, bytes[position] != 0x0A, bytes[position] != 0x0D { position += 1 }
      }
      return
    }
    problem = "a quote is not closed"
    fields.append(Field(range: begin..<position))
  }

  /// The character that separates the fields of a header: the one of `,`, `;`, tab and `|` that occurs most often in it outside of quotes.
  static func delimiter(ofHeader bytes: Span<UInt8>, at start: Int) -> UInt8 {
    let candidates = [UInt8](",;\t|".utf8)
    var counts = [Int](repeating: 0, count: candidates.count)
    var isQuoted = false
    for index in start..<bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if isQuoted { continue }
      if byte == 0x0A || byte == 0x0D { break }
      if let candidate = candidates.firstIndex(of: byte) { counts[candidate] += 1 }
    }
    var best = 0
    for index in candidates.indices where counts[index] > counts[best] { best = index }
    return candidates[best]
  }
}
