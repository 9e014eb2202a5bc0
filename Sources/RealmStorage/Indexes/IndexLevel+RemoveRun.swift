// Removing the entries of many integers at a time.

extension IndexLevel {
  /// Removes entries of the first level from one leaf of scratch memory: those of objects that are alone under their keys, as many as follow one
  /// another in `objects`. The last entry of a leaf stays, so that no other node changes.
  /// - Parameters:
  ///   - objects: in the order of their keys.
  ///   - start: where the first one stands that is still filed.
  ///   - rows: memory that many calls share.
  /// - Returns: where the first one stands that is left, which is `start` if that needs another way.
  static func removeRun(
    _ scratch: Scratch, _ root: Ref, _ objects: [(value: Int64, object: ObjectKey)], from start: Int, _ rows: inout [Int]
  ) throws(StorageError) -> Int {
    guard start < objects.count else { return start }
    guard let place = try leafInScratch(scratch, root, key: IndexKey.key(ofInt: objects[start].value, offset: 0)) else { return start }
    findRun(place.node, objects[start...], from: place.position, &rows)
    if !rows.isEmpty { try removeSlots(scratch, place.leaf, &rows) }
    return start + rows.count
  }

  /// Puts the positions of the objects' entries into `rows`, up to the first that is not alone under its key, is the node's last one, or is not there.
  private static func findRun(_ leaf: IndexNode, _ objects: ArraySlice<(value: Int64, object: ObjectKey)>, from position: Int, _ rows: inout [Int]) {
    rows.removeAll(keepingCapacity: true)
    let last = leaf.count - 1
    var position = position
    for (value, object) in objects {
      let key = IndexKey.key(ofInt: value, offset: 0)
      while position < last && leaf.keys.int32(unchecked: position) < key { position += 1 }
      guard position < last, leaf.keys.int32(unchecked: position) == key, leaf.entry(position) == IndexEntry(object) else { return }
      rows.append(position)
      position += 1
    }
  }

  /// - Parameters:
  ///   - leaf: lies in scratch memory with its keys, and keeps a slot.
  ///   - rows: ascending and different; changed.
  private static func removeSlots(_ scratch: Scratch, _ leaf: Ref, _ rows: inout [Int]) throws(StorageError) {
    var (leaf, keys) = (leaf, Ref(element: scratch.slot(leaf, IndexNode.Slot.keys)))
    try scratch.remove(&keys, rows: rows, keepingWidth: true)
    for index in rows.indices { rows[index] += 1 }
    try scratch.remove(&leaf, rows: rows)
  }
}
