import ArgumentParser
import RealmInspection
import RealmStorage

struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Print what differs between two files: classes, properties and objects.",
    discussion: """
      Objects are the same if their primary keys are, or without one their object keys. Exit status 1 if anything differs.
      Example: realm diff Yesterday.realm Dogs.realm
      """)

  @OptionGroup var common: CommonOptions
  @Argument(help: "The file before. It is not modified.", completion: .realmFile) var before: String
  @Argument(help: "The file after. It is not modified.", completion: .realmFile) var after: String
  @Option(help: "The key of the second file, if that is encrypted with another one: 128 hexadecimal digits.") var afterKey: String?
  @Flag(help: "One change a line as JSON.") var json = false

  func validate() throws { try KeySource.check(afterKey, "--after-key") }

  func run() throws {
    // Which of the two files an error is about.
    var path = before
    var count = 0
    let progress = Progress("diff", isQuiet: common.quiet || Terminal.showsResults)
    defer { progress.finish() }
    do {
      // The key is that of the file that needs one.
      let isPlain = afterKey == nil && FileKind(before) == .plain && FileKind(after) == .encrypted
      let old = try isPlain ? OpenFile(path: before, key: nil) : common.open(before)
      path = after
      let key = try afterKey.map { digits throws(StorageError) in try EncryptionKey(hexadecimal: digits) }
      // One that is not encrypted needs none.
      let new = try OpenFile(path: after, key: key ?? (FileKind(after) == .plain ? nil : common.encryptionKey()))
      let output = TextOutput(try OutputFile(nil, source: before).sink)
      let difference = FileDifference(old, new) { (change) throws(StorageError) in
        count += 1
        output.append((json ? ChangeText.json(change) : ChangeText.text(change)) + "\n")
        try output.flushIfLong()
      }
      let total = try difference.objectCount()
      difference.onProgress = { progress.update($0, of: total) }
      try difference.run()
      try output.flush()
    } catch let error as StorageError {
      try Command.run(path) { () throws(StorageError) in throw error }
    }
    progress.finish()
    if !common.quiet { Command.report(count == 0 ? "no differences" : NumberText.count(count, "difference")) }
    if count > 0 { throw ExitCode(Diagnostics.Status.negative) }
  }
}

/// Changes as lines.
enum ChangeText {
  static func text(_ change: FileDifference.Change) -> String {
    switch change {
    case .schema(let table, let property, nil, let after): "+ \(table.title(of: property)): \(after ?? "")"
    case .schema(let table, let property, let before, nil): "- \(table.title(of: property)): \(before ?? "")"
    case .schema(let table, let property, let before, let after): "~ \(table.title(of: property)): \(before ?? "") → \(after ?? "")"
    case .added(let table, let identity, let object): "+ \(table.title) \(identity) \(object)"
    case .removed(let table, let identity, let object): "- \(table.title) \(identity) \(object)"
    case .changed(let table, let identity, let properties):
      "~ \(table.title) \(identity) " + properties.map { "\($0.name): \($0.before) → \($0.after)" }.joined(separator: ", ")
    }
  }

  /// - Parameter version: the version that made the change, if it is about versions.
  static func json(_ change: FileDifference.Change, version: UInt64? = nil) -> String {
    let start = version.map { "{\"version\":\($0)," } ?? "{"
    return start + members(change)
  }

  private static func members(_ change: FileDifference.Change) -> String {
    switch change {
    case .schema(let table, let property, let before, let after):
      // A property is JSON already, a class is text.
      #""change":"schema","name":\#(JSONText.string(table.title(of: property))),"before":\#(JSONText.any(before)),"after":\#(JSONText.any(after))}"#
    case .added(let table, let identity, let object):
      #""change":"added","\#(table.kind)":\#(JSONText.string(table.text)),"key":\#(identity),"object":\#(object)}"#
    case .removed(let table, let identity, let object):
      #""change":"removed","\#(table.kind)":\#(JSONText.string(table.text)),"key":\#(identity),"object":\#(object)}"#
    case .changed(let table, let identity, let properties):
      #""change":"changed","\#(table.kind)":\#(JSONText.string(table.text)),"key":\#(identity),"properties":{"#
        + properties.map { "\(JSONText.string(MemberName.of($0.name))):[\($0.before),\($0.after)]" }.joined(separator: ",") + "}}"
    }
  }
}

/// Small pieces of JSON.
enum JSONText {
  static func string(_ text: String) -> String {
    var result: [UInt8] = []
    CanonicalJSON.appendString(Array(text.utf8), to: &result)
    return String(decoding: result, as: UTF8.self)
  }

  /// JSON as it is, other text in quotes.
  static func any(_ text: String?) -> String { text.map { $0.hasPrefix("{") ? $0 : string($0) } ?? "null" }
}
