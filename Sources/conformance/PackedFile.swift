import Foundation

/// Files that may be packed with gzip.
enum PackedFile {
  struct Failure: Error { let message: String }

  static func contents(_ path: String) throws -> Data {
    if path.hasSuffix(".gz") { return try unpacked(path) }
    guard let data = FileManager.default.contents(atPath: path) else { throw Failure(message: "\(path): cannot be read; check its permissions") }
    return data
  }

  private static func unpacked(_ path: String) throws -> Data {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["gzip", "--decompress", "--stdout", path]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { throw Failure(message: "\(path): cannot be unpacked, gzip is missing; install it, or unpack the file") }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(message: "\(path): cannot be unpacked by gzip; take the file as it was recorded") }
    return data
  }
}
