/// Values of a Binary column or collection: small or big blobs. F3.10.
@safe package struct BinaryLeaf {
  // SAFETY: all access goes through `blobs`, which checks an index and the bounds of its bytes before it lends them.
  /// The largest value (F2.6). Only history entries may be larger.
  package static let byteLimit = BigBlob.chunkByteCount

  let blobs: BlobLeaf

  /// - Throws: `.corruptNode` unless the node is a leaf of blobs whose children agree about the number of elements.
  @inline(__always) package init(_ space: NodeSpace, _ ref: Ref) throws(StorageError) {
    blobs = try BlobLeaf(space, ref, terminator: 0)
  }

  @inline(__always) package var count: Int { blobs.count }
  package func isNull(_ index: Int) throws(StorageError) -> Bool { try blobs.isNull(index) }

  /// Lends the bytes of element `index`; nil is null.
  @inline(__always)
  package func withBytes<Result>(
    _ index: Int, _ body: (RawSpan?) throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    guard let bytes = try unsafe bytes(index) else { return try body(nil) }
    return try body(unsafe bytes.bytes)
  }

  /// The bytes of element `index`, nil for null; valid as long as the leaf is.
  /// - Throws: `.corruptNode`, also for a chunked element, which only `value` and `copy` can read.
  func bytes(_ index: Int) throws(StorageError) -> UnsafeRawBufferPointer? { try unsafe blobs.bytes(index) }

  /// A copy of the bytes of element `index`, chunked or not; nil for null.
  package func copy(_ index: Int) throws(StorageError) -> [UInt8]? {
    if !blobs.isBig { return try unsafe bytes(index).map { unsafe [UInt8]($0) } }
    guard UInt(bitPattern: index) < UInt(bitPattern: count) else { throw blobs.root.missing(index) }
    let child = try blobs.root.child(index)
    return child.isNull ? nil : try BigBlob.bytes(blobs.space, child)
  }

  package func value(_ index: Int) throws(StorageError) -> Value {
    if let bytes = try copy(index) { return .binary(bytes) }
    return .null
  }

  /// Whether element `index` has exactly these bytes; nil is null.
  func equals(_ index: Int, _ bytes: UnsafeRawBufferPointer?) throws(StorageError) -> Bool { try unsafe blobs.equals(index, bytes) }

  /// The first element in `begin..<end` with exactly these bytes; nil is null.
  func find(_ bytes: UnsafeRawBufferPointer?, from begin: Int, to end: Int) throws(StorageError) -> Int? {
    var index = begin
    while index < end {
      if try unsafe blobs.equals(index, bytes) { return index }
      index += 1
    }
    return nil
  }

  /// Rules of F3.6 and F3.7; the number of elements; no user value beyond the limit is checked here, history entries may be larger.
  package static func check(_ space: NodeSpace, _ ref: Ref, expectedCount: Int) throws(StorageError) {
    let leaf = try BinaryLeaf(space, ref)
    guard leaf.count == expectedCount else { throw leaf.blobs.root.broken("has \(leaf.count) elements, not \(expectedCount)") }
    try leaf.blobs.check()
  }
}

extension BinaryLeaf {
  /// A leaf of `count` nulls or empty values.
  package static func create(in scratch: Scratch, count: Int, isNullable: Bool) throws(StorageError) -> Ref {
    try BlobLeaf.create(in: scratch, count: count, isNull: isNullable, terminator: 0)
  }

  static func admit(_ byteCount: Int) throws(StorageError) {
    guard byteCount <= byteLimit else {
      throw .invalidArgument(reason: "a binary value of \(byteCount) bytes exceeds the limit of \(byteLimit) bytes")
    }
  }

  /// - Throws: `.invalidArgument` for a value above `byteLimit`.
  static func insert(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ bytes: UnsafeRawBufferPointer?) throws(StorageError) {
    try admit(unsafe bytes?.count ?? 0)
    try unsafe BlobLeaf.insert(scratch, &ref, index, bytes, terminator: 0)
  }

  /// - Throws: `.invalidArgument` for a value above `byteLimit`.
  static func set(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ bytes: UnsafeRawBufferPointer?) throws(StorageError) {
    try admit(unsafe bytes?.count ?? 0)
    try unsafe BlobLeaf.set(scratch, &ref, index, bytes, terminator: 0)
  }

  package static func insert(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ value: Value) throws(StorageError) {
    switch value {
    case .null: try unsafe insert(scratch, &ref, index, nil)
    case .binary(let bytes):
      try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(StorageError) in
        try unsafe insert(scratch, &ref, index, UnsafeRawBufferPointer(buffer))
      }
    default: throw .typeMismatch(reason: "a Binary leaf cannot hold \(value)")
    }
  }

  package static func set(_ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ value: Value) throws(StorageError) {
    switch value {
    case .null: try unsafe set(scratch, &ref, index, nil)
    case .binary(let bytes):
      try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(StorageError) in
        try unsafe set(scratch, &ref, index, UnsafeRawBufferPointer(buffer))
      }
    default: throw .typeMismatch(reason: "a Binary leaf cannot hold \(value)")
    }
  }

  /// Inserts a history entry, which is chunked (F3.8) when it is larger than a user's value may be.
  package static func insertHistoryEntry(
    _ scratch: Scratch, _ ref: inout Ref, _ index: Int, _ bytes: [UInt8]?
  ) throws(StorageError) {
    guard let bytes else { return try unsafe insert(scratch, &ref, index, nil) }
    try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(StorageError) in
      try unsafe BlobLeaf.insert(scratch, &ref, index, UnsafeRawBufferPointer(buffer), terminator: 0, chunked: true)
    }
  }

  package static func remove(_ scratch: Scratch, _ ref: inout Ref, _ index: Int) throws(StorageError) {
    try BlobLeaf.remove(scratch, &ref, index..<index + 1, terminator: 0)
  }
  package static func remove(_ scratch: Scratch, _ ref: inout Ref, _ range: Range<Int>) throws(StorageError) {
    try BlobLeaf.remove(scratch, &ref, range, terminator: 0)
  }
  /// Elements from `index` on move to a new leaf, which is returned.
  package static func split(_ scratch: Scratch, _ ref: inout Ref, at index: Int) throws(StorageError) -> Ref {
    try BlobLeaf.split(scratch, &ref, at: index, terminator: 0)
  }
}
