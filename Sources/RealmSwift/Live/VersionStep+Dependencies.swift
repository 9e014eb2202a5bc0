import RealmStorage

extension VersionStep {
  /// Whether something was changed that decides about the elements of results.
  func affects(_ dependencies: ContentsDependencies) -> Bool {
    dependencies.tables.contains { table in
      guard let changes = changes.tables[table] else { return false }
      if !changes.created.isEmpty || !changes.deleted.isEmpty { return true }
      guard let columns = dependencies.columns else { return !changes.changed.isEmpty }
      return changes.changesAny(of: columns)
    }
  }
}
