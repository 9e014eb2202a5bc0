public import Dispatch
public import RealmSwift

extension RealmCollection {
  /// Sends the collection at first and whenever it was changed. Public for technical reasons only.
  public func _observe<Outlet: _Outlet>(_ keyPaths: [String]?, on queue: DispatchQueue?, _ outlet: Outlet) where Outlet.Value == Self {
    observe(keyPaths, on: queue, outlet.token) { change in
      switch change {
      case .initial(let collection), .update(let collection, _, _, _): outlet.send(collection)
      case .error: break
      }
    }
  }

  /// Sends a signal at first and whenever the collection was changed. Public for technical reasons only.
  public func _observe<Outlet: _Outlet>(_ outlet: Outlet) where Outlet.Value == Void { observe(nil, on: nil, outlet.token) { _ in outlet.send(()) } }
}
