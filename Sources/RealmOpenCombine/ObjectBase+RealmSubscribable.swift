public import Dispatch
public import RealmSwift

extension ObjectBase: RealmSubscribable {
  /// Sends the object whenever properties were set, and is finished when it was deleted. Public for technical reasons only.
  public final func _observe<Outlet: _Outlet>(_ keyPaths: [String]?, on queue: DispatchQueue?, _ outlet: Outlet) where Outlet.Value: ObjectBase {
    observe(keyPaths, on: queue, outlet.token) { (change: ObjectChange<Outlet.Value>) in
      switch change {
      case .change(let object, _): outlet.send(object)
      case .deleted: outlet.finish()
      case .error: break
      }
    }
  }

  /// Sends a signal whenever properties were set, and when the object was deleted. Public for technical reasons only.
  public final func _observe<Outlet: _Outlet>(_ outlet: Outlet) where Outlet.Value == Void {
    observe(nil, on: nil, outlet.token) { (_: ObjectChange<ObjectBase>) in outlet.send(()) }
  }
}
