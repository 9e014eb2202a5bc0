// Changing leaves of blobs. `terminator` says which kind it is; bytes that are passed in must not lie in the leaf itself.

extension BlobLeaf {
  /// An element with more bytes than this, terminator included, turns small blobs into big ones.
  static let smallByteLimit = 64

  /// A leaf of small blobs with `count` elements that are all null or all empty.
  static func create(in scratch: Scratch, count: Int, isNull: Bool, terminator: Int) throws(StorageError) -> Ref {
    let offsets: Ref
    if terminator == 0 {
      offsets = try scratch.createIntegers(count: count)
    } else {
      offsets = try scratch.createIntegers((0..<count).map { Int64(($0 + 1) * terminator) })
    }
    let byteCount = count * terminator
    let blob = try scratch.createBytes(scheme: .blob, widthIndex: byteCount == 0 ? 0 : 1, count: byteCount, byteCount: byteCount)
    let nulls = try scratch.createIntegers(count: count, value: isNull && count > 0 ? 1 : 0)
    return try createRoot(in: scratch, offsets, blob, nulls)
  }

  static func createRoot(in scratch: Scratch, _ offsets: Ref, _ blob: Ref, _ nulls: Ref) throws(StorageError) -> Ref {
    let root = try scratch.createRefs(count: 3)
    scratch.setChild(root, 0, offsets)
    scratch.setChild(root, 1, blob)
    scratch.setChild(root, 2, nulls)
    return root
  }

  /// The leaf ready for a change, big if it has to be for an element of `byteCount` bytes.
  private static func opened(
    _ scratch: Scratch, _ ref: inout Ref, terminator: Int, byteCount: Int
  ) throws(StorageError) -> BlobLeaf {
    var leaf = try BlobLeaf(scratch.space, ref, terminator: terminator)
    if !leaf.isBig && byteCount + terminator > smallByteLimit {
      ref = try leaf.upgraded(in: scratch)
      leaf = try BlobLeaf(scratch.space, ref, terminator: terminator)
    } else {
      try scratch.makeWritable(&ref)
    }
    return leaf
  }

  /// A big-blobs copy of this leaf of small blobs, which is freed.
  private func upgraded(in scratch: Scratch) throws(StorageError) -> Ref {
    let big = try scratch.createRefs(count: count, capacity: count + count / 2, flags: NodeHeader.Flags.context)
    for index in 0..<count {
      if let bytes = try unsafe bytes(index) {
        scratch.setChild(big, index, try unsafe scratch.createBlob(bytes, trailingZeros: terminator))
      }
    }
    for node in [offsets, blob, nulls, root] { try scratch.free(node.ref) }
    return big
  }

  /// The blob of a big element.
  /// - Throws: `.invalidArgument` when it needs more than one node, unless it may be chunked.
  private static func createBig(
    _ scratch: Scratch, _ bytes: UnsafeRawBufferPointer?, terminator: Int, chunked: Bool
  ) throws(StorageError) -> Ref {
    guard let bytes = unsafe bytes else { return .null }
    return chunked ? try unsafe BigBlob.create(in: scratch, bytes) : try unsafe scratch.createBlob(bytes, trailingZeros: terminator)
  }

  static func insert(
    _ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ bytes: UnsafeRawBufferPointer?, terminator: Int, chunked: Bool = false
  ) throws(StorageError) {
    let leaf = try opened(scratch, &ref, terminator: terminator, byteCount: unsafe bytes?.count ?? 0)
    guard index >= 0, index <= leaf.count, leaf.count < NodeHeader.largestCount else { throw leaf.root.missing(index) }
    if leaf.isBig {
      let child = try unsafe createBig(scratch, bytes, terminator: terminator, chunked: chunked)
      try scratch.insert(&ref, index, child.element)
      return
    }
    let begin = try leaf.begin(index)
    let size = unsafe (bytes?.count ?? 0) + terminator
    try unsafe replaceBytes(scratch, ref, leaf, begin..<begin, bytes)
    var offsets = leaf.offsets.ref
    try scratch.insert(&offsets, index, Int64(begin + size))
    try scratch.addToElements(&offsets, from: index + 1, Int64(size))
    scratch.setChild(ref, 0, offsets)
    var nulls = leaf.nulls.ref
    try scratch.insert(&nulls, index, unsafe bytes == nil ? 1 : 0)
    scratch.setChild(ref, 2, nulls)
  }

  static func set(
    _ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ bytes: UnsafeRawBufferPointer?, terminator: Int, chunked: Bool = false
  ) throws(StorageError) {
    let leaf = try opened(scratch, &ref, terminator: terminator, byteCount: unsafe bytes?.count ?? 0)
    guard index >= 0, index < leaf.count else { throw leaf.root.missing(index) }
    if leaf.isBig {
      let child = try unsafe createBig(scratch, bytes, terminator: terminator, chunked: chunked)
      try scratch.freeTree(leaf.root.child(index))
      scratch.setChild(ref, index, child)
      return
    }
    let old = try leaf.range(index)
    let size = unsafe (bytes?.count ?? 0) + terminator
    try unsafe replaceBytes(scratch, ref, leaf, old, bytes)
    if size != old.count {
      var offsets = leaf.offsets.ref
      try scratch.addToElements(&offsets, from: index, Int64(size - old.count))
      scratch.setChild(ref, 0, offsets)
    }
    let isNull: Int64 = unsafe bytes == nil ? 1 : 0
    if leaf.nulls.element(unchecked: index) != isNull {
      var nulls = leaf.nulls.ref
      try scratch.set(&nulls, index, isNull)
      scratch.setChild(ref, 2, nulls)
    }
  }

  /// Replaces part of the blob of a writable leaf of small blobs by `bytes` and the terminator.
  private static func replaceBytes(
    _ scratch: Scratch, _ ref: Ref, _ leaf: BlobLeaf, _ range: Range<Int>, _ bytes: UnsafeRawBufferPointer?
  ) throws(StorageError) {
    let length = unsafe bytes?.count ?? 0
    let size = length + leaf.terminator
    let newCount = leaf.blob.count - range.count + size
    guard newCount <= NodeHeader.largestCount else { throw leaf.blob.broken("would grow to \(newCount) bytes") }
    var blob = leaf.blob.ref
    let place = try unsafe scratch.openGap(
      &blob, at: range.lowerBound, removing: range.count, inserting: size, usedByteCount: leaf.blob.count)
    if length > 0, let source = unsafe bytes?.baseAddress { unsafe place.copyMemory(from: source, byteCount: length) }
    if leaf.terminator > 0 { unsafe place.storeBytes(of: 0, toByteOffset: length, as: UInt8.self) }
    scratch.setShape(blob, scheme: .blob, widthIndex: newCount == 0 ? 0 : 1, count: newCount)
    scratch.setChild(ref, 1, blob)
  }

  /// Cuts `range` out of the blob of a writable leaf of small blobs.
  private static func cutBytes(_ scratch: Scratch, _ ref: Ref, _ leaf: BlobLeaf, _ range: Range<Int>) throws(StorageError) {
    if range.isEmpty { return }
    var blob = leaf.blob.ref
    _ = try unsafe scratch.openGap(&blob, at: range.lowerBound, removing: range.count, inserting: 0, usedByteCount: leaf.blob.count)
    let newCount = leaf.blob.count - range.count
    scratch.setShape(blob, scheme: .blob, widthIndex: newCount == 0 ? 0 : 1, count: newCount)
    scratch.setChild(ref, 1, blob)
  }

  static func remove(_ scratch: Scratch, _ ref: inout Ref, _ range: Range<Int>, terminator: Int) throws(StorageError) {
    let leaf = try opened(scratch, &ref, terminator: terminator, byteCount: 0)
    guard range.lowerBound >= 0, range.upperBound <= leaf.count else { throw leaf.root.missing(range.upperBound - 1) }
    if range.isEmpty { return }
    if leaf.isBig {
      for index in range { try scratch.freeTree(leaf.root.child(index)) }
      try scratch.remove(&ref, range)
      return
    }
    let bytes = try leaf.begin(range.lowerBound)..<max(leaf.begin(range.lowerBound), leaf.begin(range.upperBound))
    try cutBytes(scratch, ref, leaf, bytes)
    var offsets = leaf.offsets.ref
    try scratch.remove(&offsets, range)
    try scratch.addToElements(&offsets, from: range.lowerBound, Int64(-bytes.count))
    scratch.setChild(ref, 0, offsets)
    var nulls = leaf.nulls.ref
    try scratch.remove(&nulls, range)
    scratch.setChild(ref, 2, nulls)
  }

  static func split(_ scratch: Scratch, _ ref: inout Ref, at index: Int, terminator: Int) throws(StorageError) -> Ref {
    let leaf = try opened(scratch, &ref, terminator: terminator, byteCount: 0)
    guard index >= 0, index <= leaf.count else { throw leaf.root.missing(index) }
    if leaf.isBig { return try scratch.splitElements(&ref, at: index) }
    let begin = try leaf.begin(index)
    let tailBlob = try unsafe scratch.createBlob(leaf.blob.buffer(unchecked: begin..<leaf.blob.count))
    try cutBytes(scratch, ref, leaf, begin..<leaf.blob.count)
    var offsets = leaf.offsets.ref
    var tailOffsets = try scratch.splitElements(&offsets, at: index)
    try scratch.addToElements(&tailOffsets, from: 0, Int64(-begin))
    scratch.setChild(ref, 0, offsets)
    var nulls = leaf.nulls.ref
    let tailNulls = try scratch.splitElements(&nulls, at: index)
    scratch.setChild(ref, 2, nulls)
    return try createRoot(in: scratch, tailOffsets, tailBlob, tailNulls)
  }

  /// Moves the last element of a writable leaf into place `index`, whose element is dropped; the leaf becomes shorter by one.
  static func moveLast(_ scratch: Scratch, _ ref: inout Ref, to index: Int, terminator: Int) throws(StorageError) {
    let leaf = try opened(scratch, &ref, terminator: terminator, byteCount: 0)
    let last = leaf.count - 1
    guard index >= 0, index <= last else { throw leaf.root.missing(index) }
    if leaf.isBig {
      try scratch.freeTree(leaf.root.child(index))
      scratch.setChild(ref, index, try index == last ? .null : BlobLeaf(scratch.space, ref, terminator: terminator).root.child(last))
      try scratch.remove(&ref, last)
      return
    }
    if index != last {
      if let bytes = try unsafe leaf.bytes(last) {
        let copy = unsafe [UInt8](bytes)
        try unsafe copy.withUnsafeBufferPointer { (buffer) throws(StorageError) in
          try unsafe set(scratch, &ref, index, UnsafeRawBufferPointer(buffer), terminator: terminator)
        }
      } else {
        try unsafe set(scratch, &ref, index, nil, terminator: terminator)
      }
    }
    try remove(scratch, &ref, last..<last + 1, terminator: terminator)
  }
}
