extension NameArray {
  /// The names of a damaged file, of which each may be lost. If what the array says of itself is wrong, it is read with the width with which all
  /// that are asked for are names.
  /// - Parameters:
  ///   - count: how many there have to be.
  ///   - isUsed: whether something has the name at this place; others are often empty.
  /// - Returns: nil for a name that is lost.
  static func readable(_ space: NodeSpace, _ ref: Ref, count: Int, isUsed: (Int) -> Bool) -> [[UInt8]?] {
    if let names = try? NameArray(space: space, ref: ref), names.count == count {
      let found = (0..<count).map { names.readableName($0) }
      // One that is damaged is lost alone.
      if (0..<count).count(where: { isUsed($0) && found[$0] == nil }) * 2 <= count { return found }
    }
    let node = DamagedNodes.node(space, ref, .bytes, count: count) { node in
      let names = NameArray(node: node)
      return (0..<count).allSatisfy { !isUsed($0) || names.readableName($0) != nil }
    }
    return (0..<count).map { index in node.flatMap { NameArray(node: $0).readableName(index) } }
  }

  /// Nil for what is no name: empty, no text, or several that were taken for one.
  private func readableName(_ index: Int) -> [UInt8]? {
    guard let name = try? name(index), !name.isEmpty, !name.contains(0), String(validating: name, as: UTF8.self) != nil else { return nil }
    return name
  }
}
