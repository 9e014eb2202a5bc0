package import RealmStorage

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension EncryptionKey {
  /// The key in a file: 64 bytes, or 128 hexadecimal digits, between which there may be blanks and ends of lines.
  /// - Throws: errors that call the file what it is: other files are meant where only a path is told.
  package static func inFile(_ path: String) throws(StorageError) -> EncryptionKey {
    let name = "the key file \(path)"
    let bytes: [UInt8]
    do throws(StorageError) { bytes = try FileStorage(path: path, mode: .readOnly).read(256, at: 0) } catch {
      switch error {
      case .fileNotFound, .directoryNotFound: throw .fileNotFound(path: name)
      case .permissionDenied(_, let writing): throw .permissionDenied(path: name, writing: writing)
      // Several parts of a command need the key, and a pipe can be read only once.
      case .io("open", _, EINVAL): throw .invalidArgument(reason: "\(name) is no regular file; put the key into one")
      case .io(let operation, _, let code): throw .io(operation: operation, path: name, code: code)
      default: throw error
      }
    }
    if bytes.count == EncryptionKey.byteCount { return try EncryptionKey(bytes) }
    let digits = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    do throws(StorageError) { return try EncryptionKey(hexadecimal: digits) } catch {
      if case .encryptionIsNotBuilt = error { throw error }
      throw .invalidArgument(reason: "\(name) holds no key; it needs 64 bytes, or 128 hexadecimal digits")
    }
  }
}
