/// Rows that are made for objects that lead to each other, and get their values later.
///
/// `add` and `create` follow what an object leads to by calling themselves. Where they are nested deeply, as in a chain of links, the object gets
/// its row at once, so that others can lead to it, and its values when the outermost object has its own: no chain is too long for the stack.
struct WaitingRows {
  private static let depthLimit = 64
  private var depth = 0
  private var waiting: [() throws -> Void] = []

  var isTooDeep: Bool { depth >= Self.depthLimit }

  mutating func begin() { depth += 1 }
  /// After an error nothing is left to be done.
  mutating func end() {
    depth -= 1
    if depth == 0, !waiting.isEmpty { waiting = [] }
  }

  mutating func wait(_ fill: @escaping () throws -> Void) { waiting.append(fill) }

  /// What is to be done before the outermost object is ready; nothing for others.
  mutating func take() -> [() throws -> Void] {
    if depth > 1 || waiting.isEmpty { return [] }
    defer { waiting = [] }
    return waiting
  }
}
