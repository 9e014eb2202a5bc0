import Foundation
import TestSupport
import Testing

@testable import RealmStorage

/// A directory with room for one database, removed afterwards, and ways to look at its lock file from outside.
final class LockFileSite {
  private let directory = TestDirectory()
  var path: String { directory.file("a.realm") }
  var lockPath: String { path + ".lock" }

  func join(
    _ options: SessionOptions = SessionOptions(), version: UInt64 = 1, byteCount: UInt64 = 24, topRef: Ref = .null
  ) throws -> Session {
    try Session.join(path: path, options: options) { _ throws(StorageError) in
      AttachedFile(version: version, logicalByteCount: byteCount, topRef: topRef)
    }
  }

  func bytes() throws -> [UInt8] { try Array(Data(contentsOf: URL(fileURLWithPath: lockPath))) }

  /// Changes bytes under the feet of whoever has the file mapped.
  func overwrite(_ bytes: [UInt8], at offset: Int) throws {
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: lockPath))
    try handle.seek(toOffset: UInt64(offset))
    try handle.write(contentsOf: Data(bytes))
    try handle.close()
  }

  func word(_ offset: Int) throws -> UInt32 {
    let all = try bytes()
    return (0..<4).reduce(0) { $0 | UInt32(all[offset + $1]) << (8 * $1) }
  }

  func long(_ offset: Int) throws -> UInt64 { UInt64(try word(offset)) | UInt64(try word(offset + 4)) << 32 }

  /// Version, live and frozen count of a slot, as the file has them.
  func slot(_ index: Int) throws -> (version: UInt64, live: UInt32, frozen: UInt32) {
    let start = try #require(LockFileLayout.native).firstSlot + 40 * index
    return (try long(start), try word(start + 24), try word(start + 28))
  }
}

extension Session {
  /// What a commit does with the lock file, without any data. The caller holds the write mutex.
  @discardableResult func publishNext() throws -> PurgeResult {
    let base = try pin(.live)
    defer { unpin(base) }
    let result = try purge()
    let version = base.version + 1
    try publish(version: version, byteCount: 4096 + 8 * version, topRef: Ref(8 * version))
    return result
  }

  func commit(staysOnThread: Bool = false) throws {
    try lockForWriting(staysOnThread: staysOnThread)
    defer { unlockAfterWriting() }
    try publishNext()
  }
}
