extension NodeHeader {
  /// The smallest width for a ref array with these elements.
  package static func widthIndex(ofRefs elements: ArraySlice<Int64>) -> UInt32 {
    var (magnitude, sign): (Int64, Int64) = (0, 0)
    for element in elements {
      magnitude |= element ^ (element >> 63)
      sign |= element
    }
    let widthIndex = widthIndex(signed: magnitude)
    return sign < 0 ? max(widthIndex, 4) : widthIndex
  }

  /// The smallest width for an array of integers with these elements.
  static func widthIndex(_ elements: [Int64], _ signedness: Signedness) -> UInt32 {
    // All bits that occur need the width that the widest element does.
    var (magnitude, sign): (Int64, Int64) = (0, 0)
    if signedness == .unsigned {
      for element in elements { magnitude |= element }
      return widthIndex(unsigned: UInt64(bitPattern: magnitude))
    }
    for element in elements {
      magnitude |= element ^ (element >> 63)
      sign |= element
    }
    return max(widthIndex(signed: magnitude), sign < 0 ? 4 : 0)
  }
}
