import Foundation
import Testing

/// Files of the original engine, and what it answered: `Tests/Fixtures`, whose README describes them.
///
/// Large ones are compressed there. A folder is unpacked beside the test executable when it is first used; tests get paths of that copy.
package struct Fixture: Sendable, CustomTestStringConvertible {
  /// The folder and the file's name, such as `realm-core/one_object.realm`.
  package let name: String

  package init(name: String) { self.name = name }

  package var path: String { Fixture.path(name) }
  package var testDescription: String { name }
  package var bytes: [UInt8] { get throws { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) } }
  /// The JSON document beside a `.realm` file.
  package var sideCar: Data { get throws { try Data(contentsOf: URL(fileURLWithPath: path.dropLast(5) + "json")) } }

  /// - Parameter name: folder and file. Files of the folder `older` lie outside of the repository: ``hasOlderFormats``.
  package static func path(_ name: String) -> String {
    let parts = name.split(separator: "/", maxSplits: 1)
    return folder(String(parts[0])) + "/" + parts[1]
  }

  /// The `.realm` files of folders, in order. Those of formats that nobody reads any more are left out, and the folder `older` if it is missing.
  package static func files(_ folders: String..., upTo byteLimit: Int = .max) -> [Fixture] {
    folders.filter { $0 != "older" || hasOlderFormats }.flatMap { folder in
      names(in: self.folder(folder)).filter { $0.hasSuffix(".realm") && !$0.hasPrefix("too_old") }.map { Fixture(name: folder + "/" + $0) }
    }.filter { fixture in
      let size = (try? FileManager.default.attributesOfItem(atPath: fixture.path)[.size] as? Int) ?? 0
      return size <= byteLimit
    }
  }

  /// The directory with all files of a folder, none compressed.
  package static func folder(_ name: String) -> String {
    if name == "older" {
      guard let olderFormats else { fatalError(olderFormatsAreMissing) }
      return olderFormats
    }
    lock.lock()
    defer { lock.unlock() }
    if let known = folders[name] { return known }
    let path: String
    do { path = try UnpackedFolder(name).path } catch { fatalError("cannot unpack the fixtures: \(error)") }
    folders[name] = path
    return path
  }

  private static let lock = NSLock()
  // SAFETY: read and written with `lock` held.
  nonisolated(unsafe) private static var folders: [String: String] = [:]

  fileprivate static func names(in directory: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted()
  }

  // MARK: Older formats

  /// Files of formats older than 24. They are not part of this repository.
  private static let olderFormats: String? = {
    let named = ProcessInfo.processInfo.environment["REGNUM_SHARED"]
    let candidate = (named ?? PackageLocation.directory + "/../shared") + "/fixtures/older"
    return FileManager.default.fileExists(atPath: candidate) ? candidate : nil
  }()
  package static var hasOlderFormats: Bool { olderFormats != nil }
  package static let olderFormatsAreMissing =
    "files of older formats are not part of this repository: looked in ../shared and where REGNUM_SHARED says"
}

/// A copy of one folder of `Tests/Fixtures` without compression, kept beside the test executable as long as the folder stays as it is.
private struct UnpackedFolder {
  struct Failure: Error { let what: String }
  let path: String

  init(_ name: String) throws {
    let source = PackageLocation.directory + "/Tests/Fixtures/" + name
    path = PackageLocation.productDirectory + "/fixtures/" + name
    let signature = try Self.signature(source)
    if Self.signature(stampOf: path) == signature { return }
    let files = FileManager.default
    let made = path + ".\(ProcessInfo.processInfo.processIdentifier)"
    try files.createDirectory(atPath: PackageLocation.productDirectory + "/fixtures", withIntermediateDirectories: true)
    try? files.removeItem(atPath: made)
    try files.copyItem(atPath: source, toPath: made)
    let compressed = Fixture.names(in: made).filter { $0.hasSuffix(".gz") }.map { made + "/" + $0 }
    // Without names it would unpack its input.
    if !compressed.isEmpty {
      let unpacking = try ToolRun(path: "gzip", ["--decompress"] + compressed)
      guard unpacking.status == 0 else { throw Failure(what: unpacking.errors) }
    }
    try Data(signature.utf8).write(to: URL(fileURLWithPath: made + "/.signature"))
    try? files.removeItem(atPath: path)
    // Another process may have been as fast.
    do { try files.moveItem(atPath: made, toPath: path) } catch {
      try files.removeItem(atPath: made)
      if Self.signature(stampOf: path) != signature { throw error }
    }
  }

  /// Names, sizes and times of all files.
  private static func signature(_ source: String) throws -> String {
    let names = Fixture.names(in: source)
    if names.isEmpty { throw Failure(what: "\(source) is empty or missing") }
    return try names.map { name in
      let attributes = try FileManager.default.attributesOfItem(atPath: source + "/" + name)
      let time = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
      return "\(name) \(attributes[.size] as? Int ?? 0) \(time)"
    }.joined(separator: "\n")
  }

  private static func signature(stampOf path: String) -> String? { try? String(contentsOfFile: path + "/.signature", encoding: .utf8) }
}
