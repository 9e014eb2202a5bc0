import EngineWorkloads
import Glibc

// How large a file is while it is filled, emptied and then used normally. Prints tables of bytes: of the file, of its newest version, and of what
// that uses. No measurement of time; the figures are the same in every run but for what depends on the file system.
//
//     space-benchmarks [ITEMS [BYTES OF AN ITEM]]

let items = CommandLine.arguments.count > 1 ? Int(CommandLine.arguments[1]) ?? 2000 : 2000
let itemByteCount = CommandLine.arguments.count > 2 ? Int(CommandLine.arguments[2]) ?? 2000 : 2000
var template = Array("\(getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp")/regnum-space-XXXXXX".utf8CString)
guard mkdtemp(&template) != nil else { fatalError("no directory") }
let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
let path = directory + "/space.realm"
func removeFiles() {
  for suffix in ["", ".lock", ".note"] { unlink(path + suffix) }
  rmdir(path + ".management")
}

func heading(_ text: String) {
  print("\n\(text)\n\n| after | file | newest version | used | file / used |\n| --- | ---: | ---: | ---: | ---: |")
}

@discardableResult func row(_ label: String, _ store: SpaceStore) throws -> SpaceStore.Use {
  let use = try store.use()
  let ratio = (Double(use.fileByteCount) / Double(use.usedByteCount) * 100).rounded() / 100
  print("| \(label)\(use.isMoving ? ", moving" : "") | \(use.fileByteCount) | \(use.logicalByteCount) | \(use.usedByteCount) | \(ratio) |")
  return use
}

/// Commits of one changed number until the file is short, or so many.
func useNormally(_ store: SpaceStore, upTo limit: Int, every step: Int) throws -> Int {
  var last = try store.use()
  for commit in 1...limit {
    try store.touch()
    let now = try store.use()
    if commit % step == 0 || now.fileByteCount != last.fileByteCount || now.logicalByteCount != last.logicalByteCount || now.isMoving != last.isMoving
    {
      try row("\(commit) commits", store)
    }
    last = now
    if !now.isMoving, now.fileByteCount == now.logicalByteCount, now.fileByteCount < 3 * now.usedByteCount + 65_536 { return commit }
  }
  return limit
}

heading("\(items) items of \(itemByteCount) bytes, all but every 20th removed, then commits of one number each")
var store = try SpaceStore(path: path)
try store.fill(items, byteCount: itemByteCount)
try row("filling", store)
try store.thin(keepingEvery: 20)
try row("removing", store)
let commits = try useNormally(store, upTo: 2000, every: 10)
print("\nFinished after \(commits) commits.")

heading("The same file: six rounds of filling and removing, 200 commits of one number after each")
for round in 1...6 {
  try store.fill(items, byteCount: itemByteCount)
  try row("round \(round), filled", store)
  try store.thin(keepingEvery: 20)
  for _ in 0..<200 { try store.touch() }
  try row("round \(round), used", store)
}

heading("The same with a reader that stays from before the removal for 200 commits")
try store.fill(items, byteCount: itemByteCount)
try store.pin()
try store.thin(keepingEvery: 20)
for part in 1...4 {
  for _ in 0..<50 { try store.touch() }
  try row("\(part * 50) commits", store)
}
store.unpin()
print("| the reader goes | | | | |")
_ = try useNormally(store, upTo: 2000, every: 10)

heading("Half of the items removed, which is not enough for the file to shrink by itself, then `releaseUnusedSpace`")
try store.fill(items, byteCount: itemByteCount)
try store.thin(keepingEvery: 2)
for _ in 0..<20 { try store.touch() }
try row("20 commits", store)
_ = try store.releaseUnusedSpace()
try row("releasing", store)
store.close()
removeFiles()
rmdir(directory)
