/// What a check found: broken rules, and oddities that the format allows (F14).
package struct CheckReport: Sendable {
  /// One line each; at most `lineLimit` are kept.
  package private(set) var violations: [String] = []
  package private(set) var violationCount = 0
  package private(set) var notes: [String] = []
  let lineLimit: Int

  /// - Parameter lineLimit: 1 for those who ask for the first broken rule only.
  init(lineLimit: Int = 1) { self.lineLimit = lineLimit }

  mutating func add(violation: String) {
    violationCount += 1
    if violations.count < lineLimit { violations.append(violation) }
  }
  mutating func add(note: String) {
    if notes.count < lineLimit { notes.append(note) }
  }
}

/// Where a check is, for messages: a table, one of its columns, an object.
struct CheckPlace {
  var table = ""
  var column = ""
  var object: Int64?

  /// What stands before a message.
  var prefix: String {
    if table.isEmpty { return "" }
    var text = "table '\(table)'"
    if !column.isEmpty { text += " column '\(column)'" }
    if let object { text += " object \(object)" }
    return text + ": "
  }
}
