/// One figure: a workload at a size, ours beside the peers'.
struct Figure {
  let workload: Workload
  let rows: Int
  /// Medians by engine, in the workload's unit; processor time where it is a time.
  var medians: [String: Double] = [:]
  /// The same by the wall clock.
  var wall: [String: Double] = [:]
  var note = ""

  var ours: Double { medians[EnginePeer.name] ?? .nan }

  /// How many times faster than a peer, by processor time.
  func ratio(_ peer: String) -> Double? { medians[peer].map { $0 / ours } }
  func wallRatio(_ peer: String) -> Double? {
    guard let theirs = wall[peer], let ours = wall[EnginePeer.name] else { return nil }
    return theirs / ours
  }

  /// Nil when nothing was demanded, or the peers were left out.
  var passes: Bool? {
    if let limit = workload.limit { return ours <= limit }
    var result: Bool?
    for bar in workload.bars {
      guard let ratio = ratio(bar.peer) else { return nil }
      result = (result ?? true) && ratio >= bar.factor
    }
    return result
  }

  var barText: String {
    if let limit = workload.limit { return "<= \(number(limit))" }
    return workload.bars.map { "\(number($0.factor))x \($0.peer)" }.joined(separator: ", ")
  }
}

func number(_ value: Double) -> String {
  if value.isNaN { return "-" }
  if value > 0 && value < 0.1 { return "0." + String(String(1000 + Int((value * 1000).rounded())).dropFirst()) }
  if value >= 1000 || value == value.rounded() { return String(Int(value.rounded())) }
  let scaled = Int((value * 100).rounded())
  let fraction = scaled % 100
  return "\(scaled / 100).\(fraction < 10 ? "0" : "")\(fraction)"
}

struct Report {
  static let columns = [
    ("workload", 19), ("rows", 9), ("unit", 10), ("Regnum", 9), ("SQLite", 9), ("LMDB", 9), ("xSQLite", 8), ("xLMDB", 7),
    ("wall xSQLite/xLMDB", 19), ("bar", 25), ("", 5),
  ]

  static func line(_ fields: [String]) -> String {
    zip(fields, columns).map { field, column in
      let padding = String(repeating: " ", count: max(0, column.1 - field.count))
      return column.0 == "workload" || column.0 == "bar" || column.0.isEmpty ? field + padding : padding + field
    }.joined(separator: " ")
  }

  static var heading: String { line(columns.map(\.0)) }

  static func line(_ figure: Figure) -> String {
    func optional(_ value: Double?) -> String { value.map(number) ?? "-" }
    let (sqlite, lmdb) = (SQLitePeer.name, LMDBPeer.name)
    let text = line([
      figure.workload.rawValue, String(figure.rows), figure.workload.unit, number(figure.ours), optional(figure.medians[sqlite]),
      optional(figure.medians[lmdb]), optional(figure.ratio(sqlite)), optional(figure.ratio(lmdb)),
      figure.wall.isEmpty ? "-" : "\(optional(figure.wallRatio(sqlite))) / \(optional(figure.wallRatio(lmdb)))", figure.barText,
      figure.passes.map { $0 ? "PASS" : "FAIL" } ?? "-",
    ])
    return figure.note.isEmpty ? text : text + "  " + figure.note
  }

  static func json(_ figure: Figure) -> String {
    func object(_ values: [String: Double]) -> String {
      "{" + values.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }
    let passes = figure.passes.map { $0 ? "true" : "false" } ?? "null"
    return "{\"workload\":\"\(figure.workload.rawValue)\",\"rows\":\(figure.rows),\"unit\":\"\(figure.workload.unit)\","
      + "\"processor\":\(object(figure.medians)),\"wall\":\(object(figure.wall)),\"bar\":\"\(figure.barText)\",\"passes\":\(passes)}"
  }
}
