import RealmStorage

extension StorageError {
  /// The request was wrong, not the file.
  var isRefusal: Bool {
    switch self {
    case .noSuchTable, .noSuchColumn, .noSuchObject, .duplicatePrimaryKey, .duplicateName, .typeMismatch, .invalidArgument: true
    default: false
    }
  }
}
