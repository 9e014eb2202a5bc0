import RealmStorage

/// The rows of an input, one after the other.
package final class ImportCursor {
  package enum Format: String, Sendable, CaseIterable { case csv, json, jsonl }

  package struct Options: Sendable {
    package var format = Format.csv
    /// Nil to find out.
    package var delimiter: UInt8?
    package var duplicates = DuplicateNames.refuse
    /// What fields of CSV without quotes hold that are null, apart from nothing.
    package var nullTexts: Set<[UInt8]> = []
    package init() {}
  }

  package let options: Options
  package let source: ImportSource
  /// Of CSV, with what its values are called; nil for a column that is left out.
  package private(set) var header: [String?] = []
  package private(set) var delimiter: UInt8 = 0x2C
  /// What was done with the header that nobody asked for.
  package private(set) var headerNotes: [String] = []
  /// Names that objects of JSON had twice so far.
  private(set) var repeatedNames: Set<String> = []
  /// Line of the present row, from 1 on.
  package private(set) var line = 0
  /// How many rows of JSON that line had, with the present one.
  private var countInLine = 0
  /// Which row of its line the present one is, before what is said about it; empty for the first.
  package var placeInLine: String { countInLine > 1 ? "object \(countInLine) of the line: " : "" }
  /// Why the present row is none.
  package private(set) var problem: ImportProblem?
  /// The present row of JSON.
  package private(set) var value = ImportValue.null
  /// The row is not one, but what a document says of its classes.
  private(set) var isSchema = false
  /// In which class the row lies, if the input is a document with classes.
  package private(set) var className: String?
  /// Members of a document that hold rows, as far as it was read.
  private(set) var listNames: [String] = []
  /// Of CSV, as many as were found at once.
  let records = CSVRecords()
  /// The present row of CSV.
  private(set) var record = CSVRecords.Record()
  private var recordIndex = -1
  private var position = 0
  /// Line behind the present row, of CSV and JSON lines.
  package private(set) var nextLine = 1
  private var isStarted = false
  /// What follows a mistake in an array cannot be read.
  private var isOver = false
  /// Inside of which member of a document with classes.
  private var isDocument = false

  package init(_ source: ImportSource, _ options: Options) throws(ImportError) {
    (self.source, self.options) = (source, options)
    try rewind()
  }

  /// Bytes of the input that were read.
  package var consumedByteCount: Int { Int(clamping: source.consumed(position)) }

  /// Whether somebody who may want to end the work should be asked again: every 64 rows, or a quarter of a megabyte if those are long.
  package func isTimeToAsk() -> Bool {
    rowsSinceAsked += 1
    let place = consumedByteCount
    if rowsSinceAsked < 64, place >= askedAt, place - askedAt < 1 << 18 { return false }
    (rowsSinceAsked, askedAt) = (0, place)
    return true
  }
  private var rowsSinceAsked = 0
  /// Bytes of the input.
  private var askedAt = Int.max

  private func more() throws(ImportError) -> Bool {
    do throws(StorageError) {
      let isMore = try source.readMore(from: position)
      if isMore { position = 0 }
      return isMore
    } catch { throw .storage(error) }
  }

  /// Goes back to the first row.
  package func rewind() throws(ImportError) {
    do throws(StorageError) { try source.rewind() } catch { throw .storage(error) }
    (position, nextLine, line, isStarted, isOver, isDocument, className) = (0, 1, 0, false, false, false, nil)
    forgetRecords()
    // A mark of UTF-8 is no part of the text.
    if try more(), source.buffer.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    if options.format == .csv { try readHeader() }
  }

  /// - Returns: false behind the last row.
  package func next() throws(ImportError) -> Bool {
    if problem != nil { problem = nil }
    if isOver { return false }
    switch options.format {
    case .csv: return try nextRecord()
    case .jsonl: return try nextLineOfJSON()
    case .json: return try nextElement()
    }
  }

  /// The present row as what an object has.
  package var members: [(name: String, value: ImportValue)] {
    if case .object(let found) = value { return found }
    return header.indices.compactMap { index in
      guard let name = header[index] else { return nil }
      return (name, field(index).isNull ? .null : .text(copy(index)))
    }
  }

  // MARK: CSV

  /// RFC 4180: the first line names the properties. Empty fields without quotes are null.
  private func readHeader() throws(ImportError) {
    guard position < source.buffer.count else {
      throw .input(ImportProblem(reason: "is empty; a CSV file needs a line with the names of the properties"))
    }
    (header, headerNotes) = ([], [])
    let named = try readDelimiterLine()
    if let known = options.delimiter ?? named {
      delimiter = known
    } else {
      let buffer = source.buffer
      delimiter = CSVRecords.delimiter(ofHeader: buffer.span, at: position)
    }
    guard try readRecord(fieldLimit: 1) else { return }
    if let problem = record.problem?.words { throw .input(ImportProblem(reason: "the header \(problem.reason)", hint: problem.hint, line: line)) }
    let names = (0..<record.fieldCount).map { index in
      let name = field(index).isNull ? "" : String(decoding: copy(index), as: UTF8.self)
      if !name.isEmpty { return name }
      headerNotes.append("column \(index + 1) has no name in the header and is called 'column\(index + 1)'")
      return "column\(index + 1)"
    }
    do throws(ImportProblem) { header = try options.duplicates.resolve(names) } catch {
      throw .input(ImportProblem(reason: "the header: \(error.reason)", hint: error.hint, line: line))
    }
    for (name, resolved) in zip(names, header) where name != resolved {
      headerNotes.append(
        resolved.map { "the header has '\(name)' twice: one is called '\($0)'" } ?? "the header has '\(name)' twice: one is left out")
    }
  }

  /// Passes a first line such as `sep=;`, with which spreadsheets say what separates the fields of the lines below.
  /// - Returns: what it names; nil if there is no such line.
  private func readDelimiterLine() throws(ImportError) -> UInt8? {
    let mark = Array("sep=".utf8)
    let byteCount = mark.count + 3
    while source.buffer.count - position < byteCount, !source.isComplete { _ = try more() }
    let found = Array(source.buffer[position...].prefix(byteCount))
    guard found.starts(with: mark), found.count > mark.count + 1 else { return nil }
    let (delimiter, lineEnd) = (found[mark.count], found[(mark.count + 1)...].prefix { $0 == 0x0D || $0 == 0x0A })
    guard delimiter < 0x80, delimiter != 0x22, delimiter > 0x20 || delimiter == 0x09, let first = lineEnd.first else { return nil }
    position += mark.count + 1 + (first == 0x0D && lineEnd.dropFirst().first == 0x0A ? 2 : 1)
    nextLine += 1
    headerNotes.append("the first line, '\(String(decoding: found[...mark.count], as: UTF8.self))', says what separates the fields, and is no header")
    return delimiter
  }

  /// So many fields are looked for at once that what is done once for all of them costs next to nothing.
  private static let fieldLimit = 2048

  /// The next one of the records that were found, or of those that follow them.
  @inline(__always) private func readRecord(fieldLimit: Int = ImportCursor.fieldLimit) throws(ImportError) -> Bool {
    recordIndex += 1
    if recordIndex >= records.records.count, try !readRecords(fieldLimit) { return false }
    record = records.records[recordIndex]
    position = record.end
    line = nextLine
    nextLine += record.lineCount
    return true
  }

  @inline(never) private func readRecords(_ fieldLimit: Int) throws(ImportError) -> Bool {
    recordIndex = 0
    while true {
      if position < source.buffer.count {
        let buffer = source.buffer
        records.read(
          buffer.span, from: position, delimiter: delimiter, isComplete: source.isComplete, fieldLimit: fieldLimit,
          // Names are not null.
          nullTexts: header.isEmpty ? [] : options.nullTexts)
        if !records.records.isEmpty { return true }
      }
      guard try more() else {
        if position < source.buffer.count { continue }
        forgetRecords()
        return false
      }
    }
  }

  private func forgetRecords() {
    records.removeAll()
    (record, recordIndex) = (CSVRecords.Record(), -1)
  }

  private func nextRecord() throws(ImportError) -> Bool {
    repeat {
      guard try readRecord() else { return false }
      // An empty line, which is a null where there is but one column.
    } while record.fieldCount == 1 && header.count > 1 && field(0).isNull && field(0).isEmpty
    if record.problem != nil || record.fieldCount != header.count {
      let fields = NumberText.count(record.fieldCount, "field")
      problem = record.problem?.words ?? ImportProblem(reason: "has \(fields), the header has \(header.count)")
    }
    return true
  }

  /// A field of the present record.
  func field(_ index: Int) -> CSVRecords.Field { records.fields[record.firstField + index] }

  /// A field of the present record that is not null.
  @inline(__always) func withField<Result, Failure>(
    _ field: CSVRecords.Field, _ body: (Span<UInt8>, Range<Int>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bytes = field.isUnescaped ? records.side : source.buffer
    return try body(bytes.span, field.range)
  }

  func copy(_ index: Int) -> [UInt8] {
    let field = field(index)
    return Array((field.isUnescaped ? records.side : source.buffer)[field.range])
  }

  // MARK: JSON

  private func nextLineOfJSON() throws(ImportError) -> Bool {
    while true {
      var end = position
      var searched = position
      while true {
        if let found = source.buffer[searched...].firstIndex(of: 0x0A) {
          end = found
          break
        }
        let kept = source.buffer.count - position
        guard try more() else {
          end = source.buffer.count
          break
        }
        searched = kept
      }
      if position >= source.buffer.count && source.isComplete { return false }
      line = nextLine
      nextLine += 1
      var reader = JSONReader(source.buffer, position..<end, line: line, duplicates: options.duplicates)
      position = min(end + 1, source.buffer.count)
      if reader.isAtEnd() { continue }
      do throws(ImportProblem) {
        value = try reader.value()
        guard reader.isAtEnd() else { throw ImportProblem(reason: "something follows the object") }
        if !reader.repeatedNames.isEmpty { repeatedNames.formUnion(reader.repeatedNames) }
      } catch { problem = error }
      checkObject()
      className = value["$class"]?.string
      return true
    }
  }

  private func checkObject() {
    if problem != nil { return }
    if case .object = value { return }
    problem = ImportProblem(reason: "\(placeInLine)is no object")
  }

  /// Reads something with as many bytes as it takes.
  private func reading<Result>(_ body: (inout JSONReader) throws(ImportProblem) -> Result) throws(ImportError) -> Result {
    while true {
      var reader = JSONReader(source.buffer, position..<source.buffer.count, line: nextLine, duplicates: options.duplicates)
      do throws(ImportProblem) {
        let result = try body(&reader)
        if !reader.hasMetEnd || source.isComplete {
          (position, nextLine) = (reader.position, reader.line)
          if !reader.repeatedNames.isEmpty { repeatedNames.formUnion(reader.repeatedNames) }
          return result
        }
      } catch { if !reader.hasMetEnd || source.isComplete { throw .input(error) } }
      reader = JSONReader([], 0..<0)
      _ = try more()
    }
  }

  /// An array of objects, or an object whose members are classes, arrays of objects again.
  private func nextElement() throws(ImportError) -> Bool {
    do throws(ImportError) {
      if !isStarted {
        isStarted = true
        let start = try reading { (reader) in reader.take("[") ? 1 : reader.take("{") ? 2 : 0 }
        guard start > 0 else { throw .input(ImportProblem(reason: "the input is no array of objects", line: nextLine)) }
        isDocument = start == 2
        if isDocument { return try nextMember(isFirst: true) }
        if try reading({ $0.take("]") }) { return try finish() }
        return try element()
      }
      if isSchema { return try nextMember(isFirst: false) }
      if try reading({ $0.take(",") }) { return try element() }
      guard try reading({ $0.take("]") }) else { throw .input(ImportProblem(reason: "',' or ']' is missing", line: nextLine)) }
      return isDocument ? try nextMember(isFirst: false) : try finish()
    } catch {
      guard case .input(var problem) = error else { throw error }
      problem.hint = problem.hint ?? "what follows it cannot be read"
      (line, self.problem, isOver) = (problem.line ?? nextLine, problem, true)
      return true
    }
  }

  private func element() throws(ImportError) -> Bool {
    let first = try reading { (reader) -> Int in
      reader.skipBlanks()
      return reader.line
    }
    (line, countInLine) = (first, first == line ? countInLine + 1 : 1)
    value = try reading { (reader) throws(ImportProblem) -> ImportValue in try reader.value() }
    checkObject()
    return true
  }

  /// The next class that has objects, with its first one; or the schema.
  private func nextMember(isFirst: Bool) throws(ImportError) -> Bool {
    var isFirst = isFirst
    while true {
      if try reading({ $0.take("}") }) { return try finish() }
      if !isFirst, try !reading({ $0.take(",") }) { throw .input(ImportProblem(reason: "',' or '}' is missing", line: nextLine)) }
      isFirst = false
      let name = try reading { (reader) throws(ImportProblem) in try reader.memberName() }
      className = MemberName.meaning(name) ?? name
      isSchema = name == "$schema"
      if isSchema { return try element() }
      if !listNames.contains(name) { listNames.append(name) }
      guard try reading({ $0.take("[") }) else {
        let reason = "the input is neither an array of objects nor an object of such arrays"
        let hint = "take the array out of it first, as jq '.items' does, or make one, as jq -s does"
        throw .input(ImportProblem(reason: reason, hint: hint, line: nextLine))
      }
      if try !reading({ $0.take("]") }) { return try element() }
    }
  }

  /// Behind the last row.
  private func finish() throws(ImportError) -> Bool {
    guard try reading({ $0.isAtEnd() }) else { throw .input(ImportProblem(reason: "something follows the last object", line: nextLine)) }
    isOver = true
    return false
  }
}
