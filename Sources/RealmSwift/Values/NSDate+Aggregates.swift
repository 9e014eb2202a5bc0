public import Foundation

extension NSDate: _HasPersistedType, MinMaxType {
  /// The type itself: dates can be asked for as one.
  public typealias PersistedType = NSDate
}
