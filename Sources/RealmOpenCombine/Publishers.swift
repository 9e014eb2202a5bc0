public import RealmSwift

/// Publishes an object whenever its properties were set, and is finished when it was deleted. Stops for an unmanaged object.
/// - Parameters:
///   - object: what is observed where its realm is used.
///   - keyPaths: only these properties, or what lies behind them: `owner.name`. Nil are all of the object's own.
public func valuePublisher<T: Object>(_ object: T, keyPaths: [String]? = nil) -> RealmPublishers.Value<T> {
  RealmPublishers.Value(object, keyPaths: keyPaths)
}

/// Publishes a collection at first and whenever elements have come, gone or been changed. Stops for an unmanaged collection.
/// - Parameters:
///   - collection: what is observed where its realm is used.
///   - keyPaths: only changes of these properties count, or of what lies behind them: `owner.name`. Nil are all.
public func valuePublisher<T: RealmCollection & RealmSubscribable>(_ collection: T, keyPaths: [String]? = nil) -> RealmPublishers.Value<T> {
  RealmPublishers.Value(collection, keyPaths: keyPaths)
}

/// Publishes a projection whenever what it shows was set, and is finished when the object was deleted. Stops for an unmanaged object.
/// - Parameters:
///   - projection: what is observed where its realm is used.
///   - keyPaths: names in the projected class. Nil are all that is projected.
public func valuePublisher<T: ProjectionObservable & RealmSubscribable>(_ projection: T, keyPaths: [String]? = nil) -> RealmPublishers.Value<T> {
  RealmPublishers.Value(projection, keyPaths: keyPaths)
}

/// Publishes `.change` with the properties of an object that were set, and is finished when it was deleted. Stops for an object that is unmanaged or
/// gone.
/// - Parameters:
///   - object: what is observed where its realm is used.
///   - keyPaths: only these properties, or what lies behind them: `owner.name`. Nil are all of the object's own.
public func changesetPublisher<T: Object>(_ object: T, keyPaths: [String]? = nil) -> RealmPublishers.ObjectChangeset<T> {
  requirePublishable(object, "Only managed objects can be published")
  return RealmPublishers.ObjectChangeset<T>(
    Observable<ObjectChange<T>> { queue, outlet in object.observe(keyPaths, on: queue, outlet.token) { outlet.send(change: $0) } })
}

/// Publishes `.change` with the properties of a projection that were set, and is finished when the object was deleted. Stops for an object that is
/// unmanaged or gone.
/// - Parameters:
///   - projection: what is observed where its realm is used.
///   - keyPaths: names in the projected class. Nil are all that is projected.
public func changesetPublisher<T: ProjectionObservable>(_ projection: T, keyPaths: [String]? = nil) -> RealmPublishers.ObjectChangeset<T> {
  requirePublishable(projection, "Only managed objects can be published")
  return RealmPublishers.ObjectChangeset<T>(
    Observable { queue, outlet in projection.observe(keyPaths, on: queue, outlet.token) { outlet.send(change: $0) } })
}

/// Publishes `.initial`, and then `.update` whenever elements have come, gone or been changed. Stops for an unmanaged collection.
/// - Parameters:
///   - collection: what is observed where its realm is used.
///   - keyPaths: only changes of these properties count, or of what lies behind them: `owner.name`. Nil are all.
public func changesetPublisher<T: RealmCollection>(_ collection: T, keyPaths: [String]? = nil) -> RealmPublishers.CollectionChangeset<T> {
  RealmPublishers.CollectionChangeset(collection, keyPaths: keyPaths)
}

extension Outlet {
  /// The last change of an object is the end.
  fileprivate func send<T>(change: ObjectChange<T>) where Value == ObjectChange<T> {
    if case .deleted = change { finish() } else { send(change) }
  }
}
