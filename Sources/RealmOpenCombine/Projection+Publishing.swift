public import Dispatch
public import OpenCombine
public import RealmSwift

extension Projection: ObservableObject, RealmSubscribable {
  /// Says whenever what is projected has been set, and when the object was deleted, that it is so. Stops for an unmanaged object.
  public var objectWillChange: RealmPublishers.WillChange<Projection> { RealmPublishers.WillChange(self) }

  /// Sends the projection whenever what it shows was set, and is finished when the object was deleted. Public for technical reasons only.
  public final func _observe<Outlet: _Outlet>(_ keyPaths: [String]?, on queue: DispatchQueue?, _ outlet: Outlet) where Outlet.Value: Projection {
    observe(keyPaths, on: queue, outlet.token) { change in
      switch change {
      case .change(let projection, _): if let projection = projection as? Outlet.Value { outlet.send(projection) }
      case .deleted: outlet.finish()
      case .error: break
      }
    }
  }

  /// Sends a signal whenever what is projected was set, and when the object was deleted. Public for technical reasons only.
  public final func _observe<Outlet: _Outlet>(_ outlet: Outlet) where Outlet.Value == Void {
    observe(nil, on: nil, outlet.token) { _ in outlet.send(()) }
  }
}
