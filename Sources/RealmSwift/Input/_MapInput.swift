import Foundation
import RealmStorage

/// A `Map` of any type, as input. Public for technical reasons only.
public protocol _MapInput {
  /// The entries with the texts of their keys. No dictionary: keys may differ in their Unicode form only.
  var _entries: [(name: String, element: Any)] { get }
}

/// The entries of a map that was taken to pieces.
struct DetachedEntries: _MapInput {
  let _entries: [(name: String, element: Any)]
}
