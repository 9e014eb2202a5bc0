import ArgumentParser
import RealmInspection
import RealmStorage

struct StatCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stat", abstract: "Print where the bytes of a file are, and its versions.",
    discussion: "Example: realm stat Dogs.realm")

  @OptionGroup var common: CommonOptions
  @Argument(help: "The file to read. It is not modified.", completion: .realmFile) var file: String

  @Flag(help: "The same as JSON.") var json = false

  func run() throws {
    let progress = Progress("stat", isQuiet: common.quiet)
    defer { progress.finish() }
    try Command.read(file, common) { (opened) throws(StorageError) in
      let statistics = try Statistics(opened)
      progress.finish()
      try OutputFile(nil, source: file).sink.write(Array((json ? jsonText(opened, statistics) : text(opened, statistics)).utf8))
      return true
    }
  }

  private func jsonText(_ opened: OpenFile, _ statistics: Statistics) -> String {
    func object(_ members: [(String, String)]) -> String { "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}" }
    func list(_ values: [String]) -> String { "[" + values.joined(separator: ",") + "]" }
    func sizes(_ tables: [Statistics.Table]) -> String {
      list(
        tables.map {
          object([($0.name.kind, JSONText.string($0.name.text)), ("objects", "\($0.objectCount)"), ("bytes", "\($0.byteCount)")])
        })
    }
    let versions = statistics.versions.map { claims in
      object([
        ("version", "\(claims.version)"), ("bytes", "\(claims.snapshot.byteCount)"), ("live", "\(claims.liveOfOthers)"),
        ("frozen", "\(claims.frozenOfOthers)"), ("full", "\(claims.full)"),
      ])
    }
    let processes = statistics.processes.map { object([("process", "\($0.process)"), ("name", JSONText.string($0.name))]) }
    return object([
      ("fileFormat", "\(opened.format)"), ("isStreaming", "\(opened.isStreaming)"), ("fileBytes", "\(statistics.fileByteCount)"),
      ("totalBytes", "\(statistics.totalByteCount)"), ("usedBytes", "\(statistics.usedByteCount)"), ("freeBytes", "\(statistics.freeByteCount)"),
      ("freeBlocks", "\(statistics.freeBlockCount)"), ("largestFreeBytes", "\(statistics.largestFreeByteCount)"),
      ("fragmentation", "\(statistics.fragmentation)"), ("historyBytes", "\(statistics.historyByteCount)"),
      ("changesets", "\(statistics.historyEntryCount)"), ("newestVersion", "\(statistics.newestVersion)"),
      ("oldestLiveVersion", statistics.oldestLiveVersion.map { "\($0)" } ?? "null"),
      ("automaticCompaction", JSONText.string(evacuationText(statistics.evacuation))), ("participants", "\(statistics.participantCount)"),
      ("versions", list(versions)), ("processes", list(processes)), ("classes", sizes(statistics.classes)),
      ("otherTables", sizes(statistics.otherTables)),
      ("synchronisation", statistics.sync.map { SyncText.json($0) } ?? "null"),
    ]) + "\n"
  }

  private func text(_ opened: OpenFile, _ statistics: Statistics) -> String {
    let fragmentation = String(Int((statistics.fragmentation * 100).rounded())) + " %"
    let blocks = NumberText.count(statistics.freeBlockCount, "block")
    var rows: [(String, String)] = [
      ("file format", "\(opened.format)\(opened.isStreaming ? " (streaming form)" : "")"),
      ("file bytes", "\(statistics.fileByteCount)"),
      ("total bytes", "\(statistics.totalByteCount)"),
      ("used bytes", "\(statistics.usedByteCount)"),
      ("free bytes", "\(statistics.freeByteCount) in \(blocks), largest \(statistics.largestFreeByteCount)"),
      ("fragmentation", fragmentation),
      ("history bytes", "\(statistics.historyByteCount) in \(historyText(statistics))"),
      ("newest version", "\(statistics.newestVersion)"),
    ]
    if let oldest = statistics.oldestLiveVersion { rows.append(("oldest live version", "\(oldest)")) }
    rows.append(("automatic compaction", evacuationText(statistics.evacuation)))
    rows.append(("shouldCompactOnLaunch", "totalBytes \(statistics.totalByteCount), usedBytes \(statistics.usedByteCount)"))
    var text = aligned(rows) + sessionText(statistics)
    if let sync = statistics.sync {
      text += "\nsynchronisation\n" + aligned(SyncText.rows(sync))
      for line in SyncText.lines(sync.progress?.subscriptionSets ?? []) { text += line + "\n" }
    }
    if statistics.tables.isEmpty { return text }
    let names = statistics.tables.map(\.name.title)
    let nameWidth = max(5, names.map { DisplayWidth.of($0) }.max() ?? 0)
    func line(_ name: String, _ objects: String, _ bytes: String) -> String {
      DisplayWidth.fit(name, nameWidth) + padded(objects, 12) + padded(bytes, 14) + "\n"
    }
    text += "\n" + line("class", "objects", "bytes")
    for (name, table) in zip(names, statistics.tables) { text += line(name, "\(table.objectCount)", "\(table.byteCount)") }
    return text
  }

  private func historyText(_ statistics: Statistics) -> String {
    guard let progress = statistics.sync?.progress else { return NumberText.count(statistics.historyEntryCount, "changeset") }
    return NumberText.count(statistics.historyEntryCount, "log") + " and " + NumberText.count(progress.entryCount, "entry", "entries")
      + " for the server"
  }

  private func aligned(_ rows: [(String, String)]) -> String {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { $0.0 + String(repeating: " ", count: width - $0.0.count + 2) + $0.1 + "\n" }.joined()
  }

  private func evacuationText(_ state: Evacuation) -> String {
    if state.isIdle { return "not under way" }
    if state.limit == 0 { return "found no room; not attempted again for \(NumberText.count(state.backoff, "commit"))" }
    let goal = "everything below byte \(state.limit)"
    if state.backoff > 0 {
      return "has moved \(goal); waits until no older version needs the rest, looks again in \(NumberText.count(state.backoff, "commit"))"
    }
    return "is moving \(goal)\(state.progress.isEmpty ? "" : ", at \(state.progress.map(String.init).joined(separator: "."))")"
  }

  /// Who keeps versions, and with them space, from being reused; nothing if nobody else has the file open.
  private func sessionText(_ statistics: Statistics) -> String {
    guard statistics.participantCount > 0 else { return "" }
    var text = "\nparticipants  \(statistics.participantCount), without this command\n"
    text += padded("version", 12) + padded("bytes", 14) + padded("live", 8) + padded("frozen", 8) + padded("full", 8) + "\n"
    for claims in statistics.versions {
      text += padded("\(claims.version)", 12) + padded("\(claims.snapshot.byteCount)", 14) + padded("\(claims.liveOfOthers)", 8)
      text += padded("\(claims.frozenOfOthers)", 8) + padded("\(claims.full)", 8) + (claims.isNewest ? "  newest" : "") + "\n"
    }
    for holder in statistics.processes { text += "process \(holder.process)  \(holder.name)\n" }
    if statistics.processes.isEmpty { text += "their processes are not visible, or died\n" }
    return text
  }

  private func padded(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(1, width - text.count)) + text }
}
