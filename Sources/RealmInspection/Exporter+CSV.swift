import RealmQuery
package import RealmStorage

// One class as RFC 4180: a header with the property names, lines that end with CR LF.
//
// Null is an empty field, the empty string is `""`. Links, collections and nested values are canonical JSON.

extension Exporter {
  /// - Parameter objects: those to write; nil for all.
  /// - Throws: `.invalidArgument` for a class without properties: what a reader made of it would have one.
  package func writeCSV(table: TableDescription, objects: ObjectWalk? = nil) throws(StorageError) {
    let columns = Array(table.publicColumns)
    if columns.isEmpty {
      throw .invalidArgument(reason: "'\(SchemaText.className(table.name))' has no properties, which are what CSV holds; JSON holds its objects")
    }
    writeCSVHeader(columns.map { MemberName.of(SchemaNames.text($0.name)) })
    let printer = ObjectPrinter(self, table)
    try printer.forEachObject(objects) { (_, row) throws(StorageError) in
      for position in columns.indices {
        if position > 0 { output.append(",") }
        try writeCell(printer, position, row)
      }
      output.append("\r\n")
      try output.flushIfLong()
    }
    try output.flush()
  }

  /// The names of properties whose embedded objects are in no column of CSV.
  package func leftOutOfCSV(_ table: TableDescription) -> [String] {
    table.publicColumns.filter(holdsEmbedded).map { SchemaNames.text($0.name) }
  }

  package func leftOutOfCSV(_ columns: [PathColumn]) -> [String] { columns.filter { holdsEmbedded($0.property.column) }.map(\.name) }

  private func holdsEmbedded(_ column: ColumnDescription) -> Bool { column.type == .link && index.table(column.oppositeTable)?.kind == .embedded }

  func writeCSVHeader(_ names: [String]) {
    for (position, name) in names.enumerated() {
      if position > 0 { output.append(",") }
      appendHeaderField(Array(name.utf8))
    }
    output.append("\r\n")
  }

  func writeCell(_ printer: ObjectPrinter, _ position: Int, _ row: Int) throws(StorageError) {
    guard let value = try printer.value(position, row), appendValue(value) else {
      // The JSON of the field, as one quoted cell.
      try output.flush()
      keepsLine = true
      defer { keepsLine = false }
      try printer.writeField(position, row)
      let json = output.take()
      return appendField(json)
    }
  }

  /// A plain value, in quotes if it would be taken for null without them.
  /// - Returns: false for what is no plain value.
  private func appendValue(_ value: Value) -> Bool {
    guard let nullText else { return appendCell(value) }
    if case .null = value {
      output.buffer += nullText
      return true
    }
    let start = output.buffer.count
    guard appendCell(value) else { return false }
    if output.buffer[start...].elementsEqual(nullText) {
      output.buffer.removeSubrange(start...)
      appendField(nullText, isQuoted: true)
    }
    return true
  }

  /// - Returns: false for what is no plain value.
  private func appendCell(_ value: Value) -> Bool {
    switch value {
    case .null: break
    case .int(let number): output.append(String(number))
    case .bool(let isTrue): output.append(isTrue ? "true" : "false")
    case .string(let text): appendField(text)
    case .float(let number): output.append(NumberText.text(of: number))
    case .double(let number): output.append(NumberText.text(of: number))
    case .decimal(let number): output.append(NumberText.text(of: number))
    case .timestamp(let date): output.append(DateText.text(of: date))
    case .objectID(let id): CanonicalJSON.appendHex(id.bytes, to: &output.buffer)
    case .uuid(let id): output.append(id.text)
    // No bytes are no null.
    case .binary(let bytes) where bytes.isEmpty: appendField([])
    case .binary(let bytes): CanonicalJSON.appendBase64(bytes, to: &output.buffer)
    default: return false
    }
    return true
  }

  /// A table of values that are no objects.
  package func writeCSV(_ groups: GroupRows) throws(StorageError) {
    writeCSVHeader(groups.names)
    for row in groups.rows {
      for (position, cell) in row.enumerated() {
        if position > 0 { output.append(",") }
        if !appendValue(cell.value) { appendField(cell.json) }
      }
      output.append("\r\n")
      try output.flushIfLong()
    }
    try output.flush()
  }

  /// Quoted also where a reader that looks for the separator in the header, as `import` does, would take a part of the name for it, or the
  /// beginning of the file for a byte order mark.
  private func appendHeaderField(_ text: [UInt8]) {
    let isMarked = text.starts(with: [0xEF, 0xBB, 0xBF]) || text.starts(with: "sep=".utf8)
    appendField(text, isQuoted: isMarked || text.contains { CSVRecords.delimiters.contains($0) })
  }

  /// Quoted where RFC 4180 asks for it, and when empty.
  private func appendField(_ text: [UInt8], isQuoted: Bool = false) {
    let special = isQuoted || text.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: ",") || $0 == 0x0D || $0 == 0x0A }
    guard special || text.isEmpty || text.first == 0x20 || text.last == 0x20 else { return output.buffer.append(contentsOf: text) }
    output.buffer.append(UInt8(ascii: "\""))
    for byte in text {
      if byte == UInt8(ascii: "\"") { output.buffer.append(byte) }
      output.buffer.append(byte)
    }
    output.buffer.append(UInt8(ascii: "\""))
  }
}

/// Dates in ISO 8601, UTC.
package enum DateText {
  /// `2020-01-31T12:00:00Z`, with as many digits of the second as are needed; years outside 0...9999 appear as `seconds:nanoseconds`.
  package static func text(of date: Timestamp) -> String {
    var seconds = date.seconds
    var nanoseconds = Int64(date.nanoseconds)
    if nanoseconds < 0 {
      nanoseconds += 1_000_000_000
      let (less, overflow) = seconds.subtractingReportingOverflow(1)
      if overflow { return "\(date.seconds):\(date.nanoseconds)" }
      seconds = less
    }
    // 0000-01-01 and 10000-01-01.
    guard seconds >= -62_167_219_200, seconds < 253_402_300_800, nanoseconds >= 0, nanoseconds < 1_000_000_000 else {
      return "\(date.seconds):\(date.nanoseconds)"
    }
    let days = seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400
    let rest = seconds - days * 86400
    let (year, month, day) = civil(days)
    var text = "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
    text += "\(padded(rest / 3600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))"
    if nanoseconds > 0 {
      var fraction = padded(nanoseconds, 9)
      while fraction.hasSuffix("0") { fraction.removeLast() }
      text += "." + fraction
    }
    return text + "Z"
  }

  /// The Gregorian date of a day counted from 1970-01-01, by eras of 400 years that begin in March.
  private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
  }
  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
