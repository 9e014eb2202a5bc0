extension Scratch {
  /// Adds `change` to every element from `first` on of an array of ascending offsets, making it wider where needed.
  func addToElements(_ ref: inout Ref, from first: Int, _ change: Int64) throws(StorageError) {
    try makeWritable(&ref)
    try checkElements(ref)
    let count = header(ref).count
    if first >= count || change == 0 { return }
    let last = unsafe readElement(payload(ref), header(ref).widthIndex, count - 1) &+ change
    let needed = NodeHeader.widthIndex(signed: last)
    if needed > header(ref).widthIndex { try widen(&ref, to: needed) }
    let (place, widthIndex) = unsafe (payload(ref), header(ref).widthIndex)
    for index in first..<count {
      unsafe writeElement(place, widthIndex, index, readElement(place, widthIndex, index) &+ change)
    }
  }
}
