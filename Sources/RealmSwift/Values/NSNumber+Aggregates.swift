public import Foundation

extension NSNumber: _HasPersistedType, MinMaxType, AddableType {
  /// The type itself: numbers of every type can be asked for as one.
  public typealias PersistedType = NSNumber
}
