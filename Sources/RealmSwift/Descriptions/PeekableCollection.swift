/// A collection that is the value of a property, written without going through its own interface, which stops where it cannot be read.
protocol PeekableCollection {
  func write(to text: inout DebugText, depth: Int)
}

extension List: PeekableCollection {
  func write(to text: inout DebugText, depth: Int) { text.write(managed, storage, depth: depth) }
}
extension MutableSet: PeekableCollection {
  func write(to text: inout DebugText, depth: Int) { text.write(managed, storage, depth: depth) }
}
extension Map: PeekableCollection {
  func write(to text: inout DebugText, depth: Int) { text.write(managed, entries, depth: depth) }
}
