import Changesets
import RealmInspection
import RealmStorage
import RealmSync

/// What is said of a file that synchronises.
enum SyncText {
  /// Numbers and words for `realm stat`, by name.
  static func rows(_ sync: SyncStatistics) -> [(String, String)] {
    guard let progress = sync.progress else { return [("history", "has form \(sync.schemaVersion), which is not read here")] }
    let status = progress.status
    // Files that choose their objects by queries have no bytes there but ten thousandths.
    let (downloadable, hasQueries) = (status.downloadableByteCount, !progress.subscriptionSets.isEmpty)
    let rest = hasQueries ? " (progress \(downloadable / 100) %)" : " (\(downloadable) still to come)"
    let entries = progress.firstVersion.map { ", from version \($0) on" } ?? ""
    var rows = [
      ("name with the server", status.fileIdent == 0 ? "none yet" : "file \(status.fileIdent)"),
      ("latest server version", "\(status.latestServer.version)"),
      (
        "downloaded through",
        "server version \(status.download.serverVersion), which includes version \(status.download.clientVersion) of this file"
      ),
      ("uploaded through", "version \(status.upload.clientVersion), based on server version \(status.upload.serverVersion)"),
      ("bytes downloaded", "\(status.downloadedByteCount)\(rest)"),
      ("bytes uploaded", "\(status.uploadedByteCount) of \(status.uploadableByteCount) that were made here"),
      ("history entries", "\(progress.entryCount)\(entries)"),
      ("waiting for upload", progress.waitingCount == 0 ? "nothing" : "\(progress.waitingCount) with \(progress.waitingByteCount) bytes"),
    ]
    if let problem = progress.subscriptionProblem { rows.append(("subscriptions", "cannot be read here: \(problem)")) }
    if sync.internalByteCount > 0 { rows.append(("bytes of its own tables", "\(sync.internalByteCount)")) }
    return rows
  }

  /// The sets of queries, one line each and one for each query.
  static func lines(_ sets: [SubscriptionSet]) -> [String] {
    sets.flatMap { set -> [String] in
      let error = set.error.map { ": \($0)" } ?? ""
      let head = "subscription set \(set.version)  \(words(set.state))\(error); stored in version \(set.snapshotVersion)"
      return [head]
        + set.subscriptions.map { "  \($0.name.map { JSONText.string($0) + " " } ?? "")\($0.className): \($0.query)" }
        + (set.subscriptions.isEmpty ? ["  no subscriptions"] : [])
    }
  }

  private static func words(_ state: SubscriptionSet.State) -> String {
    switch state {
    case .pending: "waits for the server's answer"
    case .bootstrapping: "is being downloaded"
    case .complete: "complete"
    case .error: "refused by the server"
    case .awaitingMark: "downloaded, waits for the server's confirmation"
    }
  }

  // MARK: JSON

  /// For `realm stat --json`.
  static func json(_ sync: SyncStatistics) -> String {
    var members = [("schemaVersion", "\(sync.schemaVersion)"), ("internalBytes", "\(sync.internalByteCount)")]
    if let progress = sync.progress {
      let status = progress.status
      func cursor(_ cursor: SyncStatus.Cursor) -> String {
        object([("serverVersion", "\(cursor.serverVersion)"), ("clientVersion", "\(cursor.clientVersion)")])
      }
      members += [
        ("fileIdent", "\(status.fileIdent)"), ("latestServerVersion", "\(status.latestServer.version)"), ("download", cursor(status.download)),
        ("upload", cursor(status.upload)), ("downloadedBytes", "\(status.downloadedByteCount)"),
        ("downloadableBytes", "\(status.downloadableByteCount)"), ("uploadedBytes", "\(status.uploadedByteCount)"),
        ("uploadableBytes", "\(status.uploadableByteCount)"), ("entries", "\(progress.entryCount)"),
        ("firstVersion", progress.firstVersion.map { "\($0)" } ?? "null"), ("waitingForUpload", "\(progress.waitingCount)"),
        ("waitingBytes", "\(progress.waitingByteCount)"),
        ("subscriptionSets", progress.subscriptionProblem == nil ? list(progress.subscriptionSets.map { json($0) }) : "null"),
      ]
    }
    return object(members)
  }

  private static func json(_ set: SubscriptionSet) -> String {
    let subscriptions = set.subscriptions.map {
      object([
        ("name", $0.name.map { JSONText.string($0) } ?? "null"), ("class", JSONText.string($0.className)), ("query", JSONText.string($0.query)),
      ])
    }
    return object([
      ("version", "\(set.version)"), ("state", JSONText.string(name(set.state))), ("storedInVersion", "\(set.snapshotVersion)"),
      ("error", set.error.map { JSONText.string($0) } ?? "null"), ("subscriptions", list(subscriptions)),
    ])
  }

  private static func name(_ state: SubscriptionSet.State) -> String {
    switch state {
    case .pending: "pending"
    case .bootstrapping: "bootstrapping"
    case .complete: "complete"
    case .error: "error"
    case .awaitingMark: "awaitingMark"
    }
  }

  private static func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
  }
  private static func list(_ values: [String]) -> String { "[" + values.joined(separator: ",") + "]" }

  // MARK: Entries of the history

  /// Lines for `realm history`.
  static func lines(_ entry: SyncEntries.Entry) -> [String] {
    var head = "\(origin(entry)), \(DateText.text(of: entry.time)), "
    head += entry.origin == 0 ? "on server version \(entry.serverVersion)" : "integrated server version \(entry.serverVersion)"
    if entry.waitsForUpload { head += ", waits for upload" }
    var lines = [head] + self.lines(entry.changeset, nothing: entry.origin == 0 ? "nothing for others" : nil)
    if let reciprocal = entry.reciprocal {
      lines += ["after merging with what was downloaded since"] + self.lines(reciprocal, nothing: "nothing is left")
    }
    return lines
  }

  private static func origin(_ entry: SyncEntries.Entry) -> String {
    switch entry.origin {
    case 0: "this file"
    case 1: "the server"
    default: "file \(entry.origin)"
    }
  }

  private static func lines(_ content: SyncEntries.Content, nothing: String?) -> [String] {
    switch content {
    case .nothing: nothing.map { ["  " + $0] } ?? []
    case .changeset(let changeset): changeset.instructions.map { "  " + changeset.line($0) }
    case .unreadable(let reason): ["  cannot be read here: \(reason)"]
    }
  }

  /// For `realm history --json`.
  static func json(_ entry: SyncEntries.Entry) -> String {
    object([
      ("origin", "\(entry.origin)"), ("time", JSONText.string(DateText.text(of: entry.time))), ("serverVersion", "\(entry.serverVersion)"),
      ("waitsForUpload", "\(entry.waitsForUpload)"), ("changeset", json(entry.changeset)),
      ("reciprocal", entry.reciprocal.map { json($0) } ?? "null"),
    ])
  }

  private static func json(_ content: SyncEntries.Content) -> String {
    switch content {
    case .nothing: #"{"strings":[],"instructions":[]}"#
    case .changeset(let changeset): changeset.json()
    case .unreadable(let reason): object([("unreadable", JSONText.string(reason))])
    }
  }
}
