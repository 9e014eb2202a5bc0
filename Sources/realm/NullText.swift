import ArgumentParser

/// Texts that stand for null in CSV.
enum NullText {
  /// - Throws: for one that cannot stand in a field without quotes, or where no CSV is read or written.
  static func check(_ text: String?, isCSV: Bool) throws {
    guard let text else { return }
    if !isCSV { throw ValidationError("--null goes with CSV only; JSON has a word for null.") }
    if text.utf8.contains(where: { [0x22, 0x2C, 0x0D, 0x0A].contains($0) }) || text.utf8.first == 0x20 || text.utf8.last == 0x20 {
      throw ValidationError("--null needs a text that stands in a field without quotes, such as NA.")
    }
  }
}
