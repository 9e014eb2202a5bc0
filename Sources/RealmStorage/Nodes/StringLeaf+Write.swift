// Changing string leaves. A leaf changes its form when a longer string arrives, never back. Bytes that are passed in must not lie in
// the leaf itself. An enumerated leaf must be made plain first, together with all leaves of its column.

extension StringLeaf {
  /// A leaf of `count` nulls or empty strings.
  package static func create(in scratch: Scratch, count: Int, isNullable: Bool) throws(StorageError) -> Ref {
    let widthIndex: UInt32 = isNullable || count == 0 ? 0 : 1
    return try scratch.createBytes(scheme: .bytes, widthIndex: widthIndex, count: count, byteCount: widthIndex == 0 ? 0 : count)
  }

  /// - Throws: `.invalidArgument` for a string above `byteLimit`.
  @inline(__always)
  static func insert(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ bytes: UnsafeRawBufferPointer?) throws(StorageError) {
    let isShort = try prepare(scratch, &ref, byteCount: unsafe bytes?.count ?? 0)
    if !isShort { return try unsafe BlobLeaf.insert(scratch, &ref, index, bytes, terminator: 1) }
    let count = scratch.header(ref).count
    guard index >= 0, index <= count, count < NodeHeader.largestCount else { throw try scratch.space.node(at: ref).missing(index) }
    try unsafe widenShort(scratch, &ref, for: bytes)
    let header = scratch.header(ref)
    let width = header.width
    if width > 0 {
      let place = try unsafe scratch.openGap(&ref, at: index * width, removing: 0, inserting: width, usedByteCount: count * width)
      unsafe store(bytes, at: place, width)
    }
    scratch.setHeader(ref, header.with(count: count + 1))
  }

  /// - Throws: `.invalidArgument` for a string above `byteLimit`.
  static func set(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ bytes: UnsafeRawBufferPointer?) throws(StorageError) {
    let isShort = try prepare(scratch, &ref, byteCount: unsafe bytes?.count ?? 0)
    if !isShort { return try unsafe BlobLeaf.set(scratch, &ref, index, bytes, terminator: 1) }
    guard index >= 0, index < scratch.header(ref).count else { throw try scratch.space.node(at: ref).missing(index) }
    try unsafe widenShort(scratch, &ref, for: bytes)
    let width = scratch.header(ref).width
    if width > 0 { unsafe store(bytes, at: scratch.payload(ref) + index * width, width) }
  }

  package static func insert(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ value: Value) throws(StorageError) {
    switch value {
    case .null: try unsafe insert(scratch, &ref, index, nil)
    case .string(let bytes):
      try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(StorageError) in
        try unsafe insert(scratch, &ref, index, UnsafeRawBufferPointer(buffer))
      }
    default: throw .typeMismatch(reason: "a String leaf cannot hold \(value)")
    }
  }

  package static func set(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ text: RawSpan) throws(StorageError) {
    try unsafe text.withUnsafeBytes { (bytes) throws(StorageError) in try unsafe set(scratch, &ref, index, bytes) }
  }

  @inline(__always)
  package static func insert(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ text: RawSpan) throws(StorageError) {
    try unsafe text.withUnsafeBytes { (bytes) throws(StorageError) in try unsafe insert(scratch, &ref, index, bytes) }
  }

  /// A copy of lent bytes.
  package static func bytes(_ text: RawSpan) -> [UInt8] { unsafe text.withUnsafeBytes { unsafe [UInt8]($0) } }

  /// Null or the empty string.
  static func insertDefault(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, isNullable: Bool) throws(StorageError) {
    try unsafe insert(scratch, &ref, index, isNullable ? nil : UnsafeRawBufferPointer(start: nil, count: 0))
  }

  package static func set(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ value: Value) throws(StorageError) {
    switch value {
    case .null: try unsafe set(scratch, &ref, index, nil)
    case .string(let bytes):
      try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(StorageError) in
        try unsafe set(scratch, &ref, index, UnsafeRawBufferPointer(buffer))
      }
    default: throw .typeMismatch(reason: "a String leaf cannot hold \(value)")
    }
  }

  package static func remove(_ scratch: Scratch, _ ref: inout Ref, _ index: Int) throws(StorageError) {
    try remove(scratch, &ref, index..<index + 1)
  }

  package static func remove(_ scratch: Scratch, _ ref: inout Ref, _ range: Range<Int>) throws(StorageError) {
    if try !prepare(scratch, &ref, byteCount: 0) { return try BlobLeaf.remove(scratch, &ref, range, terminator: 1) }
    let header = scratch.header(ref)
    let width = header.width
    guard range.lowerBound >= 0, range.upperBound <= header.count else {
      throw try scratch.space.node(at: ref).missing(range.upperBound - 1)
    }
    if width > 0 {
      _ = try unsafe scratch.openGap(
        &ref, at: range.lowerBound * width, removing: range.count * width, inserting: 0, usedByteCount: header.count * width)
    }
    let left = header.count - range.count
    scratch.setHeader(ref, (left == 0 ? header.with(widthIndex: 0) : header).with(count: left))
  }

  /// Removes elements if the leaf is short.
  /// - Parameter rows: ascending and different.
  /// - Returns: whether it is.
  static func removeShort<Rows: BidirectionalCollection<Int>>(_ scratch: Scratch, _ ref: inout Ref, rows: Rows) throws(StorageError) -> Bool {
    if try !prepare(scratch, &ref, byteCount: 0) { return false }
    let header = scratch.header(ref)
    try scratch.checkRows(rows, ref)
    unsafe scratch.closeGaps(scratch.payload(ref), rows, byteCount: header.width, count: header.count)
    let left = header.count - rows.count
    scratch.setHeader(ref, (left == 0 ? header.with(widthIndex: 0) : header).with(count: left))
    return true
  }

  /// Elements from `index` on move to a new leaf, which is returned.
  package static func split(_ scratch: Scratch, _ ref: inout Ref, at index: Int) throws(StorageError) -> Ref {
    if try !prepare(scratch, &ref, byteCount: 0) { return try BlobLeaf.split(scratch, &ref, at: index, terminator: 1) }
    let header = scratch.header(ref)
    let width = header.width
    guard index >= 0, index <= header.count else { throw try scratch.space.node(at: ref).missing(index) }
    let tailCount = header.count - index
    let tail = try scratch.createBytes(
      scheme: .bytes, widthIndex: tailCount == 0 ? 0 : header.widthIndex, count: tailCount, byteCount: tailCount * width)
    unsafe scratch.payload(tail).copyMemory(from: scratch.payload(ref) + index * width, byteCount: tailCount * width)
    scratch.setHeader(ref, (index == 0 ? header.with(widthIndex: 0) : header).with(count: index))
    return tail
  }

  /// Moves the last element into place `index`, whose element is dropped; the leaf becomes shorter by one.
  static func moveLast(_ scratch: Scratch, _ ref: inout Ref, to index: Int) throws(StorageError) {
    if try !prepare(scratch, &ref, byteCount: 0) { return try BlobLeaf.moveLast(scratch, &ref, to: index, terminator: 1) }
    let header = scratch.header(ref)
    let (width, last) = (header.width, header.count - 1)
    guard index >= 0, index <= last else { throw try scratch.space.node(at: ref).missing(index) }
    let place = unsafe scratch.payload(ref)
    if index < last { unsafe (place + index * width).copyMemory(from: place + last * width, byteCount: width) }
    try remove(scratch, &ref, last..<last + 1)
  }

  /// Turns an enumerated leaf into a plain one; the caller does so with all leaves of the column and then drops the distinct values.
  package static func makePlain(_ scratch: Scratch, _ ref: inout Ref, enumKeys: Ref) throws(StorageError) {
    let leaf = try StringLeaf(scratch.space, ref, enumKeys: enumKeys)
    guard leaf.isEnumerated else { return }
    var plain = try create(in: scratch, count: 0, isNullable: true)
    for index in 0..<leaf.count { try unsafe insert(scratch, &plain, index, leaf.bytes(index)) }
    try scratch.free(ref)
    ref = plain
  }

  // MARK: Forms

  /// Makes the leaf writable, in a form that can hold a string of `byteCount` bytes.
  /// - Returns: whether the leaf is short.
  @inline(__always)
  private static func prepare(_ scratch: Scratch, _ ref: inout Ref, byteCount: Int) throws(StorageError) -> Bool {
    let header = try scratch.space.node(at: ref).header
    if byteCount <= shortByteLimit && header.bits & 0xD800_0000 == 0x0800_0000 {
      try scratch.makeWritable(&ref)
      return true
    }
    try prepareBlobs(scratch, &ref, byteCount: byteCount)
    return false
  }

  @inline(never)
  private static func prepareBlobs(_ scratch: Scratch, _ ref: inout Ref, byteCount: Int) throws(StorageError) {
    guard byteCount <= byteLimit else {
      throw .invalidArgument(reason: "a string of \(byteCount) bytes exceeds the limit of \(byteLimit) bytes")
    }
    let node = try scratch.space.node(at: ref)
    if node.header.hasRefs { return }
    try scratch.space.checkCount(node.count, of: node)
    guard node.header.schemeBits != 0 else {
      throw .invalidArgument(reason: "the enumerated string leaf at \(ref) must be made plain before it is changed")
    }
    let leaf = try StringLeaf(scratch.space, ref)
    let blobs = byteCount < BlobLeaf.smallByteLimit ? try leaf.smallCopy(in: scratch) : try leaf.bigCopy(in: scratch)
    try scratch.free(ref)
    ref = blobs
  }

  private func bigCopy(in scratch: Scratch) throws(StorageError) -> Ref {
    let big = try scratch.createRefs(count: count, capacity: count + count / 2, flags: NodeHeader.Flags.context)
    for index in 0..<count {
      if let bytes = try unsafe bytes(index) { scratch.setChild(big, index, try unsafe scratch.createBlob(bytes, trailingZeros: 1)) }
    }
    return big
  }

  private func smallCopy(in scratch: Scratch) throws(StorageError) -> Ref {
    var ends: [Int64] = []
    var flags: [Int64] = []
    var end = 0
    for index in 0..<count {
      let bytes = try unsafe bytes(index)
      end += unsafe (bytes?.count ?? 0) + 1
      ends.append(Int64(end))
      flags.append(unsafe bytes == nil ? 1 : 0)
    }
    guard end <= NodeHeader.largestCount else { throw text.broken("has too many elements to change") }
    let blob = try scratch.createBytes(
      scheme: .blob, widthIndex: end == 0 ? 0 : 1, count: end, byteCount: end, capacityBytes: end * 2 + BlobLeaf.smallByteLimit)
    var begin = 0
    for index in 0..<count {
      if let bytes = try unsafe bytes(index), let source = bytes.baseAddress {
        unsafe (scratch.payload(blob) + begin).copyMemory(from: source, byteCount: bytes.count)
      }
      begin = Int(ends[index])
    }
    return try BlobLeaf.createRoot(in: scratch, scratch.createIntegers(ends), blob, scratch.createIntegers(flags))
  }

  // MARK: Short strings

  /// The index of the smallest width of short strings that can hold `bytes`.
  @inline(__always) private static func shortWidthIndex(_ bytes: UnsafeRawBufferPointer?) -> UInt32 {
    guard let bytes = unsafe bytes else { return 0 }
    return UInt32(1 + Int.bitWidth - bytes.count.leadingZeroBitCount)
  }

  @inline(__always)
  private static func widenShort(_ scratch: Scratch, _ ref: inout Ref, for bytes: UnsafeRawBufferPointer?) throws(StorageError) {
    let needed = unsafe shortWidthIndex(bytes)
    if needed > scratch.header(ref).widthIndex { try widenShort(scratch, &ref, to: needed) }
  }

  @inline(never)
  private static func widenShort(_ scratch: Scratch, _ ref: inout Ref, to widthIndex: UInt32) throws(StorageError) {
    let leaf = try StringLeaf(scratch.space, ref)
    for index in 0..<leaf.count { _ = try unsafe leaf.bytes(index) }
    let old = scratch.header(ref)
    let new = old.with(widthIndex: widthIndex)
    let (oldWidth, newWidth) = (old.width, new.width)
    let place = try unsafe scratch.reserve(&ref, payloadByteCount: (old.count + 1) * newWidth)
    var index = old.count - 1
    while index >= 0 {
      let source = unsafe place + index * oldWidth
      let padding = oldWidth == 0 ? 0 : Int(unsafe source.load(fromByteOffset: oldWidth - 1, as: UInt8.self))
      let bytes = oldWidth == padding ? nil : unsafe UnsafeRawBufferPointer(start: source, count: oldWidth - 1 - padding)
      unsafe store(bytes, at: place + index * newWidth, newWidth)
      index -= 1
    }
    scratch.setHeader(ref, new)
  }

  /// Writes one element of `width` bytes; the source may overlap its beginning.
  @inline(__always)
  private static func store(_ bytes: UnsafeRawBufferPointer?, at place: UnsafeMutableRawPointer, _ width: Int) {
    guard let bytes = unsafe bytes else {
      unsafe place.initializeMemory(as: UInt8.self, repeating: 0, count: width - 1)
      unsafe place.storeBytes(of: UInt8(width), toByteOffset: width - 1, as: UInt8.self)
      return
    }
    if let source = bytes.baseAddress { unsafe place.copyMemory(from: source, byteCount: bytes.count) }
    unsafe (place + bytes.count).initializeMemory(as: UInt8.self, repeating: 0, count: width - bytes.count)
    unsafe place.storeBytes(of: UInt8(width - 1 - bytes.count), toByteOffset: width - 1, as: UInt8.self)
  }
}
