// Changing integer and ref arrays. Every operation takes `inout Ref`: it copies a node of the file to scratch first, may move the
// node when it grows, and leaves the new ref in its argument for the caller to store in the parent.
//
// Ref arrays have width 64 while they are in scratch, so that storing a child never moves them; the commit narrows them.

/// Whether a plain integer array holds signed numbers (F2.3) or unsigned ones (F2.4: cluster keys, tree offsets).
package enum Signedness { case signed, unsigned }

extension Scratch {
  // MARK: Creating and copying

  /// A new ref array with `count` null slots and room for `capacity`.
  package func createRefs(count: Int, capacity: Int = 0, flags: UInt32 = 0) throws(StorageError) -> Ref {
    let header = NodeHeader(flags: NodeHeader.Flags.refs | flags, scheme: .bits, widthIndex: 7, count: count)
    let ref = try allocate(header: header, byteCount: 8 + max(count, capacity) * 8)
    unsafe payload(ref).initializeMemory(as: UInt8.self, repeating: 0, count: count * 8)
    return ref
  }

  /// A new integer array of `count` equal elements.
  package func createIntegers(
    count: Int = 0, value: Int64 = 0, widthIndex least: UInt32 = 0, flags: UInt32 = 0, capacityBytes: Int = 0
  ) throws(StorageError) -> Ref {
    let widthIndex = max(least, NodeHeader.widthIndex(signed: value))
    let header = NodeHeader(flags: flags, scheme: .bits, widthIndex: widthIndex, count: count)
    let ref = try allocate(header: header, byteCount: max(header.nodeByteCount, 8 + capacityBytes, 16))
    let place = unsafe payload(ref)
    if value == 0 {
      unsafe place.initializeMemory(as: UInt8.self, repeating: 0, count: header.payloadByteCount)
    } else {
      for index in 0..<count { unsafe writeElement(place, widthIndex, index, value) }
    }
    return ref
  }

  package func createIntegers(_ values: [Int64], _ signedness: Signedness = .signed) throws(StorageError) -> Ref {
    let widthIndex = NodeHeader.widthIndex(values, signedness)
    let header = NodeHeader(flags: 0, scheme: .bits, widthIndex: widthIndex, count: values.count)
    let ref = try allocate(header: header, byteCount: max(header.nodeByteCount, 16))
    let place = unsafe payload(ref)
    switch widthIndex {
    case 4: unsafe storeElements(values, place, Int8.self)
    case 5: unsafe storeElements(values, place, Int16.self)
    case 6: unsafe storeElements(values, place, Int32.self)
    case 7: unsafe storeElements(values, place, Int64.self)
    default: for index in values.indices { unsafe writeElement(place, widthIndex, index, values[index]) }
    }
    return ref
  }

  @inline(__always)
  private func storeElements<T: FixedWidthInteger & BitwiseCopyable>(_ values: [Int64], _ place: UnsafeMutableRawPointer, _ type: T.Type) {
    for index in values.indices {
      unsafe place.storeBytes(of: T(truncatingIfNeeded: values[index]), toByteOffset: index &* MemoryLayout<T>.size, as: T.self)
    }
  }

  /// Makes sure that `ref` is a scratch node, copying it if it lies in the file. Ref arrays become 64 bits wide.
  /// - Throws: `.corruptNode` when the node is damaged, or when a ref in a node of the file does not lie in the file.
  @inline(__always) package func makeWritable(_ ref: inout Ref) throws(StorageError) {
    if space.isDirty(ref) { return }
    ref = try copyToScratch(ref)
  }

  @inline(never) private func copyToScratch(_ ref: Ref) throws(StorageError) -> Ref {
    let node = try space.node(at: ref)
    try space.checkCount(node.count, of: node)
    let header = node.header
    let copy: Ref
    if header.hasRefs {
      guard header.schemeBits == 0 else { throw node.broken("is no ref array") }
      copy = try allocate(header: header.with(widthIndex: 7), byteCount: 8 + header.count * 8)
      let place = unsafe payload(copy)
      for index in 0..<header.count {
        let element = node.element(unchecked: index)
        if element & 1 == 0, UInt64(bitPattern: element) >= space.fileLimit {
          try free(copy)
          throw node.broken("holds the ref \(Ref(element: element)), which lies outside the file")
        }
        unsafe place.storeBytes(of: element, toByteOffset: index << 3, as: Int64.self)
      }
    } else {
      copy = try allocate(header: header, byteCount: max(header.nodeByteCount, 16))
      unsafe payload(copy).copyMemory(from: node.payload, byteCount: header.nodeByteCount - 8)
    }
    try recordFreed(node)
    return copy
  }

  // MARK: Room

  /// Makes room for `header` (a changed count or width) and the given payload, moving the node if it must grow. The contents stay.
  /// - Returns: the place of the payload.
  @discardableResult
  func reserve(_ ref: inout Ref, payloadByteCount: Int) throws(StorageError) -> UnsafeMutableRawPointer {
    if payloadByteCount + 8 <= capacity(ref) { return unsafe payload(ref) }
    let old = header(ref)
    let moved = try allocate(header: old, byteCount: 8 + payloadByteCount + payloadByteCount / 2)
    unsafe payload(moved).copyMemory(from: payload(ref), byteCount: old.payloadByteCount)
    try free(ref)
    ref = moved
    return unsafe payload(moved)
  }

  /// A damaged header may give an array of elements the size of a blob, which is smaller: nothing may be written then.
  @inline(__always) func checkElements(_ ref: Ref, _ scheme: WidthScheme = .bits) throws(StorageError) {
    guard header(ref).schemeBits == scheme.rawValue else { throw noElements(ref) }
  }
  @inline(never) private func noElements(_ ref: Ref) -> StorageError {
    .corruptNode(ref: ref, reason: "is no array of elements that could be changed")
  }

  /// Rewrites a writable integer array with wider elements, with room for `extra` more.
  @inline(never)
  func widen(_ ref: inout Ref, to widthIndex: UInt32, extra: Int = 0, _ signedness: Signedness = .signed) throws(StorageError) {
    let old = header(ref)
    let new = old.with(widthIndex: widthIndex)
    let needed = new.with(count: old.count + extra).payloadByteCount
    let place = try unsafe reserve(&ref, payloadByteCount: max(needed, 8))
    var index = old.count - 1
    while index >= 0 {
      let value =
        signedness == .signed
        ? unsafe readElement(place, old.widthIndex, index) : Int64(bitPattern: unsafe readUnsignedElement(place, old.widthIndex, index))
      unsafe writeElement(place, widthIndex, index, value)
      index -= 1
    }
    setHeader(ref, new)
  }

  @inline(__always) private func neededWidth(_ value: Int64, _ signedness: Signedness) -> UInt32 {
    signedness == .signed ? NodeHeader.widthIndex(signed: value) : NodeHeader.widthIndex(unsigned: UInt64(bitPattern: value))
  }

  // MARK: Elements

  /// Replaces element `index`, which must exist.
  @inline(__always)
  package func set(_ ref: inout Ref, _ index: Int, _ value: Int64, _ signedness: Signedness = .signed) throws(StorageError) {
    try makeWritable(&ref)
    try checkElements(ref)
    var width = header(ref).widthIndex
    guard UInt(bitPattern: index) < UInt(bitPattern: header(ref).count) else { throw noElement(ref, index) }
    let needed = neededWidth(value, signedness)
    if needed > width {
      try widen(&ref, to: needed, signedness)
      width = needed
    }
    unsafe writeElement(payload(ref), width, index, value)
  }

  /// Stores a child in a slot of a writable ref array; never moves the array. A slot that does not exist is noted as damage.
  @inline(__always) package func setChild(_ ref: Ref, _ index: Int, _ child: Ref) {
    guard UInt(bitPattern: index) < UInt(bitPattern: header(ref).count), header(ref).widthIndex == 7 else { return noteDamage(noElement(ref, index)) }
    unsafe payload(ref).storeBytes(of: child.element, toByteOffset: index << 3, as: Int64.self)
  }
  /// Stores element `index` of a writable array of 32-bit integers; an element that does not exist is noted as damage.
  @inline(__always) func setInt32(_ ref: Ref, _ index: Int, _ value: Int32) {
    guard UInt(bitPattern: index) < UInt(bitPattern: header(ref).count), header(ref).widthIndex == 6, header(ref).schemeBits == 0 else {
      return noteDamage(noElement(ref, index))
    }
    unsafe payload(ref).storeBytes(of: value, toByteOffset: index << 2, as: Int32.self)
  }
  /// Stores a tagged integer in a slot of a writable ref array.
  @inline(__always) package func setTagged(_ ref: Ref, _ index: Int, _ value: UInt64) {
    setChild(ref, index, Ref(element: Int64(tagged: value)))
  }
  /// A slot of a writable ref array; 0, noted as damage, if it does not exist.
  @inline(__always) package func slot(_ ref: Ref, _ index: Int) -> Int64 {
    guard UInt(bitPattern: index) < UInt(bitPattern: header(ref).count), header(ref).schemeBits == 0 else {
      noteDamage(noElement(ref, index))
      return 0
    }
    return unsafe readElement(payload(ref), header(ref).widthIndex, index)
  }

  @inline(__always) package func append(_ ref: inout Ref, _ value: Int64, _ signedness: Signedness = .signed) throws(StorageError) {
    try makeWritable(&ref)
    try insert(&ref, header(ref).count, value, signedness)
  }

  /// Inserts before element `index`; `index == count` appends.
  package func insert(_ ref: inout Ref, _ index: Int, _ value: Int64, _ signedness: Signedness = .signed) throws(StorageError) {
    try makeWritable(&ref)
    if appendsInPlace(ref, index, value, signedness) { return }
    try checkElements(ref)
    let count = header(ref).count
    guard UInt(bitPattern: index) <= UInt(bitPattern: count), count < NodeHeader.largestCount else { throw noElement(ref, index) }
    let needed = neededWidth(value, signedness)
    if needed > header(ref).widthIndex { try widen(&ref, to: needed, extra: 1, signedness) }
    let new = header(ref).with(count: count + 1)
    let place = try unsafe reserve(&ref, payloadByteCount: (new.payloadByteCount + 7) & ~7)
    unsafe shift(place, new.widthIndex, from: index, to: index + 1, count: count - index)
    unsafe writeElement(place, new.widthIndex, index, value)
    setHeader(ref, new)
  }

  /// Appends to a writable array of whole bytes that is wide enough for the value and has room for it, as it mostly is while a table is filled.
  /// - Returns: false, and nothing happened, where it is anything else.
  @inline(__always) private func appendsInPlace(_ ref: Ref, _ index: Int, _ value: Int64, _ signedness: Signedness) -> Bool {
    let old = header(ref)
    let count = old.count
    guard index == count, old.widthIndex >= 4, old.schemeBits == WidthScheme.bits.rawValue, count < NodeHeader.largestCount else { return false }
    let size = Int(old.widthIndex) &- 4
    let unused = Int64(64 &- 8 &<< size)
    let kept = value &<< unused
    let read = signedness == .signed ? kept &>> unused : Int64(bitPattern: UInt64(bitPattern: kept) &>> UInt64(unused))
    guard read == value, 8 &+ (count &+ 1) &<< size <= capacity(ref) else { return false }
    unsafe writeElement(payload(ref), old.widthIndex, count, value)
    setHeader(ref, old.with(count: count &+ 1))
    return true
  }

  /// Inserts `values` before element `index`.
  package func insert(_ ref: inout Ref, _ index: Int, contentsOf values: [Int64], _ signedness: Signedness = .signed) throws(StorageError) {
    try makeWritable(&ref)
    try checkElements(ref)
    let count = header(ref).count
    guard UInt(bitPattern: index) <= UInt(bitPattern: count), count + values.count <= NodeHeader.largestCount else {
      throw noElement(ref, index)
    }
    var needed = header(ref).widthIndex
    for value in values { needed = max(needed, neededWidth(value, signedness)) }
    if needed > header(ref).widthIndex { try widen(&ref, to: needed, extra: values.count, signedness) }
    let new = header(ref).with(count: count + values.count)
    let place = try unsafe reserve(&ref, payloadByteCount: (new.payloadByteCount + 7) & ~7)
    unsafe shift(place, new.widthIndex, from: index, to: index + values.count, count: count - index)
    for position in values.indices { unsafe writeElement(place, new.widthIndex, index + position, values[position]) }
    setHeader(ref, new)
  }

  package func remove(_ ref: inout Ref, _ index: Int, keepingWidth: Bool = false) throws(StorageError) {
    try remove(&ref, index..<index + 1, keepingWidth: keepingWidth)
  }

  /// - Parameter keepingWidth: an emptied array returns to width 0 (F2.3) unless its width is part of its role (index keys, offsets).
  package func remove(_ ref: inout Ref, _ range: Range<Int>, keepingWidth: Bool = false) throws(StorageError) {
    try makeWritable(&ref)
    try checkElements(ref)
    let old = header(ref)
    guard range.lowerBound >= 0, range.upperBound <= old.count else { throw noElement(ref, range.upperBound) }
    unsafe shift(payload(ref), old.widthIndex, from: range.upperBound, to: range.lowerBound, count: old.count - range.upperBound)
    let count = old.count - range.count
    let narrowed = count == 0 && !old.hasRefs && !keepingWidth ? old.with(widthIndex: 0) : old
    setHeader(ref, narrowed.with(count: count))
  }

  /// Splits a writable array: elements from `index` on go to a new array with the same flags and width.
  package func splitElements(_ ref: inout Ref, at index: Int) throws(StorageError) -> Ref {
    try makeWritable(&ref)
    try checkElements(ref)
    let old = header(ref)
    guard UInt(bitPattern: index) <= UInt(bitPattern: old.count) else { throw noElement(ref, index) }
    let new = old.with(count: old.count - index)
    let tail = try allocate(header: new, byteCount: max(new.nodeByteCount, 16))
    unsafe copyElements(from: payload(ref), index, to: payload(tail), 0, old.widthIndex, count: new.count)
    setHeader(ref, old.with(count: index))
    return tail
  }

  package func setContext(_ ref: inout Ref, _ value: Bool) throws(StorageError) {
    if try space.node(at: ref).header.hasContext == value { return }
    try makeWritable(&ref)
    setHeader(ref, header(ref).with(context: value))
  }

  /// Adds `delta` to every element of an ascending unsigned array from `start` on. It is a number of 64 bits with or without a sign, as the keys of
  /// tombstones are from the middle of their range on.
  package func add(_ ref: inout Ref, from start: Int, _ delta: Int64) throws(StorageError) {
    try makeWritable(&ref)
    try checkElements(ref)
    let count = header(ref).count
    guard start < count else { return }
    let largest = unsafe readUnsignedElement(payload(ref), header(ref).widthIndex, count - 1) &+ UInt64(bitPattern: delta)
    let needed = NodeHeader.widthIndex(unsigned: largest)
    if needed > header(ref).widthIndex { try widen(&ref, to: needed, .unsigned) }
    let (place, widthIndex) = unsafe (payload(ref), header(ref).widthIndex)
    for index in start..<count {
      unsafe writeElement(place, widthIndex, index, Int64(bitPattern: readUnsignedElement(place, widthIndex, index)) &+ delta)
    }
  }

  @inline(never) private func noElement(_ ref: Ref, _ index: Int) -> StorageError {
    .corruptNode(ref: ref, reason: "element \(index) of \(header(ref).count) was asked for while changing the node")
  }

  // MARK: Moving elements

  /// Moves `count` elements inside one payload; the ranges may overlap.
  private func shift(_ place: UnsafeMutableRawPointer, _ widthIndex: UInt32, from: Int, to: Int, count: Int) {
    if count <= 0 || from == to || widthIndex == 0 { return }
    if widthIndex >= 4 {
      let size = Int(widthIndex) - 4
      unsafe (place + to << size).copyMemory(from: place + from << size, byteCount: count << size)
    } else if from < to {
      var index = count - 1
      while index >= 0 {
        unsafe writeElement(place, widthIndex, to + index, readElement(place, widthIndex, from + index))
        index -= 1
      }
    } else {
      for index in 0..<count { unsafe writeElement(place, widthIndex, to + index, readElement(place, widthIndex, from + index)) }
    }
  }

  private func copyElements(
    from source: UnsafeMutableRawPointer, _ from: Int, to target: UnsafeMutableRawPointer, _ to: Int, _ widthIndex: UInt32, count: Int
  ) {
    if widthIndex >= 4 {
      let size = Int(widthIndex) - 4
      unsafe (target + to << size).copyMemory(from: source + from << size, byteCount: count << size)
    } else if widthIndex > 0 {
      for index in 0..<count { unsafe writeElement(target, widthIndex, to + index, readElement(source, widthIndex, from + index)) }
    }
  }
}
