extension DamagedNodes {
  /// The list of a file's tables, read so that each of its refs leads to what may be a table.
  /// - Parameter names: those of the tables, if they can be read; each belongs to a table. Of their number and the list's own the larger one with which
  ///   it can be read is right: a list that is too long ends in free slots, one that is too short hides tables.
  /// - Throws: `.corruptNode` if it is no list of refs.
  static func tables(_ space: NodeSpace, _ ref: Ref, names: NameArray?) throws(StorageError) -> Node {
    /// The slots with tables; nil if one of them leads to none.
    func tables(_ node: Node) -> [Int]? {
      let slots = (0..<node.count).filter { GroupDescription.isTable(node.element(unchecked: $0)) }
      let areTables = slots.allSatisfy { slot in
        ((try? space.refs(at: Ref(element: node.element(unchecked: slot))).count) ?? 0) >= TableTopSlot.leastCount
      }
      return areTables && !slots.isEmpty ? slots : nil
    }
    let list = try? space.refs(at: ref)
    if let list, list.count >= names?.count ?? 0, tables(list) != nil { return list }
    for count in Set([list?.count, names?.count].compactMap { $0 }).sorted(by: >) {
      let named = (0..<count).filter { slot in (try? names?.name(slot).isEmpty) == false }
      let node = node(space, ref, .bits, flags: NodeHeader.Flags.refs, count: count) { node in
        let tables = tables(node)
        return names == nil ? tables != nil : tables == named
      }
      if let node { return node }
    }
    return if let list { list } else { try space.refs(at: ref) }
  }

  /// The top array of a table, read so that it begins as one does.
  /// - Throws: `.corruptNode` if it is no list of refs.
  static func tableTop(_ space: NodeSpace, _ ref: Ref) throws(StorageError) -> Node {
    let list = try? space.refs(at: ref)
    let counts = [list?.count].compactMap { $0 }.filter { $0 >= TableTopSlot.leastCount && $0 <= TableTopSlot.count }
    for count in counts + (TableTopSlot.leastCount...TableTopSlot.count).reversed() {
      let node = node(space, ref, .bits, flags: NodeHeader.Flags.refs, count: count) { node in
        let needed = [TableTopSlot.spec, TableTopSlot.clusters]
        let others = [TableTopSlot.unused, TableTopSlot.indexes, TableTopSlot.oppositeTables, TableTopSlot.oppositeColumns, TableTopSlot.tombstones]
        return needed.allSatisfy { isRef(space, node, $0, mayBeNull: false) } && others.allSatisfy { isRef(space, node, $0, mayBeNull: true) }
          && [TableTopSlot.key, TableTopSlot.primaryKey, TableTopSlot.flags].allSatisfy { isTagged(node, $0) }
      }
      if let node { return node }
    }
    return if let list { list } else { try space.refs(at: ref) }
  }

  /// A spec, read so that its columns have types and keys.
  /// - Throws: `.corruptNode` if it is no list of refs.
  static func spec(_ space: NodeSpace, _ ref: Ref) throws(StorageError) -> Node {
    let node = node(space, ref, .bits, flags: NodeHeader.Flags.refs, count: SpecSlot.count) { node in
      guard (try? node.child(SpecSlot.unused).isNull) == true else { return false }
      return [SpecSlot.types, SpecSlot.attributes, SpecSlot.keys].allSatisfy { isRef(space, node, $0, mayBeNull: false) }
    }
    return if let node { node } else { try space.refs(at: ref) }
  }

  /// Another name for what lost its own: `word` with the number of its place, and with more of them if that is taken.
  package static func name(_ word: String, _ place: Int, _ taken: inout Set<[UInt8]>) -> [UInt8] {
    var name = Array("\(word)\(place)".utf8)
    while !taken.insert(name).inserted { name.append(UInt8(ascii: "_")) }
    return name
  }
}
