import TestSupport

@testable import RealmInspection
@testable import RealmStorage

/// Which bytes of a sound file each of its objects stands on: known by walking the nodes, without any of the code that salvages.
struct SalvageFootprint {
  struct Object {
    let table: String
    /// The JSON of the primary key, or the object's key.
    let identity: [UInt8]
    /// By name of the property: those that hold values, and no links to other objects.
    let fields: [String: [UInt8]]
    let cluster: Int
  }

  /// Header, list of tables, schema: without them no object can be told.
  private(set) var shared: [Range<Int>] = []
  /// Of each cluster: its nodes, and those on the way to it.
  private(set) var clusters: [[Range<Int>]] = []
  private(set) var objects: [Object] = []
  /// Of each cluster: whether its objects are embedded in others.
  private let space: NodeSpace
  private let file: OpenFile

  init(_ path: String) throws {
    let file = try OpenFile(path: path)
    (self.file, space) = (file, file.space)
    shared.append(0..<FileHeader.byteCount)
    if !file.top.isNull { try addSchema(file.top) }
    let printer = PlainPrinter(Exporter(file, digestLimit: nil, to: MemorySink()))
    for table in file.tables {
      var clusterOfKey: [ObjectKey: Int] = [:]
      try addClusters(table.clusterRoot, [], table, offset: 0, &clusterOfKey)
      if table.kind == .embedded { continue }
      let columns = table.publicColumns.map { $0 }
      try printer.forEachObject(table) { object throws(StorageError) in
        var fields: [String: [UInt8]] = [:]
        for (column, field) in zip(columns, object.fields) where column.type != .link && column.type != .mixed {
          fields[SchemaNames.text(column.name)] = field
        }
        if let cluster = clusterOfKey[object.key] {
          objects.append(Object(table: SchemaNames.text(table.name), identity: object.identity, fields: fields, cluster: cluster))
        }
      }
    }
  }

  private func range(_ node: Node) -> Range<Int> {
    let start = Int(node.ref.byteOffset)
    return start..<start + max(node.byteCount, 8)
  }

  /// A node and everything below it.
  private func subtree(_ ref: Ref, except roots: Set<Ref> = []) throws -> [Range<Int>] {
    if ref.isNull || roots.contains(ref) { return [] }
    let node = try space.node(at: ref)
    var result = [range(node)]
    guard node.header.hasRefs else { return result }
    for slot in 0..<node.count {
      let value = node.element(unchecked: slot)
      if value != 0, value & 1 == 0 { result += try subtree(Ref(UInt64(bitPattern: value)), except: roots) }
    }
    return result
  }

  /// The names of tables and the tables, without their objects and what is in their indexes. Which columns have an index belongs to the schema.
  private mutating func addSchema(_ top: Ref) throws {
    let node = try space.node(at: top)
    shared.append(range(node))
    var roots = Set(file.tables.flatMap { [$0.clusterRoot, $0.tombstoneRoot] })
    for table in file.tables where !table.searchIndexesRef.isNull {
      let indexes = try space.node(at: table.searchIndexesRef)
      for slot in 0..<indexes.count { roots.insert(Ref(UInt64(bitPattern: indexes.element(unchecked: slot)))) }
    }
    for slot in 0..<2 { shared += try subtree(Ref(UInt64(bitPattern: node.element(unchecked: slot))), except: roots) }
  }

  private mutating func addClusters(
    _ ref: Ref, _ path: [Range<Int>], _ table: TableDescription, offset: UInt64, _ clusterOfKey: inout [ObjectKey: Int]
  ) throws {
    let node = try space.refs(at: ref)
    guard node.header.isInner else {
      let cluster = try Cluster(space, node, offset: offset)
      for row in 0..<cluster.count { clusterOfKey[cluster.key(row)] = clusters.count }
      clusters.append(path + (try subtree(ref)))
      return
    }
    let inner = try ClusterInner(space, node)
    var own = path + [range(node)]
    let keys = node.element(unchecked: 0)
    if keys != 0, keys & 1 == 0 { own += try subtree(Ref(UInt64(bitPattern: keys))) }
    for child in 0..<inner.childCount {
      try addClusters(node.child(child + 3), own, table, offset: offset &+ inner.offset(child), &clusterOfKey)
    }
  }

  /// The objects that none of these bytes belongs to; nil if the schema is damaged.
  func untouched(by damage: [Int]) -> [Object]? {
    func isTouched(_ ranges: [Range<Int>]) -> Bool { damage.contains { byte in ranges.contains { $0.contains(byte) } } }
    if isTouched(shared) { return nil }
    let touched = Set(clusters.indices.filter { isTouched(clusters[$0]) })
    return objects.filter { !touched.contains($0.cluster) }
  }

  /// The objects of a file, by table and identity, with their fields by name.
  static func contents(_ path: String) throws -> [String: [[UInt8]: [String: [UInt8]]]] {
    let file = try OpenFile(path: path)
    let printer = PlainPrinter(Exporter(file, digestLimit: nil, to: MemorySink()))
    var result: [String: [[UInt8]: [String: [UInt8]]]] = [:]
    for table in file.tables where table.kind != .embedded {
      let columns = table.publicColumns.map { SchemaNames.text($0.name) }
      try printer.forEachObject(table) { object throws(StorageError) in
        let fields = Dictionary(zip(columns, object.fields)) { first, _ in first }
        result[SchemaNames.text(table.name), default: [:]][object.identity] = fields
      }
    }
    return result
  }
}
