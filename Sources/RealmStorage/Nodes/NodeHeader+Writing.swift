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
}
