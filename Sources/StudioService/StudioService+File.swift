import RealmInspection
import RealmQuery
import RealmStorage

// The file itself: where its bytes are, its versions, its history, its schema as text.

extension StudioService {
  func status() throws -> StudioJSON {
    let live = try live()
    let statistics = try Statistics(live.opened())
    let versions = statistics.versions.map { claims -> StudioJSON in
      [
        "version": StudioJSON(claims.version), "bytes": StudioJSON(claims.snapshot.byteCount), "live": StudioJSON(claims.liveOfOthers),
        "frozen": StudioJSON(claims.frozenOfOthers), "full": StudioJSON(claims.full), "newest": .bool(claims.isNewest),
        "since": since(claims.version, live),
      ]
    }
    let growth = live.growth.map { sample -> StudioJSON in
      [.fraction(sample.seconds), StudioJSON(sample.version), StudioJSON(sample.fileByteCount), StudioJSON(sample.usedByteCount)]
    }
    return [
      "fileBytes": StudioJSON(statistics.fileByteCount), "totalBytes": StudioJSON(statistics.totalByteCount),
      "usedBytes": StudioJSON(statistics.usedByteCount),
      "freeBytes": StudioJSON(statistics.freeByteCount), "freeBlocks": StudioJSON(statistics.freeBlockCount),
      "largestFreeBytes": StudioJSON(statistics.largestFreeByteCount), "fragmentation": .fraction(statistics.fragmentation),
      "historyBytes": StudioJSON(statistics.historyByteCount), "changesets": StudioJSON(statistics.historyEntryCount),
      "newestVersion": StudioJSON(statistics.newestVersion), "oldestVersion": statistics.oldestLiveVersion.map { StudioJSON($0) } ?? .null,
      "participants": StudioJSON(statistics.participantCount), "versions": .array(versions), "classes": sizes(statistics.classes, "class"),
      "otherTables": sizes(statistics.otherTables, "title"), "growth": .array(growth),
      "processes": .array(statistics.processes.map { ["process": StudioJSON($0.process), "name": .text($0.name)] }),
    ]
  }

  private func sizes(_ tables: [Statistics.Table], _ member: String) -> StudioJSON {
    .array(tables.map { [member: .text($0.name.title), "objects": StudioJSON($0.objectCount), "bytes": StudioJSON($0.byteCount)] })
  }

  /// Since when a version is there: seconds of this session at which it was first seen, or null for one that is older.
  private func since(_ version: UInt64, _ live: LiveFile) -> StudioJSON {
    guard let first = live.growth.first, version > first.version else { return .null }
    guard let sample = live.growth.first(where: { $0.version >= version }), let last = live.growth.last else { return .null }
    return .fraction(last.seconds - sample.seconds)
  }

  // MARK: Map

  private static let partLimit = 65_536

  /// `from`, `to` in bytes and `parts`.
  func fileMap(_ query: [String: String]) throws -> StudioJSON {
    let live = try live()
    let snapshot = try live.current()
    let map = map.map(try OpenFile(live.database, at: snapshot), version: snapshot.version)
    withExtendedLifetime(snapshot) {}
    let start = min(UInt64(try Self.number("from", query, default: 0)), map.fileByteCount)
    let end = min(UInt64(try Self.number("to", query, default: Int(clamping: map.fileByteCount))), map.fileByteCount)
    guard start < end else { throw StudioProblem("The range is empty.", status: 400) }
    let count = max(1, min(Self.partLimit, try Self.number("parts", query, default: 4096), Int(clamping: (end - start + 7) / 8)))
    let picture = map.picture(start..<end, count: count)
    let owners = zip(map.owners, picture.shares).map { owner, share -> StudioJSON in
      ["kind": .text(owner.kind.rawValue), "class": .text(owner.table), "property": .text(owner.property), "bytes": StudioJSON(share)]
    }
    return [
      "version": StudioJSON(map.version), "fileBytes": StudioJSON(map.fileByteCount), "logicalBytes": StudioJSON(map.logicalByteCount),
      "from": StudioJSON(start), "to": StudioJSON(end), "partBytes": .fraction(picture.partByteCount), "owners": .array(owners),
      "parts": .array(picture.parts.map { .number($0) }), "violations": StudioJSON(map.violationCount),
    ]
  }

  // MARK: History

  private static let entryLimit = 100
  private static let wordLimit = 50

  /// The newest entries, in words.
  func history(_ query: [String: String]) throws -> StudioJSON {
    let opened = try live().opened()
    let entries = try HistoryEntries(opened)
    let limit = min(Self.entryLimit, try Self.number("count", query, default: 30))
    let index = TableIndex(opened.tables)
    var shown: [StudioJSON] = []
    var skipped = entries.count - limit
    try entries.forEach { (entry) throws(StorageError) in
      skipped -= 1
      if skipped >= 0 { return true }
      let words = try LogWords(index).lines(of: entry.bytes)
      shown.append([
        "version": StudioJSON(entry.toVersion), "bytes": StudioJSON(entry.bytes.count), "count": StudioJSON(words.count),
        "words": .array(words.prefix(Self.wordLimit).map { .text($0) }),
      ])
      return true
    }
    return ["total": StudioJSON(entries.count), "entries": .array(shown.reversed())]
  }

  // MARK: Schema

  func source() throws -> StudioJSON {
    let opened = try live().opened()
    return ["swift": .text(SwiftSource(opened).text), "json": .raw(JSONSchemaText(opened).bytes)]
  }

  private static let differenceLimit = 500

  /// What differs between the schema of this file and that of another one: `path`.
  func difference(_ query: [String: String]) throws -> StudioJSON {
    let other = try OpenFile(path: Self.text("path", query), key: encryptionKey)
    var lines: [StudioJSON] = []
    let comparison = FileDifference(other, try live().opened()) { (change) throws(StorageError) in
      guard case .schema(let table, let property, let before, let after) = change, lines.count < Self.differenceLimit else { return }
      lines.append(["name": .text(table.title(of: property)), "other": StudioJSON(before), "this": StudioJSON(after)])
    }
    try comparison.runSchema()
    return ["path": .text(other.path), "differences": .array(lines)]
  }
}
