import Foundation
import RealmStorage

/// A collection that may be managed. Public for technical reasons only.
public protocol _ManagedCollection {
  /// The managed collection; nil while it is not managed.
  var _managedBox: _CollectionBox? { get }
  /// How the elements are stored.
  static var _elementShape: _Shape { get }
}

/// Hides the core of a managed collection. Public for technical reasons only.
public struct _CollectionBox {
  let core: CollectionCore
}

extension _ManagedCollection {
  var _managed: CollectionCore? { _managedBox?.core }
}
