package import RealmStorage

/// The keys of a result: a counted sequence in chunks, which share their memory when the sequence is copied.
///
/// The key at a position, and the position of a key where the keys ascend, are found in O(log n).
package struct KeySequence: Sendable {
  package static let chunkLimit = 4096

  /// None is empty.
  package private(set) var chunks: [[ObjectKey]] = []
  /// The number of keys up to the end of each chunk.
  private var ends: [Int] = []
  /// The keys ascend: the order of a scan. False for sorted results and lists.
  package let isInKeyOrder: Bool

  package init(isInKeyOrder: Bool) { self.isInKeyOrder = isInKeyOrder }
  package init(_ keys: [ObjectKey], isInKeyOrder: Bool) {
    self.isInKeyOrder = isInKeyOrder
    var begin = 0
    while begin < keys.count {
      let end = min(begin + Self.chunkLimit, keys.count)
      append(Array(keys[begin..<end]))
      begin = end
    }
  }

  /// Appends a chunk of any length.
  package mutating func append(_ chunk: [ObjectKey]) {
    if chunk.isEmpty { return }
    chunks.append(chunk)
    ends.append(count + chunk.count)
  }

  package var count: Int { ends.last ?? 0 }
  package var isEmpty: Bool { chunks.isEmpty }
  package var first: ObjectKey? { chunks.first?.first }
  package var last: ObjectKey? { chunks.last?.last }

  /// Traps unless `0 <= position < count`.
  package subscript(position: Int) -> ObjectKey {
    precondition(position >= 0 && position < count, "no such position in the result")
    let (chunk, offset) = place(of: position)
    return chunks[chunk][offset]
  }

  /// The position of a key, nil if it is not there. O(log n) in key order, else O(n).
  package func position(of key: ObjectKey) -> Int? {
    guard isInKeyOrder else {
      for (index, chunk) in chunks.enumerated() {
        if let place = chunk.firstIndex(of: key) { return ends[index] - chunk.count + place }
      }
      return nil
    }
    let position = rank(of: key)
    return position < count && self[position] == key ? position : nil
  }

  /// The position of a key among some, nil if it is not there. O(n) of these.
  package func position(of key: ObjectKey, in range: Range<Int>) -> Int? {
    guard !range.isEmpty else { return nil }
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "no such positions in the result")
    var index = place(of: range.lowerBound).chunk
    while index < chunks.count {
      let first = ends[index] - chunks[index].count
      guard first < range.upperBound else { break }
      let part = range.clamped(to: first..<ends[index])
      if let offset = chunks[index][part.lowerBound - first..<part.upperBound - first].firstIndex(of: key) { return first + offset }
      index += 1
    }
    return nil
  }

  /// The positions of some keys, ascending, with repetitions. O(n), and for few keys in key order O(log n) each.
  package func positions(of keys: KeySet) -> [Int] {
    if isInKeyOrder, !keys.areMany(among: count) { return keys.ascending().compactMap(position(of:)) }
    let few = keys.areFew ? keys.ascending() : []
    var positions: [Int] = []
    for (index, chunk) in chunks.enumerated() {
      let first = ends[index] - chunk.count
      if few.isEmpty {
        keys.appendPositions(in: chunk, from: first, to: &positions)
      } else {
        let found = positions.count
        for key in few { for offset in chunk.indices where chunk[offset] == key { positions.append(first + offset) } }
        if few.count > 1 { positions[found...].sort() }
      }
    }
    return positions
  }

  /// How many keys are below; the keys must ascend.
  package func rank(of key: ObjectKey) -> Int {
    precondition(isInKeyOrder)
    var (low, high) = (0, chunks.count)
    while low < high {
      let middle = (low + high) >> 1
      if let last = chunks[middle].last, last < key { low = middle + 1 } else { high = middle }
    }
    guard low < chunks.count else { return count }
    let chunk = chunks[low]
    let before = ends[low] - chunk.count
    (low, high) = (0, chunk.count)
    while low < high {
      let middle = (low + high) >> 1
      if chunk[middle] < key { low = middle + 1 } else { high = middle }
    }
    return before + low
  }

  // MARK: Changing

  /// Takes keys out.
  /// - Parameter positions: ascending.
  package mutating func remove(at positions: [Int]) {
    for position in positions.reversed() {
      let (index, offset) = place(of: position)
      chunks[index].remove(at: offset)
      if chunks[index].isEmpty {
        chunks.remove(at: index)
        ends.remove(at: index)
      }
      for later in index..<ends.count { ends[later] -= 1 }
    }
  }

  /// Puts a key in before the one at a position, or at the end.
  package mutating func insert(_ key: ObjectKey, at position: Int) {
    if position == count {
      guard let last = chunks.indices.last, chunks[last].count < Self.chunkLimit else { return append([key]) }
      chunks[last].append(key)
      return ends[last] += 1
    }
    let (index, offset) = place(of: position)
    chunks[index].insert(key, at: offset)
    for later in index..<ends.count { ends[later] += 1 }
    let length = chunks[index].count
    guard length > 2 * Self.chunkLimit else { return }
    let tail = Array(chunks[index][(length / 2)...])
    chunks[index].removeLast(tail.count)
    chunks.insert(tail, at: index + 1)
    ends.insert(ends[index], at: index + 1)
    ends[index] -= tail.count
  }

  /// - Precondition: `0 <= position < count`.
  private func place(of position: Int) -> (chunk: Int, offset: Int) {
    var (low, high) = (0, chunks.count - 1)
    while low < high {
      let middle = (low + high) >> 1
      if ends[middle] > position { high = middle } else { low = middle + 1 }
    }
    return (low, position - (ends[low] - chunks[low].count))
  }

  /// Calls `body` with every key in order.
  package func forEach<Failure: Error>(_ body: (ObjectKey) throws(Failure) -> Void) throws(Failure) {
    for chunk in chunks { for key in chunk { try body(key) } }
  }

  /// All keys in one array.
  package func array() -> [ObjectKey] {
    var result: [ObjectKey] = []
    result.reserveCapacity(count)
    for chunk in chunks { result += chunk }
    return result
  }
}
