import CSQLite
import EngineWorkloads

/// The same queries for SQLite: statements with literals, prepared anew for every query, which is a matter of microseconds.
extension SQLitePeer {
  func answer(_ query: Query) throws -> Answer {
    func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
    switch query {
    case .age(let age): return try number("SELECT COUNT(*) FROM person WHERE age = \(age)")
    case .created(let range): return try number("SELECT COUNT(*) FROM person WHERE created BETWEEN \(range.lowerBound) AND \(range.upperBound)")
    case .scoreBelow(let limit): return try number("SELECT COUNT(*) FROM person WHERE score < \(limit)")
    case .name(let name): return try number("SELECT COUNT(*) FROM person WHERE name = '\(text(name))'")
    case .nameContains(let part, ignoresCase: false): return try number("SELECT COUNT(*) FROM person WHERE instr(name, '\(text(part))') > 0")
    case .nameContains(let part, ignoresCase: true): return try number("SELECT COUNT(*) FROM person WHERE name LIKE '%\(text(part))%'")
    case .three(let age, let score, let created):
      return try number("SELECT COUNT(*) FROM person WHERE age > \(age) AND score < \(score) AND created > \(created)")
    case .sumOfAges: return try number("SELECT SUM(age) FROM person")
    case .averageOfScores: return try number("SELECT AVG(score) FROM person")
    case .smallestCreated: return try number("SELECT MIN(created) FROM person")
    case .largestScore: return try number("SELECT MAX(score) FROM person")
    case .sumsOfScoresByAge:
      let statement = try prepare("SELECT age, SUM(score) FROM person GROUP BY age")
      defer { sqlite3_finalize(statement) }
      var groups: [(key: Int64, value: Double)] = []
      while sqlite3_step(statement) == SQLITE_ROW { groups.append((sqlite3_column_int64(statement, 0), sqlite3_column_double(statement, 1))) }
      return Answer(groups: groups)
    case .department(let range):
      return try number(
        """
        SELECT COUNT(*) FROM person JOIN department ON department.id = person.department
        WHERE department.id BETWEEN \(range.lowerBound) AND \(range.upperBound)
        """)
    case .createdAmong(let values):
      return try number("SELECT COUNT(*) FROM person WHERE created IN (\(values.map { String($0) }.joined(separator: ",")))")
    case .sorted(let property, let limit):
      let statement = try prepare("SELECT id FROM person ORDER BY \(property.rawValue)\(limit.map { " LIMIT \($0)" } ?? "")")
      defer { sqlite3_finalize(statement) }
      var answer = Answer()
      while sqlite3_step(statement) == SQLITE_ROW { answer.append(sqlite3_column_int64(statement, 0)) }
      return answer
    case .indexedNames(let names, _): return try indexedCount(names)
    }
  }

  private func indexedCount(_ names: [[UInt8]]) throws -> Answer {
    try execute("BEGIN")
    let statement = try prepare("SELECT COUNT(*) FROM person WHERE name = ?")
    defer { sqlite3_finalize(statement) }
    var count = 0
    for name in names {
      name.withUnsafeBytes { bytes in
        // SAFETY: bytes that SQLite reads as characters, inside this closure only.
        _ = sqlite3_bind_text(statement, 1, bytes.baseAddress!.assumingMemoryBound(to: CChar.self), Int32(bytes.count), nil)
        if sqlite3_step(statement) == SQLITE_ROW { count += Int(sqlite3_column_int64(statement, 0)) }
      }
      sqlite3_reset(statement)
    }
    try execute("COMMIT")
    return Answer(count)
  }

  private func number(_ sql: String) throws -> Answer {
    let statement = try prepare(sql)
    defer { sqlite3_finalize(statement) }
    guard sqlite3_step(statement) == SQLITE_ROW else { throw PeerError("SQLite has no answer to \(sql)") }
    return Answer(sqlite3_column_double(statement, 0))
  }
}
