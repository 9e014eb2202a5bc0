package import RealmStorage

/// Collections, given as a count and a function that appends one element.
extension CanonicalJSON {
  /// `[…]`, or the short form of a sequence with more than `digestLimit` elements.
  package static func appendList(
    count: Int, digestLimit: Int? = nil, to output: inout [UInt8],
    element: (_ index: Int, _ output: inout [UInt8]) throws(StorageError) -> Void
  ) throws(StorageError) {
    if let digestLimit, count > digestLimit {
      var digest = LineDigest()
      var line: [UInt8] = []
      for index in 0..<count {
        line.removeAll(keepingCapacity: true)
        try element(index, &line)
        digest.add(line)
      }
      append("{\"$digest\":{\"count\":\(count),\"sha256\":\"\(digest.finish())\",\"first\":", to: &output)
      appendArray(digest.first, to: &output)
      append(",\"last\":", to: &output)
      appendArray(digest.last, to: &output)
      return append("}}", to: &output)
    }
    append("[", to: &output)
    for index in 0..<count {
      if index > 0 { append(",", to: &output) }
      try element(index, &output)
    }
    append("]", to: &output)
  }

  package static func appendSet(
    count: Int, digestLimit: Int? = nil, to output: inout [UInt8],
    element: (_ index: Int, _ output: inout [UInt8]) throws(StorageError) -> Void
  ) throws(StorageError) {
    append("{\"$set\":", to: &output)
    try appendList(count: count, digestLimit: digestLimit, to: &output, element: element)
    append("}", to: &output)
  }

  /// Entries in stored order; `key` and `value` append one JSON value each.
  package static func appendDictionary(
    count: Int, digestLimit: Int? = nil, to output: inout [UInt8],
    key: (_ index: Int, _ output: inout [UInt8]) throws(StorageError) -> Void,
    value: (_ index: Int, _ output: inout [UInt8]) throws(StorageError) -> Void
  ) throws(StorageError) {
    append("{\"$dictionary\":", to: &output)
    try appendList(count: count, digestLimit: digestLimit, to: &output) { (index, output) throws(StorageError) in
      append("[", to: &output)
      try key(index, &output)
      append(",", to: &output)
      try value(index, &output)
      append("]", to: &output)
    }
    append("}", to: &output)
  }

  /// `[…]` of elements that are JSON already.
  package static func appendArray(_ elements: [[UInt8]], to output: inout [UInt8]) {
    append("[", to: &output)
    for (i, element) in elements.enumerated() {
      if i > 0 { append(",", to: &output) }
      output.append(contentsOf: element)
    }
    append("]", to: &output)
  }
}

/// What stands for a long sequence: the SHA-256 over its elements' canonical texts, each followed by a newline, and three elements at
/// either end.
package struct LineDigest {
  package private(set) var first: [[UInt8]] = []
  package private(set) var last: [[UInt8]] = []
  private var digest = ContentDigest()

  package init() {}

  package mutating func add(_ element: [UInt8]) {
    if first.count < 3 { first.append(element) }
    if last.count == 3 { last.removeFirst() }
    last.append(element)
    digest.update(element)
    digest.update([UInt8(ascii: "\n")])
  }

  /// Lower-case hex.
  package func finish() -> String { digest.finish() }
}
