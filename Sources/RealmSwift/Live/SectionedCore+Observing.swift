extension SectionedCore {
  func register(_ key: Key?, _ keyPaths: [String]?, _ token: NotificationToken, _ report: @escaping (SectionChanges?) -> Void) {
    orStop(results.core) { results.core.observe(try SectionsObservation(self, key: key, keyPaths, report), token) }
  }
}
