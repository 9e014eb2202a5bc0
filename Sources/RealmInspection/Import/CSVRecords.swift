/// Records of a CSV file that lie one behind the other: where their fields lie. Many at once, since most of the cost of one is what surrounds it;
/// an object, since whoever looks at a row holds on to all of it with one reference.
final class CSVRecords {
  struct Field {
    let begin: Int
    let end: Int
    /// Empty and without quotes, or what the user says means null.
    var isNull = false
    /// It had doubled quotes and lies in `side`, without them.
    var isUnescaped = false
    var range: Range<Int> { begin..<end }
    var isEmpty: Bool { begin == end }
  }
  enum Problem {
    case notUTF8, textBehindQuote, openQuote
    var words: ImportProblem {
      switch self {
      case .notUTF8: ImportProblem(reason: UTF8Text.problem, hint: UTF8Text.hint)
      case .textBehindQuote:
        ImportProblem(reason: "text follows a closing quote", hint: "double a quote that belongs to the field: \"a \"\"b\"\" c\"")
      case .openQuote: ImportProblem(reason: "a quote is not closed", hint: "close it, or double it if it belongs to the field: \"5\"\" pipe\"")
      }
    }
  }
  struct Record {
    /// In `fields`.
    var firstField = 0
    var fieldCount = 0
    /// Behind the record.
    var end = 0
    /// Line ends that belong to it.
    var lineCount = 0
    var problem: Problem?
  }
  private(set) var records: [Record] = []
  private(set) var fields: [Field] = []
  private(set) var side: [UInt8] = []

  func removeAll() {
    records.removeAll(keepingCapacity: true)
    fields.removeAll(keepingCapacity: true)
    side.removeAll(keepingCapacity: true)
  }

  /// Reads the records from `start` on until there are so many fields, in place of those of before.
  /// - Parameters:
  ///   - isComplete: nothing follows the bytes. Otherwise a record that may go on behind them is left out.
  ///   - nullTexts: what fields without quotes hold that are null, apart from nothing.
  func read(
    _ bytes: Span<UInt8>, from start: Int, delimiter: UInt8, isComplete: Bool, fieldLimit: Int, nullTexts: Set<[UInt8]> = []
  ) {
    readAll(bytes, from: start, delimiter: delimiter, isComplete: isComplete, fieldLimit: fieldLimit)
    if nullTexts.isEmpty { return }
    let longest = nullTexts.map(\.count).max() ?? 0
    for index in fields.indices {
      let range = fields[index].range
      if range.count > longest || fields[index].isUnescaped { continue }
      let isQuoted = range.lowerBound > start && bytes[range.lowerBound - 1] == UInt8(ascii: "\"")
      if !isQuoted, nullTexts.contains(ImportText.copy(bytes, range)) { fields[index].isNull = true }
    }
  }

  private func readAll(_ bytes: Span<UInt8>, from start: Int, delimiter: UInt8, isComplete: Bool, fieldLimit: Int) {
    removeAll()
    // Those of the object count as accessed all the time.
    var found: [Field] = []
    swap(&found, &fields)
    defer { swap(&found, &fields) }
    var scanner = FieldEndScanner(delimiter, at: start)
    var position = start
    while position < bytes.count, found.count < fieldLimit {
      let (fieldCount, sideCount) = (found.count, side.count)
      scanner.begin()
      var record = Record(firstField: fieldCount)
      readFields(bytes, &position, &scanner, &record, &found)
      // A CR at the end may be half of a CR LF.
      if !isComplete, position >= bytes.count || bytes[position] == 0x0D && position + 1 >= bytes.count {
        found.removeSubrange(fieldCount...)
        side.removeSubrange(sideCount...)
        return
      }
      if position < bytes.count, bytes[position] == 0x0D { position += 1 }
      if position < bytes.count, bytes[position] == 0x0A { position += 1 }
      scanner.skip(to: position)
      record.lineCount += 1
      record.fieldCount = found.count - fieldCount
      if scanner.hasMetOthers {
        let begin = records.last?.end ?? start
        if !UTF8Text.isValid(bytes.extracting(begin..<position)) { record.problem = .notUTF8 }
      }
      record.end = position
      records.append(record)
    }
  }

  /// - Parameter position: of the record, and then behind its last field.
  @inline(__always) private func readFields(
    _ bytes: Span<UInt8>, _ position: inout Int, _ scanner: inout FieldEndScanner, _ record: inout Record, _ found: inout [Field]
  ) {
    while true {
      if position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
        found.append(readQuoted(bytes, &position, &scanner, &record))
      } else {
        let begin = position
        position = scanner.next(bytes)
        found.append(Field(begin: begin, end: position, isNull: begin == position))
      }
      guard position < bytes.count, bytes[position] == scanner.delimiter else { return }
      position += 1
    }
  }

  /// - Parameter position: of the quote at the beginning, and then behind the field.
  @inline(never) private func readQuoted(
    _ bytes: Span<UInt8>, _ position: inout Int, _ scanner: inout FieldEndScanner, _ record: inout Record
  ) -> Field {
    let begin = position + 1
    let sideBegin = side.count
    var copied = begin
    var isUnescaped = false
    var isOpen = true
    var index = begin
    while index < bytes.count {
      let byte = bytes[index]
      if byte == 0x0A { record.lineCount += 1 }
      guard byte == UInt8(ascii: "\"") else {
        scanner.look(at: byte)
        index += 1
        continue
      }
      guard index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "\"") else {
        isOpen = false
        break
      }
      for place in copied...index { side.append(bytes[place]) }
      index += 2
      (copied, isUnescaped) = (index, true)
    }
    if isUnescaped { for place in copied..<index { side.append(bytes[place]) } }
    position = isOpen ? index : index + 1
    scanner.skip(to: position)
    if isOpen {
      record.problem = .openQuote
    } else if position < bytes.count {
      let end = scanner.next(bytes)
      if end > position { record.problem = .textBehindQuote }
      position = end
    }
    return isUnescaped ? Field(begin: sideBegin, end: side.count, isUnescaped: true) : Field(begin: begin, end: index)
  }

  /// What may separate fields; the first one does unless another occurs more often.
  static let delimiters = [UInt8](",;\t|".utf8)

  /// The character that separates the fields of a header: the one of `delimiters` that occurs most often in it outside of quotes.
  static func delimiter(ofHeader bytes: Span<UInt8>, at start: Int) -> UInt8 {
    let candidates = delimiters
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
