import RealmStorage
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Commits that others are to hear of, and hearing of those of others.
///
///     add PATH TABLE    for each line of input: commits an object whose primary key is that text; answers `added TEXT`
///     watch PATH        answers `watching`, then `version NUMBER` whenever it wakes and finds a newer version; at the end of input it closes the
///                       file and answers `threads COUNT`
enum SignalSteps {
  static func add(_ arguments: ArraySlice<String>) {
    let words = Array(arguments)
    guard words.count == 2 else { Agent.fail("add PATH TABLE") }
    do throws(StorageError) {
      let database = try Database.open(path: words[0], options: Agent.options())
      Agent.answer("ready")
      while let line = readLine(strippingNewline: true) {
        try database.write { (group) throws(StorageError) in
          guard let table = try group.table(named: words[1]) else { Agent.fail("no table") }
          _ = try table.createObject(primaryKey: Value(line))
        }
        Agent.answer("added \(line)")
      }
    } catch { Agent.fail("\(error)") }
  }

  static func watch(_ arguments: ArraySlice<String>) {
    guard let path = arguments.first else { Agent.fail("watch PATH") }
    do throws(StorageError) {
      var database: Database? = try Database.open(path: path, options: Agent.options())
      guard let note = database?.note, let probe = VersionProbe(lockFile: RealmPaths(path).lock) else { Agent.fail("nothing to watch") }
      let last = Atomic<UInt64>(probe.newestVersion ?? 0)
      var watch = CommitWatcher.watch(note) {
        guard let version = probe.newestVersion, last.exchange(version, ordering: .relaxed) != version else { return }
        Agent.answer("version \(version)")
      }
      Agent.answer(watch == nil ? "deaf" : "watching")
      // Not by `readLine`, whose lock would keep the other thread from answering.
      var byte: UInt8 = 0
      while unsafe read(0, &byte, 1) == 1 {}
      watch = nil
      database = nil
      Agent.answer("threads \(threadCount())")
    } catch { Agent.fail("\(error)") }
  }

  /// Of this process, once the thread that watched has had time to end.
  private static func threadCount() -> Int {
    var count = 0
    for _ in 0..<200 {
      count = 0
      guard let directory = unsafe opendir("/proc/self/task") else { return -1 }
      while unsafe readdir(directory) != nil { count += 1 }
      unsafe closedir(directory)
      // Without `.` and `..`.
      count -= 2
      if count <= 1 { break }
      usleep(10_000)
    }
    return count
  }
}
