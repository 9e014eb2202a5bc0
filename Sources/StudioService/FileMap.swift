import RealmInspection
import RealmStorage

/// Who owns which bytes of a version, for a picture of the file.
struct FileMap: Sendable {
  enum Kind: String, Sendable { case property, index, structure, history, free, header, unknown }
  struct Owner: Hashable, Sendable {
    let kind: Kind
    /// For people; empty for what belongs to no table.
    let table: String
    let property: String

    static func == (a: Owner, b: Owner) -> Bool {
      a.kind == b.kind && ExactName(a.table) == ExactName(b.table) && ExactName(a.property) == ExactName(b.property)
    }
  }
  struct Segment: Sendable {
    let start: UInt64
    var byteCount: UInt64
    let owner: Int
  }

  let version: UInt64
  let logicalByteCount: UInt64
  let fileByteCount: UInt64
  private(set) var owners: [Owner] = []
  /// By position, without gaps up to the end of the file.
  private(set) var segments: [Segment] = []
  private(set) var violationCount = 0

  /// Walks over all nodes.
  init(_ file: OpenFile, version: UInt64) {
    self.version = version
    logicalByteCount = file.group?.logicalByteCount ?? file.fileByteCount
    fileByteCount = max(file.fileByteCount, logicalByteCount)
    var walk = Walk(file.tables)
    let result = file.verify { node, depth, role in walk.visit(node, depth, role) }
    violationCount = result.violationCount
    segments = walk.segments.sorted { $0.start < $1.start }
    owners = walk.owners
    fillGaps()
  }

  /// What no node has is free; what lies behind the version belongs to nobody yet.
  private mutating func fillGaps() {
    let (header, free) = (owners.count, owners.count + 1)
    owners += [Owner(kind: .header, table: "", property: ""), Owner(kind: .free, table: "", property: "")]
    var whole: [Segment] = []
    whole.reserveCapacity(segments.count + 16)
    func add(_ start: UInt64, _ end: UInt64, _ owner: Int) {
      guard end > start else { return }
      if let last = whole.last, last.owner == owner, last.start + last.byteCount == start {
        whole[whole.count - 1].byteCount += end - start
      } else {
        whole.append(Segment(start: start, byteCount: end - start, owner: owner))
      }
    }
    var position = FreeSpace.firstPosition
    add(0, position, header)
    for segment in segments where segment.start + segment.byteCount <= fileByteCount {
      add(position, segment.start, free)
      // Damaged files have nodes that overlap.
      add(max(position, segment.start), segment.start + segment.byteCount, segment.owner)
      position = max(position, segment.start + segment.byteCount)
    }
    add(position, fileByteCount, free)
    segments = whole
  }

  /// Gives each node the owner that its role, or that of the nodes above it, names.
  private struct Walk {
    var owners: [Owner] = []
    var segments: [Segment] = []
    private var numbers: [Owner: Int] = [:]
    /// The role that decides, from each depth on.
    private var path: [(depth: Int, owner: Owner)] = []
    /// Objects and indexes of a class are visited after the classes of all.
    private var roots: [Ref: Owner] = [:]

    init(_ tables: [TableDescription]) {
      for table in tables {
        let name = TableName(table.name).title
        roots[table.clusterRoot] = Owner(kind: .structure, table: name, property: "")
        roots[table.tombstoneRoot] = Owner(kind: .structure, table: name, property: "")
        for column in table.columns {
          roots[column.indexRef] = Owner(kind: .index, table: name, property: SchemaNames.text(column.name))
        }
      }
      roots[.null] = nil
    }

    mutating func visit(_ node: Node, _ depth: Int, _ role: String) {
      while let last = path.last, last.depth >= depth { path.removeLast() }
      let above = path.last?.owner ?? Owner(kind: .structure, table: "", property: "")
      let owner = roots[node.ref] ?? Self.owner(role, above)
      if owner != above { path.append((depth, owner)) }
      segments.append(Segment(start: node.ref.byteOffset, byteCount: UInt64(node.byteCount), owner: number(owner)))
    }

    private mutating func number(_ owner: Owner) -> Int {
      if let number = numbers[owner] { return number }
      numbers[owner] = owners.count
      owners.append(owner)
      return owners.count - 1
    }

    private static func owner(_ role: String, _ above: Owner) -> Owner {
      func quoted(_ prefix: String) -> String? {
        guard role.hasPrefix(prefix + " '"), let end = role.lastIndex(of: "'") else { return nil }
        let start = role.index(role.startIndex, offsetBy: prefix.count + 2)
        return start <= end ? String(role[start..<end]) : nil
      }
      if let name = quoted("table") { return Owner(kind: .structure, table: TableName(Array(name.utf8)).title, property: "") }
      if let name = quoted("column") {
        return Owner(kind: .property, table: above.table, property: name.hasPrefix("(backlinks") ? "links to it" : name)
      }
      if role.hasPrefix("search index") || role.hasPrefix("index") {
        return above.kind == .index ? above : Owner(kind: .index, table: above.table, property: "")
      }
      if role.hasPrefix("history") { return Owner(kind: .history, table: "", property: "") }
      if role.hasPrefix("node without") { return Owner(kind: .unknown, table: "", property: "") }
      return above
    }
  }

  // MARK: Pictures

  /// The owner of most of each of `count` equal parts of a range, and how many bytes each owner has in it.
  func picture(_ range: Range<UInt64>, count: Int) -> (parts: [Int], shares: [UInt64], partByteCount: Double) {
    var parts: [Int] = []
    var shares = [UInt64](repeating: 0, count: owners.count)
    let width = Double(range.upperBound - range.lowerBound) / Double(count)
    var index = segment(at: range.lowerBound)
    for part in 0..<count {
      let start = range.lowerBound + UInt64(Double(part) * width)
      let end = part == count - 1 ? range.upperBound : range.lowerBound + UInt64(Double(part + 1) * width)
      var (best, most) = (segments.isEmpty ? 0 : segments[min(index, segments.count - 1)].owner, UInt64(0))
      var here: [Int: UInt64] = [:]
      while index < segments.count, segments[index].start < end {
        let segment = segments[index]
        let (low, high) = (max(segment.start, start), min(segment.start + segment.byteCount, end))
        if high > low {
          let sum = here[segment.owner, default: 0] + high - low
          here[segment.owner] = sum
          shares[segment.owner] += high - low
          if sum > most { (best, most) = (segment.owner, sum) }
        }
        if segment.start + segment.byteCount > end { break }
        index += 1
      }
      parts.append(best)
    }
    return (parts, shares, width)
  }

  /// The first segment that ends behind a position.
  private func segment(at position: UInt64) -> Int {
    var (low, high) = (0, segments.count)
    while low < high {
      let middle = (low + high) / 2
      if segments[middle].start + segments[middle].byteCount <= position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The map that was made last: it takes a walk over the whole file.
final class FileMapCache: Sendable {
  private let map = Locked<FileMap?>(nil)

  func map(_ file: OpenFile, version: UInt64) -> FileMap {
    if let known = map.withLock({ $0 }), known.version == version, known.fileByteCount >= file.fileByteCount { return known }
    let made = FileMap(file, version: version)
    map.withLock { $0 = made }
    return made
  }
}
