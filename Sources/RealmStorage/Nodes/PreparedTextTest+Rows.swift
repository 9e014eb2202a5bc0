// Conditions on leaves of strings and binaries.

extension PreparedTextTest {
  /// The rows of `mask`, all below `count`, that satisfy the test.
  func rows(_ leaf: StringLeaf, _ mask: RowMask, count: Int) throws(StorageError) -> RowMask {
    if leaf.isEnumerated { return try enumeratedRows(leaf, mask, count: count) }
    if let blobs = try leaf.blobs() { return try rows(blobs, mask, count: count) }
    return try finished(shortRows(leaf, mask, count: count), mask) { (row) throws(StorageError) in try leaf.isNull(row) }
  }

  func rows(_ leaf: BinaryLeaf, _ mask: RowMask, count: Int) throws(StorageError) -> RowMask { try rows(leaf.blobs, mask, count: count) }

  /// Adds the nulls and applies the negation to the values that satisfy the test.
  @inline(__always)
  private func finished(
    _ accepted: RowMask, _ mask: RowMask, _ isNull: (Int) throws(StorageError) -> Bool
  ) throws(StorageError) -> RowMask {
    var result = accepted
    if test.acceptsNull { result |= try mask.subtracting(accepted).filter(isNull) }
    return test.isNegated ? mask.subtracting(result) : result
  }

  // MARK: Enumerated

  private func enumeratedRows(_ leaf: StringLeaf, _ mask: RowMask, count: Int) throws(StorageError) -> RowMask {
    let keys = leaf.text.ref
    if distinct?.keys != keys {
      let values = try StringLeaf(leaf.space, keys)
      var accepted: [Int64] = []
      for index in 0..<values.count {
        let isAccepted = try values.withBytes(index) { (bytes) throws(StorageError) in accepts(bytes) }
        if isAccepted { accepted.append(Int64(index)) }
      }
      distinct = (keys, try IntegerSet(accepted))
    }
    guard let distinct else { return .empty }
    return leaf.indexes.rows(in: distinct.accepted, count: count, among: mask)
  }

  // MARK: Short strings

  private func shortRows(_ leaf: StringLeaf, _ mask: RowMask, count: Int) throws(StorageError) -> RowMask {
    let width = leaf.text.header.width
    // All values are null.
    if width == 0 { return .empty }
    if width <= 16 {
      switch operation {
      case .equal: return mask & shortEqual(leaf.text, width, count)
      case .beginsWith where pattern.count > 0 && !pattern.bytes.contains(0):
        return pattern.count < width ? mask & shortPrefix(leaf.text, width, count) : .empty
      case .less, .lessOrEqual, .greater, .greaterOrEqual:
        if !test.ignoresCase { return mask & shortOrdered(leaf.text, width, count) }
      case .contains where search != nil && mask.count > 8:
        return pattern.count < width ? try shortContains(leaf, width, mask, count) : .empty
      default: break
      }
    }
    return try mask.filter { (row) throws(StorageError) in
      guard let bytes = try unsafe leaf.bytes(row) else { return false }
      return unsafe accepts(bytes)
    }
  }

  /// Compares whole elements: the bytes, the zeros behind them and the padding count are fixed by the string.
  private func shortEqual(_ text: Node, _ width: Int, _ count: Int) -> RowMask {
    guard pattern.count < width else { return .empty }
    var (low, high) = pattern.words(limit: width - 1)
    for index in pattern.count..<width {
      let byte = index == width - 1 ? UInt8(width - 1 - pattern.count) : 0
      if index < 8 { low.set(index, byte, 0) } else { high.set(index - 8, byte, 0) }
    }
    return cells(text, width, count, low, high)
  }

  /// The pattern has no zero bytes, so it does not fit the zeros behind a string.
  private func shortPrefix(_ text: Node, _ width: Int, _ count: Int) -> RowMask {
    let (low, high) = pattern.words(limit: width - 1)
    return cells(text, width, count, low, high)
  }

  /// Compares whole elements as big-endian numbers: the bytes, the zeros behind them, and last the reversed padding count, which puts the shorter
  /// of two texts first that differ in zeros only. Null is before the empty text.
  private func shortOrdered(_ text: Node, _ width: Int, _ count: Int) -> RowMask {
    func number(_ bytes: ArraySlice<UInt8>) -> UInt128 {
      var result: UInt128 = 0
      for place in 0..<width - 1 { result = result << 8 | UInt128(place < bytes.count ? bytes[bytes.startIndex + place] : 0) }
      return result << 8 | UInt128(UInt8(width - 1 - bytes.count) ^ 0xFF)
    }
    // A longer pattern comes right after the longest text that it begins with.
    let edge = number(pattern.bytes.prefix(width - 1))
    let isLonger = pattern.count >= width
    var (low, high) = (number([]), UInt128.max >> UInt128(128 - 8 * width))
    switch operation {
    case .less: high = isLonger ? edge : edge - 1
    case .lessOrEqual: high = edge
    default:
      low = edge
      if operation == .greater || isLonger {
        if edge == high { return .empty }
        low += 1
      }
    }
    guard low <= high else { return .empty }
    let (first, span) = (low, high - low)
    let (shortFirst, shortSpan) = (UInt64(truncatingIfNeeded: first), UInt64(clamping: span))
    switch width {
    case 1: return rowMask(count: count) { UInt64(text.number(unchecked: $0, as: UInt8.self) ^ 0xFF) &- shortFirst <= shortSpan }
    case 2:
      return rowMask(count: count) { UInt64(text.number(unchecked: $0 &<< 1, as: UInt16.self).byteSwapped ^ 0xFF) &- shortFirst <= shortSpan }
    case 4:
      return rowMask(count: count) { UInt64(text.number(unchecked: $0 &<< 2, as: UInt32.self).byteSwapped ^ 0xFF) &- shortFirst <= shortSpan }
    case 8: return rowMask(count: count) { (text.number(unchecked: $0 &<< 3, as: UInt64.self).byteSwapped ^ 0xFF) &- shortFirst <= shortSpan }
    default:
      return rowMask(count: count) { row in
        let a = text.number(unchecked: row &<< 4, as: UInt64.self).byteSwapped
        let b = text.number(unchecked: row &<< 4 &+ 8, as: UInt64.self).byteSwapped ^ 0xFF
        return (UInt128(a) << 64 | UInt128(b)) &- first <= span
      }
    }
  }

  @inline(__always) private func cells(_ text: Node, _ width: Int, _ count: Int, _ low: MaskedWord, _ high: MaskedWord) -> RowMask {
    switch width {
    case 1: return rowMask(count: count) { low.difference(UInt64(text.number(unchecked: $0, as: UInt8.self))) == 0 }
    case 2: return rowMask(count: count) { low.difference(UInt64(text.number(unchecked: $0 &<< 1, as: UInt16.self))) == 0 }
    case 4: return rowMask(count: count) { low.difference(UInt64(text.number(unchecked: $0 &<< 2, as: UInt32.self))) == 0 }
    case 8: return rowMask(count: count) { low.difference(text.number(unchecked: $0 &<< 3, as: UInt64.self)) == 0 }
    default:
      return rowMask(count: count) { row in
        let a = low.difference(text.number(unchecked: row &<< 4, as: UInt64.self))
        let b = high.difference(text.number(unchecked: row &<< 4 &+ 8, as: UInt64.self))
        return a | b == 0
      }
    }
  }

  /// Searches the leaf as one block of text; the zeros and padding counts between the strings are ruled out afterwards.
  private func shortContains(_ leaf: StringLeaf, _ width: Int, _ mask: RowMask, _ count: Int) throws(StorageError) -> RowMask {
    let block = unsafe leaf.text.buffer(unchecked: 0..<count * width)
    unsafe takeSample(block)
    guard let search else { return mask }
    let shift = width.trailingZeroBitCount
    var result = RowMask.empty
    var place = 0
    while let found = unsafe search.find(in: block, from: place) {
      let row = found &>> shift
      // A string has at most width - 1 bytes; what its padding count says is trusted only as far as that.
      let padding = Int(unsafe block[row &<< shift &+ width &- 1])
      if found &+ pattern.count <= row &<< shift &+ width &- 1 &- padding {
        result.insert(row)
        place = (row &+ 1) &<< shift
      } else {
        place = found &+ 1
      }
    }
    return result & mask
  }

  /// Lets the search see what the text is like, once in a scan.
  private func takeSample(_ block: UnsafeRawBufferPointer) {
    if hasSample || block.count < 64 { return }
    hasSample = true
    unsafe search?.adapt(to: UnsafeRawBufferPointer(rebasing: block[0..<min(block.count, 512)]))
  }

  // MARK: Blobs

  private func rows(_ blobs: BlobLeaf, _ mask: RowMask, count: Int) throws(StorageError) -> RowMask {
    let accepted: RowMask
    if !blobs.isBig && operation == .contains && search != nil && mask.count > 8 {
      accepted = try blobContains(blobs, mask, count)
    } else if !blobs.isBig && operation == .equal {
      accepted = try blobEqual(blobs, mask)
    } else {
      accepted = try mask.filter { (row) throws(StorageError) in
        guard let bytes = try unsafe blobs.bytes(row) else { return false }
        return unsafe accepts(bytes)
      }
    }
    return try finished(accepted, mask) { (row) throws(StorageError) in try blobs.isNull(row) }
  }

  /// Looks at the bytes only where the length fits.
  private func blobEqual(_ blobs: BlobLeaf, _ mask: RowMask) throws(StorageError) -> RowMask {
    let wanted = Int64(pattern.count + blobs.terminator)
    return try mask.filter { (row) throws(StorageError) in
      let begin = row == 0 ? 0 : blobs.offsets.element(unchecked: row &- 1)
      guard blobs.offsets.element(unchecked: row) &- begin == wanted, let bytes = try unsafe blobs.bytes(row) else { return false }
      return unsafe pattern.equals(bytes)
    }
  }

  /// Searches all values as one block of text. Elements are laid out in row order, each behind the one before.
  private func blobContains(_ blobs: BlobLeaf, _ mask: RowMask, _ count: Int) throws(StorageError) -> RowMask {
    var result = RowMask.empty
    if count == 0 { return result }
    let block = unsafe blobs.blob.buffer(unchecked: 0..<blobs.blob.count)
    unsafe takeSample(block)
    guard let search else { return mask }
    var place = 0
    var row = 0
    while row < count, let found = unsafe search.find(in: block, from: place) {
      while row < count, blobs.offsets.element(unchecked: row) <= Int64(found) { row &+= 1 }
      if row == count { break }
      let range = try blobs.range(row)
      if range.contains(found), found + pattern.count <= range.upperBound - blobs.terminator {
        result.insert(row)
        place = range.upperBound
        row &+= 1
      } else {
        place = found &+ 1
      }
    }
    return try (result & mask).filter { (row) throws(StorageError) in try !blobs.isNull(row) }
  }
}
