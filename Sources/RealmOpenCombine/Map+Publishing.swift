public import Dispatch
public import OpenCombine
public import RealmSwift

extension Map: ObservableObject, RealmSubscribable {
  /// Says at first and whenever entries have come, gone or been changed that it is so.
  public var objectWillChange: RealmPublishers.WillChange<Map> { RealmPublishers.WillChange(self) }

  /// Sends the map at first and whenever it was changed. Public for technical reasons only.
  public func _observe<Outlet: _Outlet>(_ keyPaths: [String]?, on queue: DispatchQueue?, _ outlet: Outlet) where Outlet.Value == Map {
    observe(keyPaths, on: queue, outlet.token) { change in
      switch change {
      case .initial(let map), .update(let map, _, _, _): outlet.send(map)
      case .error: break
      }
    }
  }

  /// Sends a signal at first and whenever the map was changed. Public for technical reasons only.
  public func _observe<Outlet: _Outlet>(_ outlet: Outlet) where Outlet.Value == Void { observe(nil, on: nil, outlet.token) { _ in outlet.send(()) } }
}
