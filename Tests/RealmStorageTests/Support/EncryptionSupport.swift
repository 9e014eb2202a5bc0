import Foundation
import RealmInspection

@testable import RealmStorage

/// Keys for tests, and what the independent programs say about encrypted files.
enum TestKey {
  static func bytes(_ number: UInt8 = 1) -> [UInt8] { (0..<64).map { UInt8(truncatingIfNeeded: Int($0) * 37 + Int(number) * 101) } }
  static func make(_ number: UInt8 = 1) -> EncryptionKey { try! EncryptionKey(bytes(number)) }
  static func hexadecimal(_ number: UInt8 = 1) -> String {
    bytes(number).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  static func options(_ number: UInt8? = 1) -> DatabaseOptions {
    var options = DatabaseOptions()
    options.encryptionKey = number.map { make($0) }
    return options
  }
}

extension Shared {
  /// What `realm_crypt.py check` says about the pages of a file, and `realm_inspect.py check` about its plaintext: nil if both are content.
  static func encryptedViolation(_ path: String, key number: UInt8 = 1) throws -> String? {
    let key = TestKey.hexadecimal(number)
    let pages = try tool("realm_crypt.py", ["check", path, "--key", key, "--pages"])
    guard pages.status == 0 else { return pages.output }
    let plain = path + ".plain.realm"
    defer { try? FileManager.default.removeItem(atPath: plain) }
    // Pages that were reserved and never written are zeros in the plaintext.
    let decrypted = try tool("realm_crypt.py", ["decrypt", path, plain, "--key", key, "--lenient"])
    guard FileManager.default.fileExists(atPath: plain) else { return decrypted.output }
    return try violation(plain)
  }

  static func tool(_ name: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", directory! + "/tools/" + name] + arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }

  static let hasCryptTool: Bool = isThere && (try? tool("realm_crypt.py", ["--help"]).status) == 0
}

/// The contents of all tables of a file's newest version.
func exported(_ path: String, key: EncryptionKey? = nil) throws -> [UInt8] {
  let sink = MemorySink()
  try Exporter(OpenFile(path: path, key: key), digestLimit: nil, to: sink).writeJSON()
  return sink.bytes
}
