/// The copies that are kept when a file is upgraded to another format. T12.
///
/// Nothing here fails: what cannot be done is left undone, as in every other engine.
struct BackupFiles {
  private let paths: RealmPaths
  private static let formats = [24, 23, 22, 21, 20, 11, 10]
  private static let lifetimeSeconds = 93 * 24 * 60 * 60

  init(_ path: String) { paths = RealmPaths(path) }

  /// Copies the file of an older format, unless a backup of that format exists.
  func make(of storage: any Storage, format: Int) {
    let (target, part) = (paths.backup(version: format), paths.unfinishedBackup(version: format))
    guard !FileCalls.exists(target), let byteCount = try? storage.byteCount() else { return }
    if let free = FileCalls.freeByteCount(at: paths.database), free < 2 * byteCount {
      log("Insufficient free space for backup: \(target)")
      return
    }
    log("Creating backup: \(target)")
    _ = FileCalls.remove(part)
    guard (try? FileCalls.copy(storage, to: part)) != nil else { return }
    // Nobody who could not read the file can read what it was.
    FileCalls.giveRights(of: paths.database, to: part)
    guard (try? FileCalls.rename(part, to: target, isDurable: true)) != nil else { return }
    log("Completed backup: \(target)")
  }

  /// Puts the newest backup in place of a file whose format nobody accepts.
  /// - Returns: whether there was one.
  func restore() throws(StorageError) -> Bool {
    for format in Self.formats {
      let backup = paths.backup(version: format)
      if !FileCalls.exists(backup) { continue }
      log("Restoring from backup: \(backup)")
      try FileCalls.rename(backup, to: paths.database, isDurable: true)
      return true
    }
    return false
  }

  /// Removes backups that are older than 93 days.
  func removeOld() {
    for format in Self.formats.dropFirst() {
      let backup = paths.backup(version: format)
      guard let age = FileCalls.age(backup), age > Self.lifetimeSeconds else { continue }
      log("Removing old backup: \(backup) (age \(age))")
      _ = FileCalls.remove(backup)
    }
  }

  private func log(_ text: String) { FileCalls.append(line: "\(FileCalls.timestamp) : \(text)", to: paths.backupLog) }
}
