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
  package internal(set) var columns: [ColumnDescription]
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
    let top = onDamage == nil ? try space.refs(at: ref) : try DamagedNodes.tableTop(space, ref)
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

    let spec = if let onDamage { try SpecArrays(readable: space, specRef, onDamage) } else { try SpecArrays(space: space, ref: specRef) }
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
          key: key, name: isPublic ? try spec.name(position) : [], type: type,
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
  private let names: Names
  private let enums: Node?
  let publicCount: Int
  /// Largest leaf index plus one.
  let leafSlotCount: Int
  var count: Int { types.count }

  private enum Names {
    case sound(NameArray)
    /// Of a damaged file, with others for those that are lost.
    case saved([[UInt8]])
  }

  init(space: NodeSpace, ref: Ref) throws(StorageError) {
    let spec = try space.refs(at: ref)
    guard spec.count == SpecSlot.count, !spec.header.isInner else { throw spec.broken("a spec has 6 slots, this one has \(spec.count)") }
    types = try space.integers(at: spec.child(SpecSlot.types))
    let names = try NameArray(space: space, ref: spec.child(SpecSlot.names))
    self.names = .sound(names)
    attributes = try space.integers(at: spec.child(SpecSlot.attributes))
    guard try spec.child(SpecSlot.unused).isNull else { throw spec.broken("slot 3 is in use") }
    enums = try SpecArrays.enums(space, spec)
    keys = try space.integers(at: spec.child(SpecSlot.keys))
    guard types.count == attributes.count, types.count == keys.count, types.count <= 0x10000 else {
      throw spec.broken("the column arrays have \(types.count), \(attributes.count) and \(keys.count) entries")
    }
    publicCount = SpecArrays.publicCount(types)
    leafSlotCount = SpecArrays.leafSlotCount(keys)
    guard names.count == publicCount else { throw spec.broken("\(names.count) column names for \(publicCount) public columns") }
    try checkEnums(spec)
  }

  /// Those of a damaged table: an array whose header is wrong is read as the two others say that it is, and a lost name becomes another one.
  init(readable space: NodeSpace, _ ref: Ref, _ onDamage: (_ what: String, StorageError) -> Void) throws(StorageError) {
    let spec = try DamagedNodes.spec(space, ref)
    guard spec.count == SpecSlot.count, !spec.header.isInner else { throw spec.broken("a spec has 6 slots, this one has \(spec.count)") }
    let refs = (types: try spec.child(SpecSlot.types), attributes: try spec.child(SpecSlot.attributes), keys: try spec.child(SpecSlot.keys))
    let counts = [refs.types, refs.attributes, refs.keys].compactMap { ref in try? space.integers(at: ref).count }
    guard let count = counts.first(where: { count in counts.count(where: { $0 == count }) > 1 }), count <= 0x10000 else {
      throw spec.broken("the column arrays have \(counts) entries")
    }
    // Types and keys say the same; each tells whether the other one is read as it was written.
    func agree(_ types: Node, _ keys: Node) -> Bool {
      let columns = (0..<count).map { ColumnKey(rawValue: keys.element(unchecked: $0)) }
      return Set(columns.map(\.leafIndex)).count == count
        && (0..<count).allSatisfy { types.element(unchecked: $0) & 0xFFFF == columns[$0].typeNumber }
    }
    func node(_ ref: Ref, isSound: (Node) -> Bool) -> Node? { DamagedNodes.node(space, ref, .bits, count: count, isSound: isSound) }
    let own = (types: node(refs.types) { _ in true }, keys: node(refs.keys) { _ in true })
    if let types = own.types, let keys = node(refs.keys, isSound: { agree(types, $0) }) {
      (self.types, self.keys) = (types, keys)
    } else if let keys = own.keys, let types = node(refs.types, isSound: { agree($0, keys) }) {
      (self.types, self.keys) = (types, keys)
    } else {
      (types, keys) = (try space.integers(at: refs.types), try space.integers(at: refs.keys))
    }
    let keys = self.keys
    let attributes = node(refs.attributes) { attributes in
      (0..<count).allSatisfy {
        let key = ColumnKey(rawValue: keys.element(unchecked: $0))
        return key.attributes.isSubset(of: ColumnAttributes(rawValue: Int(attributes.element(unchecked: $0))))
      }
    }
    self.attributes = if let attributes { attributes } else { try space.integers(at: refs.attributes) }
    guard types.count == count, keys.count == count, self.attributes.count == count else {
      throw spec.broken("the column arrays have \(types.count), \(self.attributes.count) and \(keys.count) entries")
    }
    enums = try SpecArrays.enums(space, spec)
    let publicCount = SpecArrays.publicCount(types)
    (self.publicCount, leafSlotCount) = (publicCount, SpecArrays.leafSlotCount(keys))
    let found = try NameArray.readable(space, spec.child(SpecSlot.names), count: publicCount) { $0 < publicCount }
    var taken = Set(found.compactMap { $0 })
    names = .saved(
      found.enumerated().map { (position, name) in
        if let name { return name }
        let other = DamagedNodes.name("property", position, &taken)
        onDamage("the name of a property, which is called '\(String(decoding: other, as: UTF8.self))' now,", spec.broken("its name is lost"))
        return other
      })
    try checkEnums(spec)
  }

  private static func enums(_ space: NodeSpace, _ spec: Node) throws(StorageError) -> Node? {
    let ref = try spec.child(SpecSlot.enumKeys)
    return ref.isNull ? nil : try space.refs(at: ref)
  }

  private func checkEnums(_ spec: Node) throws(StorageError) {
    if let enums, enums.count != publicCount { throw spec.broken("\(enums.count) enum key slots for \(publicCount) public columns") }
  }

  private static func publicCount(_ types: Node) -> Int {
    var count = types.count
    while count > 0 && types.element(unchecked: count - 1) & 0xFFFF == Int64(ColumnType.backlink.rawValue) { count -= 1 }
    return count
  }

  private static func leafSlotCount(_ keys: Node) -> Int {
    (0..<keys.count).reduce(0) { max($0, ColumnKey(rawValue: keys.element(unchecked: $1)).leafIndex + 1) }
  }

  /// The caller guarantees `0 <= position < publicCount`.
  func name(_ position: Int) throws(StorageError) -> [UInt8] {
    switch names {
    case .sound(let names): try names.name(position)
    case .saved(let names): names[position]
    }
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
