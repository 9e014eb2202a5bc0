import Foundation

extension Double {
  /// As C++ prints it into a stream: six significant digits.
  var shortText: String { text(digits: 6) }

  func text(digits: Int) -> String { String(format: "%.\(digits)g", self) }
}
