/// A collection that is the value of a property, written without going through its own interface, which stops where it cannot be read.
protocol PeekableCollection {
  func write(to text: inout DebugText, depth: Int)
}

// Input that is still to be converted may have values that cannot be: it is shown as it is.

extension List: PeekableCollection {
  func write(to text: inout DebugText, depth: Int) {
    if let unconverted { text.write(nil, unconverted, depth: depth) } else { text.write(managed, storage, depth: depth) }
  }
}
extension MutableSet: PeekableCollection {
  func write(to text: inout DebugText, depth: Int) {
    if let unconverted { text.write(nil, unconverted, depth: depth) } else { text.write(managed, storage, depth: depth) }
  }
}
extension Map: PeekableCollection {
  func write(to text: inout DebugText, depth: Int) {
    if let unconverted { text.write(nil, unconverted, depth: depth) } else { text.write(managed, entries, depth: depth) }
  }
}
