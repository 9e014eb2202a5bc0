package import RealmStorage

// What errors say about damage, to people who have a file and no source code.

extension StorageError {
  /// What is wrong, without the file's name: for lists of what is lost.
  package var damage: String {
    switch self {
    case .corruptNode(let ref, let reason): "the bytes at \(ref) are damaged (\(reason))"
    case .invalidDatabase(_, let reason): reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    case .decryptionFailed(_, let reason): Self.damagedPage(reason).map { "page \($0) is damaged" } ?? reason
    case .noSuchObject(let key): "there is no object \(key.rawValue)"
    case .noSuchTable(let name): "there is no class '\(name)'"
    case .io(let operation, _, let code): "\(operation) failed with error \(code)"
    case .noSuchColumn(_, let name): "there is no property '\(name)'"
    case .duplicateName(let name): "the name '\(SchemaText.className(Array(name.utf8)))' is there already"
    case .duplicatePrimaryKey: "two objects have the same primary key"
    case .invalidArgument(let reason), .typeMismatch(let reason): reason
    default: "\(self)"
    }
  }

  /// The number of the page that a failed decryption is about.
  static func damagedPage(_ reason: String) -> Int? {
    let words = reason.split(separator: " ")
    guard let place = words.firstIndex(of: "page"), place + 1 < words.count else { return nil }
    return Int(words[place + 1])
  }

  /// A plain file needs no key. If the first page of an encrypted one cannot be read with the key, whether that is the key's fault is seen from the
  /// other pages, since none can be read with a wrong one.
  package func sayingWhetherKeyIsRight(path: String, key: EncryptionKey?) -> StorageError {
    let reason: String
    switch self {
    case .decryptionFailed(_, let text), .invalidDatabase(_, let text): reason = text
    default: return self
    }
    guard let key else { return self }
    // Whatever its bytes look like to the key.
    if FileKind(path) == .plain { return .invalidDatabase(path: path, reason: Self.plainFileWithKey) }
    guard reason.contains("Decryption failed"), Self.damagedPage(reason) == 0 else { return self }
    do throws(StorageError) {
      let storage = EncryptedStorage(try FileStorage(path: path, mode: .readOnly), key: key, expectsWriters: false)
      let pageCount = Int(clamping: try storage.byteCount() / 4096)
      for page in stride(from: 1, to: pageCount, by: max(1, pageCount / 256)) {
        // A page that was never written needs no key.
        guard ["current", "previous"].contains(try storage.report(page: page).state) else { continue }
        return .invalidDatabase(path: path, reason: reason + Self.keyIsRight)
      }
    } catch { return self }
    return self
  }

  static let plainFileWithKey = "unencrypted file with encryption key"

  /// Behind the reason of a failed decryption.
  static let keyIsRight = " Other pages can be read with the key."

  static func damagedPageText(_ page: Int) -> String { "its page \(page) is damaged, at byte \(page * 4096) of what is encrypted" }
}
