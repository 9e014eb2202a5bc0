/// Values of a String column or collection, in one of four forms that the root node tells apart (F3.9): short strings (F3.5), small
/// blobs (F3.6), big blobs (F3.7), or indexes into the distinct values of an enumerated column.
@safe package struct StringLeaf {
  // SAFETY: nodes lie in the snapshot (see `Node`); an index is compared with `count`, and lengths with the width, before bytes are lent.
  /// The longest value (F2.6).
  package static let byteLimit = BigBlob.chunkByteCount - 1
  /// The longest string that is ever stored in the short form.
  static let shortByteLimit = 15

  let space: NodeSpace
  /// The root of the leaf; of the enum keys if the leaf is enumerated.
  let text: Node
  /// The leaf itself, if it is enumerated; else the same as `text`.
  let indexes: Node
  package let isEnumerated: Bool
  package let count: Int

  /// - Parameter enumKeys: the leaf of distinct values of an enumerated column (F4.2), else null.
  /// - Throws: `.corruptNode` if the node has none of the four forms, or its children do not fit each other.
  @inline(__always) package init(_ space: NodeSpace, _ ref: Ref, enumKeys: Ref = .null) throws(StorageError) {
    let root = try space.node(at: ref)
    self.space = space
    indexes = root
    isEnumerated = root.header.bits & 0xD800_0000 == 0
    if isEnumerated {
      guard !enumKeys.isNull else { throw root.broken("is an enumerated string leaf of a column without distinct values") }
      text = try space.node(at: enumKeys)
    } else {
      text = root
    }
    if text.header.bits & 0xD800_0000 == 0x0800_0000 {
      count = root.count
    } else {
      guard text.header.bits & 0xD800_0000 == 0x4000_0000 else { throw text.broken("is no string leaf") }
      count = isEnumerated ? root.count : try BlobLeaf.count(space, text)
    }
  }

  /// The longer forms of `text`; nil if it is short. Decoded anew for each access: a reader of three nodes is larger than the access.
  @inline(__always) func blobs() throws(StorageError) -> BlobLeaf? {
    text.header.hasRefs ? try BlobLeaf(space, text, terminator: 1) : nil
  }

  /// Where element `index` is in `text`.
  @inline(__always) private func place(_ index: Int) throws(StorageError) -> Int {
    guard UInt(bitPattern: index) < UInt(bitPattern: count) else { throw text.missing(index) }
    return isEnumerated ? try keyPlace(index) : index
  }

  @inline(never) private func keyPlace(_ index: Int) throws(StorageError) -> Int {
    let place = indexes.element(unchecked: index)
    guard place >= 0, place < Int64(try blobs()?.count ?? text.count) else {
      throw indexes.broken("element \(index) names the distinct value \(place), which does not exist")
    }
    return Int(place)
  }

  package func isNull(_ index: Int) throws(StorageError) -> Bool {
    let place = try place(index)
    if let blobs = try blobs() { return try blobs.isNull(place) }
    return try unsafe shortBytes(place) == nil
  }

  /// Lends the bytes of element `index`; nil is null.
  @inline(__always)
  package func withBytes<Result>(
    _ index: Int, _ body: (RawSpan?) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    guard let bytes = try unsafe bytes(index) else { return try body(nil) }
    return try body(unsafe bytes.bytes)
  }

  /// The UTF-8 bytes of element `index`, nil for null; valid as long as the leaf is.
  @inline(__always) func bytes(_ index: Int) throws(StorageError) -> UnsafeRawBufferPointer? {
    let place = try place(index)
    if text.header.hasRefs { return try unsafe blobBytes(place) }
    return try unsafe shortBytes(place)
  }

  @inline(never) private func blobBytes(_ place: Int) throws(StorageError) -> UnsafeRawBufferPointer? {
    try unsafe BlobLeaf(space, text, terminator: 1).bytes(place)
  }

  /// Element `place` of the short form; the caller has checked that it exists.
  @inline(__always) private func shortBytes(_ place: Int) throws(StorageError) -> UnsafeRawBufferPointer? {
    let width = text.header.width
    if width == 0 { return nil }
    let padding = Int(text.byte(unchecked: place * width + width - 1))
    if padding >= width {
      if padding == width { return nil }
      throw text.broken("string \(place) of width \(width) has the padding \(padding)")
    }
    return unsafe text.buffer(unchecked: place * width..<place * width + width - 1 - padding)
  }

  /// Appends the bytes of element `index`.
  /// - Returns: false for null.
  @inline(__always) package func append(_ index: Int, to target: inout [UInt8]) throws(StorageError) -> Bool {
    guard let bytes = try unsafe bytes(index) else { return false }
    unsafe target.append(contentsOf: bytes)
    return true
  }

  package func value(_ index: Int) throws(StorageError) -> Value {
    guard let bytes = try unsafe bytes(index) else { return .null }
    return .string(unsafe [UInt8](bytes))
  }

  /// Whether element `index` has exactly these bytes; nil is null.
  func equals(_ index: Int, _ other: UnsafeRawBufferPointer?) throws(StorageError) -> Bool {
    try unsafe sameBytes(bytes(index), other)
  }

  /// The first element in `begin..<end` with exactly these bytes; nil is null.
  func find(_ other: UnsafeRawBufferPointer?, from begin: Int, to end: Int) throws(StorageError) -> Int? {
    guard begin >= 0, end <= count else { throw text.missing(end) }
    if !text.header.hasRefs && !isEnumerated, let other = unsafe other, text.header.width <= 16 {
      return unsafe findShort(other, begin, end)
    }
    let blobs = isEnumerated ? nil : try blobs()
    var index = begin
    while index < end {
      let isEqual = if let blobs { try unsafe blobs.equals(index, other) } else { try unsafe equals(index, other) }
      if isEqual { return index }
      index += 1
    }
    return nil
  }

  /// Compares whole elements of the short form: bytes, zeros and padding count are fixed by the string.
  private func findShort(_ other: UnsafeRawBufferPointer, _ begin: Int, _ end: Int) -> Int? {
    let width = text.header.width
    guard other.count < width else { return nil }
    var (low, high): (UInt64, UInt64) = (0, 0)
    for position in 0..<other.count {
      let byte = UInt64(unsafe other[position])
      if position < 8 { low |= byte << UInt64(position * 8) } else { high |= byte << UInt64(position * 8 - 64) }
    }
    let padding = UInt64(width - 1 - other.count)
    if width <= 8 { low |= padding << UInt64((width - 1) * 8) } else { high |= padding << 56 }
    switch width {
    case 1: return find(UInt8(truncatingIfNeeded: low), begin, end)
    case 2: return find(UInt16(truncatingIfNeeded: low), begin, end)
    case 4: return find(UInt32(truncatingIfNeeded: low), begin, end)
    case 8: return find(low, begin, end)
    default:
      for index in begin..<max(begin, end) where text.number(unchecked: index << 4, as: UInt64.self) == low {
        if text.number(unchecked: index << 4 + 8, as: UInt64.self) == high { return index }
      }
      return nil
    }
  }

  @inline(__always)
  private func find<T: FixedWidthInteger & BitwiseCopyable>(_ pattern: T, _ begin: Int, _ end: Int) -> Int? {
    for index in begin..<max(begin, end) where text.number(unchecked: index * MemoryLayout<T>.size, as: T.self) == pattern { return index }
    return nil
  }

  /// Rules: the number of elements; short strings are followed by zeros only and their padding fits the width; the rules of blobs;
  /// indexes of an enumerated leaf name existing values; no string is longer than the limit.
  package static func check(_ space: NodeSpace, _ ref: Ref, expectedCount: Int, enumKeys: Ref = .null) throws(StorageError) {
    let leaf = try StringLeaf(space, ref, enumKeys: enumKeys)
    guard leaf.count == expectedCount else { throw leaf.text.broken("has \(leaf.count) elements, not \(expectedCount)") }
    try leaf.blobs()?.check()
    let width = leaf.text.header.width
    for index in 0..<leaf.count {
      let bytes = try unsafe leaf.bytes(index)
      let byteCount = unsafe bytes?.count ?? 0
      guard byteCount <= byteLimit else { throw leaf.text.broken("string \(index) has \(byteCount) bytes") }
      if leaf.isEnumerated || leaf.text.header.hasRefs || width == 0 { continue }
      let end = index * width + width - 1
      for position in index * width + byteCount..<end where leaf.text.byte(unchecked: position) != 0 {
        throw leaf.text.broken("string \(index) is not followed by zeros")
      }
    }
  }
}
