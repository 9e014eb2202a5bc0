public import Dispatch
public import RealmSwift

extension SectionedResults: RealmSubscribable {
  /// Sends it at first and whenever it was changed. Public for technical reasons only.
  public func _observe<Outlet: _Outlet>(_ keyPaths: [String]?, on queue: DispatchQueue?, _ outlet: Outlet) where Outlet.Value == SectionedResults {
    observe(keyPaths, on: queue, outlet.token) { change in
      switch change {
      case .initial(let sections), .update(let sections, _, _, _, _, _): outlet.send(sections)
      }
    }
  }

  /// Sends a signal at first and whenever it was changed. Public for technical reasons only.
  public func _observe<Outlet: _Outlet>(_ outlet: Outlet) where Outlet.Value == Void { observe(nil, on: nil, outlet.token) { _ in outlet.send(()) } }

  /// Says at first and whenever sections or their elements have come, gone or been changed that it is so.
  public var objectWillChange: RealmPublishers.WillChange<SectionedResults> { RealmPublishers.WillChange(self) }

  /// Publishes it at first and whenever sections or their elements have come, gone or been changed.
  public var collectionPublisher: RealmPublishers.Value<Self> { RealmPublishers.Value(self) }

  /// Publishes the sections at first and whenever they or their elements have come or gone, or some properties of the elements were changed;
  /// ``collectionPublisher`` is about all properties.
  /// - Parameter keyPaths: only changes of these properties count, or of what lies behind them: `owner.name`. None or nil are all.
  public func collectionPublisher(keyPaths: [String]?) -> RealmPublishers.Value<Self> { RealmPublishers.Value(self, keyPaths: keyPaths) }

  /// Publishes what `observe` reports: `.initial`, and then `.update` whenever sections or their elements have come, gone or been changed.
  public var changesetPublisher: RealmPublishers.SectionedResultsChangeset<Self> { changesetPublisher(keyPaths: nil) }

  /// Publishes `.initial`, and then `.update` whenever sections or their elements have come or gone, or some properties of the elements were changed;
  /// ``changesetPublisher`` is about all properties.
  /// - Parameter keyPaths: only changes of these properties count, or of what lies behind them: `owner.name`. None or nil are all.
  public func changesetPublisher(keyPaths: [String]?) -> RealmPublishers.SectionedResultsChangeset<Self> {
    RealmPublishers.SectionedResultsChangeset(Observable { queue, outlet in observe(keyPaths, on: queue, outlet.token) { outlet.send($0) } })
  }
}
