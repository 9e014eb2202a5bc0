import Foundation

/// A directory of its own for each test, removed with everything in it when the last reference goes.
package final class TestDirectory: Sendable {
  package let path: String

  /// - Parameter inMemory: where the system has a file system in memory, for tests that write much and sync nothing.
  package init(inMemory: Bool = false) {
    let memory = "/dev/shm"
    let parent = inMemory && FileManager.default.isWritableFile(atPath: memory) ? memory : FileManager.default.temporaryDirectory.path
    path = parent + "/regnum-test-\(UUID().uuidString)"
    do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
      fatalError("no directory for a test: \(error)")
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package var url: URL { URL(fileURLWithPath: path, isDirectory: true) }

  package func file(_ name: String = "test.realm") -> String { path + "/" + name }
  package func fileURL(_ name: String = "test.realm") -> URL { url.appendingPathComponent(name) }

  /// Makes a file, or replaces it.
  package func write(_ bytes: [UInt8], as name: String = "image.realm") throws -> String {
    try Data(bytes).write(to: fileURL(name))
    return file(name)
  }

  /// A writable copy of a fixture, such as `realm-core/one_object.realm`.
  package func copy(_ fixture: String, as name: String = "test.realm") throws -> String {
    try FileManager.default.copyItem(atPath: Fixture.path(fixture), toPath: file(name))
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file(name))
    return file(name)
  }
  package func copyURL(_ fixture: String, as name: String = "test.realm") throws -> URL { URL(fileURLWithPath: try copy(fixture, as: name)) }
}
