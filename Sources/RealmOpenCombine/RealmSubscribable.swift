public import Dispatch

/// What publishers of values can be made for: objects, projections and collections.
public protocol RealmSubscribable {
  /// Sends itself whenever it was changed. Public for technical reasons only.
  func _observe<Outlet: _Outlet>(_ keyPaths: [String]?, on queue: DispatchQueue?, _ outlet: Outlet) where Outlet.Value == Self
  /// Says that it was changed. Public for technical reasons only.
  func _observe<Outlet: _Outlet>(_ outlet: Outlet) where Outlet.Value == Void
}
