import RealmQuery
import RealmStorage

/// What became of values of JSON that are none of the type that their property holds, in lines for the user.
package final class ConversionNotes {
  fileprivate struct Note {
    let place: String
    let reason: String
    let text: String
    var count = 1
  }
  private var notes: [Note] = []
  private var path: [String] = []
  /// Properties about which there is something to say; nil for all.
  private let properties: Set<ExactName>?
  /// Of the row that is being prepared, if it has one.
  package var line: Int?

  package init(about properties: Set<ExactName>? = nil) { self.properties = properties }

  /// One line for each property and reason, with the first value that it was about.
  package var lines: [String] { notes.map { "\($0.place): \($0.text)" + ($0.count > 1 ? ", and \($0.count - 1) more likewise" : "") } }

  /// What there is to say so far: of a value that is refused nothing is said.
  var mark: Mark {
    get { Mark(notes: notes) }
    set { notes = newValue.notes }
  }
  struct Mark { fileprivate let notes: [Note] }

  /// Everything until `leave` is about a property of that name.
  package func enter(_ property: String) { path.append(property) }
  func leave() { path.removeLast() }

  /// - Parameters:
  ///   - reason: one word; only the first note about a property for the same one has its text shown.
  ///   - shown: the value as it is written.
  func add(_ reason: String, _ shown: String, _ rest: String) {
    if let properties, let first = path.first, !properties.contains(ExactName(first)) { return }
    let place = path.joined(separator: ".")
    if let index = notes.firstIndex(where: { $0.reason == reason && $0.place == place }) {
      notes[index].count += 1
    } else {
      let line = line.map { " (line \($0))" } ?? ""
      notes.append(Note(place: place, reason: reason, text: "\(shown)\(line) \(rest)"))
    }
  }

  /// Looks at what became of a value.
  func add(_ value: ImportValue, _ result: Value, _ type: ColumnType) {
    switch (value, result) {
    case (.bool, .string), (.integer, .string), (.number, .string), (.text, .int), (.text, .bool):
      addType(value, result, type)
    case (.text(let bytes), .double), (.text(let bytes), .float), (.text(let bytes), .decimal):
      // What has no digits, such as "NaN", JSON has no other word for.
      if ImportText.digits(bytes.span, bytes.indices) != nil { addType(value, result, type) }
    case (.integer(let integer), .double(let number)):
      if Int64(exactly: number) != integer { add("rounded", value.shownText, "becomes \(result.queryText), the double that is nearest to it") }
    case (.integer(let integer), .float(let number)):
      if Int64(exactly: number) != integer { add("rounded", value.shownText, "becomes \(number), the float that is nearest to it") }
    case (.number(let bytes), .double(let number)):
      guard ConversionNotes.isRounded(bytes, number, exactDigitCount: 15) else { return }
      add("rounded", value.shownText, "becomes \(result.queryText), the double that is nearest to it")
    case (.number(let bytes), .float(let number)):
      guard ConversionNotes.isRounded(bytes, number, exactDigitCount: 6) else { return }
      add("rounded", value.shownText, "becomes \(number), the float that is nearest to it")
    case (.text(let bytes), .timestamp):
      switch DateForm(bytes)?.precision {
      case .day?: add("day", value.shownText, "has no time, which becomes midnight UTC")
      case .local?: add("local", value.shownText, "has no time zone and is taken for UTC")
      default: break
      }
    default: break
    }
  }

  private func addType(_ value: ImportValue, _ result: Value, _ type: ColumnType) {
    let shown: String
    if case .float(let number) = result { shown = "\(number)" } else { shown = result.queryText }
    add("type", value.shownText, "is no \(TypeWords.word(type)) and becomes \(shown)")
  }

  /// Whether the shortest text that means a number of a file means another one than what was written.
  static func isRounded<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ bytes: [UInt8], _ number: Number, exactDigitCount: Int
  ) -> Bool {
    guard let digits = ImportText.digits(bytes.span, bytes.indices), digits.significantCount > exactDigitCount else { return false }
    let text = String(decoding: bytes, as: UTF8.self)
    if digits.isInteger, let whole = UInt128(exactly: number.magnitude) { return String(whole) != text.drop { $0 == "-" } }
    guard digits.significantCount <= Decimal128.maximumDigitCount, let written = Decimal128(text: text),
      let stored = Decimal128(text: "\(number)")
    else { return true }
    return Decimal128.compare(written, stored) != 0
  }
}
