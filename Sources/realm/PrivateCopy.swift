import Foundation
import RealmStorage

/// A copy of a file that nobody else can read, as it is; gone with the object.
final class PrivateCopy {
  private let directory: String
  var path: String { directory + "/copy.realm" }

  init(of file: String) throws(StorageError) {
    directory = NSTemporaryDirectory() + "/realm-copy-\(UUID().uuidString)"
    do {
      try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      switch (error as? CocoaError)?.code {
      case .fileNoSuchFile: throw .directoryNotFound(path: directory)
      case .fileWriteOutOfSpace: throw .outOfDiskSpace(operation: "mkdir", path: directory)
      default: throw .permissionDenied(path: directory, writing: true)
      }
    }
    do throws(StorageError) { try FileCalls.copy(FileStorage(path: file, mode: .readOnly), to: path) } catch {
      FileCalls.removeDirectory(directory)
      throw error
    }
  }

  deinit { FileCalls.removeDirectory(directory) }
}
