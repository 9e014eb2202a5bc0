import Foundation

/// Files measured from the C++ engine and the independent reader, outside the package: in `$REGNUM_SHARED`, or in a directory `shared`
/// beside the package or beside one of its parents.
enum Fixtures {
  static let shared: String? = {
    if let named = ProcessInfo.processInfo.environment["REGNUM_SHARED"] { return named }
    var directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while directory.path != "/" {
      let candidate = directory.appendingPathComponent("shared").path
      if FileManager.default.fileExists(atPath: candidate + "/fixtures") { return candidate }
      directory.deleteLastPathComponent()
    }
    return nil
  }()
  static var arePresent: Bool { shared != nil }
  static let absence = "the measured fixtures are not there: set REGNUM_SHARED or put them into ../shared"

  /// Paths of all `.realm` files in folders of `fixtures`, in order.
  static func files(_ folders: String..., upTo byteLimit: Int = .max) -> [String] {
    guard let shared else { return [] }
    return folders.flatMap { folder in
      let directory = shared + "/fixtures/" + folder
      let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
      return names.filter { $0.hasSuffix(".realm") && !$0.hasPrefix("too_old") }.sorted().map { directory + "/" + $0 }
    }.filter { path in
      let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
      return size <= byteLimit
    }
  }

  static func sideCar(_ path: String) -> Data? { FileManager.default.contents(atPath: String(path.dropLast(5)) + "json") }

  /// Standard output of one of the Python programs in `tools`; nil where there is no Python.
  static func python(_ arguments: [String]) throws -> (status: Int32, output: Data)? {
    guard let shared else { return nil }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3"] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(["PYTHONPATH": shared + "/tools", "PYTHONDONTWRITEBYTECODE": "1"]) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 127 ? nil : (process.terminationStatus, output)
  }
}

/// A directory that is removed with this object.
final class TemporaryDirectory {
  let path: String
  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/regnum-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let path = self.path + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }
}
