import Foundation
import TestSupport
import Testing

@testable import RealmStorage

/// Writes images of a crashed file, one after the other, to a place in memory and looks at them.
final class CrashChecker {
  private let directory: TestDirectory
  private let path: String
  private let key: EncryptionKey?
  private struct Seen: Hashable {
    let image: Data
    /// The same image may be right before the last barrier and wrong after it.
    let stateCount: Int

    /// `Data` by itself looks at its first bytes only, which are the same for most images.
    func hash(into hasher: inout Hasher) { image.withUnsafeBytes { hasher.combine(bytes: $0) } }
  }
  private var known: Set<Seen> = []
  /// Of which no two are the same within one commit.
  private(set) var imageCount = 0
  private(set) var duplicateCount = 0
  private(set) var reopenedCount = 0

  init(key: EncryptionKey? = nil) throws {
    self.key = key
    directory = TestDirectory(inMemory: true)
    path = directory.file("image.realm")
  }

  /// Before the images of another commit.
  func forgetImages() { known = [] }

  /// The contents as canonical JSON, and what our checker finds.
  static func look(_ path: String, key: EncryptionKey? = nil) throws -> (json: [UInt8], violations: [String]) {
    try (FileContents.json(path, key: key), FileContents.violations(path, key: key))
  }

  /// - Parameters:
  ///   - states: what the image may contain.
  ///   - reopens: opens it as an application does, with an initiator's repairs; otherwise every 16th image.
  func check(_ image: [UInt8], isOneOf states: [[UInt8]], reopens: Bool = false, _ context: @autoclosure () -> String) throws {
    guard known.insert(Seen(image: Data(image), stateCount: states.count)).inserted else {
      duplicateCount += 1
      return
    }
    imageCount += 1
    try write(image)
    do {
      if !reopens {
        let (json, violations) = try Self.look(path, key: key)
        #expect(states.contains(json), "\(context()): neither the old nor the new contents")
        #expect(violations.isEmpty, "\(context()): \(violations.prefix(3))")
      }
      if reopens || imageCount % 16 == 0 { try reopen(states, context()) }
    } catch {
      Issue.record("\(context()): \(error)")
    }
  }

  private func write(_ image: [UInt8]) throws {
    let storage = try FileStorage(path: path, mode: .createIfMissing)
    try storage.truncate(to: 0)
    try storage.write(image, at: 0)
  }

  private func reopen(_ states: [[UInt8]], _ context: String) throws {
    reopenedCount += 1
    var options = DatabaseOptions()
    options.encryptionKey = key
    options.durability = .unsafe
    options.announcesCommits = false
    options.makesBackup = false
    let database = try Database.open(path: path, options: options)
    let (json, violations) = try Self.look(path, key: key)
    #expect(states.contains(json), "\(context), reopened")
    #expect(violations.isEmpty, "\(context), reopened: \(violations.prefix(3))")
    let format = try database.readHeader().selectedFormat
    try database.beginWrite(staysOnThread: true).commit()
    let after = try Self.look(path, key: key)
    // A database without any commit has no format yet.
    if format == FileHeader.currentFormat { #expect(after.json == json, "\(context), after one more commit") }
    #expect(after.violations.isEmpty, "\(context), after one more commit: \(after.violations.prefix(3))")
    database.close()
  }
}
