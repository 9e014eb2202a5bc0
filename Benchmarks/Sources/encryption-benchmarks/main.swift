import EngineWorkloads
import Glibc
import Randomness

// The price of encryption: the same work on a plain and on an encrypted file, in turn, in one process. Prints medians and their ratio.
//
//     encryption-benchmarks [ROWS [REPETITIONS [PART OF A WORKLOAD'S NAME]]]

struct Elapsed {
  var processor: Double
  var wall: Double
  static func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
  static func of(_ body: () throws -> Void) rethrows -> Elapsed {
    let (processor, wall) = (now(CLOCK_PROCESS_CPUTIME_ID), now(CLOCK_MONOTONIC))
    try body()
    return Elapsed(processor: now(CLOCK_PROCESS_CPUTIME_ID) - processor, wall: now(CLOCK_MONOTONIC) - wall)
  }
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// Makes the system forget what it has cached of a file; all of it, if permitted.
func dropCache(_ path: String) {
  sync()
  let descriptor = open(path, O_RDONLY)
  fsync(descriptor)
  posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
  close(descriptor)
}

let rows = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 500_000 : 500_000
let filter = CommandLine.arguments.count > 3 ? CommandLine.arguments[3] : ""
let repetitions = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 9 : 9
var template = Array("\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/regnum-encryption-XXXXXX".utf8CString)
guard mkdtemp(&template) != nil else { fatalError("no directory") }
let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
let key = (0..<64).map { UInt8($0) }
let paths = [directory + "/plain.realm", directory + "/encrypted.realm"]
let keys: [[UInt8]?] = [nil, key]
func files(_ path: String) -> [String] { [path, path + ".lock", path + ".note"] }
defer {
  for path in paths {
    for file in files(path) { unlink(file) }
    rmdir(path + ".management")
  }
  rmdir(directory)
}

func padded(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(0, width - text.count)) + text }
func rounded(_ value: Double) -> String { value < 100 ? "\((value * 100).rounded() / 100)" : "\(Int(value))" }

/// - Parameter bar: of the processor time, or of the wall-clock time if `byWall`.
func report(_ name: String, operations: Int, bar: Double?, byWall: Bool = false, _ body: (Int) throws -> Elapsed) rethrows {
  guard filter.isEmpty || name == "bulkInsert" || name.contains(filter) else { return }
  var times: [[Elapsed]] = [[], []]
  for _ in 0..<(name.contains(filter) ? repetitions : 1) { for side in 0..<2 { times[side].append(try body(side)) } }
  let processor = times.map { median($0.map(\.processor)) / Double(operations) }
  let wall = times.map { median($0.map(\.wall)) / Double(operations) }
  let decisive = byWall ? wall : processor
  let ratio = decisive[1] / decisive[0]
  print(
    name + padded(rounded(processor[0]), 34 - name.count) + padded(rounded(processor[1]), 12) + padded(rounded(wall[0]), 12)
      + padded(rounded(wall[1]), 12) + padded(rounded(ratio), 8) + (byWall ? " wall" : " cpu ")
      + (bar.map { " bar \($0) " + (ratio <= $0 ? "PASS" : "FAIL") } ?? ""))
  fflush(nil)
}

let people = People(count: rows, seed: 7)
print("\(rows) rows, \(repetitions) repetitions, ns per operation (rows, lookups, commits)")
print("workload" + padded("plain cpu", 26) + padded("encr. cpu", 12) + padded("plain wall", 12) + padded("encr. wall", 12) + padded("ratio", 8))

try report("bulkInsert", operations: rows, bar: 2) { side in
  for file in files(paths[side]) { unlink(file) }
  let store = try EngineStore(path: paths[side], key: keys[side])
  let time = try Elapsed.of { try store.insert(people) }
  store.close()
  return time
}
var answers: [Int64] = [0, 0]
do {
  let stores = try (0..<2).map { try EngineStore(path: paths[$0], key: keys[$0]) }
  for side in 0..<2 { answers[side] = try stores[side].sumOfEverything() }
  guard answers[0] == answers[1] else { fatalError("the files differ") }
  try report("cached scan of one column", operations: rows * 100, bar: 1.25) { side in
    try Elapsed.of { for _ in 0..<100 { guard try stores[side].sumOfAllAges() > 0 else { fatalError() } } }
  }
  try report("cached scan of everything", operations: rows, bar: 1.25) { side in
    try Elapsed.of { guard try stores[side].sumOfEverything() == answers[0] else { fatalError() } }
  }
  var random = SeededGenerator(seed: 3)
  let order = (0..<200_000).map { _ in Int64(random.below(rows)) }
  try report("cached lookups", operations: order.count, bar: nil) { side in
    try Elapsed.of { guard try stores[side].sumOfAges(order) > 0 else { fatalError() } }
  }
  try report("commits of one change", operations: 200, bar: 2) { side in
    try Elapsed.of { for step in 0..<200 { try stores[side].update([order[step]], ages: [Int64(step % 100)]) } }
  }
  try report("commits of 1000 changes", operations: 10, bar: 2) { side in
    try Elapsed.of {
      for step in 0..<10 { try stores[side].update(Array(order[step * 1000..<(step + 1) * 1000]), ages: order[0..<1000].map { $0 % 100 }) }
    }
  }
  for side in 0..<2 { answers[side] = try stores[side].sumOfEverything() }
  for store in stores { store.close() }
}
for (name, drops, bar) in [("cold scan, page cache dropped", true, 3.0), ("first scan, page cache warm", false, nil)] as [(String, Bool, Double?)] {
  try report(name, operations: rows, bar: bar, byWall: true) { side in
    if drops { dropCache(paths[side]) }
    var sum: Int64 = 0
    let time = try Elapsed.of {
      let store = try EngineStore(path: paths[side], key: keys[side])
      sum = try store.sumOfEverything()
      store.close()
    }
    guard sum == answers[side] else { fatalError("another answer") }
    return time
  }
}
