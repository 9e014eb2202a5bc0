/// What a table is for (F4.7).
package enum TableKind: UInt8, Sendable {
  case topLevel = 0, embedded = 1, asymmetric = 2
}

/// A table's top array, spec and column arrays, decoded. F4.1, F4.2.
package struct TableDescription: Sendable {
  package let ref: Ref
  package let name: [UInt8]
  package let key: TableKey
  package let kind: TableKind
  /// In spec order: public columns first, then backlink columns.
  package private(set) var columns: [ColumnDescription]
  package private(set) var publicColumnCount: Int
  /// Position in `columns`.
  package private(set) var primaryKeyPosition: Int?
  /// Made by `keeping`.
  package private(set) var isPart = false
  package let specRef: Ref
  package let clusterRoot: Ref
  /// Null if the table never had tombstones.
  package let tombstoneRoot: Ref
  package let searchIndexesRef: Ref
  package let oppositeTablesRef: Ref
  package let oppositeColumnsRef: Ref
  package let collisionMapRef: Ref
  package let columnSequence: UInt64
  package let contentVersion: UInt64
  package let objectSequence: UInt64
  /// Length of the arrays in slots 4, 7 and 8: the highest leaf index ever used, plus one.
  package let leafSlotCount: Int

  package var publicColumns: ArraySlice<ColumnDescription> { columns[0..<publicColumnCount] }
  package var primaryKeyColumn: ColumnDescription? { primaryKeyPosition.map { columns[$0] } }

  /// The table with some of its public columns, in this order, and no others: for printing.
  /// - Parameter positions: in `publicColumns`.
  package func keeping(_ positions: [Int]) -> TableDescription {
    var part = self
    part.columns = positions.map { columns[$0] }
    part.publicColumnCount = positions.count
    part.primaryKeyPosition = primaryKeyPosition.flatMap { positions.firstIndex(of: $0) }
    part.isPart = true
    return part
  }

  /// Linear in the number of columns.
  package func position(of key: ColumnKey) -> Int? { columns.firstIndex { $0.key == key } }
  package func position(named name: [UInt8]) -> Int? { publicColumns.firstIndex { $0.name == name } }

  /// - Parameters:
  ///   - slot: the table's place in the group, which its key must name.
  ///   - onDamage: told of damage to arrays without which the objects can be read; nil to throw for it.
  /// - Throws: `.corruptNode` if anything has another form than F4 says.
  package init(
    space: NodeSpace, ref: Ref, name: [UInt8], slot: Int, onDamage: ((_ what: String, StorageError) -> Void)? = nil
  ) throws(StorageError) {
    let top = try space.refs(at: ref)
    guard !top.header.isInner else { throw top.broken("is no table: it is marked as an inner node") }
    guard top.count >= TableTopSlot.leastCount && top.count <= TableTopSlot.count else {
      throw top.broken("a table has 10 to 14 slots, this one has \(top.count)")
    }
    self.ref = ref
    self.name = name
    specRef = try top.child(TableTopSlot.spec)
    guard try top.child(TableTopSlot.unused).isNull else { throw top.broken("slot 1 is in use") }
    clusterRoot = try top.child(TableTopSlot.clusters)
    let number = try top.tagged(TableTopSlot.key) ?? UInt64(slot)
    key = TableKey(rawValue: UInt32(truncatingIfNeeded: number))
    guard number < UInt64(TableKey.null.rawValue), key.slot == slot else {
      throw top.broken("the table key \(number) does not name slot \(slot)")
    }
    searchIndexesRef = try top.child(TableTopSlot.indexes)
    columnSequence = try top.tagged(TableTopSlot.columnSequence) ?? 0
    contentVersion = try top.tagged(TableTopSlot.contentVersion) ?? 0
    oppositeTablesRef = try top.child(TableTopSlot.oppositeTables)
    oppositeColumnsRef = try top.child(TableTopSlot.oppositeColumns)
    objectSequence = try top.tagged(TableTopSlot.objectSequence) ?? 0
    collisionMapRef = try top.child(TableTopSlot.collisionMap)
    let primaryKey = try top.tagged(TableTopSlot.primaryKey)
    let flags = try top.tagged(TableTopSlot.flags) ?? 0
    guard flags <= 2, let kind = TableKind(rawValue: UInt8(flags)) else { throw top.broken("the table flags are \(flags)") }
    self.kind = kind
    tombstoneRoot = try top.child(TableTopSlot.tombstones)

    let spec = try SpecArrays(space: space, ref: specRef)
    let refs = (indexes: searchIndexesRef, tables: oppositeTablesRef, columns: oppositeColumnsRef)
    let slots =
      if let onDamage { ColumnSlots(readable: space, top, refs, spec, onDamage) } else { try ColumnSlots(space: space, top: top, refs, spec: spec) }
    leafSlotCount = slots.count
    publicColumnCount = spec.publicCount
    let wanted = primaryKey.map { ColumnKey(rawValue: Int64(bitPattern: $0)) }
    columns = try TableDescription.readColumns(spec, slots, primaryKey: wanted)
    if let wanted {
      guard let position = columns.firstIndex(where: { $0.key == wanted }) else {
        throw top.broken("the primary key column \(wanted.rawValue) does not exist")
      }
      primaryKeyPosition = position
    } else {
      primaryKeyPosition = nil
    }
  }

  private static func readColumns(
    _ spec: SpecArrays, _ slots: ColumnSlots, primaryKey: ColumnKey?
  ) throws(StorageError) -> [ColumnDescription] {
    var result: [ColumnDescription] = []
    result.reserveCapacity(spec.count)
    var used = [Bool](repeating: false, count: slots.count)
    for position in 0..<spec.count {
      let key = spec.key(position)
      let leafIndex = key.leafIndex
      if used[leafIndex] { throw spec.keys.broken("two columns use the leaf index \(leafIndex)") }
      used[leafIndex] = true
      guard var type = key.type, type != .list, type != .set, type != .dictionary else {
        throw spec.keys.broken("column \(position) has the unknown type \(key.typeNumber)")
      }
      var attributes = key.attributes
      if type == .legacyLinkList {
        type = .link
        attributes.insert(.list)
      }
      let specType = spec.types.element(unchecked: position)
      let specAttributes = ColumnAttributes(rawValue: Int(spec.attributes.element(unchecked: position)))
      var marks = specAttributes.intersection([.indexed, .unique, .fullTextIndexed])
      let indexRef = try slots.index(leafIndex)
      // The original forgets the mark, not the index, of a property that a migration makes optional (F9).
      if !indexRef.isNull && key != primaryKey && marks.isDisjoint(with: [.indexed, .fullTextIndexed]) { marks.insert(.indexed) }
      let isPublic = position < spec.publicCount
      let enumKeys = try spec.enumKeys(position)
      if !enumKeys.isNull && (type != .string || !attributes.isDisjoint(with: .collection)) {
        throw spec.keys.broken("column \(position) has enum keys but is no plain string column")
      }
      result.append(
        ColumnDescription(
          key: key, name: isPublic ? try spec.names.name(position) : [], type: type,
          attributes: attributes.union(marks), isPublic: isPublic,
          indexRef: indexRef, oppositeTable: slots.table(leafIndex), oppositeColumn: slots.column(leafIndex),
          enumKeysRef: enumKeys, keyTypeNumber: Int(specType >> 16), specTypeNumber: Int(specType & 0xFFFF),
          specAttributes: specAttributes))
    }
    return result
  }
}

/// Slots of a spec (F4.2).
enum SpecSlot {
  static let types = 0
  static let names = 1
  static let attributes = 2
  /// Held sub-specs in formats that nobody reads any more.
  static let unused = 3
  /// Null if no column is enumerated.
  static let enumKeys = 4
  static let keys = 5
  static let count = 6
  /// Those in use.
  static let all = [types, names, attributes, keys, enumKeys]
}

/// The arrays of a spec (F4.2), checked against each other.
struct SpecArrays {
  let types: Node
  let attributes: Node
  let keys: Node
  let names: NameArray
  private let enums: Node?
  let publicCount: Int
  /// Largest leaf index plus one.
  let leafSlotCount: Int
  var count: Int { types.count }

  init(space: NodeSpace, ref: Ref) throws(StorageError) {
    let spec = try space.refs(at: ref)
    guard spec.count == SpecSlot.count, !spec.header.isInner else { throw spec.broken("a spec has 6 slots, this one has \(spec.count)") }
    types = try space.integers(at: spec.child(SpecSlot.types))
    names = try NameArray(space: space, ref: spec.child(SpecSlot.names))
    attributes = try space.integers(at: spec.child(SpecSlot.attributes))
    guard try spec.child(SpecSlot.unused).isNull else { throw spec.broken("slot 3 is in use") }
    let enumRef = try spec.child(SpecSlot.enumKeys)
    enums = enumRef.isNull ? nil : try space.refs(at: enumRef)
    keys = try space.integers(at: spec.child(SpecSlot.keys))
    guard types.count == attributes.count, types.count == keys.count, types.count <= 0x10000 else {
      throw spec.broken("the column arrays have \(types.count), \(attributes.count) and \(keys.count) entries")
    }
    var publicCount = types.count
    while publicCount > 0 && types.element(unchecked: publicCount - 1) & 0xFFFF == Int64(ColumnType.backlink.rawValue) { publicCount -= 1 }
    self.publicCount = publicCount
    guard names.count == publicCount else { throw spec.broken("\(names.count) column names for \(publicCount) public columns") }
    if let enums, enums.count != publicCount {
      throw spec.broken("\(enums.count) enum key slots for \(publicCount) public columns")
    }
    var slots = 0
    for index in 0..<keys.count { slots = max(slots, ColumnKey(rawValue: keys.element(unchecked: index)).leafIndex + 1) }
    leafSlotCount = slots
  }

  /// The caller guarantees `0 <= position < keys.count`; the initialiser has compared the counts of the three arrays.
  func key(_ position: Int) -> ColumnKey { ColumnKey(rawValue: keys.element(unchecked: position)) }
  func enumKeys(_ position: Int) throws(StorageError) -> Ref {
    guard let enums, position < publicCount else { return .null }
    return try enums.child(position)
  }
}

/// The three arrays of a table top that are ordered by leaf index (F4.1 slots 4, 7, 8).
struct ColumnSlots {
  private let indexes: Node?
  private let tables: Node?
  private let columns: Node?
  let count: Int

  typealias Refs = (indexes: Ref, tables: Ref, columns: Ref)

  init(space: NodeSpace, top: Node, _ refs: Refs, spec: SpecArrays) throws(StorageError) {
    indexes = refs.indexes.isNull ? nil : try space.refs(at: refs.indexes)
    tables = refs.tables.isNull ? nil : try space.integers(at: refs.tables)
    columns = refs.columns.isNull ? nil : try space.integers(at: refs.columns)
    let least = spec.leafSlotCount
    let counts = (indexes?.count ?? least, tables?.count ?? least, columns?.count ?? least)
    guard counts.0 == counts.1, counts.1 == counts.2, counts.0 >= least, counts.0 <= 0x10000 else {
      throw top.broken("the index and opposite arrays have \(counts.0), \(counts.1) and \(counts.2) entries for \(least) column slots")
    }
    count = counts.0
  }

  /// Those of a damaged table that can be read.
  init(readable space: NodeSpace, _ top: Node, _ refs: Refs, _ spec: SpecArrays, _ onDamage: (_ what: String, StorageError) -> Void) {
    func sound(_ what: String, _ ref: Ref, _ read: () throws(StorageError) -> Node) -> Node? {
      if ref.isNull { return nil }
      do throws(StorageError) {
        let node = try read()
        if node.count >= spec.leafSlotCount { return node }
        throw node.broken("\(node.count) entries for \(spec.leafSlotCount) column slots")
      } catch {
        onDamage(what, error)
        return nil
      }
    }
    indexes = sound("the list of indexes", refs.indexes) { () throws(StorageError) in
      let node = try space.refs(at: refs.indexes)
      for leafIndex in 0..<min(node.count, spec.leafSlotCount) { _ = try node.child(leafIndex) }
      return node
    }
    tables = sound("the list of classes that links lead to", refs.tables) { () throws(StorageError) in try space.integers(at: refs.tables) }
    columns = sound("the list of properties that link here", refs.columns) { () throws(StorageError) in try space.integers(at: refs.columns) }
    count = spec.leafSlotCount
  }

  func index(_ leafIndex: Int) throws(StorageError) -> Ref { try indexes?.child(leafIndex) ?? .null }
  // The leaf index is one of the spec's columns, or below `count`; the initialiser has seen to it that the arrays have as many elements.
  func table(_ leafIndex: Int) -> TableKey {
    guard let tables else { return .null }
    return TableKey(rawValue: UInt32(truncatingIfNeeded: tables.element(unchecked: leafIndex)))
  }
  func column(_ leafIndex: Int) -> ColumnKey {
    guard let columns else { return .null }
    return ColumnKey(rawValue: columns.element(unchecked: leafIndex))
  }
}
