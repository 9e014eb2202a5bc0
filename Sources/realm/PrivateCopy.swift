import Foundation
import RealmStorage

/// A copy of a file that nobody else can read, as it is; gone with the object.
final class PrivateCopy {
  private let directory: String
  var path: String { directory + "/copy.realm" }

  init(of file: String) throws(StorageError) {
    var template = Array((NSTemporaryDirectory() + "/realm-XXXXXX").utf8CString)
    guard unsafe mkdtemp(&template) != nil else { throw .io(operation: "mkdtemp", path: NSTemporaryDirectory(), code: errno) }
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    do throws(StorageError) { try FileCalls.copy(FileStorage(path: file, mode: .readOnly), to: path) } catch {
      FileCalls.removeDirectory(directory)
      throw error
    }
  }

  deinit { FileCalls.removeDirectory(directory) }
}
