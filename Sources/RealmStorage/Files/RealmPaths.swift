/// The names of the files beside a realm file. T1.
///
/// Names are formed by appending to the whole path, whatever its extension; only backups drop a trailing `.realm`. So `a` and
/// `a.realm` in one directory share their backup names, as they do for every other engine.
package struct RealmPaths: Hashable, Sendable {
  package let database: String

  package init(_ database: String) { self.database = database }

  /// Coordinates the participants. Never unlinked by the engine, never truncated while somebody has it open.
  package var lock: String { database + ".lock" }
  /// A directory; empty with shared mutexes, but other engines expect it.
  package var management: String { database + ".management" }
  /// The FIFO that tells other processes of commits.
  package var note: String { database + ".note" }
  /// Written by old engines only; known so that it is deleted with the rest.
  package var log: String { database + ".log" }
  package var temporaryCompaction: String { database + ".tmp_compaction_space" }
  package var backupLog: String { database + ".backup-log" }

  /// The copy made before a file of format `version` is upgraded.
  package func backup(version: Int) -> String {
    let suffix = ".realm"
    let stem = database.utf8.count > suffix.utf8.count && database.hasSuffix(suffix) ? String(database.dropLast(suffix.count)) : database
    return stem + ".v\(version).backup.realm"
  }

  /// The name of a backup while it is being copied.
  package func unfinishedBackup(version: Int) -> String { backup(version: version) + ".part" }
}
