extension StorageError {
  /// Whether the file, or the session that has it open, has a history of another type than was expected.
  var isAboutHistory: Bool {
    switch self {
    case .incompatibleHistory: true
    case .incompatibleSession(_, let reason): reason.hasPrefix("History ")
    default: false
    }
  }
}
