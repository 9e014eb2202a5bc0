extension SyncHistory {
  /// The rules of such a history (Y2):
  ///  1. an array of 21 slots with tagged numbers, or 0, and nothing where nothing belongs;  2. a log like that of other files;  3. five columns of
  ///  equal length, not longer than the version is;  4. every changeset can be taken apart;  5. nobody's entry is from a later server version than
  ///  the newest that is known of.
  func check(_ checker: Checker, version: UInt64) throws(StorageError) {
    let node = try checker.claimRefs(root, Self.role)
    guard node.count == Slot.count else {
      return checker.fail("history: \(node.count) slots, not \(Slot.count)")
    }
    // The original leaves 0, no tagged one, until it has something to say.
    for slot in Slot.identSalt...Slot.uploadableByteCount { _ = try node.tagged(slot) }
    if node.element(unchecked: Slot.cooked) != 0 { checker.fail("history: its slot \(Slot.cooked), which nobody uses any more, is not empty") }
    let latest = try node.tagged(Slot.latestServerVersion) ?? 0
    let log = HistoryTree(root: try node.child(Slot.log))
    if !log.root.isNull { try log.check(checker, version: version) }
    var counts: [Int] = []
    for slot in [Slot.changesets, Slot.reciprocals] {
      let role = slot == Slot.changesets ? "history (changesets for others)" : "history (transformed changesets)"
      counts.append(
        try BPlusTreeCheck(checker, role, .binary) { (ref) throws(StorageError) in
          let count = try Leaf.check(checker, ref, .binary, role).count
          checkStored(checker, try BinaryLeaf(checker.space, ref), role)
          return count
        }.run(node.child(slot)))
    }
    for (slot, name) in [(Slot.serverVersions, "server versions"), (Slot.origins, "origins"), (Slot.timestamps, "times")] {
      let role = "history (\(name))"
      counts.append(
        try BPlusTreeCheck(checker, role, .int) { (ref) throws(StorageError) in
          let count = try Leaf.check(checker, ref, .int, role).count
          if slot == Slot.serverVersions { try checkServerVersions(checker, ref, latest: latest) }
          return count
        }.run(node.child(slot)))
    }
    if Set(counts).count > 1 { checker.fail("history: its columns have \(counts) entries") }
    if UInt64(counts[0]) >= version && counts[0] > 0 { checker.fail("history: \(counts[0]) entries lead to version \(version)") }
    for slot in [Slot.unused, Slot.objectIdentities, Slot.schemaVersions] {
      let element = try node.element(slot)
      guard element != 0, !element.isTagged, checker.covers(Ref(element: element)) else { continue }
      try checker.claimAll(Ref(element: element), "history (\(Self.slotNames[slot]))")
    }
  }

  private func checkServerVersions(_ checker: Checker, _ leaf: Ref, latest: UInt64) throws(StorageError) {
    let versions = try checker.space.integers(at: leaf)
    for index in 0..<versions.count where UInt64(bitPattern: versions.element(unchecked: index)) > latest {
      checker.fail("history (server versions): entry \(index) is from server version \(versions.element(unchecked: index)), the latest is \(latest)")
    }
  }

  private func checkStored(_ checker: Checker, _ leaf: BinaryLeaf, _ role: String) {
    for index in 0..<leaf.count {
      do throws(StorageError) { if let stored = try leaf.copy(index) { _ = try StoredChangeset(stored) } } catch {
        checker.fail("\(role): entry \(index): \(Checker.text(error))")
      }
    }
  }
}
