import Foundation
import RealmStorage

/// A `Map` of any type, as input. Public for technical reasons only.
public protocol _MapInput {
  /// The entries by the text of their keys.
  var _entries: [String: Any] { get }
}
