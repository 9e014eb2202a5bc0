import RealmStorage

/// Finds the newest version of a damaged file whose list of tables can be read.
struct SalvageSearch {
  private let space: NodeSpace
  private let header: FileHeader

  init(_ space: NodeSpace, _ header: FileHeader) { (self.space, self.header) = (space, header) }

  func newest(_ onDamage: (String) -> Void) -> (Ref, GroupDescription)? {
    let selected = header.selectedTopRef
    if !selected.isNull, let group = group(at: selected) { return (selected, group) }
    onDamage("the version that the header names; the newest one that can be found is read instead")
    // The other slot of the header, and whatever looks like a top array: versions before the last are often still there.
    var best: (Ref, GroupDescription)?
    var start: UInt64 = UInt64(FileHeader.byteCount)
    while start + 16 <= space.fileLimit {
      if let group = group(at: Ref(start)), group.hasNames, group.version >= best?.1.version ?? 0 { best = (Ref(start), group) }
      start += 8
    }
    return best
  }

  /// Nil if no top array is there, or none of its tables can be decoded although it has some.
  private func group(at top: Ref) -> GroupDescription? {
    do throws(StorageError) {
      let group = try GroupDescription(space: space, top: top, isDamaged: true)
      if group.tableSlotCount == 0 { return group }
      for slot in 0..<group.tableSlotCount {
        do throws(StorageError) {
          if try group.table(space: space, slot: slot, name: [], onDamage: { _, _ in }) != nil { return group }
        } catch { continue }
      }
    } catch { return nil }
    return nil
  }
}
