import CInstructions
import EngineWorkloads
import Glibc

// What it costs to ask an index, beside the scan that it is to spare: instructions, which are the same in every run but for a few, of queries
// that are bound already. Then what it costs that a query can be cancelled.
//
//     index-benchmarks [ROWS]

let rows = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 100_000
let counter = instructions_open()
guard counter >= 0 else { fatalError("the system does not let this process count instructions (perf_event_open: errno \(errno))") }
var template = Array("\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/regnum-index-XXXXXX".utf8CString)
guard mkdtemp(&template) != nil else { fatalError("no directory") }
let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
let path = directory + "/index.realm"
defer {
  for suffix in ["", ".lock", ".note"] { unlink(path + suffix) }
  rmdir(path + ".management")
  rmdir(directory)
}

/// The least of several measurements: the first ones also fill caches.
func instructions(_ body: () throws -> Void) rethrows -> Int {
  var least = UInt64.max
  for _ in 0..<5 {
    let start = instructions_read(counter)
    try body()
    least = min(least, instructions_read(counter) - start)
  }
  return Int(least)
}

func list(_ numbers: some Sequence<Int>, _ text: (Int) -> String) -> String { "{" + numbers.map(text).joined(separator: ", ") + "}" }
func name(_ number: Int) -> String { "'user-" + String(number + 0x10_0000, radix: 16) + "'" }
let names = rows / 10
/// As many constants as an index is asked for at all.
let many = rows / 50

let queries: [(kind: String, label: String, text: String)] = [
  ("equality", "flag == 0", "flag == 0"), ("equality", "tag == 'common'", "tag == 'common'"), ("equality", "stamp == T0:0", "stamp == T0:0"),
  ("equality", "age == 5", "age == 5"), ("equality", "name == …", "name == \(name(5))"),
  ("compound", "flag == 0 && plain == 5", "flag == 0 && plain == 5"), ("compound", "age == 5 && plain == 5", "age == 5 && plain == 5"),
  ("compound", "flag == 0 && tag == 'common' && age < 50", "flag == 0 && tag == 'common' && age < 50"),
  ("compound", "flag == 0 || age == 5", "flag == 0 || age == 5"), ("compound", "age == 5 || flag == 0", "age == 5 || flag == 0"),
  ("compound", "age == 5 || plain == 5", "age == 5 || plain == 5"), ("compound", "plain == 5 || age == 5", "plain == 5 || age == 5"),
  ("IN", "age IN 20 of 100", "age IN \(list(0..<20) { "\($0)" })"), ("IN", "age IN 3 of 100", "age IN \(list(0..<3) { "\($0)" })"),
  ("IN", "age IN 1000, 100 of them there", "age IN \(list(0..<min(1000, many)) { "\($0)" })"),
  ("IN", "id IN rows/50", "id IN \(list(0..<many) { "\($0 * 50)" })"), ("IN", "id IN 50", "id IN \(list(0..<50) { "\($0 * 50)" })"),
  ("IN", "name IN rows/50", "name IN \(list(0..<many) { name($0) })"),
  ("IN", "name IN rows/50, one in ten there", "name IN \(list(0..<many) { name($0 * 10) })"),
  ("IN", "tag IN rows/50, the last there", "tag IN \(list(0..<many) { $0 == many - 1 ? "'common'" : "'none \($0)'" })"),
  ("range", "name BEGINSWITH 'user-'", "name BEGINSWITH 'user-'"), ("range", "name BEGINSWITH 'user-101'", "name BEGINSWITH 'user-101'"),
  ("range", "name BEGINSWITH 'user-1010'", "name BEGINSWITH 'user-1010'"), ("range", "name >= 'user-101'", "name >= 'user-101'"),
  ("range", "name < 'user-101'", "name < 'user-101'"),
  ("range", "name BEGINSWITH 'user-101' && plain == 5", "name BEGINSWITH 'user-101' && plain == 5"),
  ("range", "tag BEGINSWITH 'comm'", "tag BEGINSWITH 'comm'"), ("range", "tag > 'b'", "tag > 'b'"),
  ("range", "token > half", "token > uuid(00800000-0000-0000-0000-000000000000)"),
  ("range", "id BETWEEN rows/2000 values", "id BETWEEN {100, \(100 + rows / 2000 - 1)}"), ("range", "id > 5", "id > 5"),
  ("range", "age BETWEEN {5, 30}", "age BETWEEN {5, 30}"),
  ("links", "dept.title == 'title 7'", "dept.title == 'title 7'"), ("links", "dept.kind == 1", "dept.kind == 1"),
  ("links", "dept.title IN 8 of 100", "dept.title IN \(list(0..<8) { "'title \($0)'" })"), ("links", "team.grade == 3", "team.grade == 3"),
  ("links", "team.grade IN 10 of 50", "team.grade IN \(list(0..<10) { "\($0)" })"), ("links", "team.name == 'team 7'", "team.name == 'team 7'"),
  ("links", "team.name BEGINSWITH 'team 1'", "team.name BEGINSWITH 'team 1'"),
  ("links", "team.name BEGINSWITH 'team 10'", "team.name BEGINSWITH 'team 10'"),
  ("links", "ANY depts.title == 'title 7'", "ANY depts.title == 'title 7'"), ("links", "ANY depts.kind == 1", "ANY depts.kind == 1"),
  ("links", "ANY teams.grade == 3", "ANY teams.grade == 3"), ("links", "team.grade == 3 && flag == 0", "team.grade == 3 && flag == 0"),
]

let store = try IndexStore(path: path, rows: rows)
print("\(rows) rows; instructions of bound queries\n")
print("| kind | condition | scan | asking the index | of the scan | answer of the index |\n| --- | --- | ---: | ---: | ---: | --- |")
for (kind, label, text) in queries {
  try store.withQuery(text) { query in
    var counts: Set<Int> = []
    let scan = try instructions { counts.insert(try query.count(ignoringIndexes: true)) }
    var index: String?
    let attempt = try instructions { index = try query.askIndexes() }
    let whole = try instructions { counts.insert(try query.count(ignoringIndexes: false)) }
    precondition(counts.count == 1, "\(label): \(counts)")
    let share = Double(attempt) / Double(scan) * 100
    let outcome = index == nil ? "refused" : "used, \((Double(whole) / Double(scan) * 1000).rounded() / 10) % of the scan in all"
    print("| \(kind) | `\(label)` | \(scan) | \(attempt) | \((share * 10).rounded() / 10) % | \(outcome) |")
  }
}

// What it costs that a query can be cancelled.
print("\n| count of | asking | nanoseconds a leaf |\n| --- | --- | ---: |")
for text in ["plain == 5", "text CONTAINS 'r-10'"] {
  for asking in IndexStore.Asking.allCases {
    let least = try await Task {
      try store.withQuery(text) { query in
        var least = Duration.seconds(1)
        for _ in 0..<500 { least = min(least, try ContinuousClock().measure { _ = try query.count(ignoringIndexes: true, asking: asking) }) }
        return least
      }
    }.value
    let nanoseconds = Double(least.components.attoseconds) / 1e9 / Double((rows + 255) / 256)
    print("| `\(text)` | \(asking) | \((nanoseconds * 10).rounded() / 10) |")
  }
}
store.close()
