/// An unmanaged collection that may hold input which has no counterpart in its element type.
protocol UnconvertedInput {
  /// Nil if all elements were converted.
  var unconverted: [Any]? { get }
}

extension List: UnconvertedInput {}
extension MutableSet: UnconvertedInput {}
