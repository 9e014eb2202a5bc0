import RealmQuery

/// What is known of the columns of CSV.
struct TextColumnFacts {
  struct Column {
    var facts = ValueFacts()
    var hasNull = false
  }
  /// What has to be known to see that a value says nothing new; trivial to copy, unlike the facts.
  private struct Known {
    /// A column that is left out counts as one of which all is known.
    var isDecided: Bool
    /// It becomes one of floats, which hold less than doubles.
    var isFloat = false
    var hasNull = false
    var kinds: ValueKinds = []
  }
  /// In the order of the header.
  private(set) var columns: [Column]
  private var known: [Known]

  /// - Parameters:
  ///   - decided: names of columns whose values are taken as they are.
  ///   - floats: names of columns that become floats.
  init(_ header: [String?], known decided: Set<ExactName> = [], floats: Set<ExactName> = []) {
    columns = header.map { _ in Column() }
    known = header.map { name in
      guard let name = name.map({ ExactName($0) }) else { return Known(isDecided: true, hasNull: true) }
      return Known(isDecided: decided.contains(name), isFloat: floats.contains(name))
    }
  }

  /// Takes the present row in.
  mutating func look(at cursor: ImportCursor, _ slashes: DateForm.SlashOrder?) {
    // Once for the row: each look at a member of the cursor counts references.
    let (records, firstField, buffer) = (cursor.records, cursor.record.firstField, cursor.source.buffer)
    for index in known.indices {
      let field = records.fields[firstField + index]
      if field.isNull {
        if !known[index].hasNull { (known[index].hasNull, columns[index].hasNull) = (true, true) }
        continue
      }
      if known[index].isDecided { continue }
      var kind: ValueKinds
      if field.isUnescaped {
        let side = records.side
        kind = ImportText.kind(side.span, field.range, slashes)
      } else {
        kind = ImportText.kind(buffer.span, field.range, slashes)
      }
      if known[index].isFloat { kind = Self.kind(asFloat: kind, cursor.copy(index)) }
      if !known[index].kinds.isSuperset(of: kind) { add(kind, cursor, index) }
    }
  }

  /// What a number is to a float: one with more digits than it holds, or an integer that it does not hold.
  @inline(never) private static func kind(asFloat kind: ValueKinds, _ bytes: [UInt8]) -> ValueKinds {
    guard let number = Float(String(decoding: bytes, as: UTF8.self)), number.isFinite else { return kind }
    switch kind {
    case .int: return ImportText.integer(bytes.span, bytes.indices) == Int64(exactly: number) ? .int : .largeInt
    case .number, .shortFraction, .zeroEnded: return ConversionNotes.isRounded(bytes, number, exactDigitCount: 6) ? .longNumber : kind
    default: return kind
    }
  }

  @inline(never) private mutating func add(_ kind: ValueKinds, _ cursor: ImportCursor, _ index: Int) {
    columns[index].facts.add(kind, line: cursor.line, cursor.copy(index))
    let facts = columns[index].facts
    known[index].kinds = facts.kinds
    // Nothing makes a string anything else again, and all that was lost by then is in the samples.
    known[index].isDecided = facts.kinds.contains(.string) && facts.samples.count > 1
  }
}
