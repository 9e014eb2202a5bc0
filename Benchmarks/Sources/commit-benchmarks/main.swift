import EngineWorkloads
import Glibc
import Randomness

// What a commit costs by the number of holes in the file: processor time of the whole process, and the bytes that it hands to the system.
// Plain and encrypted files, and commits after another handle has written.
//
//     commit-benchmarks [ROWS [TRANSACTIONS [REPETITIONS]]]

func argument(_ index: Int, _ usual: Int) -> Int { CommandLine.arguments.count > index ? Int(CommandLine.arguments[index]) ?? usual : usual }
let rows = argument(1, 1_000_000)
let transactions = argument(2, 5000)
let repetitions = argument(3, 1000)
/// What the last part of each file has at least.
let blockCount = 10_000
/// Commits whose bytes are counted, which takes longer than they do.
let countedRepetitions = 100

var template = Array("\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/regnum-commit-XXXXXX".utf8CString)
guard mkdtemp(&template) != nil else { fatalError("no directory") }
let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
let path = directory + "/commit.realm"
func removeFiles() {
  for suffix in ["", ".lock", ".note"] { unlink(path + suffix) }
  rmdir(path + ".management")
}

/// Processor time of the process so far, all threads.
func microseconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

/// What the process has written so far: bytes, and calls of the system.
struct Written {
  var byteCount = 0
  var callCount = 0

  static func now() -> Written {
    let descriptor = open("/proc/self/io", O_RDONLY)
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = read(descriptor, &bytes, bytes.count)
    close(descriptor)
    var result = Written()
    for line in String(decoding: bytes[..<max(count, 0)], as: UTF8.self).split(separator: "\n") {
      if line.hasPrefix("wchar: ") { result.byteCount = Int(line.dropFirst(7)) ?? 0 }
      if line.hasPrefix("syscw: ") { result.callCount = Int(line.dropFirst(7)) ?? 0 }
    }
    return result
  }
}

var random = SeededGenerator(seed: 11)
@MainActor func changeOne(_ store: EngineStore) throws { try store.update([Int64(random.below(rows))], ages: [Int64(random.below(100))]) }

func padded(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(0, width - text.count)) + text }
func rounded(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

func line(_ name: String, _ columns: [String]) {
  print(name + padded("", 40 - name.count) + columns.map { padded($0, 12) }.joined())
  fflush(nil)
}

/// Prints the median time of many commits, and the mean of what some of them write.
/// - Parameter before: runs before each of them, unmeasured.
@MainActor func report(_ name: String, _ store: EngineStore, before: (() throws -> Void)? = nil, _ commit: () throws -> Void) throws {
  let blocks = try store.freeBlockCount()
  var times: [Double] = []
  for _ in 0..<repetitions {
    try before?()
    let start = microseconds()
    try commit()
    times.append(microseconds() - start)
  }
  var written = Written()
  for _ in 0..<countedRepetitions {
    try before?()
    let start = Written.now()
    try commit()
    let end = Written.now()
    written.byteCount += end.byteCount - start.byteCount
    written.callCount += end.callCount - start.callCount
  }
  let count = Double(countedRepetitions)
  line(
    name,
    [
      rounded(times.sorted()[repetitions / 2]), "\(written.byteCount / countedRepetitions)", rounded(Double(written.callCount) / count),
      "\(blocks)", "\(try store.freeBlockCount())",
    ])
}

@MainActor func reportAll(_ store: EngineStore, _ other: EngineStore) throws {
  try report("  empty", store) { try store.commitNothing() }
  try report("  one object", store) { try changeOne(store) }
  try report("  empty after another handle's", store, before: { try changeOne(other) }) { try store.commitNothing() }
  try report("  one object after another handle's", store, before: { try changeOne(other) }) { try changeOne(store) }
}

let people = People(count: rows, seed: 7)
for (name, key) in [("plain", nil), ("encrypted", (0..<64).map { UInt8($0) })] as [(String, [UInt8]?)] {
  let store = try EngineStore(path: path, key: key)
  let other = try EngineStore(path: path, key: key)
  try store.insert(people)
  line("\(name), \(rows) rows", ["µs (cpu)", "bytes", "writes", "blocks", "then"])
  print(" as filled")
  try reportAll(store, other)
  for _ in 0..<transactions { try changeOne(store) }
  print(" after \(transactions) transactions of one object")
  try reportAll(store, other)
  // Whoever reads an old version keeps what is freed since from being used.
  try other.pin()
  repeat {
    let keys = (0..<200).map { _ in Int64(random.below(rows)) }
    try store.update(keys, ages: keys.map { $0 % 100 })
  } while try store.freeBlockCount() < 3 * blockCount / 2
  other.unpin()
  print(" after larger ones beside a reader")
  try reportAll(store, other)
  store.close()
  other.close()
  removeFiles()
}
rmdir(directory)
