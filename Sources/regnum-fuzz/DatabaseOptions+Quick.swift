import RealmStorage

extension DatabaseOptions {
  /// Without barriers and notes to other processes.
  static var quick: DatabaseOptions {
    var options = DatabaseOptions()
    options.durability = .unsafe
    options.announcesCommits = false
    options.makesBackup = false
    return options
  }
}
