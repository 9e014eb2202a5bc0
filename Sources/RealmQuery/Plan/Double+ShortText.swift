import Foundation

extension Double {
  /// Six significant digits.
  var shortText: String { String(format: "%g", self) }
}
